import type { OrderPromise } from '../../orders/promises/order-promise.ts'
import { modelOf } from '../../orders/promises/shop-model.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { waysOf } from '../../promises/ways.ts'
import { warehouse } from './places.ts'

/** An order that a promise was made for. */
export interface PromisedOrder {
  number: string
  carrier: string
  country: string
  zip: string
  placedAt: Date
  handedOverAt: Date
}

const percentile = 0.9
/** One in twenty parcels comes earlier. */
const earlyShare = 0.05

/**
 * The promises that customers were shown with their orders, by number: learnt from the parcels that had arrived until
 * then, as the shop's own page would have requested them. An order without parcels to learn from has none.
 */
export async function promisesFor(
  context: ShopContext,
  orders: readonly PromisedOrder[],
): Promise<Map<string, OrderPromise>> {
  const model = await modelOf(context, context.shop.id)
  const ways = await waysOf(context)
  const promises = new Map<string, OrderPromise>()
  for (const { number, carrier, country, zip, placedAt, handedOverAt } of orders) {
    const { service, origin } = ways.nameFor(carrier, null, warehouse.country, country)
    const route = { carrier, service, originCountry: origin, destinationCountry: country, destinationZip: zip }
    const days = model.predict(route, handedOverAt.toISOString().slice(0, 10))
    if (days === undefined || days.basis === 'shop') continue
    const latest = days.dayAt(percentile)
    promises.set(number, {
      source: 'promise',
      method: 'Standard',
      carrierReference: carrier,
      service,
      countryCode: country,
      earliest: days.dayAt(earlyShare),
      likeliest: days.likeliest,
      latest,
      percentile,
      shareByLatest: days.shareBy(latest),
      sampleSize: days.sampleSize,
      basis: days.basis,
      issuedAt: placedAt,
    })
  }
  return promises
}
