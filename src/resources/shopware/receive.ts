import type { ShopContext } from '../../foundation/context.ts'
import { ApiError } from '../../foundation/errors.ts'
import type { SignedMessage } from '../../foundation/operation.ts'
import { inTransaction } from '../../foundation/transaction.ts'
import type { News } from '../../shop-systems/shop-system.ts'
import { shopware } from '../../shop-systems/shopware/adapter.ts'
import { takeNews } from '../shop-systems/receive.ts'
import { disconnectShopware, isFromShopware, isShopwareConnected } from './connection.ts'
import { requestFetches } from './fetch-store.ts'

/** Takes a webhook of the connected Shopware: who it is from first, then what it says, then all of that in one transaction. */
export async function receive(context: ShopContext, message: SignedMessage | undefined): Promise<null> {
  if (message === undefined || !(await isFromShopware(context, message))) throw notSigned()
  const news = shopware.read(message)
  if (news.length > 0) {
    await inTransaction(context, async (context) => {
      for (const item of news) await take(context, item)
    })
  }
  return null
}

/** Throws unless a Shopware is connected. */
export async function expectConnection(context: ShopContext): Promise<void> {
  if (!(await isShopwareConnected(context))) throw notSigned()
}

async function take(context: ShopContext, news: News): Promise<void> {
  switch (news.kind) {
    case 'orders changed':
      return requestFetches(context, news.orders)
    case 'disconnected':
      return disconnectShopware(context)
    default:
      return takeNews(context, 'shopware', news)
  }
}

function notSigned(): ApiError {
  return new ApiError(
    'invalid_merchant_or_key',
    'This is not signed with the webhook secret of the shop. Install the app that GET /shopware/app.zip returns.',
  )
}
