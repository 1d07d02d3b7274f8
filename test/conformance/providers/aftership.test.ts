import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { aftership } from '../../../src/adapters/carriers/aftership/description.ts'
import type { ParcelReport } from '../../../src/adapters/carriers/provider.ts'
import { openProvider } from '../../../src/adapters/carriers/registry.ts'
import { callTo } from '../direct-call.ts'
import { aftershipResetAt, createFakeAftership } from './fakes/aftership-server.ts'
import { keys } from './fakes/credentials.ts'
import { parcelOf } from './parcels.ts'
import { describeProvider } from './provider-suite.ts'

const parcel = parcelOf('dhl', '00340434161094042557')
const account = { shopId: 'shop', credentials: { api_key: keys.right } }

const tracking = {
  id: '0b02015fc7fd4f3c8d5490cece4d124d',
  tracking_number: '00340434161094042557',
  slug: 'dhl-germany',
  tag: 'AvailableForPickup',
  subtag: 'AvailableForPickup_001',
  destination_country_region: 'DEU',
  pickup_location: 'Kiosk Müller, Domstraße 3, 50668 Köln',
  delivery_type: 'pickup_at_courier',
  courier_tracking_link: 'https://www.dhl.de/track?piececode=00340434161094042557',
  latest_estimated_delivery: {
    type: 'range',
    source: 'Carrier EDD',
    datetime: null,
    datetime_min: '2026-11-03T14:00:00+01:00',
    datetime_max: '2026-11-03T18:00:00+01:00',
  },
}

function checkpoint(subtag: string, checkpoint_time: string, message: string, more: Record<string, unknown> = {}) {
  return {
    slug: 'dhl-germany',
    tag: subtag.split('_')[0],
    subtag,
    subtag_message: subtag,
    checkpoint_time,
    message,
    ...more,
  }
}

const entries = [
  // Without an offset: in the time zone of the place, or of the destination if there is no place.
  checkpoint('InfoReceived_001', '2026-11-01T10:00:00', 'Announced'),
  checkpoint('InTransit_003', '2026-11-02T23:15:00', 'Processed in the parcel center', {
    city: 'London',
    country_region: 'GBR',
    country_region_name: 'United Kingdom',
    postal_code: 'E16',
    coordinate: { latitude: 51.5, longitude: 0.03 },
  }),
  checkpoint('OutForDelivery_001', '2026-11-03T08:36:00+01:00', 'Loaded onto the delivery vehicle', {
    city: 'Köln',
    country_region: 'DEU',
    location: 'Köln, Germany',
    coordinate: null,
  }),
  checkpoint('AvailableForPickup_001', '2026-11-03T09:10:00+01:00', 'Ready for pick-up'),
]

const report: ParcelReport = {
  trackingNumber: parcel.trackingNumber,
  carrierReference: 'dhl',
  scans: [
    scan(
      'InfoReceived_001',
      'PARCEL_DATA_SUBMITTED_TO_CARRIER',
      ['2026-11-01T09:00:00Z', 'Europe/Berlin'],
      'Announced',
    ),
    {
      ...scan(
        'InTransit_003',
        'ARRIVED_AT_SORTING_CENTER',
        ['2026-11-02T23:15:00Z', 'Europe/London'],
        'Processed in the parcel center',
      ),
      location: {
        city: 'London',
        country: 'United Kingdom',
        country_code: 'GB',
        postal_code: 'E16',
        latitude: 51.5,
        longitude: 0.03,
      },
    },
    {
      ...scan(
        'OutForDelivery_001',
        'OUT_FOR_DELIVERY',
        ['2026-11-03T07:36:00Z', '+01:00'],
        'Loaded onto the delivery vehicle',
      ),
      location: { city: 'Köln', country_code: 'DE', place: 'Köln, Germany' },
    },
    scan('AvailableForPickup_001', 'PARCEL_READY_FOR_PICKUP', ['2026-11-03T08:10:00Z', '+01:00'], 'Ready for pick-up'),
  ],
  expectedDelivery: { start: '2026-11-03T13:00:00.000Z', end: '2026-11-03T17:00:00.000Z' },
  pickup: { type: 'shop', name: 'Kiosk Müller, Domstraße 3, 50668 Köln' },
  carrierName: 'dhl-germany',
  trackingLink: 'https://www.dhl.de/track?piececode=00340434161094042557',
}

function scan(code: string, eventName: string, [time, timezone]: [time: string, timezone: string], text: string) {
  return { code, eventName, time: new Date(time), timezone, text, location: null }
}

describeProvider({
  create: (baseUrl) => openProvider(aftership, { baseUrl }),
  createFake: () => createFakeAftership(tracking),
  credentials: { api_key: keys.right },
  wrongCredentials: { api_key: keys.wrong },
  limitedCredentials: { api_key: keys.limited },
  parcel,
  unknownParcel: parcelOf('dhl', '00340434161094049999'),
  entries,
  report,
  unknownEntry: {
    entry: checkpoint('InTransit_999', '2026-11-03T08:50:00+01:00', 'Went by drone'),
    code: 'InTransit_999',
    text: 'Went by drone',
  },
  ofOneSecond: {
    entries: [
      checkpoint('OutForDelivery_001', '2026-11-04T10:15:00+01:00', 'Loaded onto the delivery vehicle'),
      checkpoint('Delivered_001', '2026-11-04T10:15:00+01:00', 'Delivered'),
    ],
    codes: ['OutForDelivery_001', 'Delivered_001'],
  },
  retryAfterMs: aftershipResetAt * 1_000 - parcel.now.getTime(),
  pushes: {
    header: 'aftership-hmac-sha256',
    sign: (body, secret) => createHmac('sha256', secret).update(body).digest('base64'),
    update: { event: 'tracking_update', event_id: 'x', ts: 1_793_696_400, msg: { ...tracking, checkpoints: entries } },
    ofNoInterest: { event: 'tracking_pending_time', event_id: 'x', msg: tracking },
    withoutParcel: { event: 'tracking_update', event_id: 'x', msg: {} },
  },
})

describe('aftership › specifics', () => {
  async function read(change: Record<string, unknown>, checkpoints: unknown[] = entries) {
    const fake = createFakeAftership({ ...tracking, ...change })
    fake.entries = checkpoints
    const response = await openProvider(aftership).track(callTo(fake), account, [parcel])
    return response.result === 'found' ? response.reports[0] : undefined
  }

  it('registers a parcel with its slug and its destination', async () => {
    const fake = createFakeAftership(tracking)
    await openProvider(aftership).register?.(
      callTo(fake),
      account,
      parcelOf('royal-mail', 'ab 123 456 789 gb', { countryCode: 'GB' }),
    )
    const given = { tracking_number: 'AB123456789GB', slug: 'royal-mail' }
    expect(fake.registered).toEqual([{ ...given, destination_postal_code: '50667', destination_country_region: 'GBR' }])
  })

  it('lets AfterShip detect a carrier without a known slug', async () => {
    const fake = createFakeAftership(tracking)
    await openProvider(aftership).register?.(
      callTo(fake),
      account,
      parcelOf('trunkrs', '4100', { countryCode: null, zipCode: null }),
    )
    expect(fake.registered).toMatchObject([{ tracking_number: '4100', slug: undefined }])
  })

  it('reports our reference of the carrier, if it is known', async () => {
    expect(await read({ slug: 'usps' })).toMatchObject({ carrierReference: 'usps' })
    expect(await read({ slug: 'planet-express' })).not.toHaveProperty('carrierReference')
  })

  it('prefers a more specific event of a checkpoint to its subtag', async () => {
    const delivered = checkpoint('Delivered_001', '2026-11-03T12:00:00+01:00', 'Delivered', {
      events: [{ code: 'something_new' }, { code: 'delivered_to_neighbor', reason: null }],
    })
    expect(await read({}, [delivered])).toMatchObject({
      scans: [{ code: 'delivered_to_neighbor', eventName: 'SUCCESSFULLY_DELIVERED_TO_NEIGHBOR' }],
    })
  })

  it.each([
    ['Exception_001', 'DELAY_EXPECTED'],
    ['Exception_011', 'SHIPMENT_RETURNED_TO_SENDER'],
    ['Exception_016', 'DELAY_IN_TRANSPORT'],
    ['Exception_020', 'SHIPMENT_CANCELLED'],
    ['Delivered_005', 'SUCCESSFULLY_DELIVERED_TO_NEIGHBOR'],
    ['InTransit_011', 'SHIPMENT_EN_ROUTE'],
    ['Expired_001', 'MORE_INFO_ON_CARRIER_WEBSITE'],
    ['Pending_006', 'MORE_INFO_ON_CARRIER_WEBSITE'],
    ['Exception_999', undefined],
  ])('reads %s as %s', async (subtag, eventName) => {
    const checkpoints = [checkpoint(subtag, '2026-11-03T08:50:00+01:00', 'Shipment exception')]
    expect(await read({}, checkpoints)).toMatchObject({ scans: [{ code: subtag, eventName }] })
  })

  it('uses the tag if there is no subtag', async () => {
    const entry = { ...checkpoint('', '2026-11-03T08:50:00+01:00', 'Out for delivery'), tag: 'OutForDelivery' }
    expect(await read({}, [entry])).toMatchObject({ scans: [{ eventName: 'OUT_FOR_DELIVERY' }] })
  })

  it.each([
    [
      {
        latest_estimated_delivery: {
          type: 'range',
          datetime_min: '2026-11-05T00:00:00',
          datetime_max: '2026-11-06T00:00:00',
        },
      },
      '2026-11-04T23:00:00.000Z',
      '2026-11-06T22:59:59.999Z',
    ],
    [
      { latest_estimated_delivery: { type: 'specific', datetime: '2026-11-05T12:11:11+01:00' } },
      '2026-11-04T23:00:00.000Z',
      '2026-11-05T22:59:59.999Z',
    ],
    [
      { latest_estimated_delivery: null, courier_estimated_delivery_date: { estimated_delivery_date: '2026-11-06' } },
      '2026-11-05T23:00:00.000Z',
      '2026-11-06T22:59:59.999Z',
    ],
    [
      {
        latest_estimated_delivery: null,
        aftership_estimated_delivery_date: {
          estimated_delivery_date_min: '2026-11-06',
          estimated_delivery_date_max: '2026-11-07',
        },
      },
      '2026-11-05T23:00:00.000Z',
      '2026-11-07T22:59:59.999Z',
    ],
  ])('reads the expected delivery from %j', async (change, start, end) => {
    expect(await read(change)).toMatchObject({ expectedDelivery: { start, end } })
  })

  it('expects nothing if there is no estimate, or none that can be read', async () => {
    expect(await read({ latest_estimated_delivery: null })).not.toHaveProperty('expectedDelivery')
    expect(await read({ latest_estimated_delivery: { datetime: 'soon' } })).not.toHaveProperty('expectedDelivery')
  })

  it('treats an exhausted plan as a problem of the account', async () => {
    const call = async () => ({ status: 402, headers: {}, body: '{"meta":{"code":402}}' })
    expect(await openProvider(aftership).register?.(call, account, parcel)).toMatchObject({
      result: 'rejected',
      key: 'partner_key_missing_permissions',
    })
  })
})
