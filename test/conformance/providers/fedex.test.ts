import { describe, expect, it } from 'vitest'
import { fedex } from '../../../src/adapters/carriers/fedex/description.ts'
import type { ParcelReport } from '../../../src/adapters/carriers/provider.ts'
import { openProvider } from '../../../src/adapters/carriers/registry.ts'
import { callTo } from '../direct-call.ts'
import { clients } from './fakes/credentials.ts'
import { createFakeFedex } from './fakes/fedex-server.ts'
import { parcelOf } from './parcels.ts'
import { describeProvider } from './provider-suite.ts'
import { describeTokens } from './token-suite.ts'

const parcel = parcelOf('fedex', '772254547006', { countryCode: 'US' })
const account = { shopId: 'shop', credentials: clients.right }

const content = {
  latestStatusDetail: { code: 'HL', derivedCode: 'HL', description: 'Ready for pickup' },
  recipientInformation: { address: { city: 'GREENWOOD', stateOrProvinceCode: 'IN', countryCode: 'US' } },
  estimatedDeliveryTimeWindow: {
    type: 'ESTIMATED_DELIVERY',
    window: { begins: '2026-11-03T12:00:00-05:00', ends: '2026-11-03T16:00:00-05:00' },
  },
  holdAtLocation: {
    locationContactAndAddress: {
      contact: { companyName: 'FedEx Office' },
      address: { streetLines: ['1 Main St', ''], city: 'GREENWOOD', postalCode: '46143', countryCode: 'US' },
    },
  },
}

function event(eventType: string, date: string, eventDescription: string, more: Record<string, unknown> = {}) {
  return { date, eventType, eventDescription, exceptionCode: '', exceptionDescription: '', ...more }
}

const greenwood = {
  streetLines: [''],
  city: 'GREENWOOD',
  stateOrProvinceCode: 'IN',
  postalCode: '46143',
  countryCode: 'US',
  countryName: 'United States',
}
const entries = [
  event('HP', '2026-11-03T03:03:00-05:00', 'Ready for recipient pickup', {
    derivedStatusCode: 'HL',
    scanLocation: greenwood,
  }),
  event('DE', '2026-11-02T16:26:00-05:00', 'Delivery exception', {
    exceptionCode: '08',
    exceptionDescription: 'Customer not available or business closed',
    derivedStatusCode: 'DE',
  }),
  event('OD', '2026-11-02T08:25:00-05:00', 'On FedEx vehicle for delivery', { derivedStatusCode: 'OD' }),
  event('OC', '2026-11-01T14:02:00-06:00', 'Shipment information sent to FedEx', { derivedStatusCode: 'IN' }),
]

const report: ParcelReport = {
  trackingNumber: parcel.trackingNumber,
  carrierReference: 'fedex',
  scans: [
    scan(
      'OC',
      'PARCEL_DATA_SUBMITTED_TO_CARRIER',
      ['2026-11-01T20:02:00Z', '-06:00'],
      'Shipment information sent to FedEx',
    ),
    scan('OD', 'OUT_FOR_DELIVERY', ['2026-11-02T13:25:00Z', '-05:00'], 'On FedEx vehicle for delivery'),
    scan(
      'DE 08',
      'DELIVERY_ATTEMPTED_RECIPIENT_NOT_AT_HOME',
      ['2026-11-02T21:26:00Z', '-05:00'],
      'Delivery exception: Customer not available or business closed',
    ),
    {
      ...scan('HP', 'PARCEL_READY_FOR_PICKUP', ['2026-11-03T08:03:00Z', '-05:00'], 'Ready for recipient pickup'),
      location: {
        city: 'GREENWOOD',
        country: 'United States',
        country_code: 'US',
        postal_code: '46143',
        state_or_province: 'IN',
      },
    },
  ],
  expectedDelivery: { start: '2026-11-03T17:00:00.000Z', end: '2026-11-03T21:00:00.000Z' },
  pickup: {
    type: 'shop',
    name: 'FedEx Office',
    address: { street: '1 Main St', zip_code: '46143', city: 'GREENWOOD', country_code: 'US' },
  },
}

function scan(code: string, eventName: string, [time, timezone]: [time: string, timezone: string], text: string) {
  return { code, eventName, time: new Date(time), timezone, text, location: null }
}

const createFake = () => Object.assign(createFakeFedex(parcel.trackingNumber, content), { entries })

describeProvider({
  create: (baseUrl) => openProvider(fedex, { baseUrl }),
  createFake,
  credentials: clients.right,
  wrongCredentials: clients.wrong,
  limitedCredentials: clients.limited,
  parcel,
  unknownParcel: parcelOf('fedex', '772254540000'),
  entries,
  report,
  unknownEntry: {
    entry: event('Q9', '2026-11-03T02:00:00-05:00', 'Went by drone', { derivedStatusCode: 'Q9' }),
    code: 'Q9',
    text: 'Went by drone',
  },
  ofOneSecond: {
    entries: [
      event('DL', '2026-11-04T10:15:00-05:00', 'Delivered', { derivedStatusCode: 'DL' }),
      event('OD', '2026-11-04T10:15:00-05:00', 'On FedEx vehicle for delivery', { derivedStatusCode: 'OD' }),
    ],
    codes: ['OD', 'DL'],
  },
  retryAfterMs: 10_000,
})

describeTokens({
  name: 'fedex',
  tokenPath: '/oauth/token',
  lifetimeMs: 3_599_000,
  create: (now) => openProvider(fedex, { now }),
  createFake,
  account,
  parcel,
})

describe('fedex › specifics', () => {
  const other = parcelOf('fedex', '794842623031')

  it('reports the others if one number failed', async () => {
    const fake = createFake()
    fake.errors.set(other.trackingNumber, 'SYSTEM.UNAVAILABLE.EXCEPTION')
    const response = await openProvider(fedex).track(callTo(fake), account, [other, parcel])
    expect(response).toEqual({ result: 'found', reports: [report] })
  })

  it('fails if there was no result, so that it is retried', async () => {
    const fake = createFake()
    fake.errors.set(other.trackingNumber, 'SYSTEM.UNAVAILABLE.EXCEPTION')
    expect(await openProvider(fedex).track(callTo(fake), account, [other])).toMatchObject({
      result: 'failed',
      key: 'bad_gateway',
    })
  })

  it('uses the parcel in transit if a number was used before', async () => {
    const fake = createFake()
    fake.earlier = [{ scanEvents: [event('DL', '2025-02-03T12:00:00-05:00', 'Delivered')] }]
    expect(await openProvider(fedex).track(callTo(fake), account, [parcel])).toEqual({
      result: 'found',
      reports: [report],
    })
  })

  it('joins the legs of one journey: FedEx, then the post', async () => {
    const fake = createFake()
    const number = { trackingNumber: parcel.trackingNumber, trackingNumberUniqueId: 'a', carrierCode: 'FDXG' }
    const shipperInformation = { contact: { companyName: 'Hat Shop Ltd' } }
    const first = [
      event('TP', '2026-10-31T20:00:00-06:00', 'In transfer partner possession'),
      event('PU', '2026-10-30T18:00:00-06:00', 'Picked up'),
    ]
    fake.earlier = [{ trackingNumberInfo: number, shipperInformation, scanEvents: first }]
    const response = await openProvider(fedex).track(callTo(fake), account, [parcel])
    expect(response).toMatchObject({
      reports: [{ ...report, senderName: 'Hat Shop Ltd', scans: [{ code: 'PU' }, { code: 'TP' }, ...report.scans] }],
    })
  })

  it.each([
    ['two months before', '2026-09-01T12:00:00-06:00'],
    ['delivered the week before, and announced again', '2026-10-25T12:00:00-06:00'],
  ])('leaves out a parcel that had the number %s', async (_, date) => {
    const fake = createFake()
    fake.earlier = [{ scanEvents: [event('DL', date, 'Delivered')] }]
    expect(await openProvider(fedex).track(callTo(fake), account, [parcel])).toEqual({
      result: 'found',
      reports: [report],
    })
  })

  it.each([
    [event('DY', '2026-11-03T01:00:00Z', 'Delay'), 'DELAY_EXPECTED'],
    [event('BR', '2026-11-03T01:00:00Z', 'x'), 'PARCEL_TRANSFERRED_TO_THIRD_PARTY'],
    [event('CU', '2026-11-03T01:00:00Z', 'x'), 'CUSTOMS_PROCESSING'],
    [event('SH', '2026-11-03T01:00:00Z', 'x'), 'PARCEL_DATA_SUBMITTED_TO_CARRIER'],
    [event('TP', '2026-11-03T01:00:00Z', 'x'), 'HANDED_OVER_TO_DELIVERY_PARTNER'],
    [event('Ow', '2026-11-03T01:00:00Z', 'x'), 'SHIPMENT_EN_ROUTE'],
    [event('DE', '2026-11-03T01:00:00Z', 'x', { exceptionCode: '083' }), 'NO_DELIVERY_ATTEMPT_ON_ROUTE'],
    [event('DE', '2026-11-03T01:00:00Z', 'x', { exceptionCode: 'Q77' }), 'DELAY_EXPECTED'],
    [event('AF', '2026-11-03T01:00:00Z', 'x', { exceptionCode: 'A3' }), 'ARRIVED_AT_PICKUP_POINT'],
    [event('AF', '2026-11-03T01:00:00Z', 'x'), 'SHIPMENT_AT_FINAL_DELIVERY_CENTER'],
    [
      event('DE', '2026-11-03T01:00:00Z', 'x', { exceptionCode: 'A47' }),
      'DELIVERY_ATTEMPTED_FORWARDING_TO_PICKUP_LOCATION',
    ],
    [event('DE', '2026-11-03T01:00:00Z', 'x', { exceptionCode: 'A13' }), 'SHIPMENT_ON_ITS_WAY_TO_PICKUP_LOCATION'],
    [
      event('RR', '2026-11-03T01:00:00Z', 'x', { exceptionCode: 'A12' }),
      'DELIVERY_OPTION_ALTERNATE_LOCATION_REQUESTED_SHOP',
    ],
    [event('HP', '2026-11-03T01:00:00Z', 'x', { exceptionCode: '015A' }), 'PARCEL_READY_FOR_PICKUP'],
    [event('IT', '2026-11-03T01:00:00Z', 'x', { exceptionCode: 'A13' }), 'SHIPMENT_EN_ROUTE'],
    [event('ZY', '2026-11-03T01:00:00Z', 'x', { derivedStatusCode: 'IT' }), 'SHIPMENT_EN_ROUTE'],
    [event('ZY', '2026-11-03T01:00:00Z', 'x', { derivedStatusCode: 'SE' }), undefined],
  ])('reads %j', async (entry, eventName) => {
    const fake = Object.assign(createFake(), { entries: [entry] })
    const response = await openProvider(fedex).track(callTo(fake), account, [parcel])
    expect(response).toMatchObject({ reports: [{ scans: [{ eventName }] }] })
  })

  it.each([
    // The offset is that of a FedEx system, not of the place: the written day counts.
    [{ window: { ends: '2026-11-04T00:00:00-06:00' } }, '2026-11-04'],
    [{ window: { begins: '2026-11-04T00:00:00-06:00', ends: '2026-11-04T00:00:00-06:00' } }, '2026-11-04'],
    [{ window: { begins: '2026-11-04T00:00:00', ends: '2026-11-05T00:00:00' } }, '2026-11-04', '2026-11-05'],
  ])('reads an estimate at midnight as a day: %j', async (estimatedDeliveryTimeWindow, first, last = first) => {
    const fake = createFakeFedex(parcel.trackingNumber, { ...content, estimatedDeliveryTimeWindow })
    const response = await openProvider(fedex).track(callTo(fake), account, [parcel])
    const nextDay = new Date(Date.parse(`${last}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10)
    const expectedDelivery = { start: `${first}T05:00:00.000Z`, end: `${nextDay}T04:59:59.999Z` }
    expect(response).toMatchObject({ reports: [{ expectedDelivery }] })
  })

  it('reads the single estimate at midnight as a day', async () => {
    const dateAndTimes = [{ type: 'ESTIMATED_DELIVERY', dateTime: '2026-11-04T00:00:00-06:00' }]
    const change = { ...content, estimatedDeliveryTimeWindow: { window: {} }, dateAndTimes }
    const response = await openProvider(fedex).track(callTo(createFakeFedex(parcel.trackingNumber, change)), account, [
      parcel,
    ])
    const expectedDelivery = { start: '2026-11-04T05:00:00.000Z', end: '2026-11-05T04:59:59.999Z' }
    expect(response).toMatchObject({ reports: [{ expectedDelivery }] })
  })

  it('reports the sender', async () => {
    const shipperInformation = { contact: { companyName: 'Hat Shop Ltd' }, address: { city: 'PORTLAND' } }
    const fake = createFakeFedex(parcel.trackingNumber, { ...content, shipperInformation })
    const response = await openProvider(fedex).track(callTo(fake), account, [parcel])
    expect(response).toMatchObject({ reports: [{ senderName: 'Hat Shop Ltd' }] })
  })

  it('uses the estimated time of arrival if there is no window', async () => {
    const change = { ...content, estimatedDeliveryTimeWindow: { window: {} } }
    const dateAndTimes = [
      { type: 'ACTUAL_PICKUP', dateTime: '2026-11-01T09:00:00-05:00' },
      { type: 'ESTIMATED_DELIVERY', dateTime: '2026-11-03T20:00:00-05:00' },
    ]
    const fake = createFakeFedex(parcel.trackingNumber, { ...change, dateAndTimes })
    const response = await openProvider(fedex).track(callTo(fake), account, [parcel])
    const expectedDelivery = { start: '2026-11-03T05:00:00.000Z', end: '2026-11-04T01:00:00.000Z' }
    expect(response).toMatchObject({ reports: [{ expectedDelivery }] })
  })
})
