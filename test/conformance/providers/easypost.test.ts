import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { easypost } from '../../../src/adapters/carriers/easypost/description.ts'
import type { ParcelReport } from '../../../src/adapters/carriers/provider.ts'
import { openProvider } from '../../../src/adapters/carriers/registry.ts'
import { callTo } from '../direct-call.ts'
import { keys } from './fakes/credentials.ts'
import { createFakeEasypost } from './fakes/easypost-server.ts'
import { parcelOf } from './parcels.ts'
import { describeProvider } from './provider-suite.ts'

const parcel = parcelOf('usps', '9400110898825022579493', { countryCode: 'US', zipCode: '94107' })
const account = { shopId: 'shop', credentials: { api_key: keys.right } }

const tracker = {
  id: 'trk_c8e0edb5bb284caa934a0d3db23a148z',
  object: 'Tracker',
  mode: 'production',
  tracking_code: '9400110898825022579493',
  status: 'in_transit',
  carrier: 'USPS',
  est_delivery_date: '2026-11-04T00:00:00Z',
  public_url: 'https://track.easypost.com/djE6dHJrX2M4ZTA',
  carrier_detail: { destination_tracking_location: { city: 'SAN FRANCISCO', state: 'CA', country: 'US' } },
}

function detail(
  [status, status_detail]: [status: string, statusDetail: string | null],
  datetime: string,
  message: string,
  place: unknown = null,
) {
  return {
    object: 'TrackingDetail',
    status,
    status_detail,
    datetime,
    message,
    source: 'USPS',
    tracking_location: place,
  }
}

const chicago = { object: 'TrackingLocation', city: 'CHICAGO', state: 'IL', country: 'US', zip: '60607' }
const entries = [
  detail(['pre_transit', 'label_created'], '2026-11-01T15:00:00Z', 'Shipping Label Created'),
  detail(['in_transit', 'arrived_at_facility'], '2026-11-02T08:00:00Z', 'Arrived at USPS Facility', chicago),
  detail(['in_transit', 'departed_facility'], '2026-11-02T20:00:00Z', 'Departed USPS Facility', chicago),
  detail(['in_transit', null], '2026-11-03T06:00:00Z', 'In Transit to Next Facility'),
]

const there = { city: 'CHICAGO', country_code: 'US', postal_code: '60607', state_or_province: 'IL' }
const report: ParcelReport = {
  trackingNumber: parcel.trackingNumber,
  carrierReference: 'usps',
  scans: [
    scan(
      'pre_transit/label_created',
      'PARCEL_DATA_SUBMITTED_TO_CARRIER',
      '2026-11-01T15:00:00Z',
      'Shipping Label Created',
    ),
    {
      ...scan(
        'in_transit/arrived_at_facility',
        'ARRIVED_AT_SORTING_CENTER',
        '2026-11-02T08:00:00Z',
        'Arrived at USPS Facility',
      ),
      location: there,
    },
    {
      ...scan(
        'in_transit/departed_facility',
        'DISPATCHED_FROM_SORTING_CENTER',
        '2026-11-02T20:00:00Z',
        'Departed USPS Facility',
      ),
      location: there,
    },
    scan('in_transit', 'SHIPMENT_EN_ROUTE', '2026-11-03T06:00:00Z', 'In Transit to Next Facility'),
  ],
  expectedDelivery: { start: '2026-11-04T08:00:00.000Z', end: '2026-11-05T07:59:59.999Z' },
  carrierName: 'USPS',
  trackingLink: 'https://track.easypost.com/djE6dHJrX2M4ZTA',
}

function scan(code: string, eventName: string, time: string, text: string) {
  return { code, eventName, time: new Date(time), timezone: null, text, location: null }
}

const signHex = (body: string, secret: string) =>
  `hmac-sha256-hex=${createHmac('sha256', secret.normalize('NFKD')).update(body).digest('hex')}`

describeProvider({
  create: (baseUrl) => openProvider(easypost, { baseUrl }),
  createFake: () => createFakeEasypost(tracker),
  credentials: { api_key: keys.right },
  wrongCredentials: { api_key: keys.wrong },
  limitedCredentials: { api_key: keys.limited },
  parcel,
  unknownParcel: parcelOf('usps', '9400110898825022570000'),
  entries,
  report,
  unknownEntry: {
    entry: detail(['in_transit', 'beamed_up'], '2026-11-03T07:00:00Z', 'Beamed up'),
    code: 'in_transit/beamed_up',
    text: 'Beamed up',
  },
  ofOneSecond: {
    entries: [
      detail(['out_for_delivery', 'out_for_delivery'], '2026-11-04T10:15:00Z', 'Out for Delivery'),
      detail(['delivered', 'arrived_at_destination'], '2026-11-04T10:15:00Z', 'Delivered'),
    ],
    codes: ['out_for_delivery/out_for_delivery', 'delivered/arrived_at_destination'],
  },
  retryAfterMs: 2_000,
  pushes: {
    header: 'x-hmac-signature',
    sign: signHex,
    update: {
      object: 'Event',
      id: 'evt_1',
      description: 'tracker.updated',
      result: { ...tracker, tracking_details: entries },
    },
    ofNoInterest: { object: 'Event', id: 'evt_2', description: 'batch.updated', result: { object: 'Batch' } },
    withoutParcel: { object: 'Event', id: 'evt_3', description: 'tracker.updated', result: null },
  },
})

describe('easypost › specifics', () => {
  it('creates a tracker with EasyPost’s name of the carrier', async () => {
    const fake = createFakeEasypost(tracker)
    await openProvider(easypost).register?.(callTo(fake), account, parcelOf('dhl-express', '12 3456 7890'))
    await openProvider(easypost).register?.(callTo(fake), account, parcelOf('trunkrs', '4100'))
    expect(fake.registered).toEqual([{ tracking_code: '1234567890', carrier: 'DHLExpress' }, { tracking_code: '4100' }])
  })

  it('uses the tracker of the carrier that has the parcel', async () => {
    const fake = createFakeEasypost(tracker)
    fake.entries = entries
    const response = await openProvider(easypost).track(callTo(fake), account, [
      { ...parcel, carrierReference: 'usps' },
    ])
    expect(response).toMatchObject({ reports: [{ carrierReference: 'usps', scans: { length: 4 } }] })
  })

  it.each([
    ['failure', null, 'ATTEMPTED_DELIVERY_UNDELIVERABLE'],
    ['failure', 'unknown', 'ATTEMPTED_DELIVERY_UNDELIVERABLE'],
    ['failure', 'status_update', 'ATTEMPTED_DELIVERY_UNDELIVERABLE'],
    ['failure', 'return', 'SHIPMENT_RETURNING_TO_SENDER'],
    ['failure', 'lost', 'SHIPMENT_LOST'],
    ['failure', 'cancelled', 'SHIPMENT_CANCELLED'],
    ['unknown', 'unknown', 'MORE_INFO_ON_CARRIER_WEBSITE'],
    ['unknown', 'arrived_at_facility', 'ARRIVED_AT_SORTING_CENTER'],
    ['unknown', 'damaged', 'SHIPMENT_DAMAGED'],
    ['error', null, 'MORE_INFO_ON_CARRIER_WEBSITE'],
    ['available_for_pickup', 'arrived_at_pickup_location', 'ARRIVED_AT_PICKUP_POINT'],
    ['delivered', 'return', 'SHIPMENT_RETURNED_TO_SENDER'],
    ['failure', 'eaten_by_dog', undefined],
  ])('reads %s with the detail %s as %s', async (status, statusDetail, eventName) => {
    const fake = createFakeEasypost(tracker)
    fake.entries = [detail([status, statusDetail], '2026-11-03T07:00:00Z', 'x')]
    const response = await openProvider(easypost).track(callTo(fake), account, [parcel])
    expect(response).toMatchObject({ reports: [{ scans: [{ eventName }] }] })
  })

  it('reports a new tracker like a changed one', async () => {
    const body = JSON.stringify({ description: 'tracker.created', result: { ...tracker, tracking_details: [] } })
    const headers = { 'x-hmac-signature': signHex(body, 'secret') }
    const message = { bytes: Buffer.from(body), headers, now: parcel.now }
    const reading = await openProvider(easypost).readWebhook?.(message, 'secret')
    const reports = reading?.result === 'read' ? reading.reports : []
    expect(reports.map((each) => each.read(parcel))).toMatchObject([{ scans: [] }])
  })
})
