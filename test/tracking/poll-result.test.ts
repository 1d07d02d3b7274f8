import { describe, expect, it } from 'vitest'
import { toParcel } from '../../src/tracking/scans/poll-result.ts'

const [sent, now] = [new Date('2026-11-01T10:00:00Z'), new Date('2026-11-03T10:00:00Z')]
const parcel = {
  carrierReference: 'dhl',
  trackingNumber: 'P-1',
  zipCode: '10115',
  countryCode: 'DE',
  fulfilledAt: sent,
}

describe('parcel that a provider is asked about', () => {
  it.each(['merchant_customer', 'partner_customer'])('goes to the customer: %s', (direction) => {
    expect(toParcel({ ...parcel, direction }, now)).toEqual({ ...parcel, now })
  })

  it.each(['customer_merchant', 'customer_partner'])('does not go where the customer lives: %s', (direction) => {
    expect(toParcel({ ...parcel, direction }, now)).toEqual({ ...parcel, zipCode: null, countryCode: null, now })
  })
})
