import { header } from '../../adapters/shop-systems/read-fields.ts'
import {
  appSignature,
  isSignedBody,
  isSignedQuery,
  previousSignature,
  proofOf,
  readConfirmation,
  readRegistration,
  shopSignature,
  sourceUrlOf,
} from '../../adapters/shop-systems/shopware/registration.ts'
import { after, minuteMs } from '../../platform/foundation/clock.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { ApiError } from '../../platform/foundation/errors.ts'
import { randomText } from '../../platform/foundation/ids.ts'
import type { SignedMessage } from '../../platform/foundation/operation.ts'
import { deleteFetches } from '../order-fetches/store.ts'
import {
  type AppRow,
  confirmRegistration,
  disconnect,
  findApp,
  openAppSecret,
  openConnection,
  openPendingSecret,
  openSecrets,
  secretLength,
  startRegistration,
} from './store.ts'

/** How far Shopware's clock may be off, and how long a registration waits for its confirmation. */
const registrationMs = 10 * minuteMs

/** Webhooks wait in Shopware's queue, signed already. */
const previousSecretMs = 5 * minuteMs

/**
 * First half of the handshake: Shopware proves that it has the app's secret, we prove the same, and offer the secret that
 * it will sign with. A shop that is connected must also prove that it is the Shopware it was before: the app's secret is
 * in a file that others may have, such as a test copy of the shop.
 */
export async function register(
  context: ShopContext,
  message: SignedMessage | undefined,
): Promise<{ proof: string; secret: string; confirmation_url: string }> {
  const app = await findApp(context, context.shop.id)
  const appSecret = app && openAppSecret(context, app)
  if (!app || !appSecret || !message || !isSignedQuery(message, appSignature, appSecret)) {
    throw unproven('This is not signed with the secret of the app. Install the app that GET /shopware/app.zip returns.')
  }
  const registration = readRegistration(message)
  requireRecent(context, registration.sentAt)
  if (context.services.isProduction && registration.shopUrl.startsWith('http:')) {
    throw unproven('Shopware must be reached by https: set its APP_URL. Credentials are not sent in the clear.')
  }
  const connection = openConnection(context, app)
  if (connection) {
    if (app.shopware_id !== registration.shopwareId) throw connectedToAnother(app)
    if (!isSignedQuery(message, shopSignature, connection.secret)) throw connectedToAnother(app)
  }
  const secret = randomText(secretLength)
  const { shopwareId, shopUrl, sentAt } = registration
  const until = after(context.now, registrationMs)
  if (!(await startRegistration(context, app, { shopwareId, shopUrl, secret, until, sentAt }))) {
    throw unproven('This registration, or a newer one, has been made already. Try again in a second.')
  }
  return {
    proof: proofOf({ name: app.name, secret: appSecret }, registration),
    secret,
    confirmation_url: `${context.services.publicUrl}/v1/inbound/${context.shop.slug}/shopware/confirm`,
  }
}

/** Second half: Shopware signs with the secret that we offered, and sends us the credentials of its Admin API. */
export async function confirm(context: ShopContext, message: SignedMessage | undefined): Promise<null> {
  const app = await findApp(context, context.shop.id)
  const secret = app && openPendingSecret(context, app)
  if (!app || !secret || !message || !isSignedBody(message, shopSignature, secret)) {
    throw unproven('This is not signed with the secret of a registration that waits for its confirmation.')
  }
  const before = openConnection(context, app)
  if (before && !isSignedBody(message, previousSignature, before.secret)) throw connectedToAnother(app)
  const confirmation = readConfirmation(message)
  requireRecent(context, confirmation.sentAt)
  if (!isPending(app) || !isSameShopware(app, confirmation)) {
    throw unproven('This confirms another Shopware than the one that was registered.')
  }
  const { clientId, clientSecret } = confirmation
  const details = {
    shopwareVersion: header(message.headers, 'sw-version').slice(0, 64) || undefined,
    previousUntil: after(context.now, previousSecretMs),
  }
  if (!(await confirmRegistration(context, app, { secret, clientId, clientSecret }, details))) {
    throw unproven('This registration has been confirmed or replaced already.')
  }
  return null
}

/**
 * Whether a webhook is from the connected Shopware. A copy of the shop has the same secret in its database; its address
 * differs.
 */
export async function isFromShopware(context: ShopContext, message: SignedMessage): Promise<boolean> {
  const app = await findApp(context, context.shop.id)
  const isSigned = (secret: string) => isSignedBody(message, shopSignature, secret)
  if (app === undefined || !openSecrets(context, app).some(isSigned)) return false
  const source = sourceUrlOf(message)
  return source === undefined || source === app.shop_url
}

export async function isShopwareConnected(context: ShopContext): Promise<boolean> {
  const app = await findApp(context, context.shop.id)
  return app !== undefined && openSecrets(context, app).length > 0
}

/** Rejects a confirmation without a pending registration. */
export async function expectConfirmation(context: ShopContext): Promise<void> {
  const app = await findApp(context, context.shop.id)
  if (app === undefined || !isPending(app)) throw unproven('No registration is waiting for its confirmation.')
}

export async function disconnectShopware(context: ShopContext): Promise<void> {
  await disconnect(context, context.shop.id)
  await deleteFetches(context, 'shopware', context.shop.id)
}

function isPending(app: AppRow): app is AppRow & { pending_shop_url: string; pending_secret: Buffer } {
  return app.pending_shop_url !== null && app.pending_secret !== null
}

function isSameShopware(app: AppRow, reported: { shopwareId: string; shopUrl: string }): boolean {
  return app.pending_shopware_id === reported.shopwareId && app.pending_shop_url === reported.shopUrl
}

function requireRecent(context: ShopContext, sentAt: Date | undefined): void {
  if (sentAt && Math.abs(context.now.getTime() - sentAt.getTime()) <= registrationMs) return
  throw unproven('This was signed too long ago, or the clock of Shopware is wrong.')
}

function connectedToAnother({ shop_url }: AppRow): ApiError {
  return unproven(
    `This shop is connected to the Shopware at ${shop_url}. Remove the app there first, or call DELETE /shopware/app.`,
  )
}

function unproven(message: string): ApiError {
  return new ApiError('invalid_merchant_or_key', message)
}
