import type { ShopSystemName, SigningSystem } from '../../adapters/shop-systems/registry.ts'
import type { ReportedOrder, ShopChange } from '../../adapters/shop-systems/shop-system.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { ApiError } from '../../platform/foundation/errors.ts'
import type { SignedMessage } from '../../platform/foundation/operation.ts'
import { inTransaction } from '../../platform/foundation/transaction.ts'
import { findInboundSecrets } from '../../shops/settings/inbound-secret-store.ts'
import { updateShop } from '../../shops/shops/store.ts'
import { requestFetches } from '../order-fetches/store.ts'
import { recordPing, recordReceived } from './activity-store.ts'
import { applyOrderMessage, applyOrderMessages, type OrderMessage } from './apply-order.ts'
import { applyProduct, applyProductDeletion } from './apply-product.ts'
import { mergeDeletion, mergeFulfilment, mergeOrder, mergeScan, withTime } from './rules.ts'
import { skipUnplaced } from './skip-unplaced.ts'
import { findSystemSecrets } from './store.ts'
import { findWooCommerceAccount } from './woocommerce-account.ts'

/** Verifies the sender of a message, reads it, and applies all its changes in one transaction. */
export async function receive(
  context: ShopContext,
  name: SigningSystem,
  message: SignedMessage | undefined,
): Promise<null> {
  if (message === undefined) throw notSigned(name)
  const system = await context.services.shopSystems[name].adapter()
  if (system.isPing?.(message)) {
    await recordPing(context, name)
    return null
  }
  if (!(await isSigned(context, name, message))) throw notSigned(name)
  await recordReceived(context, name)
  const changes = system.read(message)
  if (changes.length > 0) {
    await inTransaction(context, async (context) => {
      for (const change of changes) await applyAndComplete(context, name, change)
    })
  }
  return null
}

/**
 * Applies what a message says, and requests what it lacks. After it, because a fetch locks the order before its own row. Without
 * a key of the store nothing can be fetched, so the message is all there is.
 */
async function applyAndComplete(context: ShopContext, name: SigningSystem, change: ShopChange): Promise<void> {
  if (name !== 'woocommerce' || change.kind !== 'order' || change.order.lacks === undefined) {
    return applyReportedChange(context, name, change)
  }
  const { lacks, ...order } = change.order
  const hasKey = (await findWooCommerceAccount(context)) !== undefined
  await applyReportedChange(context, name, hasKey ? change : { kind: 'order', order })
  if (hasKey) await requestFetches(context, 'woocommerce', [{ orderId: order.id, isDeleted: false }])
}

/** Rejects messages for a shop that has no secret to verify them with. */
export async function expectSecret(context: ShopContext, name: SigningSystem): Promise<void> {
  if ((await findSecrets(context, name)).length === 0) throw notSigned(name)
}

async function isSigned(context: ShopContext, name: SigningSystem, message: SignedMessage): Promise<boolean> {
  const system = await context.services.shopSystems[name].adapter()
  return (await findSecrets(context, name)).some((secret) => system.isSigned(message, secret))
}

async function findSecrets(context: ShopContext, name: SigningSystem): Promise<string[]> {
  const shared = await findInboundSecrets(context, context.shop.id)
  return [...shared, ...(await findSystemSecrets(context, context.shop.id, name))]
}

/** Applies one reported change, inside the caller's transaction. */
export async function applyReportedChange(
  context: ShopContext,
  system: ShopSystemName,
  change: ShopChange,
): Promise<void> {
  const { now } = context
  switch (change.kind) {
    case 'order':
      await applyReportedOrders(context, system, [change.order])
      return
    case 'fulfilment':
      await applyOrderMessage(context, system, {
        externalId: change.orderId,
        order: undefined,
        merge: (known) => mergeFulfilment(known, change.fulfilment, now),
      })
      return
    case 'scan':
      await applyOrderMessage(context, system, {
        externalId: change.orderId,
        order: undefined,
        merge: (known) => mergeScan(known, change.fulfilmentId, change.scan),
      })
      return
    case 'order deleted':
      await applyOrderMessage(context, system, {
        externalId: change.orderId,
        order: undefined,
        merge: (known) => mergeDeletion(known, change.sentAt, now),
      })
      return
    case 'product':
      return applyProduct(context, system, change.product)
    case 'product deleted':
      return applyProductDeletion(context, system, change.productId, change.sentAt)
  }
}

/** What became of a reported order. */
export interface AppliedOrder {
  change: 'created' | 'updated' | 'unchanged' | 'skipped'
  /** Our order, if there is one. */
  orderId?: string
}

/**
 * Applies the states of whole orders, inside the caller's transaction, and returns a result for each. Those that are not
 * placed yet are skipped. If one is rejected, it throws, and the caller undoes all of them.
 */
export async function applyReportedOrders(
  context: ShopContext,
  system: ShopSystemName,
  reported: ReportedOrder[],
): Promise<AppliedOrder[]> {
  for (const currency of new Set(reported.map(({ shopCurrency }) => shopCurrency)))
    await storeCurrency(context, currency)
  const messages: (OrderMessage | undefined)[] = []
  for (const one of reported) {
    const order = withTime(one, context.now)
    const isSkipped = await skipUnplaced(context, system, order)
    messages.push(isSkipped ? undefined : messageOf(order, context.now))
  }
  const applied = (
    await applyOrderMessages(
      context,
      system,
      messages.flatMap((message) => message ?? []),
    )
  ).values()
  return messages.map((message): AppliedOrder => (message && applied.next().value) ?? { change: 'skipped' })
}

function messageOf(order: ReportedOrder & { changedAt: Date }, now: Date): OrderMessage {
  return { externalId: order.id, order, merge: (known) => mergeOrder(known, order, now) }
}

/** Once the shop system has reported its currency, that is the shop's currency. */
async function storeCurrency(context: ShopContext, currency: string | undefined): Promise<void> {
  const { shop } = context
  if (currency === undefined || currency === shop.system_currency) return
  await updateShop(context, shop.id, { currency, system_currency: currency })
  await context.services.announce(context, { kind: 'shop', id: shop.id, slug: shop.slug })
}

function notSigned(name: SigningSystem): ApiError {
  const remedy = `Configure ${name} with the secret that GET /woocommerce/webhook-config returns.`
  return new ApiError('invalid_merchant_or_key', `This is not signed with the webhook secret of the shop. ${remedy}`)
}
