import type { ShopSystemName, SigningSystem } from '../../adapters/shop-systems/registry.ts'
import type {
  ReportedOrder,
  ReportedProduct,
  ReportedVariant,
  ShopChange,
} from '../../adapters/shop-systems/shop-system.ts'
import { toProductRecords } from '../../orders/products/rules.ts'
import { deleteProduct, findProducts, upsertProducts } from '../../orders/products/store.ts'
import { deleteOtherVariants, deleteVariant } from '../../orders/products/variant-store.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { ApiError } from '../../platform/foundation/errors.ts'
import type { SignedMessage } from '../../platform/foundation/operation.ts'
import { inTransaction } from '../../platform/foundation/transaction.ts'
import { findInboundSecrets } from '../../shops/settings/inbound-secret-store.ts'
import { getShopSystemSettings } from '../../shops/settings/shop-system-store.ts'
import { updateShop } from '../../shops/shops/store.ts'
import { requestFetches } from '../order-fetches/store.ts'
import { recordPing, recordReceived } from './activity-store.ts'
import { applyOrderMessage, applyOrderMessages, type OrderMessage } from './apply-order.ts'
import { isLateProduct, mergeDeletion, mergeFulfilment, mergeOrder, mergeScan, withTime } from './rules.ts'
import {
  findSystemSecrets,
  lockOrderSnapshots,
  lockProductSnapshot,
  updateOrderSnapshots,
  updateProductSnapshot,
} from './store.ts'
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
 * Applies a message, and then requests the details that it lacks: in this sequence, because a fetch locks the order
 * before its own row. Without a key of the store nothing can be fetched, so the message counts as complete.
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

/** The result of applying a reported order. */
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

/** Stores the current state of a product. A product that cannot be bought is removed, because it is never shown. */
async function applyProduct(context: ShopContext, system: ShopSystemName, reported: ReportedProduct): Promise<void> {
  const known = await lockProductSnapshot(context, system, reported.id)
  const product = withTime(reported, context.now)
  if (isLateProduct(product, known)) return
  const { productId, changedAt, sentAt } = product
  await updateProductSnapshot(context, system, reported.id, {
    productId,
    changedAt,
    sentAt: sentAt ?? null,
    deletedAt: null,
  })
  if (!product.isSold) return remove(context, reported.id, productId)
  const before = new Map(
    (await findProducts(context, context.shop.id, [productId])).map((variant) => [variant.variant_id, variant]),
  )
  const variants = product.variants.map((variant) => ({
    ...variant,
    product_id: productId,
    product_url: wholeUrl(context, variant),
    category: variant.category ?? before.get(variant.variant_id)?.category,
    // Shop systems do not send translations; those come through the API.
    translations: before.get(variant.variant_id)?.translations,
  }))
  await upsertProducts(context, context.shop.id, toProductRecords(variants))
  if (product.hasAllVariants) {
    await deleteOtherVariants(
      context,
      productId,
      variants.map(({ variant_id }) => variant_id),
    )
  }
}

/** A deletion without a timestamp counts from when it arrives. */
async function applyProductDeletion(
  context: ShopContext,
  system: ShopSystemName,
  id: string,
  sentAt: Date | undefined,
): Promise<void> {
  const known = await lockProductSnapshot(context, system, id)
  const deletedAt = sentAt ?? context.now
  if (known.changedAt !== null && known.changedAt > deletedAt) return
  await updateProductSnapshot(context, system, id, { ...known, deletedAt })
  await remove(context, id, known.productId ?? id)
}

async function remove(context: ShopContext, id: string, productId: string): Promise<void> {
  if (id === productId) await deleteProduct(context, productId)
  else await deleteVariant(context, productId, id)
}

function wholeUrl(context: ShopContext, { product_url }: ReportedVariant): string | undefined {
  if (product_url === undefined || !product_url.startsWith('/')) return product_url
  const { shop_url } = context.shop
  return shop_url === null || !URL.canParse(product_url, shop_url) ? undefined : new URL(product_url, shop_url).href
}

/**
 * True if the order is skipped because it has not been placed yet. Its version is stored, so that a late older message
 * does not create it. An order that was stored before is still updated: a payment may fail later.
 */
async function skipUnplaced(
  context: ShopContext,
  system: ShopSystemName,
  order: ReportedOrder & { changedAt: Date },
): Promise<boolean> {
  if (order.stage === undefined || order.stage === 'placed') return false
  if (order.stage === 'on hold') {
    const { woocommerce } = await getShopSystemSettings(context, context.shop.id)
    if (woocommerce.on_hold_is_order) return false
  }
  const known = (await lockOrderSnapshots(context, system, [order.id])).get(order.id)
  if (known === undefined) throw new Error('a snapshot is created where there is none')
  const isNewer = known.changedAt === null || order.changedAt > known.changedAt
  if (known.isApplied) return !isNewer && !order.isRestored
  if (isNewer) {
    const snapshot = { ...known, changedAt: order.changedAt, sentAt: null }
    await updateOrderSnapshots(context, system, [{ externalId: order.id, snapshot }])
  }
  return true
}
