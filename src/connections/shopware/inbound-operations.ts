import type { ReportedChange } from '../../adapters/shop-systems/shop-system.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { ApiError } from '../../platform/foundation/errors.ts'
import { operation, ReplyWithHeaders, type SignedMessage } from '../../platform/foundation/operation.ts'
import { NullReply } from '../../platform/foundation/schema.ts'
import { inTransaction } from '../../platform/foundation/transaction.ts'
import { requestFetches } from '../order-fetches/store.ts'
import { recordReceived } from '../shop-systems/activity-store.ts'
import { applyReportedChange } from '../shop-systems/receive.ts'
import { appliedMessages } from '../shop-systems/schema.ts'
import { auditedApp } from './audit.ts'
import {
  confirm,
  disconnectShopware,
  expectConfirmation,
  isFromShopware,
  isShopwareConnected,
  register,
} from './connection.ts'
import { RegistrationQuery, RegistrationReply } from './schema.ts'

const area = 'Shop systems'

export const registerShopware = operation({
  name: 'registerShopwareApp',
  summary: 'Register the app with a Shopware that installs it',
  description:
    "Called by Shopware. `shopware-app-signature` is the HMAC-SHA256 of the query string, hexadecimal, keyed by the app's secret. While a Shopware is connected, only the same one may register again, and proves it by `shopware-shop-signature` with the current secret. The reply has our own proof, and the secret that Shopware signs with after the confirmation.",
  area,
  route: 'GET /v1/inbound/{slug}/shopware/register',
  needs: 'nobody',
  signed: true,
  query: RegistrationQuery,
  reply: RegistrationReply,
  // The values are read from the exact string that was signed.
  async handle(context, { message }) {
    return new ReplyWithHeaders(await register(context, message), { 'cache-control': 'no-store' })
  },
})

export const confirmShopware = operation({
  name: 'confirmShopwareApp',
  summary: 'Confirm the registration of the app',
  description:
    'Called by Shopware within ten minutes of the registration. `shopware-shop-signature` is made over the bytes of the body with the new secret; when the app is registered again, `shopware-shop-signature-previous` with the one before. The body has the credentials of the Admin API.',
  area,
  route: 'POST /v1/inbound/{slug}/shopware/confirm',
  needs: 'nobody',
  signed: true,
  messageExample: {
    apiKey: 'SWIAEXAMPLEKEY',
    secretKey: 'the secret of that key',
    timestamp: '1762158600',
    shopUrl: 'https://shop.example',
    shopId: 'dgrH7nLU6tlE',
  },
  reply: NullReply,
  expects: expectConfirmation,
  audit: { ...auditedApp, isAct: true },
  handle: (context, { message }) => confirm(context, message),
})

export const receiveShopware = operation({
  name: 'receiveShopwareWebhook',
  summary: 'Receive a Shopware webhook',
  description: `Signed with the secret that was negotiated when the app was registered: \`shopware-shop-signature\` is the hexadecimal HMAC-SHA256 of the bytes of the body. Orders that a message only names are fetched. ${appliedMessages}`,
  area,
  route: 'POST /v1/inbound/{slug}/shopware',
  needs: 'nobody',
  signed: true,
  messageExample: {
    data: {
      event: 'order.written',
      payload: [{ entity: 'order', operation: 'update', primaryKey: '0192f3c47b1e7cc09d3a2f6f7a1b4c5d' }],
    },
    source: { url: 'https://shop.example', shopId: 'dgrH7nLU6tlE', appVersion: '1.0.0' },
  },
  reply: NullReply,
  errors: ['order_exists'],
  expects: expectConnection,
  audit: { none: 'The timeline of the shipment records it.' },
  handle: (context, { message }) => receive(context, message),
})

/** Verifies the sender of a webhook, reads it, and applies all its changes in one transaction. */
async function receive(context: ShopContext, message: SignedMessage | undefined): Promise<null> {
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
async function expectConnection(context: ShopContext): Promise<void> {
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
