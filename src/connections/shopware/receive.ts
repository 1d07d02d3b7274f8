import type { ReportedChange } from '../../adapters/shop-systems/shop-system.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { ApiError } from '../../platform/foundation/errors.ts'
import type { SignedMessage } from '../../platform/foundation/operation.ts'
import { inTransaction } from '../../platform/foundation/transaction.ts'
import { requestFetches } from '../order-fetches/store.ts'
import { recordReceived } from '../shop-systems/activity-store.ts'
import { applyReportedChange } from '../shop-systems/receive.ts'
import { disconnectShopware, isFromShopware, isShopwareConnected } from './connection.ts'

/** Verifies the sender of a webhook, reads it, and applies all its changes in one transaction. */
export async function receive(context: ShopContext, message: SignedMessage | undefined): Promise<null> {
  if (message === undefined || !(await isFromShopware(context, message))) throw notSigned()
  await recordReceived(context, 'shopware')
  const adapter = await context.services.shopSystems.shopware.adapter()
  const changes = adapter.read(message)
  if (changes.length > 0) {
    await inTransaction(context, async (context) => {
      for (const change of changes) await apply(context, change)
    })
  }
  return null
}

/** Throws unless a Shopware is connected. */
export async function expectConnection(context: ShopContext): Promise<void> {
  if (!(await isShopwareConnected(context))) throw notSigned()
}

async function apply(context: ShopContext, change: ReportedChange): Promise<void> {
  switch (change.kind) {
    case 'orders changed':
      return requestFetches(context, 'shopware', change.orders)
    case 'disconnected':
      return disconnectShopware(context)
    default:
      return applyReportedChange(context, 'shopware', change)
  }
}

function notSigned(): ApiError {
  return new ApiError(
    'invalid_merchant_or_key',
    'This is not signed with the webhook secret of the shop. Install the app that GET /shopware/app.zip returns.',
  )
}
