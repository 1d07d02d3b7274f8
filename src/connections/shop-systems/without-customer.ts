import type { ReportedParcel } from '../../adapters/shop-systems/shop-system.ts'
import type { FulfilmentSnapshot } from './rules.ts'

/** A shop system's parcels by their numbers: their addresses may carry a zip code. */
export function erasedFulfilments(fulfilments: Record<string, FulfilmentSnapshot>): Record<string, FulfilmentSnapshot> {
  return Object.fromEntries(
    Object.entries(fulfilments).map(([id, fulfilment]) => [
      id,
      { ...fulfilment, parcels: fulfilment.parcels.map(erasedParcel) },
    ]),
  )
}

function erasedParcel({ tracking_url: _url, products, ...parcel }: ReportedParcel): ReportedParcel {
  return products ? { ...parcel, products: products.map(({ properties: _entered, ...item }) => item) } : parcel
}
