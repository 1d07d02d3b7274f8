import { afterEach, describe, expect, it } from 'vitest'
import { after, hourMs, secondMs } from '../../src/platform/foundation/clock.ts'
import { aftershipKeys, pushOf } from '../harness/aftership.ts'
import { settle } from '../harness/deliveries.ts'
import { pagePathOf, visit } from '../harness/pages.ts'
import { eventKeys, followParcels, sendParcel } from '../harness/parcels.ts'
import { startReceiver } from '../harness/receiver.ts'
import { call, clock } from '../harness/service.ts'
import { makeShop, type ShopCaller } from '../harness/shop.ts'

afterEach(() => clock.reset())

const out = 'OutForDelivery_001'
const delivered = 'Delivered_001'
const sorted = 'InTransit_003'
const unheard = 'Unheard_001'

/** A parcel that was sent four hours ago, and a push of its scans: an hour before the second in question, or at it. */
async function pushedParcel() {
  const made = await makeShop({ settings: { carriers_enabled: true } })
  const shop = made.as('admin')
  await shop.put('/keys/aftership', aftershipKeys)
  await shop.patch('/settings/carriers/providers', { aftership: { status: 'live', enabled_carriers: ['gls'] } })
  const parcel = await sendParcel(shop)
  clock.advance(4 * hourMs)
  const second = after(clock.now(), -hourMs)
  const earlier = after(second, -hourMs)
  const push = async (...subtags: string[]) => {
    const checkpoints = subtags.map((subtag) => ({ at: subtag === sorted ? earlier : second, subtag }))
    const { payload, headers } = pushOf(parcel.number, checkpoints)
    const path = `/v1/inbound/${made.slug}/carriers/aftership`
    expect((await call('POST', path, { auth: null, payload, headers })).status).toBe(200)
  }
  return { shop, parcel, push }
}

async function journeyOf(shop: ShopCaller, parcel: { id: string; number: string }) {
  const { body } = await shop.get(`/shipments/${parcel.id}`)
  const events: string[] = body.events.map(({ event_key }: { event_key: string }) => event_key)
  const { shipments } = (await shop.get('/shipments', { tracking_number: parcel.number })).body
  return { phase: body.phase, current: shipments[0].current_event_key, events: events.slice(2) }
}

const wholeJourney = {
  phase: 'delivered',
  current: 'SUCCESSFULLY_DELIVERED',
  events: ['ARRIVED_AT_SORTING_CENTER', 'OUT_FOR_DELIVERY', 'SUCCESSFULLY_DELIVERED'],
}

describe('delivery at the second of another scan', () => {
  it.each([
    ['the newest first', [delivered, out, sorted]],
    ['the oldest first', [sorted, out, delivered]],
    ['in no order', [sorted, delivered, out]],
  ])('is the last of its journey if the list has %s', async (_, scans) => {
    const { shop, parcel, push } = await pushedParcel()
    const receiver = await startReceiver()
    await shop.post('/webhooks', { url: receiver.url })
    await push(...scans)
    await settle()
    expect(await journeyOf(shop, parcel)).toEqual(wholeJourney)
    expect(receiver.received.map(({ body }) => body.event_data.event_name).slice(-2)).toEqual([
      'OUT_FOR_DELIVERY',
      'SUCCESSFULLY_DELIVERED',
    ])
    await receiver.close()
  })

  it('is the last of its journey if it was reported before the other scan', async () => {
    const { shop, parcel, push } = await pushedParcel()
    await push(sorted, delivered)
    await push(delivered, out, sorted)
    expect(await journeyOf(shop, parcel)).toEqual(wholeJourney)
  })

  it('comes last on the timeline and on the order page', async () => {
    const { shop, parcel, push } = await pushedParcel()
    await push(delivered)
    await push(out)
    const { order_number } = (await shop.get(`/shipments/${parcel.id}`)).body
    const { entries } = (await shop.get(`/orders/${parcel.orderId}/timeline`)).body
    const keys = entries.flatMap(({ event }: { event?: { event_key?: string } }) => event?.event_key ?? [])
    expect(keys.slice(-2)).toEqual(['OUT_FOR_DELIVERY', 'SUCCESSFULLY_DELIVERED'])
    const { text } = await visit(await pagePathOf(shop, order_number))
    expect(text).toContain('Your parcel has arrived')
  })

  it('is not undone by an event of the API', async () => {
    const { shop, parcel, push } = await pushedParcel()
    await push(delivered)
    const event_time = (await shop.get(`/shipments/${parcel.id}`)).body.events.at(-1).time
    for (const event_name of ['OUT_FOR_DELIVERY', 'ORDER_CANCELLED']) {
      expect((await shop.post(`/shipments/${parcel.id}/events`, { event_name, event_time })).status).toBe(200)
    }
    expect(await journeyOf(shop, parcel)).toMatchObject({ phase: 'delivered', current: 'SUCCESSFULLY_DELIVERED' })
    const later = new Date(Date.parse(event_time) + secondMs).toISOString()
    await shop.post(`/shipments/${parcel.id}/events`, { event_name: 'SHIPMENT_RETURNING_TO_SENDER', event_time: later })
    expect(await journeyOf(shop, parcel)).toMatchObject({ phase: 'return_transit' })
  })

  it('stays the last when a code of the same second is mapped', async () => {
    const { shop, parcel, push } = await pushedParcel()
    await push(sorted, unheard, delivered)
    await shop.put('/carriers/unmapped', { provider: 'aftership', code: unheard, event_name: 'OUT_FOR_DELIVERY' })
    await followParcels()
    expect(await journeyOf(shop, parcel)).toEqual(wholeJourney)
  })
})

describe('return at the second of another scan', () => {
  it('ends the journey', async () => {
    const { shop, parcel, push } = await pushedParcel()
    await push('Exception_011')
    const returned = await journeyOf(shop, parcel)
    expect(returned.phase).toBe('returned')
    await push(out)
    expect(await journeyOf(shop, parcel)).toMatchObject({ phase: 'returned', current: returned.current })
  })
})

describe('scans of one second on the way', () => {
  it('count in the order of their report, whatever was stored before', async () => {
    const { shop, parcel, push } = await pushedParcel()
    await push(sorted, out)
    await push(out, 'InTransit_006', 'InTransit_007', sorted)
    const { current, events } = await journeyOf(shop, parcel)
    expect(current).toBe('OUT_FOR_DELIVERY')
    expect(events).toHaveLength(4)
    expect(events.at(-1)).toBe('OUT_FOR_DELIVERY')
    const whole = await pushedParcel()
    await whole.push(out, 'InTransit_006', 'InTransit_007', sorted)
    expect((await journeyOf(whole.shop, whole.parcel)).events).toEqual(events)
  })

  it('keep their order when one of them is mapped later', async () => {
    const { shop, parcel, push } = await pushedParcel()
    await push(sorted, unheard, out)
    await shop.put('/carriers/unmapped', { provider: 'aftership', code: unheard, event_name: 'TRANSPORT_ARRIVED' })
    await followParcels()
    expect(await journeyOf(shop, parcel)).toMatchObject({
      current: 'OUT_FOR_DELIVERY',
      events: ['ARRIVED_AT_SORTING_CENTER', 'TRANSPORT_ARRIVED', 'OUT_FOR_DELIVERY'],
    })
  })

  it('count as they were stored if they were reported one by one', async () => {
    const { shop, parcel, push } = await pushedParcel()
    await push(out)
    await push('InTransit_006')
    expect((await eventKeys(shop, parcel.id)).slice(2, 3)).toEqual(['OUT_FOR_DELIVERY'])
    expect((await journeyOf(shop, parcel)).phase).toBe('in_transit')
  })
})
