import type { DayDistribution } from '../orders/promise-model/journeys.ts'
import type { TransitModel } from '../orders/promise-model/model.ts'
import { earlyShare } from '../orders/promise-model/window.ts'
import { promiseSigner } from '../orders/promises/promise-id.ts'
import { dateOf } from '../platform/calendars/days.ts'
import type { ShopContext } from '../platform/foundation/context.ts'
import type { DeliveryPromise, DeliveryPromises } from './schema.ts'
import { addWorkingDays, type PreparedMethod, type PromiseShop, serves } from './shop-rules.ts'
import type { KnownWays } from './ways.ts'

/** A request for promises: the destination, and the classes of the ordered products. */
export interface Asked {
  country: string
  zip: string | null
  /** The first characters of the zip code: what is known of a route does not depend on the others. */
  region: string | null
  classes: ReadonlySet<string>
}

/** Before they are said in a language. */
export interface WordlessPromises {
  promises: Omit<DeliveryPromise, 'text'>[]
  without_promise: DeliveryPromises['without_promise']
}

/** The model and the ways that were learnt from parcels that have arrived. */
export interface Known {
  model: TransitModel
  ways: KnownWays
}

/** The rules of the shop, and the knowledge from its parcels. */
interface PromiseSources {
  shop: PromiseShop
  known: Known
}

/** The days of a promise, and what they are based on. */
type Window = Pick<DeliveryPromise, 'earliest' | 'likeliest' | 'latest' | 'share_by_latest' | 'sample_size' | 'basis'>

/** The promises of all methods that serve the request, and the methods that have no basis for one. */
export function makePromises(
  context: ShopContext,
  sources: PromiseSources,
  asked: Asked,
  issuedAt: Date,
): WordlessPromises {
  const { shop } = sources
  const { now } = context
  const sign = promiseSigner(context, context.shop.id)
  const addedDays = Math.max(0, ...[...asked.classes].map((name) => shop.handlingOfClass.get(name) ?? 0))
  const promises: WordlessPromises['promises'] = []
  const without: DeliveryPromises['without_promise'] = []
  for (const prepared of shop.methods) {
    if (!serves(prepared, asked.country, asked.classes)) continue
    const { method, schedule } = prepared
    const cutOff = schedule.nextCutOff(now)
    const handOver = cutOff && schedule.handOver(cutOff.day, prepared.handlingDays + addedDays)
    if (cutOff === undefined || handOver === undefined) {
      without.push({ method: method.name, reason: 'warehouse_closed' })
      continue
    }
    const handedOverOn = dateOf(handOver)
    const window = windowOf(sources, prepared, asked, handedOverOn)
    if (window === undefined) {
      without.push({ method: method.name, reason: 'no_history' })
      continue
    }
    promises.push({
      id: sign({
        method: method.name,
        carrierReference: method.carrier_reference,
        service: method.service,
        countryCode: asked.country,
        earliest: window.earliest,
        likeliest: window.likeliest,
        latest: window.latest,
        percentile: shop.percentile,
        shareByLatest: window.share_by_latest,
        sampleSize: window.sample_size,
        basis: window.basis,
        issuedAt,
      }),
      method: method.name,
      carrier_reference: method.carrier_reference,
      carrier_name: prepared.carrierName,
      service: method.service,
      order_by: cutOff.orderBy.toISOString(),
      handed_over_on: handedOverOn,
      ...window,
    })
  }
  return { promises, without_promise: without }
}

function windowOf(
  { shop, known: { model, ways } }: PromiseSources,
  { method, originCountry }: PreparedMethod,
  { country, region }: Asked,
  handedOverOn: string,
): Window | undefined {
  const carrier = method.carrier_reference
  const way = carrier === null ? undefined : ways.nameFor(carrier, method.service, originCountry, country)
  const learnt = model.predict(
    {
      carrier,
      service: way?.service ?? method.service,
      originCountry: way === undefined ? originCountry : way.origin,
      destinationCountry: country,
      destinationZip: region,
    },
    handedOverOn,
  )
  // Parcels of other carriers say less about this one than its own table.
  if (learnt !== undefined && !(learnt.basis === 'shop' && method.table_days !== null)) {
    return learntWindow(learnt, shop.percentile)
  }
  if (method.table_days === null) return undefined
  const { min, max } = method.table_days
  const calendar = shop.calendar(country)
  const after = (days: number) => addWorkingDays(calendar, handedOverOn, days)
  return {
    earliest: after(min),
    likeliest: after(Math.ceil((min + max) / 2)),
    latest: after(max),
    share_by_latest: null,
    sample_size: 0,
    basis: 'table',
  }
}

function learntWindow(learnt: DayDistribution, percentile: number): Window {
  const latest = learnt.dayAt(percentile)
  const earliest = learnt.dayAt(earlyShare(percentile))
  const { likeliest, sampleSize, basis } = learnt
  return {
    earliest,
    // The day with most arrivals may be outside, if they are spread over many days.
    likeliest: likeliest < earliest ? earliest : likeliest > latest ? latest : likeliest,
    latest,
    share_by_latest: Math.floor(learnt.shareBy(latest) * 1_000) / 1_000,
    sample_size: Math.round(sampleSize),
    basis,
  }
}
