import { describe, expect, it } from 'vitest'
import { createProviders } from '../../src/adapters/carriers/registry.ts'
import { toRequests } from '../../src/tracking/polling/provider-request.ts'

const { sandbox, aftership } = createProviders()

function parcel(trackingNumber: string, fields: { failures?: number; registeredWith?: string } = {}) {
  return {
    shopId: 'shop',
    shipmentId: trackingNumber,
    carrierReference: 'dhl',
    trackingNumber,
    fulfilledAt: new Date('2026-11-01T10:00:00Z'),
    polls: 1,
    failures: 0,
    registeredWith: null,
    isPushed: false,
    endedAt: null,
    direction: 'merchant_customer',
    zipCode: null,
    countryCode: null,
    ...fields,
  }
}

const numbersOf = (requests: ReturnType<typeof toRequests>) =>
  requests.map(({ parcels }) => parcels.map(({ trackingNumber }) => trackingNumber))

describe('requests to a provider', () => {
  it('ask for a parcel alone as soon as a request for it has failed, so that it does not block others', () => {
    const parcels = [parcel('A'), parcel('B', { failures: 1 }), parcel('C'), parcel('D', { failures: 3 })]
    expect(numbersOf(toRequests(sandbox, parcels))).toEqual([['B'], ['D'], ['A', 'C']])
  })

  it('ask for as many parcels at once as the provider accepts', () => {
    const provider = { ...sandbox, parcelsPerRequest: 2 }
    expect(
      numbersOf(
        toRequests(
          provider,
          ['A', 'B', 'C'].map((number) => parcel(number)),
        ),
      ),
    ).toEqual([['A', 'B'], ['C']])
  })

  it('register each parcel that the provider does not know yet', () => {
    const known = parcel('B', { registeredWith: 'aftership' })
    const requests = toRequests(aftership, [parcel('A'), known, parcel('C', { registeredWith: 'easypost' })])
    expect(requests.map(({ isRegistration }) => isRegistration)).toEqual([true, true, false])
    expect(numbersOf(requests)).toEqual([['A'], ['C'], ['B']])
  })
})
