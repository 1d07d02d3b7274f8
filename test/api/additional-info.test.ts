import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { after, hourMs, minuteMs } from '../../src/platform/foundation/clock.ts'
import { aftershipKeys, pushOf } from '../harness/aftership.ts'
import { settle } from '../harness/deliveries.ts'
import { uniqueNumber } from '../harness/orders.ts'
import { followParcels, sendParcel } from '../harness/parcels.ts'
import { type Received, startReceiver } from '../harness/receiver.ts'
import { call, clock, openTestDatabase, startTestService } from '../harness/service.ts'
import { makeShop, type ShopCaller } from '../harness/shop.ts'

const dhl = await startReceiver()
const service = await startTestService({}, await openTestDatabase(), { providerUrls: { dhl: dhl.url } })

afterEach(() => clock.reset())
afterAll(async () => {
  await service.stop()
  await dhl.close()
})

interface ReturnedEvent {
  event_key: string
  additional_info: Record<string, unknown>
}

async function eventsOf(shop: ShopCaller, id: string): Promise<ReturnedEvent[]> {
  return (await shop.get(`/shipments/${id}`)).body.events
}

const infoOf = (events: ReturnedEvent[], key: string) =>
  events.find(({ event_key }) => event_key === key)?.additional_info

async function followedShop() {
  const made = await makeShop({ settings: { carriers_enabled: true } }, service)
  return { slug: made.slug, shop: made.as('admin') }
}

describe('additional_info of a sandbox parcel', () => {
  async function sendSandbox(journey: string) {
    const { shop } = await followedShop()
    const number = `SBX-${journey}-60S-${uniqueNumber()}`
    const { id, orderId } = await sendParcel(shop, { carrier_reference: 'sandbox', tracking_number: number })
    clock.advance(20 * minuteMs)
    await followParcels(service)
    return { shop, id, orderId, number }
  }

  it('names the locker, its opening hours, its page and the last day for collection', async () => {
    const { shop, id, number } = await sendSandbox('LOCKER')
    const events = await eventsOf(shop, id)
    const always = {
      carrier_name: 'Sandbox',
      tracking_company: 'Sandbox Parcel Service',
      tracking_link: `https://sandbox.example/parcels/${number}`,
    }
    expect(infoOf(events, 'PICKUP_SUCCESSFUL')).toEqual(always)
    expect(infoOf(events, 'ARRIVED_AT_PARCEL_LOCKER')).toEqual({
      ...always,
      pickup_point: 'Sandbox Locker 142, Breslauer Platz 1, 50668 Köln',
      pickup_point_url: 'https://sandbox.example/lockers/142',
      pickup_opening_hours: expect.objectContaining({ monday: '00:00-24:00', sunday: '00:00-24:00' }),
      pickup_time: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
    })
    // Events that we wrote ourselves say nothing about the carrier.
    expect(infoOf(events, 'ORDER_PROCESSED')).toEqual({})
  })

  it('names the neighbour, but not where the neighbour lives', async () => {
    const { shop, id } = await sendSandbox('NEIGHBOR')
    const info = infoOf(await eventsOf(shop, id), 'SUCCESSFULLY_DELIVERED_TO_NEIGHBOR')
    expect(info).toMatchObject({ pickup_point: 'Familie Schneider' })
  })

  it('is in the payload of webhooks too', async () => {
    const receiver = await startReceiver()
    const { shop } = await followedShop()
    await shop.post('/webhooks', { url: receiver.url })
    const number = `SBX-LOCKER-60S-${uniqueNumber()}`
    await sendParcel(shop, { carrier_reference: 'sandbox', tracking_number: number })
    clock.advance(8 * minuteMs + 1)
    await followParcels(service)
    await settle(service)
    const arrived = receiver.received.find(({ body }: Received) => body.event_data.phase === 'collect')
    const events: ReturnedEvent[] = arrived?.body.context.shipments[0].events ?? []
    expect(infoOf(events, 'ARRIVED_AT_PARCEL_LOCKER')).toMatchObject({
      pickup_point: 'Sandbox Locker 142, Breslauer Platz 1, 50668 Köln',
      carrier_name: 'Sandbox',
    })
    await receiver.close()
  })
})

describe('additional_info from a provider', () => {
  async function pushed(more: Record<string, unknown>) {
    const { shop, slug } = await followedShop()
    await shop.patch('/settings/carriers/providers', { aftership: { status: 'live', enabled_carriers: ['gls'] } })
    await shop.put('/keys/aftership', aftershipKeys)
    const { number, id } = await sendParcel(shop)
    clock.advance(2 * hourMs)
    const checkpoints = [{ at: after(clock.now(), -hourMs), subtag: 'AvailableForPickup_001' }]
    const { payload, headers } = pushOf(number, checkpoints, undefined, more)
    const path = `/v1/inbound/${slug}/carriers/aftership`
    expect((await call('POST', path, { auth: null, payload, headers }, service)).status).toBe(200)
    return infoOf(await eventsOf(shop, id), 'PARCEL_READY_FOR_PICKUP')
  }

  it('has the place, the carrier and its page as AfterShip reports them', async () => {
    const info = await pushed({
      tag: 'AvailableForPickup',
      pickup_location: 'Kiosk Müller, Domstraße 3, 50668 Köln',
      courier_tracking_link: 'https://www.dhl.de/track?piececode=1',
    })
    expect(info).toEqual({
      carrier_name: 'DHL',
      tracking_company: 'dhl-germany',
      tracking_link: 'https://www.dhl.de/track?piececode=1',
      pickup_point: 'Kiosk Müller, Domstraße 3, 50668 Köln',
    })
  })

  it.each(['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', 'not an address', ' '])(
    'stores no link that is not a web address: %s',
    async (courier_tracking_link) => {
      const info = await pushed({ courier_tracking_link })
      // The carrier's own page is used instead.
      expect(info?.tracking_link).toMatch(/^https:\/\/www\.dhl\.de\//)
    },
  )

  it('has the service point that DHL names, its page and the sender', async () => {
    const { shop } = await followedShop()
    await shop.put('/keys/dhl', { api_key: 'a-key-of-dhl-that-is-long' })
    await shop.patch('/settings/carriers/providers', { dhl: { status: 'live' } })
    const { number, id } = await sendParcel(shop)
    clock.advance(2 * hourMs)
    const ready = {
      timestamp: after(clock.now(), -hourMs).toISOString().slice(0, 19).concat('+00:00'),
      statusCode: 'transit',
      status: 'CNRFC:PCKST',
      description: 'Zur Abholung bereit',
      location: {
        address: { countryCode: 'DE', postalCode: '50668', addressLocality: 'Köln', streetAddress: 'Domplatz 1' },
        servicePoint: { label: 'Packstation 101', url: 'javascript:alert(1)' },
      },
    }
    dhl.respond = () => ({
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        shipments: [
          {
            id: number,
            service: 'parcel-de',
            serviceUrl: `https://www.dhl.de/de/privatkunden.html?piececode=${number}`,
            details: { sender: { organizationName: 'Hat Shop GmbH' } },
            status: ready,
            events: [ready],
          },
        ],
      }),
    })
    await followParcels(service)
    expect(infoOf(await eventsOf(shop, id), 'ARRIVED_AT_PARCEL_LOCKER')).toEqual({
      carrier_name: 'DHL',
      tracking_link: `https://www.dhl.de/de/privatkunden.html?piececode=${number}`,
      merchant_name: 'Hat Shop GmbH',
      pickup_point: 'Packstation 101, Domplatz 1, 50668 Köln',
    })
    expect((await shop.get(`/shipments/${id}`)).body.pickup).toMatchObject({ type: 'locker', url: null })
  })
})
