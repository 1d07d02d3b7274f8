import { describe, expect, it } from 'vitest'
import type { ParcelReport } from '../../../src/adapters/carriers/provider.ts'
import { openProvider } from '../../../src/adapters/carriers/registry.ts'
import { ups } from '../../../src/adapters/carriers/ups/description.ts'
import { callTo } from '../direct-call.ts'
import { clients } from './fakes/credentials.ts'
import { createFakeUps } from './fakes/ups-server.ts'
import { parcelOf } from './parcels.ts'
import { describeProvider } from './provider-suite.ts'
import { describeTokens } from './token-suite.ts'

const parcel = parcelOf('ups', '1Z5R89390357567127')
const account = { shopId: 'shop', credentials: clients.right }

const content = {
  trackingNumber: '1Z5R89390357567127',
  packageAddress: [
    { type: 'ORIGIN', name: 'HAT SHOP LTD', address: { city: 'LOUISVILLE', countryCode: 'US' } },
    { type: 'DESTINATION', address: { city: 'KOELN', country: 'DE', countryCode: 'DE' } },
  ],
  deliveryDate: [
    { type: 'SDD', date: '20261103' },
    { type: 'RDD', date: '20261104' },
  ],
  deliveryTime: { type: 'EDW', startTime: '101500', endTime: '141500' },
  accessPointInformation: { pickupByDate: '20261112' },
}

function activity(status: Record<string, string>, date: string, time: string, more: Record<string, unknown> = {}) {
  return { date, time, status, location: { address: {} }, ...more }
}

const entries = [
  activity(
    { type: 'X', code: 'ZZ', statusCode: '040', description: 'Delivered to UPS Access Point' },
    '20261103',
    '91200',
    {
      location: { address: { city: 'Koeln', countryCode: 'DE', country: 'DE', postalCode: '50668' }, slic: '5066' },
      gmtDate: '20261103',
      gmtTime: '08:12:00',
      gmtOffset: '+01:00',
    },
  ),
  activity({ type: 'I', code: 'OT', statusCode: '021', description: 'Out For Delivery' }, '20261103', '064500', {
    location: { address: { city: 'Koeln', countryCode: 'DE' } },
  }),
  activity({ type: 'I', code: 'DP', statusCode: '005', description: 'Departed from Facility' }, '20261102', '231500', {
    location: { address: { city: 'Louisville', stateProvince: 'KY', country: 'US' } },
    gmtOffset: '-05:00',
  }),
  activity({ type: 'M', code: 'MP', statusCode: '003', description: 'Shipper created a label' }, '20261101', '090000'),
]

const report: ParcelReport = {
  trackingNumber: parcel.trackingNumber,
  carrierReference: 'ups',
  scans: [
    scan(
      'M MP 003',
      'PARCEL_DATA_SUBMITTED_TO_CARRIER',
      ['2026-11-01T08:00:00Z', 'Europe/Berlin'],
      'Shipper created a label',
    ),
    {
      ...scan('I DP 005', 'DEPARTURE_FROM_TRANSPORT_HUB', ['2026-11-03T04:15:00Z', '-05:00'], 'Departed from Facility'),
      location: { city: 'Louisville', country_code: 'US', state_or_province: 'KY' },
    },
    {
      ...scan('I OT 021', 'OUT_FOR_DELIVERY', ['2026-11-03T05:45:00Z', 'Europe/Berlin'], 'Out For Delivery'),
      location: { city: 'Koeln', country_code: 'DE' },
    },
    {
      ...scan(
        'X ZZ 040',
        'ARRIVED_AT_PARCEL_SHOP',
        ['2026-11-03T08:12:00Z', '+01:00'],
        'Delivered to UPS Access Point',
      ),
      location: { city: 'Koeln', country_code: 'DE', postal_code: '50668' },
    },
  ],
  expectedDelivery: { start: '2026-11-04T09:15:00.000Z', end: '2026-11-04T13:15:00.000Z' },
  pickup: { type: 'shop', date_to: '2026-11-12' },
  senderName: 'HAT SHOP LTD',
}

function scan(code: string, eventName: string, [time, timezone]: [time: string, timezone: string], text: string) {
  return { code, eventName, time: new Date(time), timezone, text, location: null }
}

describeProvider({
  create: (baseUrl) => openProvider(ups, { baseUrl }),
  createFake: () => createFakeUps(content),
  credentials: clients.right,
  wrongCredentials: clients.wrong,
  limitedCredentials: clients.limited,
  parcel,
  unknownParcel: parcelOf('ups', '1Z5R89390357567000'),
  entries,
  report,
  unknownEntry: {
    entry: activity({ type: 'I', code: 'Q9', statusCode: '999', description: 'Went by drone' }, '20261103', '070000'),
    code: 'I Q9 999',
    text: 'Went by drone',
  },
  ofOneSecond: {
    entries: [
      activity({ type: 'D', code: 'FS', statusCode: '011', description: 'DELIVERED' }, '20261104', '101500'),
      activity({ type: 'I', code: 'OT', statusCode: '021', description: 'Out For Delivery' }, '20261104', '101500'),
    ],
    codes: ['I OT 021', 'D FS 011'],
  },
  retryAfterMs: 3_000,
})

describeTokens({
  name: 'ups',
  tokenPath: '/security/v1/oauth/token',
  lifetimeMs: 14_399_000,
  create: (now) => openProvider(ups, { now }),
  createFake: () => Object.assign(createFakeUps(content), { entries }),
  account,
  parcel,
})

describe('ups › specifics', () => {
  async function read(change: Record<string, unknown>, activities: unknown[] = entries) {
    const fake = createFakeUps({ ...content, ...change })
    fake.entries = activities
    const reply = await openProvider(ups).track(callTo(fake), account, [parcel])
    return reply.result === 'found' ? reply.reports[0] : undefined
  }

  it.each([
    [{ deliveryTime: { type: 'CMT', endTime: '120000' } }, '2026-11-03T23:00:00.000Z', '2026-11-04T11:00:00.000Z'],
    [{ deliveryTime: { type: 'EOD' } }, '2026-11-03T23:00:00.000Z', '2026-11-04T22:59:59.999Z'],
    [
      { deliveryTime: undefined, deliveryDate: [{ type: 'SDD', date: '20261105' }] },
      '2026-11-04T23:00:00.000Z',
      '2026-11-05T22:59:59.999Z',
    ],
    [
      {
        deliveryTime: { type: 'EDW', startTime: '101500', endTime: '141500' },
        packageAddress: [{ type: 'DESTINATION', address: { countryCode: 'US', stateProvince: 'CA' } }],
      },
      '2026-11-04T18:15:00.000Z',
      '2026-11-04T22:15:00.000Z',
    ],
  ])('reads the expected delivery from %j', async (change, start, end) => {
    expect(await read(change)).toMatchObject({ expectedDelivery: { start, end } })
  })

  it('expects nothing once it is delivered', async () => {
    const change = {
      deliveryDate: [{ type: 'DEL', date: '20261103' }],
      deliveryTime: { type: 'DEL', endTime: '091200' },
    }
    expect(await read(change)).not.toHaveProperty('expectedDelivery')
  })

  it.each([
    ['Front Door', 'SUCCESSFULLY_DELIVERED_AND_LEFT_AT_DOOR'],
    ['NEIGHBOR', 'SUCCESSFULLY_DELIVERED_TO_NEIGHBOR'],
    ['MOON', 'SUCCESSFULLY_DELIVERED'],
  ])('reports where a parcel was left: %s', async (location, eventName) => {
    const delivered = activity(
      { type: 'D', code: 'FS', statusCode: '011', description: 'DELIVERED' },
      '20261103',
      '091200',
    )
    expect(await read({ deliveryInformation: { location } }, [delivered])).toMatchObject({ scans: [{ eventName }] })
  })

  const atAccessPoint = (code: string, statusCode: string, time: string, description: string) =>
    activity({ type: 'D', code, statusCode, description }, '20261103', time)

  it.each([
    ['2Q', '011', 'Delivered to UPS Access Point™ ', 'ARRIVED_AT_PARCEL_SHOP'],
    ['ZP', '040', 'UPS Access Point™ possession ', 'ARRIVED_AT_PARCEL_SHOP'],
    ['Q7', '161', 'Delivered to UPS Access Point™', 'ARRIVED_AT_PARCEL_SHOP'],
    ['Q7', '011', 'Delivered to UPS Access Point™ ', 'ARRIVED_AT_PARCEL_SHOP'],
    ['2W', '011', 'DELIVERED ', 'SUCCESSFULLY_COLLECTED_AT_PARCEL_SHOP'],
    ['Q7', '034', 'Returned to sender', 'SHIPMENT_RETURNED_TO_SENDER'],
  ])('reads D %s %s, "%s", as %s, wherever the parcel was left', async (code, statusCode, description, eventName) => {
    const scans = [atAccessPoint(code, statusCode, '091200', description)]
    expect(await read({ deliveryInformation: { location: 'FRONT DOOR' } }, scans)).toMatchObject({
      scans: [{ eventName }],
    })
  })

  it('says where the last delivery left the parcel, not what came before', async () => {
    const scans = [
      atAccessPoint('FS', '011', '171500', 'DELIVERED'),
      atAccessPoint('2Q', '011', '091200', 'Delivered to UPS Access Point™ '),
      atAccessPoint('KB', '011', '081200', 'DELIVERED'),
    ]
    expect(await read({ deliveryInformation: { location: 'FRONT DOOR' } }, scans)).toMatchObject({
      scans: [
        { eventName: 'SUCCESSFULLY_DELIVERED' },
        { eventName: 'ARRIVED_AT_PARCEL_SHOP' },
        { eventName: 'SUCCESSFULLY_DELIVERED_AND_LEFT_AT_DOOR' },
      ],
    })
  })

  it('joins packages with the number that are legs of one journey', async () => {
    const fake = createFakeUps(content)
    const call = callTo(fake)
    const leg = (...activities: unknown[]) => ({ ...content, activity: activities })
    const first = activity(
      { type: 'I', code: 'OR', statusCode: '160', description: 'Origin Scan' },
      '20261101',
      '180000',
    )
    const last = activity({ type: 'D', statusCode: '026', description: 'Delivered' }, '20261104', '180000')
    const old = activity({ type: 'D', statusCode: '011', description: 'Delivered' }, '20250104', '180000')
    const body = JSON.stringify({ trackResponse: { shipment: [{ package: [leg(old), leg(last), leg(first)] }] } })
    const reply = await openProvider(ups).track(
      async (request) => (request.method === 'POST' ? call(request) : { status: 200, headers: {}, body }),
      account,
      [parcel],
    )
    const scans = [{ code: 'I OR 160' }, { code: 'D 026' }]
    expect(reply).toMatchObject({ result: 'found', reports: [{ scans }] })
  })

  it.each([
    // Both describe the same scan: the code is more specific than the status.
    [{ type: 'I', code: 'YP', statusCode: '005', description: 'Destination Scan' }, 'PROCESSED_AT_DELIVERY_CENTER'],
    [
      { type: 'I', code: 'YP', statusCode: '071', description: 'Processing at UPS Facility' },
      'PROCESSED_AT_DELIVERY_CENTER',
    ],
    [{ type: 'I', code: 'YP', description: 'Destination Scan' }, 'PROCESSED_AT_DELIVERY_CENTER'],
    [{ type: 'X', code: '48', statusCode: '013', description: 'Exception' }, 'MORE_INFO_ON_CARRIER_WEBSITE'],
    [{ type: 'X', code: 'A6', statusCode: '029', description: 'Exception: Action Required' }, 'DELAY_EXPECTED'],
    [{ type: 'I', code: 'T8', statusCode: '047', description: 'On the Way' }, 'SHIPMENT_EN_ROUTE'],
    [{ type: 'D', code: 'KB', statusCode: '156', description: 'Commercial Inside Release' }, 'SUCCESSFULLY_DELIVERED'],
  ])('reads %j as %s', async (status, eventName) => {
    const entry = activity({ ...status }, '20261103', '070000')
    expect(await read({}, [entry])).toMatchObject({ scans: [{ eventName }] })
  })

  it('treats a number of another carrier as unknown', async () => {
    const body = JSON.stringify({ response: { errors: [{ code: 'TV1002', message: 'Invalid inquiry number' }] } })
    const fake = createFakeUps(content)
    const call = callTo(fake)
    const reply = await openProvider(ups).track(
      async (request) => (request.method === 'POST' ? call(request) : { status: 400, headers: {}, body }),
      account,
      [parcel],
    )
    expect(reply).toEqual({ result: 'found', reports: [] })
  })
})
