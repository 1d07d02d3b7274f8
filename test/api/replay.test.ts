import { sql } from 'kysely'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { dayMs, hourMs } from '../../src/platform/foundation/clock.ts'
import { shopIdOf } from '../harness/customers.ts'
import { settle } from '../harness/deliveries.ts'
import { report, sendParcel } from '../harness/event-feed.ts'
import { type Receiver, startReceiver } from '../harness/receiver.ts'
import { clock, theService } from '../harness/service.ts'
import { makeShop } from '../harness/shop.ts'

/** Deliveries that one call looks at. */
const replayAtMost = 5_000

const receivers: Receiver[] = []
afterEach(() => clock.reset())
afterAll(async () => {
  for (const receiver of receivers) await receiver.close()
})

/** An endpoint that has received the events of a parcel, one per hour. */
async function openEndpoint(fields: Record<string, unknown> = {}) {
  const made = await makeShop()
  const shop = made.as('admin')
  const receiver = await startReceiver()
  receivers.push(receiver)
  const { number } = await sendParcel(shop)
  const { body: endpoint } = await shop.post('/webhooks', { url: receiver.url, ...fields })
  const path = `/webhooks/${endpoint.uuid}`
  const begin = clock.now()
  for (const event of ['PARCEL_DISPATCHED', 'OUT_FOR_DELIVERY', 'SUCCESSFULLY_DELIVERED']) {
    clock.advance(hourMs)
    await report(shop, number, event)
    await settle()
  }
  const at = (hours: number) => new Date(begin.getTime() + hours * hourMs).toISOString()
  const replay = (from: string, to: string) => shop.post(`${path}/replay`, { from, to })
  return { made, shop, receiver, path, at, replay, endpoint }
}

const idsOf = (receiver: Receiver) => receiver.received.map(({ headers }) => headers['webhook-id'])
const namesOf = (receiver: Receiver) => receiver.received.map(({ body }) => body.event_data.event_name)

describe('replay of a webhook endpoint', () => {
  it('sends the deliveries of the period again, in order and under the same ids', async () => {
    const { receiver, at, replay, shop, path } = await openEndpoint()
    const ids = idsOf(receiver)
    expect(ids.length).toBe(3)
    clock.advance(dayMs)
    expect((await replay(at(1.5), at(4))).body).toEqual({ replayed: 2, next_from: null })
    await settle()
    expect(idsOf(receiver)).toEqual([...ids, ...ids.slice(1)])
    expect(receiver.received[3]?.body).toEqual(receiver.received[1]?.body)
    const { body: log } = await shop.get(`${path}/deliveries`)
    expect(log.map((delivery: { attempt_count: number }) => delivery.attempt_count)).toEqual([2, 2, 1])
  })

  it('leaves out what the endpoint no longer listens to, and what is still in the queue', async () => {
    const { receiver, at, replay, shop, path } = await openEndpoint()
    await shop.patch(path, { enabled_events: ['shipments/in_delivery', 'shipments/delivered'] })
    receiver.respond = () => ({ status: 500 })
    expect((await replay(at(0), at(9))).body.replayed).toBe(2)
    await settle()
    expect((await replay(at(0), at(9))).body.replayed).toBe(0)
    expect(new Set(namesOf(receiver).slice(3))).toEqual(new Set(['OUT_FOR_DELIVERY']))
  })

  it('leaves out what does not meet its conditions', async () => {
    const { receiver, at, replay, shop, path } = await openEndpoint()
    await shop.patch(path, {
      conditions: [{ field: 'event_data.event_name', operator: 'eq', value: 'OUT_FOR_DELIVERY' }],
    })
    expect((await replay(at(0), at(9))).body.replayed).toBe(1)
    await settle()
    expect(namesOf(receiver).slice(3)).toEqual(['OUT_FOR_DELIVERY'])
  })

  it('includes dead letters', async () => {
    const { receiver, at, replay, path, shop } = await openEndpoint()
    const { database } = await theService()
    await sql`
      update deliveries set status = 'dead' where target = ${path.split('/').at(-1)}`.execute(database.db)
    expect((await replay(at(0), at(9))).body.replayed).toBe(3)
    await settle()
    expect(receiver.received.length).toBe(6)
    const { body: log } = await shop.get(`${path}/deliveries`, { status: 'dead' })
    expect(log).toEqual([])
  })

  it('looks at a limited number in one call, and says where to continue', async () => {
    const { made, shop, path, at, replay, endpoint } = await openEndpoint()
    // Nothing is sent: only the number matters.
    await shop.patch(path, { enabled_events: ['claims'] })
    const { database } = await theService()
    const shopId = await shopIdOf(await theService(), made)
    const firstMs = new Date(at(5)).getTime()
    await sql`
      insert into deliveries (shop_id, id, notification_id, target, event_name, event_group, status, next_attempt_at,
        created_at, finished_at)
      select shop_id, (lpad(to_hex(${firstMs}::bigint + n), 12, '0') || '7000' ||
          substr(replace(gen_random_uuid()::text, '-', ''), 17))::uuid,
        notification_id, target, event_name, event_group, 'delivered', next_attempt_at,
        to_timestamp((${firstMs}::bigint + n) / 1000.0), finished_at
      from (
        select * from deliveries where shop_id = ${shopId} and target = ${endpoint.uuid} order by id limit 1
      ) as one
      cross join generate_series(0, ${replayAtMost}::int) as n`.execute(database.db)
    const { body } = await replay(at(5), at(6))
    expect(body).toEqual({ replayed: 0, next_from: new Date(firstMs + replayAtMost).toISOString() })
    expect((await replay(body.next_from, at(6))).body).toEqual({ replayed: 0, next_from: null })
  })

  it('is for admins, needs an endpoint of the shop and a period, and is in the audit log', async () => {
    const { made, at, replay, shop, path } = await openEndpoint()
    const body = { from: at(0), to: at(1) }
    expect((await made.as('editor').post(`${path}/replay`, body)).status).toBe(403)
    const other = (await makeShop()).as('admin')
    expect((await other.post(`${path}/replay`, body)).body.key).toBe('webhook_not_found')
    expect((await replay(at(1), at(0))).body.errors[0].loc).toEqual(['body', 'to'])
    expect((await shop.post(`${path}/replay`, { from: at(0) })).status).toBe(422)
    expect((await shop.post(`${path}/replay`, { from: 'yesterday', to: at(1) })).status).toBe(422)
    await replay(at(0), at(1))
    const { body: log } = await shop.get('/audit-log', { action: 'replayWebhook' })
    expect(log.length).toBe(1)
    expect(JSON.stringify(log[0].changes)).toContain(at(0))
  })
})
