import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { after, dayMs } from '../../src/platform/foundation/clock.ts'
import type { Database } from '../../src/platform/store/database.ts'
import type { Service } from '../../src/service.ts'
import { parcelNl, toShipment } from '../harness/dhl-journeys.ts'
import { uniqueNumber } from '../harness/orders.ts'
import { eventKeys, followParcels, sendParcel } from '../harness/parcels.ts'
import { type Receiver, startReceiver } from '../harness/receiver.ts'
import { clock, openTestDatabase, startTestService } from '../harness/service.ts'
import { makeShop } from '../harness/shop.ts'

let database: Database
let service: Service
let dhl: Receiver
const shipments = new Map<string, Record<string, unknown>>()

beforeAll(async () => {
  dhl = await startReceiver()
  dhl.respond = ({ path }) => {
    const number = new URL(path, 'http://dhl.example').searchParams.get('trackingNumber') ?? ''
    const shipment = shipments.get(number)
    return shipment === undefined
      ? { status: 404, body: JSON.stringify({ title: 'No result found', status: 404 }) }
      : { status: 200, body: JSON.stringify({ shipments: [shipment] }) }
  }
  database = await openTestDatabase()
  service = await startTestService({}, database, { providerUrls: { dhl: dhl.url } })
})
afterEach(() => clock.reset())
afterAll(async () => {
  await service.stop()
  await dhl.close()
})

/** A parcel of DHL Parcel NL whose journey ended yesterday, polled. */
async function polledParcel(journey: typeof parcelNl) {
  const shop = (await makeShop({ settings: { carriers_enabled: true } }, service)).as('admin')
  await shop.put('/keys/dhl', { api_key: 'key-of-the-tests' })
  await shop.patch('/settings/carriers/providers', { dhl: { status: 'live' } })
  const number = uniqueNumber('JVGL')
  const yesterday = after(clock.now(), -dayMs).toISOString().slice(0, 10)
  shipments.set(number, toShipment(journey, number, yesterday))
  const parcel = await sendParcel(shop, { tracking_number: number, carrier_reference: 'dhl-parcel' })
  await followParcels(service)
  return { shop, parcel }
}

describe('parcel of DHL Parcel NL', () => {
  it('shows its milestones from the 42 entries of its journey, and none is unmapped', async () => {
    const { shop, parcel } = await polledParcel(parcelNl)
    const events = await eventKeys(shop, parcel.id)
    const milestones = [
      'OUT_FOR_DELIVERY',
      'DELIVERY_ATTEMPTED_RECIPIENT_NOT_AT_HOME',
      'ARRIVED_AT_PARCEL_SHOP',
      'SHIPMENT_NOT_PICKED_UP_FROM_PARCEL_SHOP_RETURNED_TO_BASE',
      'SHIPMENT_RETURNED_TO_SENDER',
    ]
    expect(milestones.map((name) => events.indexOf(name)).every((at, n, all) => at > (all[n - 1] ?? 0))).toBe(true)
    expect((await shop.get(`/shipments/${parcel.id}`)).body.phase).toBe('returned')
    expect((await shop.get('/carriers/unmapped')).body).toEqual([])
  })

  it('has unlisted codes in the inbox, where they can be mapped, instead of being en route', async () => {
    const { shop, parcel } = await polledParcel({
      ...parcelNl,
      entries: [
        ['transit', 'CARRIED_BY_MULE', '2026-11-04T09:14:46'],
        ['transit', 'PARCEL_SORTED_AT_HUB', '2026-11-03T23:01:58'],
      ],
    })
    const before = await eventKeys(shop, parcel.id)
    expect(before).toContain('SORTING_COMPLETED_AT_PROCESSING_CENTER')
    expect(before).toContain('MORE_INFO_ON_CARRIER_WEBSITE')
    expect(before).not.toContain('SHIPMENT_EN_ROUTE')
    expect((await shop.get('/carriers/unmapped')).body).toMatchObject([
      { provider: 'dhl', code: 'parcel-nl CARRIED_BY_MULE', scans: 1 },
    ])
    const mapping = { provider: 'dhl', code: 'parcel-nl CARRIED_BY_MULE', event_name: 'OUT_FOR_DELIVERY' }
    expect((await shop.put('/carriers/unmapped', mapping)).status).toBe(200)
    await followParcels(service)
    expect((await shop.get(`/shipments/${parcel.id}`)).body.phase).toBe('in_delivery')
  })
})
