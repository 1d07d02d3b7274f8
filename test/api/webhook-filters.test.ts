import { afterAll, describe, expect, it } from 'vitest'
import { runJob, settle } from '../harness/deliveries.ts'
import { createOrder, uniqueNumber } from '../harness/orders.ts'
import { type Receiver, startReceiver } from '../harness/receiver.ts'
import { clock } from '../harness/service.ts'
import { makeShop, type ShopCaller } from '../harness/shop.ts'

const receivers: Receiver[] = []
afterAll(async () => {
  clock.reset()
  for (const receiver of receivers) await receiver.close()
})

async function openReceiver(): Promise<Receiver> {
  const receiver = await startReceiver()
  receivers.push(receiver)
  return receiver
}

const expensive = { field: 'context.order.total_order_price', operator: 'gte', value: 100 }
const toAustria = { field: 'context.order.address.country_code', operator: 'in', value: ['AT', 'CH'] }

async function sendParcel(shop: ShopCaller, order: Record<string, unknown>): Promise<string> {
  const number = uniqueNumber('WF')
  await createOrder(shop, { order_placed_at: undefined, ...order }, [{ tracking_number: number }])
  return number
}

const scan = (shop: ShopCaller, id: string, event_name: string) =>
  shop.post('/shipment-events?notify=true', { id, event_name })

const namesAt = ({ received }: Receiver) => received.map(({ body }) => body.event_data.event_name)

describe('endpoint with conditions', () => {
  it('gets the events whose payload meets all of them, and no others', async () => {
    const [filtered, all] = [await openReceiver(), await openReceiver()]
    const shop = (await makeShop()).as('admin')
    const cheap = await sendParcel(shop, { total_order_price: 20 })
    const dear = await sendParcel(shop, { total_order_price: 250 })
    const { body: endpoint } = await shop.post('/webhooks', {
      url: filtered.url,
      conditions: [expensive, { field: 'event_data.event_name', operator: 'neq', value: 'PARCEL_DISPATCHED' }],
    })
    expect(endpoint.conditions).toHaveLength(2)
    await shop.post('/webhooks', { url: all.url })
    for (const number of [cheap, dear]) {
      await scan(shop, number, 'PARCEL_DISPATCHED')
      await scan(shop, number, 'OUT_FOR_DELIVERY')
    }
    await settle()
    expect(namesAt(filtered)).toEqual(['OUT_FOR_DELIVERY'])
    expect(filtered.received[0]?.body.context.order.total_order_price).toBe(250)
    expect(all.received).toHaveLength(4)
    expect((await shop.get(`/webhooks/${endpoint.uuid}/deliveries`)).body).toHaveLength(1)
  })

  it('gets no delivery at all if it is the only receiver and nothing matches', async () => {
    const receiver = await openReceiver()
    const shop = (await makeShop()).as('admin')
    await shop.post('/webhooks', { url: receiver.url, conditions: [toAustria] })
    await scan(shop, await sendParcel(shop, { total_order_price: 1_000 }), 'OUT_FOR_DELIVERY')
    await settle()
    expect((await shop.get('/deliveries')).body).toEqual([])
    expect(receiver.received).toEqual([])
  })

  it('gets the test message whatever its conditions are', async () => {
    const receiver = await openReceiver()
    const shop = (await makeShop()).as('admin')
    const { body } = await shop.post('/webhooks', {
      url: receiver.url,
      conditions: [{ field: 'context.order.order_number', operator: 'eq', value: 'no such number' }],
    })
    await shop.post(`/webhooks/${body.uuid}/test`)
    await settle()
    expect(receiver.received).toHaveLength(1)
  })

  it('is filtered for internal triggers too', async () => {
    const [filtered, all] = [await openReceiver(), await openReceiver()]
    const shop = (await makeShop()).as('admin')
    const number = await sendParcel(shop, { total_order_price: 20 })
    await scan(shop, number, 'PARCEL_DISPATCHED')
    await settle()
    await shop.post('/webhooks', { url: filtered.url, conditions: [expensive] })
    await shop.post('/webhooks', { url: all.url })
    await shop.post('/settings/triggers/webhook/internal-triggers', {
      name: 'Stuck',
      operator: 'AND',
      time_threshold_type: 'latest_event_time',
      time_threshold_value: 48,
      apply_to_existing: true,
    })
    clock.advance(49 * 3_600_000)
    await runJob('internal triggers')
    expect(all.received).toHaveLength(1)
    expect(filtered.received).toEqual([])
    clock.reset()
  })

  it('keeps its conditions unless they are given, and loses them with null', async () => {
    const shop = (await makeShop()).as('admin')
    const { body } = await shop.post('/webhooks', { url: 'https://receiver.example/', conditions: [toAustria] })
    const path = `/webhooks/${body.uuid}`
    await shop.patch(path, { description: 'Austria' })
    expect((await shop.get(path)).body.conditions).toEqual([toAustria])
    await shop.patch(path, { conditions: [expensive, { ...toAustria, unknown: 1 }] })
    expect((await shop.get(path)).body.conditions).toEqual([expensive, toAustria])
    for (const none of [null, []]) {
      await shop.patch(path, { conditions: [expensive] })
      await shop.patch(path, { conditions: none })
      expect((await shop.get(path)).body.conditions).toEqual([])
    }
  })

  it.each([
    ['a field outside the payload', { field: 'shop.secret', operator: 'eq', value: 1 }, 'field'],
    ['an unknown operator', { ...expensive, operator: 'matches' }, 'operator'],
    ['a list where one value is wanted', { ...expensive, value: [1, 2] }, 'value'],
    ['one value where a list is wanted', { ...toAustria, value: 'AT' }, 'value'],
    ['no value', { field: 'event_data.phase', operator: 'eq' }, 'value'],
  ])('rejects %s', async (_what, condition, part) => {
    const shop = (await makeShop()).as('admin')
    const { body } = await shop.post('/webhooks', { url: 'https://receiver.example/' })
    const rejected = await shop.patch(`/webhooks/${body.uuid}`, { conditions: [expensive, condition] })
    expect(rejected).toMatchObject({ status: 422, body: { key: 'invalid_payload' } })
    expect(rejected.body.errors[0].loc.slice(0, 4)).toEqual(['body', 'conditions', 1, part])
    expect((await shop.get(`/webhooks/${body.uuid}`)).body.conditions).toEqual([])
  })

  it('has 50 conditions at most', async () => {
    const shop = (await makeShop()).as('admin')
    const create = (count: number) =>
      shop.post('/webhooks', { url: 'https://receiver.example/', conditions: new Array(count).fill(expensive) })
    expect((await create(51)).status).toBe(422)
    expect((await create(50)).status).toBe(200)
  })
})
