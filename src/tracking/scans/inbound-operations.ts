import type { ProviderDescription, PushedReport } from '../../adapters/carriers/provider.ts'
import { describedProviders, type ProviderName } from '../../adapters/carriers/registry.ts'
import { findWebhookSecrets } from '../../credentials/integration-keys/store.ts'
import { noteWebhookVersion } from '../../credentials/integration-keys/webhook-version-store.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { ApiError } from '../../platform/foundation/errors.ts'
import { operation, type SignedMessage } from '../../platform/foundation/operation.ts'
import { NullReply } from '../../platform/foundation/schema.ts'
import { inTransaction } from '../../platform/foundation/transaction.ts'
import { updateParcels } from './parcel-store.ts'
import { toParcel } from './poll-result.ts'
import { findProvider } from './providers.ts'
import { recordReports, type ShipmentReport } from './record.ts'
import { nextPoll } from './rules.ts'
import { findParcelsByNumber, findShipmentStates } from './shipment-store.ts'
import { lockProviderStatuses } from './shop-tracking.ts'

const pushing = describedProviders
  .filter(({ abilities }: ProviderDescription) => abilities.includes('readWebhook'))
  .map(({ label }) => label)

export const receiveCarrierUpdate = operation({
  name: 'receiveCarrierUpdate',
  summary: 'Receive a push of a tracking provider',
  description: `The address to give to ${pushing.join(' or ')}. The provider signs the message with the webhook_secret of the shop. A repeated message changes nothing.`,
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
    const { name, readWebhook, secrets } = await getSender(context, path.provider)
    const { bytes, headers } = message as SignedMessage // a signed operation always has it
    const readings = await Promise.all(
      secrets.map((secret) => readWebhook({ bytes, headers, now: context.now }, secret)),
    )
    const reading = readings.find(({ result }) => result !== 'wrong signature')
    if (reading === undefined || reading.result === 'wrong signature') throw wrongSignature(name)
    if (reading.result === 'unreadable') throw new ApiError('invalid_payload', reading.detail)
    if (reading.version !== undefined) await noteWebhookVersion(context, name, reading.version)
    if (reading.result === 'read') await recordPush(context, name, reading.reports)
    return null
  },
})

/** The provider that may send here, and the secrets that it may sign with. */
async function getSender(context: ShopContext, provider = '') {
  const name = findProvider(provider)
  const readWebhook = name && context.services.providers[name].readWebhook
  if (name === undefined || readWebhook === undefined) {
    throw new ApiError('route_not_found', `Nothing is taken here from ${JSON.stringify(provider)}.`)
  }
  const secrets = name === 'sandbox' ? [] : await findWebhookSecrets(context, context.shop.id, name)
  if (secrets.length === 0) throw wrongSignature(name)
  return { name, readWebhook, secrets }
}

/** The same error if no secret is set, so that a sender without the right one learns nothing. */
function wrongSignature(provider: string): ApiError {
  return new ApiError(
    'invalid_merchant_or_key',
    `This is not signed with the webhook_secret of the shop. Set it with PUT /keys/${provider}.`,
  )
}

/**
 * Records what a provider has pushed, read with our parcel like the reply to a poll: times and days without a zone are in
 * that of its destination. Of several shipments with the number, the newest is used. Unknown numbers are ignored,
 * and so is a provider that the shop has switched off.
 */
async function recordPush(context: ShopContext, provider: ProviderName, reports: PushedReport[]): Promise<void> {
  if (reports.length === 0) return
  await inTransaction(context, async (context) => {
    const shopId = context.shop.id
    const [status] = await lockProviderStatuses(context, [{ shopId, provider }])
    if (status === 'disabled') return
    const parcels = await findParcelsByNumber(context, shopId, [...new Set(reports.map((each) => each.trackingNumber))])
    const byNumber = new Map(parcels.map((parcel) => [parcel.trackingNumber, parcel]))
    const named = reports.flatMap((report): ShipmentReport[] => {
      const parcel = byNumber.get(report.trackingNumber)
      if (parcel === undefined) return []
      const { shipmentId, fulfilledAt } = parcel
      const read = report.read(toParcel(parcel, context.now))
      return [
        { shopId, shipmentId, provider, fulfilledAt, report: read, isNotified: status === 'live', now: context.now },
      ]
    })
    if (named.length === 0) return
    await recordReports(context, named)
    const tracked = parcels.filter(({ isTracked }) => isTracked)
    const states = await findShipmentStates(context, tracked)
    await updateParcels(
      context,
      tracked.map((parcel) => ({
        shopId,
        shipmentId: parcel.shipmentId,
        polls: undefined,
        failures: 0,
        now: context.now,
        ...nextPoll({
          phase: states.get(parcel.shipmentId)?.phase ?? '',
          fulfilledAt: parcel.fulfilledAt,
          endedAt: parcel.endedAt,
          isPushed: parcel.isPushed,
          now: context.now,
          jitter: Math.random(),
        }),
      })),
    )
  })
}
