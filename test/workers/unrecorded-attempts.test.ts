import { sql } from 'kysely'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { settle } from '../harness/deliveries.ts'
import { createOrder, uniqueNumber } from '../harness/orders.ts'
import { type Receiver, startReceiver } from '../harness/receiver.ts'
import { clock, theService } from '../harness/service.ts'
import { makeShop, type ShopCaller } from '../harness/shop.ts'

afterEach(() => clock.reset())

async function startOne(): Promise<Receiver> {
  const receiver = await startReceiver()
  onTestFinished(() => receiver.close())
  return receiver
}

/** An endpoint that has received its first delivery. */
async function connect(shop: ShopCaller) {
  const receiver = await startOne()
  const { body: endpoint } = await shop.post('/webhooks', { url: receiver.url })
  const { body: delivery } = await shop.post(`/webhooks/${endpoint.uuid}/test`)
  await receiver.until(1)
  await settle()
  return { receiver, target: endpoint.uuid as string, delivery: delivery.uuid as string }
}

/** Lets the store reject what is recorded about a receiver, until the returned function is called. */
async function rejectRecords(
  target: string,
  code: string,
): Promise<{ count(): Promise<number>; end(): Promise<void> }> {
  const { db } = (await theService()).database
  // A sequence counts even what is rolled back.
  await sql`create sequence rejections`.execute(db)
  await sql`create function reject_record() returns trigger language plpgsql as ${sql.lit(
    `begin perform nextval('rejections'); raise exception 'rejected' using errcode = '${code}'; end`,
  )}`.execute(db)
  await sql`
    create trigger rejected before update on deliveries for each row
    when (new.target = ${sql.lit(target)} and new.attempts > old.attempts) execute function reject_record()`.execute(db)
  const count = async () => {
    const { rows } = await sql<{ count: string }>`
      select case when is_called then last_value else 0 end as count from rejections`.execute(db)
    return Number(rows[0]?.count)
  }
  const end = async () => {
    await sql`drop function if exists reject_record cascade`.execute(db)
    await sql`drop sequence if exists rejections`.execute(db)
  }
  onTestFinished(end)
  return { count, end }
}

describe('attempts that cannot be recorded', () => {
  it('are recorded when the store has space again, and nobody gets one twice', async () => {
    const shop = (await makeShop()).as('admin')
    const { receiver, target, delivery } = await connect(shop)
    const full = await rejectRecords(target, '53100')
    await shop.post(`/deliveries/${delivery}/resend`)
    await receiver.until(2)
    await expect.poll(full.count).toBeGreaterThan(1)
    await full.end()
    await settle()
    expect((await shop.get(`/deliveries/${delivery}`)).body).toMatchObject({ status: 'delivered', attempt_count: 2 })
    expect(receiver.received).toHaveLength(2)
  })

  it('hold back what is queued behind them, until the store takes them', async () => {
    const shop = (await makeShop()).as('admin')
    const { receiver, target, delivery } = await connect(shop)
    const full = await rejectRecords(target, '53100')
    await shop.post(`/deliveries/${delivery}/resend`)
    await receiver.until(2)
    await expect.poll(full.count).toBeGreaterThan(0)
    const { body: behind } = await shop.post(`/webhooks/${target}/test`)
    const before = await full.count()
    await expect.poll(full.count).toBeGreaterThan(before + 1)
    expect(receiver.received).toHaveLength(2)
    await full.end()
    await receiver.until(3)
    await settle()
    expect((await shop.get(`/deliveries/${behind.uuid}`)).body.status).toBe('delivered')
    expect(receiver.received).toHaveLength(3)
  })

  it('delay no others that ended at the same time', async () => {
    const shop = (await makeShop()).as('admin')
    const [poisoned, other] = [await connect(shop), await connect(shop)]
    await rejectRecords(poisoned.target, '22000')
    for (const { receiver } of [poisoned, other]) receiver.respond = () => ({ held: { status: 200 } })
    for (const { receiver, delivery } of [poisoned, other]) {
      await shop.post(`/deliveries/${delivery}/resend`)
      await receiver.until(2)
    }
    for (const { receiver } of [poisoned, other]) receiver.release()
    await settle()
    const read = async (id: string) => (await shop.get(`/deliveries/${id}`)).body
    expect(await read(other.delivery)).toMatchObject({ status: 'delivered', attempt_count: 2 })
    expect(await read(poisoned.delivery)).toMatchObject({ status: 'pending', attempt_count: 1 })
  })

  it('are none because of what a receiver says', async () => {
    const shop = (await makeShop()).as('admin')
    const receiver = await startOne()
    // The log has the first 1,024 characters: they end inside the parcel.
    receiver.respond = () => ({ status: 400, body: `${'-'.repeat(1_023)}📦` })
    await shop.put('/keys/braze', { api_key: 'a-key-of-braze-that-is-long' })
    await shop.patch('/settings/triggers/braze', { status: true, rest_endpoint: receiver.url })
    const order = await createOrder(shop, { order_placed_at: undefined }, [{ tracking_number: uniqueNumber('U') }])
    await shop.post(`/shipments/${order.trackings[0].id}/events?notify=true`, { event_name: 'PARCEL_DISPATCHED' })
    await settle()
    const { body: log } = await shop.get('/deliveries?target=braze')
    expect(log.length).toBeGreaterThan(0)
    for (const { uuid } of log) {
      const { body: delivery } = await shop.get(`/deliveries/${uuid}`)
      expect(delivery).toMatchObject({ status: 'dead', attempts: [{ answer: '-'.repeat(1_023) }] })
    }
  })
})
