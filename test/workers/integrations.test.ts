import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { hourMs } from '../../src/platform/foundation/clock.ts'
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

/** A shop whose Braze account is a server on loopback: the only system whose address a merchant enters. */
async function withBraze(settings: Record<string, unknown> = {}) {
  const shop = (await makeShop()).as('admin')
  const receiver = await startReceiver()
  receivers.push(receiver)
  receiver.respond = () => ({ status: 201, body: '{"message":"success","events_processed":1}' })
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
  it('count once per shipment by the setting of the shop', async () => {
    const counted = async (shipment_group_key: string | null) => {
      const { shop, receiver } = await withBraze({ shipment_group_key })
      const [tracking_number, external_shipment_id] = [uniqueNumber('I'), uniqueNumber('X')]
      const parcels = [
        { tracking_number, external_shipment_id: uniqueNumber('X') },
        { tracking_number, external_shipment_id },
        { tracking_number: uniqueNumber('I'), external_shipment_id },
      ]
      for (const tracking of parcels) {
        const order = await createOrder(shop, { order_placed_at: undefined }, [tracking])
        await shop.post(`/shipments/${order.trackings[0].id}/events?notify=true`, { event_name: 'PARCEL_DISPATCHED' })
        await settle()
      }
      const { data } = (await shop.get('/settings/bundle')).body.triggers
      expect(data.braze.shipment_group_key).toBe(shipment_group_key ?? 'shipment_id')
      return groups(receiver).filter((group) => group === 'shipment_in_transit').length
    }
    expect(await counted('shipment_id')).toBe(3)
    expect(await counted('tracking_number')).toBe(2)
    expect(await counted('external_shipment_id')).toBe(2)
    expect(await counted(null)).toBe(3)
  })

  it('receive the number of parcels of the order, and their tracking numbers', async () => {
    const { shop, receiver } = await withBraze()
    const [first, second] = [uniqueNumber('I'), uniqueNumber('I')]
    const order = await createOrder(shop, { order_placed_at: undefined, expected_number_of_shipments: 2 }, [
      { tracking_number: first },
      { tracking_number: second },
    ])
    const back = { order_id: order.uuid, order_id_type: 'uuid', tracking_number: uniqueNumber('BACK') }
    expect((await shop.post('/shipments', back)).status).toBe(200)
    await scan(shop, first, 'PARCEL_DISPATCHED')
    await settle()
    const sent = receiver.received.map(({ body }) => body.events[0].properties)
    expect(sent.find(({ event_group }) => event_group === 'shipment_in_transit')).toMatchObject({
      number_of_shipments: 2,
      other_tracking_numbers: [second],
    })
  })

  it('are notified of a group once per shipment, and of every delivery event if the shop wants all', async () => {
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

  it('are not notified of stale events, nor while they are switched off', async () => {
    const { shop, receiver } = await withBraze()
    const { number } = await parcel(shop)
    await settle()
    const before = receiver.received.length
    expect(groups(receiver)).toEqual(['shipment_pre_transit'])
    await scan(shop, number, 'PARCEL_DISPATCHED', { event_time: new Date(Date.now() - 5 * hourMs).toISOString() })
    await shop.patch('/settings/triggers', { braze: false })
    await scan(shop, number, 'OUT_FOR_DELIVERY')
    await settle()
    expect(receiver.received).toHaveLength(before)
  })

  it('that reject permanently are not retried; those that fail are', async () => {
    const { shop, receiver } = await withBraze()
    receiver.respond = () => ({ status: 401, body: '{"message":"Invalid API key"}' })
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
    receiver.respond = () => ({ status: 503, body: 'busy' })
    const { number: second, id: secondId } = await parcel(shop)
    await settle()
    const waiting = (await shop.get(`/shipments/${secondId}/timeline`)).body.events[0].notifications[0].deliveries[0]
    expect(waiting).toMatchObject({ status: 'pending', attempts: [{ status_code: 503, error: 'bad_gateway' }] })
    receiver.respond = () => ({ status: 201, body: '{"message":"success"}' })
    clock.advance(6_000)
    await settle()
    expect(receiver.received.at(-1)?.body.events[0].properties.tracking_number).toBe(second)
    const done = (await shop.get(`/shipments/${secondId}/timeline`)).body.events[0].notifications[0].deliveries[0]
    expect(done).toMatchObject({ status: 'delivered', attempt_count: 2 })
  })

  it('without credentials fail with a clear reason', async () => {
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
