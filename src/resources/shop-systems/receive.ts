import type { ShopContext } from '../../foundation/context.ts'
import { ApiError } from '../../foundation/errors.ts'
import type { SignedMessage } from '../../foundation/operation.ts'
import { inTransaction } from '../../foundation/transaction.ts'
import { shopSystems } from '../../shop-systems/registry.ts'
import type { ShopNews, ShopSystemName } from '../../shop-systems/shop-system.ts'
import { findInboundSecret } from '../settings/inbound-secret-store.ts'
import { updateShop } from '../shops/store.ts'
import { hearDeletion, hearFulfilment, hearOrder, hearScan, withTime } from './rules.ts'
import { findSystemSecret } from './store.ts'
import { takeOrder } from './take-order.ts'
import { takeProduct, takeProductDeletion } from './take-product.ts'
import { isLeftAlone } from './take-unplaced.ts'

/** Those that sign with a secret of the shop; Shopware negotiates one of its own. */
type SigningSystem = Exclude<ShopSystemName, 'shopware'>

/** Takes a message of a shop system: who it is from first, then what it says, then all of that in one transaction. */
export async function receive(
  context: ShopContext,
  name: SigningSystem,
  message: SignedMessage | undefined,
): Promise<null> {
  const system = shopSystems[name]
  if (message === undefined) throw notSigned(name)
  if (system.isPing?.(message)) return null
  if (!(await isSigned(context, name, message))) throw notSigned(name)
  const news = system.read(message)
  if (news.length > 0) {
    await inTransaction(context, async (context) => {
      for (const item of news) await takeNews(context, name, item)
    })
  }
  return null
}

/** Refuses what no secret of the shop could prove. */
export async function expectSecret(context: ShopContext, name: SigningSystem): Promise<void> {
  if ((await findSecrets(context, name)).length === 0) throw notSigned(name)
}

async function isSigned(context: ShopContext, name: SigningSystem, message: SignedMessage): Promise<boolean> {
  return (await findSecrets(context, name)).some((secret) => shopSystems[name].isSigned(message, secret))
}

async function findSecrets(context: ShopContext, name: SigningSystem): Promise<string[]> {
  const shared = await findInboundSecret(context, context.shop.id)
  const own = await findSystemSecret(context, context.shop.id, name)
  return [shared, own].filter((secret) => secret !== undefined)
}

/** Takes over one thing that a shop system reports, inside the caller's transaction. */
export async function takeNews(context: ShopContext, system: ShopSystemName, news: ShopNews): Promise<void> {
  const { now } = context
  switch (news.kind) {
    case 'order': {
      const order = withTime(news.order, now)
      await noteCurrency(context, order.shopCurrency)
      if (await isLeftAlone(context, system, order)) return
      return takeOrder(context, system, {
        externalId: order.id,
        order,
        hear: (known) => hearOrder(known, order, now),
      })
    }
    case 'fulfilment':
      return takeOrder(context, system, {
        externalId: news.orderId,
        order: undefined,
        hear: (known) => hearFulfilment(known, news.fulfilment, now),
      })
    case 'scan':
      return takeOrder(context, system, {
        externalId: news.orderId,
        order: undefined,
        hear: (known) => hearScan(known, news.fulfilmentId, news.scan),
      })
    case 'order deleted':
      return takeOrder(context, system, {
        externalId: news.orderId,
        order: undefined,
        hear: (known) => hearDeletion(known, news.sentAt, now),
      })
    case 'product':
      return takeProduct(context, system, news.product)
    case 'product deleted':
      return takeProductDeletion(context, system, news.productId, news.sentAt)
  }
}

/** The shop's currency is that of its shop system, once that has said it. */
async function noteCurrency(context: ShopContext, currency: string | undefined): Promise<void> {
  const { shop } = context
  if (currency === undefined || currency === shop.system_currency) return
  await updateShop(context, shop.id, { currency, system_currency: currency })
  await context.services.announce(context, { kind: 'shop', id: shop.id, slug: shop.slug })
}

function notSigned(name: SigningSystem): ApiError {
  const remedy = `Configure ${name} with the secret that GET /woocommerce/webhook-config answers.`
  return new ApiError('invalid_merchant_or_key', `This is not signed with the webhook secret of the shop. ${remedy}`)
}
