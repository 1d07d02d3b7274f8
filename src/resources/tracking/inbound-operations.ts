import type { ShopContext } from '../../foundation/context.ts'
import { ApiError } from '../../foundation/errors.ts'
import { operation, type SignedMessage } from '../../foundation/operation.ts'
import { NullReply } from '../../foundation/schema.ts'
import { findCredentials } from '../integration-keys/store.ts'
import { findProvider, knownProviders } from './providers.ts'
import { recordPush } from './push.ts'

export const receiveCarrierUpdate = operation({
  name: 'receiveCarrierUpdate',
  summary: 'Receive a push of a tracking provider',
  description:
    'The address to give to AfterShip or EasyPost. The provider signs the message with the webhook_secret of the shop. A repeated message changes nothing.',
  area: 'Carriers',
  route: 'POST /v1/inbound/{slug}/carriers/{provider}',
  needs: 'nobody',
  signed: true,
  messageExample: {
    event: 'tracking_update',
    msg: {
      slug: 'dhl-germany',
      tracking_number: '00340434161094042557',
      checkpoints: [{ checkpoint_time: '2026-11-03T07:15:00+01:00', tag: 'OutForDelivery', city: 'Berlin' }],
    },
  },
  reply: NullReply,
  errors: ['route_not_found'],
  expects: async (context, { path }) => void (await getSender(context, path.provider)),
  audit: { none: 'The timeline of the shipment records it.' },
  async handle(context, { path, message }) {
    const { name, readWebhook, secret } = await getSender(context, path.provider)
    const { bytes, headers } = message as SignedMessage // a signed operation always has it
    const reading = readWebhook.call(knownProviders[name], { bytes, headers, now: context.now }, secret)
    if (reading.result === 'wrong signature') throw wrongSignature(name)
    if (reading.result === 'unreadable') throw new ApiError('invalid_payload', reading.detail)
    if (reading.result === 'read') await recordPush(context, name, reading.reports)
    return null
  },
})

/** The provider that may send here, and the secret that it signs with. */
async function getSender(context: ShopContext, provider = '') {
  const name = findProvider(provider)
  const readWebhook = name && knownProviders[name].readWebhook
  if (name === undefined || readWebhook === undefined) {
    throw new ApiError('route_not_found', `Nothing is taken here from ${JSON.stringify(provider)}.`)
  }
  const secret = await findSecret(context, name)
  if (secret === undefined) throw wrongSignature(name)
  return { name, readWebhook, secret }
}

async function findSecret(context: ShopContext, name: NonNullable<ReturnType<typeof findProvider>>) {
  if (name === 'sandbox') return undefined
  const credentials = await findCredentials(context, context.shop.id, name)
  return credentials && 'webhook_secret' in credentials ? (credentials.webhook_secret ?? undefined) : undefined
}

/** The same error if no secret is set, so that a sender without the right one learns nothing. */
function wrongSignature(provider: string): ApiError {
  return new ApiError(
    'invalid_merchant_or_key',
    `This is not signed with the webhook_secret of the shop. Set it with PUT /keys/${provider}.`,
  )
}
