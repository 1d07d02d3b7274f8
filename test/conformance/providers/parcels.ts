import type { TrackedParcel } from '../../../src/adapters/carriers/provider.ts'

/** A parcel on its way to Köln, requested at the time that all fakes use. */
export function parcelOf(
  carrierReference: string,
  trackingNumber: string,
  change: Partial<TrackedParcel> = {},
): TrackedParcel {
  return {
    carrierReference,
    trackingNumber,
    zipCode: '50667',
    countryCode: 'DE',
    fulfilledAt: new Date('2026-11-01T08:00:00Z'),
    now: new Date('2026-11-03T09:00:00Z'),
    ...change,
  }
}
