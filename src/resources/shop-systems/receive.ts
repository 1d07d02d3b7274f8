import { Refusal } from '../../foundation/errors.ts'
import { inTransaction, type ShopContext, type SignedMessage } from '../../foundation/operation.ts'
import { shopSystems } from '../../shop-systems/registry.ts'
import type { News, ShopSystemName } from '../../shop-systems/shop-system.ts'
import { findInboundSecret } from '../settings/inbound-secret-store.ts'
import { hearDeletion, hearFulfilment, hearOrder, withTime } from './rules.ts'
import { findSystemSecret } from './store.ts'
import { takeOrder } from './take-order.ts'
import { takeProduct, takeProductDeletion } from './take-product.ts'

/** Takes a message of a shop system: who it is from first, then what it says, then all of that in one transaction. */
export async function receive(
  context: ShopContext,
  name: ShopSystemName,
  message: SignedMessage | undefined,
): Promise<null> {
  const system = shopSystems[name]
  if (message === undefined) throw notSigned(name)
  if (system.isPing?.(message)) return null
  const isSigned = (await findSecrets(context, name)).some((secret) => system.isSigned(message, secret))
  if (!isSigned) throw notSigned(name)
  const news = system.read(message)
  if (news.length > 0) {
    await inTransaction(context, async (context) => {
      for (const item of news) await take(context, name, item)
    })
  }
  return null
}

/** Refuses what no secret of the shop could prove. */
export async function expectSecret(context: ShopContext, name: ShopSystemName): Promise<void> {
  if ((await findSecrets(context, name)).length === 0) throw notSigned(name)
}

async function findSecrets(context: ShopContext, name: ShopSystemName): Promise<string[]> {
  const shared = await findInboundSecret(context, context.shop.id)
  const own = await findSystemSecret(context, context.shop.id, name)
  return [shared, own].filter((secret) => secret !== undefined)
}

function take(context: ShopContext, system: ShopSystemName, news: News): Promise<void> {
  const { now } = context
  switch (news.kind) {
    case 'order': {
      const order = withTime(news.order, now)
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

function notSigned(name: ShopSystemName): Refusal {
  return new Refusal(
    'invalid_merchant_or_key',
    `This is not signed with the webhook secret of the shop. Configure ${name} with the secret that GET /woocommerce/webhook-config answers.`,
  )
}
