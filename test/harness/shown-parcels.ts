import { viewerOf } from '../../src/customer-page/viewer.ts'
import type { ShownParcel } from '../../src/customer-view/order-page/parcels.ts'
import type { Language } from '../../src/platform/foundation/languages.ts'

/** A customer who reads the page of an order at this time. */
export function readingAt(now: Date, language: Language = 'en') {
  const context = { acceptLanguage: language, services: { publicUrl: 'https://doorstep.example' } }
  // The view depends on these fields alone.
  const viewer = viewerOf(context as never, { query: {} } as never)
  return { viewer, shopName: 'River & Pine', now }
}

/** A parcel in transit, as its customer sees it. */
export function parcelOf(fields: Partial<ShownParcel> = {}): ShownParcel {
  return {
    id: '1',
    phase: 'in_transit',
    flag: 'normal',
    isReturn: false,
    isDraft: false,
    isHandedOver: false,
    eventKey: 'ARRIVED_AT_SORTING_CENTER',
    trackingNumber: 'A1',
    carrierName: 'DHL',
    carrierLink: undefined,
    products: undefined,
    expected: undefined,
    pickup: undefined,
    timeZone: 'Europe/Berlin',
    events: [],
    deliveredAt: undefined,
    proof: undefined,
    ...fields,
  }
}
