import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { dhl } from '../../../src/adapters/carriers/dhl/description.ts'
import { eventNameOf, eventNameOfText, serviceCodeOf } from '../../../src/adapters/carriers/dhl/event-name.ts'
import type { ParcelReport, Scan } from '../../../src/adapters/carriers/provider.ts'
import { openProvider } from '../../../src/adapters/carriers/registry.ts'
import { findMeaning } from '../../../src/platform/catalogue/catalogue.ts'
import { type DhlJourney, otherServices, parcelNl, toShipment } from '../../harness/dhl-journeys.ts'
import { callTo } from '../direct-call.ts'
import { keys } from './fakes/credentials.ts'
import { createFakeDhl } from './fakes/dhl-server.ts'
import { parcelOf } from './parcels.ts'
import { describeProvider } from './provider-suite.ts'

const parcel = parcelOf('dhl', '00340434161094042557')
const account = { shopId: 'shop', credentials: { api_key: keys.right } }

const shipment = {
  id: '00340434161094042557',
  service: 'parcel-de',
  destination: { address: { countryCode: 'DE', postalCode: '50667', addressLocality: 'Köln' } },
  estimatedDeliveryTimeFrame: { estimatedFrom: '2026-11-03T09:45:00', estimatedThrough: '2026-11-03T11:15:00' },
  estimatedTimeOfDelivery: '2026-11-03T00:00:00',
}

function event(statusCode: string, timestamp: string, status: string, location?: unknown) {
  return { timestamp, statusCode, status, description: status, ...(location ? { location } : {}) }
}

const texts = {
  ready: 'The shipment is ready for pick-up at the PACKSTATION.',
  region: 'The shipment has been processed in the destination parcel center.',
  picked: 'The shipment has been picked up.',
  announced: 'The instruction data for this shipment have been provided by the sender to DHL electronically.',
}
const locker = {
  address: { countryCode: 'DE', postalCode: '50668', addressLocality: 'Köln', streetAddress: 'Breslauer Platz 1' },
  servicePoint: { label: 'Packstation 142', url: 'https://www.dhl.de/142' },
}
// The newest first, as DHL lists them. Local times without an offset.
const entries = [
  event('transit', '2026-11-03T09:50:00', texts.ready, locker),
  event('transit', '2026-11-03T03:51:00', texts.region, { address: { addressLocality: 'Köln' } }),
  event('transit', '2026-11-02T18:30:00', texts.picked, { address: { addressLocality: 'Madrid', countryCode: 'ES' } }),
  event('pre-transit', '2026-11-02T10:00:00+01:00', texts.announced),
]

const report: ParcelReport = {
  trackingNumber: parcel.trackingNumber,
  carrierReference: 'dhl',
  scans: [
    scan('pre-transit', 'PARCEL_DATA_SUBMITTED_TO_CARRIER', ['2026-11-02T09:00:00Z', '+01:00'], texts.announced),
    {
      ...scan('transit', 'PICKUP_SUCCESSFUL', ['2026-11-02T17:30:00Z', 'Europe/Madrid'], texts.picked),
      location: { city: 'Madrid', country_code: 'ES' },
    },
    {
      ...scan('transit', 'ACCEPTED_BY_DESTINATION_OFFICE', ['2026-11-03T02:51:00Z', 'Europe/Berlin'], texts.region),
      location: { city: 'Köln' },
    },
    {
      ...scan('transit', 'ARRIVED_AT_PARCEL_LOCKER', ['2026-11-03T08:50:00Z', 'Europe/Berlin'], texts.ready),
      location: { city: 'Köln', country_code: 'DE', postal_code: '50668', place: 'Packstation 142' },
    },
  ],
  expectedDelivery: { start: '2026-11-03T08:45:00.000Z', end: '2026-11-03T10:15:00.000Z' },
  pickup: {
    type: 'locker',
    name: 'Packstation 142',
    url: 'https://www.dhl.de/142',
    address: { street: 'Breslauer Platz 1', zip_code: '50668', city: 'Köln', country_code: 'DE' },
  },
}

function scan(statusCode: string, eventName: string, [time, timezone]: [time: string, timezone: string], text: string) {
  return { code: `${statusCode}: ${text}`, eventName, time: new Date(time), timezone, text, location: null }
}

describeProvider({
  create: (baseUrl) => openProvider(dhl, { baseUrl }),
  createFake: () => createFakeDhl({ ...shipment, status: entries[0] }),
  credentials: { api_key: keys.right },
  wrongCredentials: { api_key: keys.wrong },
  limitedCredentials: { api_key: keys.limited },
  parcel,
  unknownParcel: parcelOf('dhl', '00340434161094049999'),
  entries,
  report,
  unknownEntry: {
    entry: event('failure', '2026-11-03T08:55:00', 'The shipment has been eaten by the dog.'),
    code: 'failure: The shipment has been eaten by the dog.',
    text: 'The shipment has been eaten by the dog.',
  },
  ofOneSecond: {
    entries: [
      { ...event('delivered', '2026-11-03T09:40:00', 'ZU'), description: 'Delivered' },
      { ...event('transit', '2026-11-03T09:40:00', 'PO'), description: 'In the delivery process' },
    ],
    codes: ['parcel-de PO', 'parcel-de ZU'],
  },
  retryAfterMs: 5_000,
})

describe('dhl › specifics', () => {
  it.each([
    ['dhl', 'parcel-de'],
    ['dhl-express', 'express'],
    ['deutsche-post', 'post-de'],
    ['dhl-ecommerce', null],
  ])('requests a parcel of %s with the hint %s', async (carrier, service) => {
    const urls: URL[] = []
    await openProvider(dhl).track(
      async ({ url }) => {
        urls.push(new URL(url))
        return { status: 404, headers: {}, body: '{}' }
      },
      account,
      [parcelOf(carrier, '1234567890')],
    )
    expect(urls[0]?.searchParams.get('service')).toBe(service)
    expect(urls[0]?.searchParams.get('recipientPostalCode')).toBe('50667')
  })

  it('uses the day alone if there is no time frame', async () => {
    const fake = createFakeDhl({ ...shipment, estimatedDeliveryTimeFrame: undefined })
    const response = await openProvider(dhl).track(callTo(fake), account, [parcel])
    const expectedDelivery = { start: '2026-11-02T23:00:00.000Z', end: '2026-11-03T22:59:59.999Z' }
    expect(response).toMatchObject({ reports: [{ expectedDelivery }] })
  })

  it('uses the shipment of the service that has the parcel', async () => {
    const body = JSON.stringify({
      shipments: [
        { id: '1', service: 'freight' },
        { id: '1', service: 'express' },
      ],
    })
    const call = async () => ({ status: 200, headers: {}, body })
    const response = await openProvider(dhl).track(call, account, [parcelOf('dhl-express', '1234567890')])
    expect(response).toMatchObject({ reports: [{ carrierReference: 'dhl-express' }] })
  })

  it('reads times of a worldwide service in the time zone of the destination', async () => {
    const events = [event('transit', '2026-11-03T09:50:00', 'Processed at SYDNEY - AUSTRALIA')]
    const body = JSON.stringify({ shipments: [{ id: '1', service: 'express', events }] })
    const call = async () => ({ status: 200, headers: {}, body })
    const response = await openProvider(dhl).track(call, account, [
      parcelOf('dhl-express', '1234567890', { countryCode: 'GR' }),
    ])
    expect(response).toMatchObject({
      reports: [{ scans: [{ time: new Date('2026-11-03T07:50:00Z'), timezone: 'Europe/Athens' }] }],
    })
  })

  it.each([
    [
      'transit',
      'The shipment has been loaded onto the delivery vehicle. Delivery is expected to take place today.',
      'OUT_FOR_DELIVERY',
    ],
    ['transit', 'With delivery courier', 'OUT_FOR_DELIVERY'],
    ['transit', 'Shipment picked up', 'PICKUP_SUCCESSFUL'],
    ['transit', 'Processed at LEIPZIG - GERMANY', 'SCANNED_AT_PROCESSING_CENTER'],
    ['transit', 'Departed Facility in LEIPZIG - GERMANY', 'DEPARTURE_FROM_TRANSPORT_HUB'],
    ['transit', 'Arrived at Sort Facility EAST MIDLANDS - UK', 'ARRIVED_AT_SORTING_CENTER'],
    ['transit', 'Arrived at Delivery Facility in BERLIN - GERMANY', 'ARRIVAL_AT_FINAL_DELIVERY_CENTER'],
    ['transit', 'Clearance processing complete at LEIPZIG - GERMANY', 'COMPLETION_OF_CUSTOMS_PROCESSING'],
    ['transit', 'Customs status updated', 'CUSTOMS_PROCESSING'],
    ['transit', 'Shipment on hold', 'SHIPMENT_ON_HOLD_IN_DELIVERY_CENTER'],
    ['transit', 'The shipment has been delivered for pick-up at the retail outlet Kiosk.', 'ARRIVED_AT_PARCEL_SHOP'],
    ['transit', 'The shipment is on its way to the postal retail outlet.', 'SHIPMENT_ON_ITS_WAY_TO_PICKUP_LOCATION'],
    ['transit', 'The shipment was misrouted and could not be delivered. It will be readdressed.', 'SHIPMENT_MISROUTED'],
    ['transit', 'Something that DHL has never said before', undefined],
    ['transit', 'PARCEL_ARRIVED_AT_LOCAL_DEPOT', 'ARRIVAL_AT_FINAL_DELIVERY_CENTER'],
    ['transit', 'The shipment is in transit', 'SHIPMENT_EN_ROUTE'],
    ['transit', 'Die Sendung wurde in das Zustellfahrzeug geladen.', 'OUT_FOR_DELIVERY'],
    ['transit', 'Die Sendung wurde im Ziel-Paketzentrum bearbeitet.', 'ACCEPTED_BY_DESTINATION_OFFICE'],
    ['transit', 'Die Sendung liegt in der PACKSTATION zur Abholung bereit.', 'ARRIVED_AT_PARCEL_LOCKER'],
    ['transit', 'Die Sendung wurde zurückgestellt.', 'DELAY_EXPECTED'],
    ['failure', 'Der Empfänger wurde nicht angetroffen.', 'DELIVERY_ATTEMPTED_RECIPIENT_NOT_AT_HOME'],
    ['failure', 'Die Sendung wurde nicht erfolgreich zugestellt.', 'ATTEMPTED_DELIVERY_UNDELIVERABLE'],
    ['delivered', 'Die Sendung wurde einem Nachbarn zugestellt.', 'SUCCESSFULLY_DELIVERED_TO_NEIGHBOR'],
    ['delivered', 'Der Empfänger hat die Sendung in der Filiale abgeholt.', 'SUCCESSFULLY_COLLECTED_AT_PARCEL_SHOP'],
    ['delivered', 'Something that DHL has never said before', 'SUCCESSFULLY_DELIVERED'],
    [
      'failure',
      'The shipment could not be delivered, and the recipient has been notified.',
      'DELIVERY_ATTEMPTED_RECIPIENT_NOT_AT_HOME_CARD_LEFT',
    ],
    ['failure', 'A 2nd attempt at delivery is being made.', 'DELIVERY_ATTEMPTED_FAILED_WILL_TRY_AGAIN'],
    ['failure', 'Delivery attempted; recipient not home', 'DELIVERY_ATTEMPTED_RECIPIENT_NOT_AT_HOME'],
    ['failure', 'The address is incomplete.', 'DELIVERY_ATTEMPTED_ADDRESS_COULD_NOT_BE_FOUND'],
    ['failure', 'The shipment is being returned to the sender.', 'SHIPMENT_RETURNING_TO_SENDER'],
    ['failure', 'Recipient refused delivery', 'DELIVERY_ATTEMPTED_REJECTED_BY_ADDRESSEE'],
    ['delivered', 'The shipment has been successfully delivered.', 'SUCCESSFULLY_DELIVERED'],
    [
      'delivered',
      'The recipient has picked up the shipment from the retail outlet.',
      'SUCCESSFULLY_COLLECTED_AT_PARCEL_SHOP',
    ],
    [
      'delivered',
      'The recipient has picked up the shipment from the PACKSTATION.',
      'SUCCESSFULLY_COLLECTED_AT_PARCEL_LOCKER',
    ],
    ['delivered', 'The shipment has been delivered to the neighbour.', 'SUCCESSFULLY_DELIVERED_TO_NEIGHBOR'],
    ['pre-transit', 'Shipment information received', 'PARCEL_DATA_SUBMITTED_TO_CARRIER'],
    ['unknown', 'Something that DHL has never said before', undefined],
    ['failure', 'Something that DHL has never said before', undefined],
    ['beamed', 'The shipment has been delivered', undefined],
  ])('reads %s, "%s"', (statusCode, text, eventName) => {
    expect(eventNameOfText(statusCode, [text])).toBe(eventName)
  })
})

describe('dhl › services', () => {
  async function read(journey: DhlJourney) {
    const body = JSON.stringify({ shipments: [toShipment(journey, '1')] })
    const response = await openProvider(dhl).track(async () => ({ status: 200, headers: {}, body }), account, [parcel])
    return response.result === 'found' ? (response.reports[0]?.scans ?? []) : []
  }
  const phasesOf = (scans: Scan[]) => scans.flatMap(({ eventName = '' }) => findMeaning(eventName)?.phase ?? 'unknown')

  it('gives the milestones of a whole journey of DHL Parcel NL', async () => {
    const scans = await read(parcelNl)
    expect(scans).toHaveLength(42)
    expect(scans.filter(({ eventName }) => eventName === undefined)).toEqual([])
    const milestones = [
      ['2026-11-04T08:14:46.000Z', 'OUT_FOR_DELIVERY'],
      ['2026-11-04T14:46:31.000Z', 'DELIVERY_ATTEMPTED_RECIPIENT_NOT_AT_HOME'],
      ['2026-11-05T16:22:58.000Z', 'ARRIVED_AT_PARCEL_SHOP'],
      ['2026-11-18T07:00:00.000Z', 'SHIPMENT_NOT_PICKED_UP_FROM_PARCEL_SHOP_RETURNED_TO_BASE'],
      ['2026-11-19T09:12:41.000Z', 'SHIPMENT_RETURNED_TO_SENDER'],
    ]
    const found = scans.map(({ time, eventName }) => [time.toISOString(), eventName])
    for (const milestone of milestones) expect(found).toContainEqual(milestone)
    expect(scans.at(-1)?.code).toBe('parcel-nl DELIVERED_AT_SHIPPER')
  })

  it.each([
    ['ecommerce', ['order_processed', 'in_transit', 'in_transit', 'delivery_failed', 'in_delivery', 'delivered']],
    ['ecommerce-europe', ['order_processed', 'in_transit', 'in_delivery', 'delivery_failed', 'collect', 'delivered']],
    ['parcel-pl', ['order_processed', 'in_transit', 'in_delivery', 'delivery_failed', 'collect', 'delivered']],
    ['ecommerce-ppl', ['order_processed', 'in_transit', 'collect', 'delivered']],
    ['svb', ['order_processed', 'in_delivery', 'collect', 'delivered']],
    ['dgf', ['order_processed', 'in_transit', 'in_delivery', 'delivered']],
    ['freight', ['order_processed', 'in_delivery', 'delivery_failed', 'delivered']],
  ])('gives the milestones of %s', async (service, phases) => {
    const journey = otherServices.find((one) => one.service === service) ?? parcelNl
    expect(phasesOf(await read(journey))).toEqual(phases)
  })

  it.each([
    ['spaces', 'not home to parcelshop'],
    ['underscores', 'NOT_HOME_TO_PARCELSHOP'],
  ])('reads a code with %s', async (_, status) => {
    const [scan] = await read({ ...parcelNl, entries: [['failure', status, '2026-11-04T15:46:31']] })
    expect(scan?.eventName).toBe('DELIVERY_ATTEMPTED_FORWARDING_TO_PICKUP_LOCATION')
  })

  it('reads every documented code, wherever the response has it', async () => {
    const lines = readFileSync(join(import.meta.dirname, 'documented/dhl-other-services.txt'), 'utf8')
      .trim()
      .split('\n')
    const documented = lines.filter((line) => !/^(#|unclear )/.test(line)).map((line) => line.split(' '))
    const table = linesOf('dhl/codes.csv').map((line) => line.split(','))
    expect(documented).toHaveLength(1021)
    for (const [service = '', code = ''] of documented) {
      const named = table.find((row) => row[0] === service && row[1] === code)?.[2]
      const status = { service, statusCode: 'unknown', codeFields: [code], texts: [code, 'Iets'] }
      expect(eventNameOf(status), `${service} ${code}`).toBe(named)
      expect(serviceCodeOf(status), code).toBe(code)
      expect(eventNameOf({ ...status, codeFields: ['Iets'], texts: ['Iets', code] }), `${service} ${code}`).toBe(named)
    }
  })

  it.each([
    ['transit', 'DELIVERED_BY_DRONE_TO_DEPOT', undefined],
    ['failure', 'EATEN_BY_DOG', undefined],
    ['delivered', 'LANDED_BY_DRONE', 'SUCCESSFULLY_DELIVERED'],
    ['pre-transit', 'THOUGHT_OF', 'PARCEL_DATA_SUBMITTED_TO_CARRIER'],
  ])(
    'has no event for an unlisted code unless the status says enough: %s %s',
    async (statusCode, status, eventName) => {
      const [scan] = await read({ ...parcelNl, entries: [[statusCode, status, '2026-11-04T15:46:31']] })
      expect(scan).toMatchObject({ code: `parcel-nl ${status}` })
      expect(scan?.eventName).toBe(eventName)
    },
  )
})

const linesOf = (file: string) =>
  readFileSync(join(import.meta.dirname, '../../../src/adapters/carriers', file), 'utf8')
    .trim()
    .split('\n')
    .slice(1)

describe('dhl › codes', () => {
  async function scansOf(service: string, entry: Record<string, unknown>) {
    const events = [{ timestamp: '2026-11-03T09:50:00', ...entry }]
    const body = JSON.stringify({ shipments: [{ id: '1', service, events }] })
    const response = await openProvider(dhl).track(async () => ({ status: 200, headers: {}, body }), account, [parcel])
    return response.result === 'found' ? response.reports[0]?.scans : undefined
  }

  it.each([
    ['parcel-de', 'transit', { status: 'EE' }, 'parcel-de EE', 'ARRIVED_AT_SORTING_CENTER'],
    ['parcel-de', 'transit', { status: 'ES' }, 'parcel-de ES', 'PARCEL_DROPPED_OFF_WITH_CARRIER'],
    ['parcel-de', 'transit', { status: 'AE' }, 'parcel-de AE', 'PICKUP_SUCCESSFUL'],
    ['parcel-de', 'delivered', { status: 'ZU' }, 'parcel-de ZU', 'SUCCESSFULLY_DELIVERED'],
    ['parcel-de', 'transit', { status: 'CNRFC:PCKST' }, 'parcel-de CNRFC PCKST', 'ARRIVED_AT_PARCEL_LOCKER'],
    [
      'parcel-de',
      'delivered',
      { status: 'ZU', statusDetailed: 'DLVRD NGHBR' },
      'parcel-de DLVRD NGHBR',
      'SUCCESSFULLY_DELIVERED_TO_NEIGHBOR',
    ],
    [
      'parcel-de',
      'transit',
      { status: 'PO', statusDetailed: 'LDTMV MVMTV' },
      'parcel-de LDTMV MVMTV',
      'OUT_FOR_DELIVERY',
    ],
    [
      'parcel-de',
      'transit',
      { status: 'AA', statusDetailed: 'LDTMV MVMTV' },
      'parcel-de LDTMV MVMTV',
      'OUTBOUND_TRUCK_DEPARTED',
    ],
    // A reason that is not listed: the standard event is used.
    [
      'parcel-de',
      'failure',
      { status: 'ZN', statusDetailed: 'NTDEL XXXXX' },
      'parcel-de NTDEL XXXXX',
      'DELIVERY_ATTEMPTED',
    ],
    ['express', 'transit', { status: 'WC' }, 'express WC', 'OUT_FOR_DELIVERY'],
    ['express', 'failure', { status: 'NH' }, 'express NH', 'DELIVERY_ATTEMPTED_RECIPIENT_NOT_AT_HOME'],
    ['express', 'failure', { status: 'BA' }, 'express BA', 'DELIVERY_ATTEMPTED_ADDRESS_COULD_NOT_BE_FOUND'],
    ['express', 'failure', { status: 'RT' }, 'express RT', 'SHIPMENT_RETURNING_TO_SENDER'],
    ['express', 'unknown', { status: 'Q9' }, 'unknown: Q9', undefined],
    ['express', 'unknown', { status: 'QQ' }, 'express QQ', undefined],
  ])('%s, %s %j is %s: %s', async (service, statusCode, fields, ...[code, eventName]) => {
    // Independent of the language of the text.
    const entry = { statusCode, description: 'Etwas auf Deutsch, das niemand hier liest', ...fields }
    const scans = await scansOf(service, entry)
    expect(scans).toMatchObject([
      { code: code === 'unknown: Q9' ? expect.stringContaining('unknown') : code, eventName },
    ])
  })

  it('uses English text only if the code is broad', async () => {
    const neighbour = 'The shipment has been delivered to the neighbour.'
    const broad = { statusCode: 'delivered', status: 'ZU', description: neighbour }
    expect(await scansOf('parcel-de', broad)).toMatchObject([{ eventName: 'SUCCESSFULLY_DELIVERED_TO_NEIGHBOR' }])
    const exact = { ...broad, statusDetailed: 'DLVRD FAMLY' }
    expect(await scansOf('parcel-de', exact)).toMatchObject([{ eventName: 'SUCCESSFULLY_DELIVERED' }])
  })

  it('uses the latest status once, whether it is among the events or not', async () => {
    const status = { timestamp: '2026-11-03T09:50:00', statusCode: 'delivered', status: 'The shipment was delivered' }
    const events = [{ ...status, status: 'ZU' }]
    for (const shipment of [{ status, events }, { status }, { events }]) {
      const body = JSON.stringify({ shipments: [{ id: '1', service: 'parcel-de', ...shipment }] })
      const response = await openProvider(dhl).track(async () => ({ status: 200, headers: {}, body }), account, [
        parcel,
      ])
      expect(response).toMatchObject({ reports: [{ scans: [{ eventName: 'SUCCESSFULLY_DELIVERED' }] }] })
      expect(response.result === 'found' && response.reports[0]?.scans).toHaveLength(1)
    }
  })

  it('reports the page of the parcel, the carrier and the sender', async () => {
    const shipment = {
      id: '1',
      service: 'express',
      serviceUrl: 'https://www.dhl.com/track?id=1',
      details: { carrier: { organizationName: 'DHL Express' }, sender: { organizationName: 'Hat Shop Ltd' } },
    }
    const call = async () => ({ status: 200, headers: {}, body: JSON.stringify({ shipments: [shipment] }) })
    expect(await openProvider(dhl).track(call, account, [parcel])).toMatchObject({
      reports: [
        {
          trackingLink: 'https://www.dhl.com/track?id=1',
          carrierName: 'DHL Express',
          senderName: 'Hat Shop Ltd',
        },
      ],
    })
  })
})
