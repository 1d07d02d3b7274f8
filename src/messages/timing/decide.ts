import { zoneOf } from '../../adapters/carriers/places.ts'
import { mailSettings } from '../../credentials/mail-account/settings-store.ts'
import type { Delivery } from '../../delivery/queue/delivery.ts'
import { coalesced } from '../../platform/foundation/coalesce.ts'
import type { Context } from '../../platform/foundation/context.ts'
import type { Payload } from '../../webhooks/payloads/payload.ts'
import { findMailGroup } from '../customer-mail/groups.ts'
import { decideTurn, type TimingFacts } from './rules.ts'
import { findEarlierMessages, insertMessages, setSent } from './store.ts'

export type Timing =
  /** The ids of earlier messages of its thread, oldest first. */
  { send: true; references: string[] } | { wait: Date } | { skip: string }

/** Whether a message to a customer may be sent now. One that may counts as the last of its order from here on. */
export function decideTiming(
  context: Context,
  delivery: Pick<Delivery, 'shopId' | 'id' | 'notificationId' | 'eventGroup' | 'attemptNumber' | 'attemptSinceResend'>,
  payload: Pick<Payload, 'context'>,
  now: Date,
): Promise<Timing> {
  const group = findMailGroup(delivery.eventGroup)
  return decide(context, {
    shopId: delivery.shopId,
    deliveryId: delivery.id,
    notificationId: delivery.notificationId,
    now,
    isUrgent: group?.isUrgent ?? false,
    isAboutParcels: group !== undefined && group.about !== 'claim' && group.about !== 'withdrawal',
    isResent: delivery.attemptNumber > delivery.attemptSinceResend,
    timeZone: timeZoneOf(payload),
  })
}

/** The mail server has accepted the message. */
export function recordSent(
  context: Context,
  sent: { shopId: string; deliveryId: string; messageId: string; sentAt: Date },
): Promise<undefined> {
  return recordMessage(context, sent)
}

const recordMessage = coalesced(setSent)

interface Item extends Omit<TimingFacts, 'hasNewer' | 'lastAt' | 'quiet'> {
  shopId: string
  deliveryId: string
  notificationId: string
  now: Date
}

const decide = coalesced(decideAll)

async function decideAll(context: Context, items: Item[]): Promise<Timing[]> {
  const earlier = await findEarlierMessages(context, items)
  const settings = new Map(
    await Promise.all(
      [...new Set(items.map(({ shopId }) => shopId))].map(
        async (shopId) => [shopId, await mailSettings(context, shopId)] as const,
      ),
    ),
  )
  const starting: Parameters<typeof insertMessages>[1] = []
  const timings = items.map((item): Timing => {
    const { shopId, deliveryId, now, isAboutParcels } = item
    const known = earlier.get(deliveryId)
    if (known === undefined) return { send: true, references: [] }
    const { quiet_enabled, quiet_from: from, quiet_to: to } = settings.get(shopId) ?? { quiet_enabled: false }
    const quiet = quiet_enabled && from !== undefined && to !== undefined ? { from, to } : undefined
    const decision = decideTurn({ ...item, ...known, quiet }, now)
    if (decision.turn === 'wait') return { wait: decision.until }
    if (decision.turn === 'skip') return { skip: decision.reason }
    const { orderId, shipmentId } = known
    starting.push({ shopId, deliveryId, orderId, shipmentId, isAboutParcels, startedAt: now })
    return { send: true, references: known.references }
  })
  await insertMessages(context, starting)
  return timings
}

/**
 * The customer's time zone, from the country of the order's address. In a country with several it is the one of the
 * province, else the one where most people live.
 */
function timeZoneOf({ context }: Pick<Payload, 'context'>): string {
  const { address } = context.order
  return zoneOf(address?.country_code, address?.province_code ?? undefined) ?? 'UTC'
}
