import { namedHours } from '../../customer-view/order-page/opening-hours.ts'
import type { ShownParcel } from '../../customer-view/order-page/parcels.ts'
import { progressOf } from '../../customer-view/order-page/progress.ts'
import { eventStrings } from '../../platform/catalogue/texts/translate.ts'
import { dayMs, hourMs } from '../../platform/foundation/clock.ts'
import { type Formats, formatsFor } from '../../platform/foundation/formats.ts'
import type { Language } from '../../platform/foundation/languages.ts'
import type { MailParcel } from './view.ts'

/** The language of the reader, the shop, and the time of reading. */
export interface Reader {
  language: Language
  shopName: string
  now: Date
}

/** A parcel in the customer's words. */
export function toMailParcel(
  { language, shopName, now }: Reader,
  parcel: ShownParcel,
  { isSubject, destination }: Pick<MailParcel, 'isSubject' | 'destination'>,
): MailParcel {
  const formats = formatsFor(language, parcel.timeZone)
  const words = eventStrings(language, parcel.eventKey, { isReturn: parcel.isReturn, shopName })
  const latest = parcel.events.find(({ event_key }) => event_key === parcel.eventKey)
  const progress = progressOf(parcel)
  const window = windowOf(now, parcel)
  return {
    isSubject,
    isReturn: parcel.isReturn,
    carrier: parcel.carrierName ?? null,
    trackingNumber: parcel.trackingNumber,
    carrierUrl: parcel.carrierLink ?? null,
    status: words.event_status,
    flag: parcel.flag,
    lastEvent: words.list_label || null,
    lastEventAt: latest ? instantWords(formats, new Date(latest.event_time)) : null,
    step: progress?.at ?? -1,
    steps: progress?.steps ?? [],
    expected: window ? windowWords(formats, window) : null,
    expectedFromIso: window?.from.toISOString() ?? null,
    expectedUntilIso: window?.to.toISOString() ?? null,
    pickup: pickupOf(language, formats, parcel),
    destination: parcel.isReturn ? null : destination,
  }
}

function instantWords(formats: Formats, instant: Date): string {
  return `${formats.day(instant)}, ${formats.time(instant)}`
}

/** The window that is still to come: a message promises nothing that is over. */
function windowOf(now: Date, { expected, phase, isReturn }: ShownParcel): ShownParcel['expected'] {
  const isComing = ['order_created', 'order_processed', 'in_transit', 'in_delivery'].includes(phase)
  if (expected === undefined || isReturn || !isComing || expected.to < now) return undefined
  // A window that has already begun is shown from today on.
  return expected.from < now && expected.to.getTime() - now.getTime() > dayMs
    ? { ...expected, from: now, isFromCarrier: false }
    : expected
}

/** Days, or the hours of one day if the carrier names them. A message is read later, so it says neither today nor tomorrow. */
function windowWords(formats: Formats, { from, to, isFromCarrier }: NonNullable<ShownParcel['expected']>): string {
  const isOneDay = formats.dayKey(from) === formats.dayKey(to)
  const durationMs = to.getTime() - from.getTime()
  if (!isOneDay || !isFromCarrier || durationMs <= 0 || durationMs >= 12 * hourMs) return formats.days(from, to)
  return `${formats.day(to)}, ${formats.time(from)} – ${formats.time(to)}`
}

/** While the parcel waits there or goes there, or after it was left with a neighbour. */
function pickupOf(
  language: Language,
  formats: Formats,
  { pickup, phase, isReturn }: ShownParcel,
): MailParcel['pickup'] {
  if (pickup === undefined || isReturn) return null
  const isShown =
    phase === 'delivered'
      ? pickup.type === 'neighbor'
      : ['collect', 'in_delivery', 'in_transit', 'delivery_failed'].includes(phase)
  if (!isShown) return null
  return {
    name: pickup.name ?? null,
    address: pickup.lines.length > 0 ? pickup.lines.join('\n') : null,
    until: pickup.until && phase === 'collect' ? formats.day(pickup.until) : null,
    type: pickup.type,
    hours: namedHours(language, pickup.hours),
    url: pickup.link ?? null,
  }
}
