import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { hourMs } from '../../src/foundation/clock.ts'
import { settle } from '../harness/deliveries.ts'
import { createOrder, uniqueNumber } from '../harness/orders.ts'
import { type Receiver, startReceiver } from '../harness/receiver.ts'
import { clock } from '../harness/service.ts'
import { makeShop, type ShopCaller } from '../harness/shop.ts'

const receivers: Receiver[] = []
afterEach(() => clock.reset())
afterAll(async () => {
  for (const receiver of receivers) await receiver.close()
})

/** A shop whose Braze account is a server on loopback: the one system whose address a merchant gives. */
async function withBraze(settings: Record<string, unknown> = {}) {
  const shop = (await makeShop()).as('admin')
  const receiver = await startReceiver()
  receivers.push(receiver)
  receiver.answer = () => ({ status: 201, body: '{"message":"success","events_processed":1}' })
  await shop.put('/keys/braze', { api_key: 'a-key-of-braze-that-is-long' })
  await shop.patch('/settings/triggers/braze', { status: true, rest_endpoint: receiver.url, ...settings })
  return { shop, receiver }
}

async function parcel(shop: ShopCaller): Promise<{ number: string; id: string }> {
  const number = uniqueNumber('I')
  const order = await createOrder(shop, { order_placed_at: undefined }, [{ tracking_number: number }])
  return { number, id: order.trackings[0].id }
}

const scan = (shop: ShopCaller, id: string, event_name: string, fields: Record<string, unknown> = {}) =>
  shop.post('/shipment-events?notify=true', { id, event_name, ...fields })

const groups = (receiver: Receiver) => receiver.received.map(({ body }) => body.events[0].properties.event_group)

describe('integrations', () => {
  it('are told of a group once for each shipment, and of every delivery event where the shop asks for all', async () => {
    const { shop, receiver } = await withBraze({ trigger_delivered_all_events: true })
    const { number } = await parcel(shop)
    for (const name of [
      'PARCEL_DISPATCHED',
      'ARRIVED_AT_SORTING_CENTER',
      'OUT_FOR_DELIVERY',
      'SUCCESSFULLY_DELIVERED',
    ]) {
      await scan(shop, number, name)
      await settle()
    }
    expect(groups(receiver).sort()).toEqual(
      [
        'shipment_pre_transit',
        'shipment_in_transit',
        'shipment_out_for_delivery',
        'shipment_delivered',
        'shipment_delivered_all_events',
      ].sort(),
    )
  })

  it('are not told of what is stale, and not while they are switched off', async () => {
    const { shop, receiver } = await withBraze()
    const { number } = await parcel(shop)
    await settle()
    const before = receiver.received.length
    await scan(shop, number, 'PARCEL_DISPATCHED', { event_time: new Date(Date.now() - 5 * hourMs).toISOString() })
    await shop.patch('/settings/triggers', { braze: false })
    await scan(shop, number, 'OUT_FOR_DELIVERY')
    await settle()
    expect(receiver.received).toHaveLength(before)
  })

  it('that refuse for good are not tried again; those that fail are', async () => {
    const { shop, receiver } = await withBraze()
    receiver.answer = () => ({ status: 401, body: '{"message":"Invalid API key"}' })
    const { id } = await parcel(shop)
    await settle()
    const deliveries = async () =>
      (await shop.get(`/shipments/${id}/timeline`)).body.events.flatMap(
        (event: { notifications: { deliveries: object[] }[] }) =>
          event.notifications.flatMap((notification) => notification.deliveries),
      )
    expect(await deliveries()).toMatchObject([
      {
        integration: 'braze',
        status: 'dead',
        attempts: [{ status_code: 401, error: 'partner_key_missing_permissions' }],
      },
    ])
    receiver.answer = () => ({ status: 503, body: 'busy' })
    const { number: second, id: secondId } = await parcel(shop)
    await settle()
    const waiting = (await shop.get(`/shipments/${secondId}/timeline`)).body.events[0].notifications[0].deliveries[0]
    expect(waiting).toMatchObject({ status: 'pending', attempts: [{ status_code: 503, error: 'bad_gateway' }] })
    receiver.answer = () => ({ status: 201, body: '{"message":"success"}' })
    clock.advance(6_000)
    await settle()
    expect(receiver.received.at(-1)?.body.events[0].properties.tracking_number ?? second).toBeDefined()
    const done = (await shop.get(`/shipments/${secondId}/timeline`)).body.events[0].notifications[0].deliveries[0]
    expect(done).toMatchObject({ status: 'delivered', attempt_count: 2 })
  })

  it('without credentials are given up with a clear reason', async () => {
    const shop = (await makeShop()).as('admin')
    await shop.patch('/settings/triggers', { klaviyo: true })
    const { id } = await parcel(shop)
    await settle()
    const { body } = await shop.get(`/shipments/${id}/timeline`)
    expect(body.events[0].notifications[0].deliveries[0]).toMatchObject({
      integration: 'klaviyo',
      status: 'dead',
      attempts: [{ error: 'no credentials are set for klaviyo' }],
    })
  })
})
