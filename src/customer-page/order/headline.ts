import type { ShownParcel } from '../../customer-view/order-page/parcels.ts'
import { promiseStage } from '../../customer-view/order-page/promise.ts'
import type { PageOrderRecord } from '../../customer-view/order-page/store.ts'
import { isDigital } from '../../orders/orders/remaining.ts'
import { eventStrings } from '../../platform/catalogue/texts/translate.ts'
import { dayMs, hourMs } from '../../platform/foundation/clock.ts'
import { formatsFor } from '../../platform/foundation/formats.ts'
import type { Viewer } from '../viewer.ts'

/** The top of the page: where the parcel is, when it arrives, and what that means. */
export interface Headline {
  title: string
  when: string | undefined
  lead: string
  /** The parcel it is about; undefined if it is about several or none. */
  parcel: ShownParcel | undefined
}

export interface Reading {
  viewer: Viewer
  shopName: string
  now: Date
}

/** The fields of an order about its shipping. */
type ShippedOrder = Pick<PageOrderRecord, 'nothing_to_send' | 'handed_over_without_tracking' | 'products'>

export function headlineOf(reading: Reading, parcels: readonly ShownParcel[], order?: ShippedOrder): Headline {
  const { texts } = reading.viewer
  const outward = parcels.filter(({ isReturn, phase }) => !isReturn && phase !== 'order_cancelled')
  const back = parcels.filter(({ isReturn, phase }) => isReturn && phase !== 'order_cancelled')
  const isArrived = outward.length > 0 && outward.every(({ phase }) => phase === 'delivered')
  // Returns come first once everything that was sent has arrived.
  const newestReturn = back.at(-1)
  if (newestReturn && (isArrived || outward.length === 0)) return about(reading, newestReturn)
  const hasLeft = outward.some(({ isDraft }) => !isDraft)
  const isCancelled = outward.length === 0 && parcels.length > 0
  const without = hasLeft || isCancelled || order === undefined ? undefined : withoutParcel(reading, order)
  if (without) return without
  const [first] = outward
  if (first === undefined) {
    const cancelled = parcels.at(-1)
    if (cancelled) return about(reading, cancelled)
    return {
      title: texts.say('headline.received'),
      when: undefined,
      lead: texts.say('headline.received_lead'),
      parcel: undefined,
    }
  }
  return outward.length === 1 || !hasLeft ? about(reading, first) : aboutSeveral(reading, outward)
}

/** The headline if there is no parcel to follow; undefined if one is expected. */
function withoutParcel({ viewer: { texts }, shopName }: Reading, order: ShippedOrder): Headline | undefined {
  if (order.nothing_to_send) {
    const products = order.products ?? []
    const kind = products.length > 0 && products.every(isDigital) ? 'digital' : 'nothing_to_send'
    return {
      title: texts.say(`headline.${kind}`),
      when: undefined,
      lead: texts.say(`headline.${kind}_lead`, { shop: shopName }),
      parcel: undefined,
    }
  }
  if (!order.handed_over_without_tracking) return undefined
  return {
    title: texts.say('headline.handed_over'),
    when: undefined,
    lead: texts.say('headline.handed_over_lead', { shop: shopName }),
    parcel: undefined,
  }
}

/** The text for the latest event of one parcel. */
export function wordsFor({ viewer, shopName }: Reading, parcel: Pick<ShownParcel, 'eventKey' | 'isReturn'>) {
  return eventStrings(viewer.language, parcel.eventKey, { isReturn: parcel.isReturn, shopName })
}

function about(reading: Reading, parcel: ShownParcel): Headline {
  const words = wordsFor(reading, parcel)
  return { title: words.header_headline, when: whenOf(reading, parcel), lead: words.header_title, parcel }
}

function aboutSeveral(reading: Reading, parcels: readonly ShownParcel[]): Headline {
  const { texts } = reading.viewer
  const done = parcels.filter(({ phase }) => phase === 'delivered').length
  const moving = parcels.filter(({ isDraft, phase }) => !isDraft && phase !== 'delivered').length
  const title =
    done === parcels.length
      ? texts.count('headline.all_delivered', parcels.length)
      : done > 0
        ? texts.count('headline.some_delivered', done, { total: parcels.length })
        : texts.count('headline.under_way', moving)
  return {
    title,
    when: nextWords(reading, parcels),
    lead: texts.count('headline.several_lead', parcels.length),
    parcel: undefined,
  }
}

/** The arrival of the next of several parcels; undefined if unknown or overdue. */
function nextWords({ viewer, now }: Reading, parcels: readonly ShownParcel[]): string | undefined {
  const [next] = parcels
    .filter(({ phase, expected }) => phase !== 'delivered' && expected && expected.to >= now)
    .sort((left, right) => (left.expected?.to.getTime() ?? 0) - (right.expected?.to.getTime() ?? 0))
  if (next?.expected === undefined) return undefined
  const { from, to } = next.expected
  const days = formatsFor(viewer.language, next.timeZone).days(from < now ? now : from, to)
  return viewer.texts.say('when.next', { days })
}

/** A sentence on when it arrives or arrived; undefined if unknown. */
export function whenOf(reading: Reading, parcel: ShownParcel): string | undefined {
  const { texts, language } = reading.viewer
  const formats = formatsFor(language, parcel.timeZone)
  if (parcel.deliveredAt && !parcel.isReturn) {
    return texts.say('when.delivered', {
      day: formats.day(parcel.deliveredAt),
      time: formats.time(parcel.deliveredAt),
    })
  }
  if (parcel.phase === 'collect') {
    return parcel.pickup?.until && texts.say('when.collect', { day: formats.day(parcel.pickup.until) })
  }
  const isComing = ['order_created', 'order_processed', 'in_transit', 'in_delivery'].includes(parcel.phase)
  if (parcel.expected === undefined || parcel.isReturn || !isComing) return undefined
  return expectedWords(reading, parcel.expected, parcel.timeZone)
}

function expectedWords(
  reading: Reading,
  { from, to, isFromCarrier }: NonNullable<ShownParcel['expected']>,
  timeZone: string,
): string {
  const { texts, language } = reading.viewer
  const { now } = reading
  const formats = formatsFor(language, timeZone)
  const days = { today: formats.dayKey(now), from: formats.dayKey(from), to: formats.dayKey(to) }
  if (days.to < days.today) return texts.say('when.late', { day: formats.day(to) })
  if (days.from !== days.to) {
    // A window that has already begun is shown from today on.
    return days.from < days.today
      ? expectedWords(reading, { from: now, to, isFromCarrier: false }, timeZone)
      : texts.say('when.between_days', { from: formats.day(from), to: formats.day(to) })
  }
  const isTomorrow = days.to === formats.dayKey(new Date(now.getTime() + dayMs))
  const hasTimes = isFromCarrier && to.getTime() > from.getTime() && to.getTime() - from.getTime() < 12 * hourMs
  const which = days.to === days.today ? 'today' : isTomorrow ? 'tomorrow' : 'day'
  return texts.say(hasTimes ? `when.${which}_times` : `when.${which}`, {
    day: formats.day(to),
    from: formats.time(from),
    to: formats.time(to),
  })
}

/**
 * The promise that was made when the order was placed, beside the time it is expected now; undefined if nothing was
 * promised or the promise no longer matters, such as once a parcel goes back.
 */
export function promiseOf(
  { viewer: { texts, language }, now }: Reading,
  order: Pick<PageOrderRecord, 'promise' | 'country_code' | 'nothing_to_send'>,
  parcels: readonly ShownParcel[],
  { when }: Pick<Headline, 'when'>,
): string | undefined {
  const { promise } = order
  const stage = promiseStage(now, order, parcels)
  if (promise === null || stage === undefined) return undefined
  const formats = formatsFor(language, 'UTC')
  const [earliest, latest] = [noonOf(promise.earliest ?? promise.latest), noonOf(promise.latest)]
  if (stage !== 'open') return texts.say(`promise.${stage}`, { day: formats.day(latest) })
  // If nothing else says when it comes, the text has the whole window.
  if (when === undefined && promise.earliest !== null) {
    return texts.say('promise.window', { days: formats.days(earliest, latest) })
  }
  return texts.say('promise.by', { day: formats.day(latest) })
}

function noonOf(day: string): Date {
  return new Date(`${day}T12:00:00Z`)
}
