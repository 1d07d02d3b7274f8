import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import {
  fetchDeliveries,
  type Lease,
  releaseEverything,
  releaseLeases,
  renewLeases,
} from '../../src/delivery/queue/fetch-store.ts'
import { after, hourMs, secondMs } from '../../src/platform/foundation/clock.ts'
import { newId } from '../../src/platform/foundation/ids.ts'
import { settle } from '../harness/deliveries.ts'
import { startReceiver } from '../harness/receiver.ts'
import { clock, theService } from '../harness/service.ts'
import { makeShop } from '../harness/shop.ts'

afterEach(() => clock.reset())

/** A receiver queue with deliveries that are due in an hour, so that the service's own worker does not claim them. */
async function makeQueue(count: number) {
  const shop = (await makeShop()).as('admin')
  const receiver = await startReceiver()
  onTestFinished(() => receiver.close())
  const { body: endpoint } = await shop.post('/webhooks', { url: receiver.url })
  await shop.post(`/webhooks/${endpoint.uuid}/test`)
  await receiver.until(1)
  await settle()
  const { database, context } = await theService()
  const dueAt = after(context().now, hourMs)
  const ids = Array.from({ length: count }, () => newId(dueAt))
  const { rows } = await sql<{ shop_id: string }>`
    insert into deliveries (shop_id, id, notification_id, target, event_name, event_group, status, next_attempt_at, created_at)
    select shop_id, given.id, notification_id, target, event_name, event_group, 'pending', ${dueAt}, created_at
    from deliveries cross join unnest(${ids}::uuid[]) as given (id)
    where target = ${endpoint.uuid}
    returning shop_id`.execute(database.db)
  const queue = { shopId: rows[0]?.shop_id ?? '', receiverId: endpoint.uuid as string }
  onTestFinished(async () => {
    await sql`delete from deliveries where id = any(${ids}::uuid[])`.execute(database.db)
  })
  const claim = async (lease: Lease, limit: number, had: { isLeased?: boolean; exclude?: string[] } = {}) => {
    const request = { ...queue, limit, isLeased: had.isLeased ?? false, exclude: had.exclude ?? [] }
    const { deliveries, leased } = await fetchDeliveries(context(), [request], lease)
    return { claimed: deliveries.map(({ id }) => id), isLeased: leased.length === 1 }
  }
  return { context, queue, ids, claim, dueAt }
}

const leaseOf = (worker: string, now: Date): Lease => ({ worker, now, until: after(now, 10 * secondMs) })

describe('delivery leases', () => {
  it('belong to one worker at a time, which claims nothing twice', async () => {
    const { ids, claim, dueAt } = await makeQueue(5)
    const [first, second] = [randomUUID(), randomUUID()]
    expect(await claim(leaseOf(first, dueAt), 2)).toEqual({ claimed: ids.slice(0, 2), isLeased: true })
    expect(await claim(leaseOf(second, dueAt), 5)).toEqual({ claimed: [], isLeased: false })
    const exclude = ids.slice(0, 2)
    expect(await claim(leaseOf(first, dueAt), 2, { isLeased: true, exclude })).toEqual({
      claimed: ids.slice(2, 4),
      isLeased: true,
    })
  })

  it('pass to another worker when they are not renewed, and back when that one releases them', async () => {
    const { context, queue, ids, claim, dueAt } = await makeQueue(2)
    const [first, second] = [randomUUID(), randomUUID()]
    await claim(leaseOf(first, dueAt), 2)
    const soon = after(dueAt, 9 * secondMs)
    expect(await renewLeases(context(), [queue], leaseOf(first, soon))).toEqual([queue])
    const later = after(dueAt, 15 * secondMs)
    expect(await claim(leaseOf(second, later), 2)).toEqual({ claimed: [], isLeased: false })
    const late = after(dueAt, 20 * secondMs)
    expect(await claim(leaseOf(second, late), 2)).toEqual({ claimed: ids, isLeased: true })
    expect(await renewLeases(context(), [queue], leaseOf(first, late))).toEqual([])
    await releaseLeases(context(), second)
    expect(await claim(leaseOf(first, late), 2)).toEqual({ claimed: ids, isLeased: true })
  })

  it('end with the last renewal, whatever the clock of the worker', async () => {
    const { ids, claim, dueAt } = await makeQueue(1)
    await claim(leaseOf(randomUUID(), after(dueAt, hourMs)), 1)
    expect(await claim(leaseOf(randomUUID(), dueAt), 1)).toEqual({ claimed: ids, isLeased: true })
  })

  it('are renewed while an attempt is in flight', async () => {
    const shop = (await makeShop()).as('admin')
    const receiver = await startReceiver()
    onTestFinished(() => receiver.close())
    const { body: endpoint } = await shop.post('/webhooks', { url: receiver.url })
    const { body: delivery } = await shop.post(`/webhooks/${endpoint.uuid}/test`)
    await receiver.until(1)
    await settle()
    receiver.respond = () => ({ held: { status: 200 } })
    // Deliveries that are resent are claimed from the queue.
    await shop.post(`/deliveries/${delivery.uuid}/resend`)
    await receiver.until(2)
    const { database, workers } = await theService()
    const leasedUntil = async () => {
      const lease = database.db.selectFrom('receiver_leases').where('target', '=', endpoint.uuid).select('leased_until')
      return (await lease.executeTakeFirstOrThrow()).leased_until.getTime()
    }
    const first = await leasedUntil()
    clock.advance(5 * secondMs)
    await workers?.deliveries.sweep()
    expect((await leasedUntil()) - first).toBeGreaterThanOrEqual(5 * secondMs)
    receiver.release()
    await settle()
  })

  it('back off if attempts cannot be recorded', async () => {
    const shop = (await makeShop()).as('admin')
    const receiver = await startReceiver()
    onTestFinished(() => receiver.close())
    const { body: endpoint } = await shop.post('/webhooks', { url: receiver.url })
    const { body: delivery } = await shop.post(`/webhooks/${endpoint.uuid}/test`)
    await receiver.until(1)
    await settle()
    const { db } = (await theService()).database
    await sql`create function refuse() returns trigger language plpgsql as 'begin raise exception ''refused''; end'`.execute(
      db,
    )
    await sql`
    create trigger refused before update on deliveries for each row
    when (new.target = ${sql.lit(endpoint.uuid)} and new.attempts > old.attempts) execute function refuse()`.execute(db)
    try {
      await shop.post(`/deliveries/${delivery.uuid}/resend`)
      await receiver.until(2)
      for (let round = 0; round < 5; round += 1) await settle()
      expect(receiver.received).toHaveLength(2)
    } finally {
      await sql`drop function refuse cascade`.execute(db)
    }
    clock.advance(31 * secondMs)
    await settle()
    expect(receiver.received).toHaveLength(3)
    const { body: read } = await shop.get(`/deliveries/${delivery.uuid}`)
    expect(read).toMatchObject({ status: 'delivered', attempt_count: 2 })
  })

  it('are not acquired if nothing is due', async () => {
    const { claim, dueAt } = await makeQueue(1)
    expect(await claim(leaseOf(randomUUID(), after(dueAt, -secondMs)), 1)).toEqual({ claimed: [], isLeased: false })
  })
})

describe('start of the only process', () => {
  it('returns what was claimed and never recorded, and leaves retries and postponed deliveries their time', async () => {
    const { context, queue, ids, claim, dueAt } = await makeQueue(3)
    const [claimed, retried, postponed] = ids
    await claim(leaseOf(randomUUID(), dueAt), 3)
    const { db } = (await theService()).database
    await sql`update deliveries set attempts = 1 where id = ${retried}`.execute(db)
    await sql`update deliveries set postponed_until = ${dueAt} where id = ${postponed}`.execute(db)
    const now = context().now
    // Undone, because other tests have deliveries in the same store.
    const transaction = await db.startTransaction().execute()
    try {
      await releaseEverything({ db: transaction }, now)
      const { rows } = await sql<{ id: string; at: Date }>`
        select id, next_attempt_at as at from deliveries where id = any(${ids}::uuid[]) order by id`.execute(
        transaction,
      )
      expect(rows).toEqual([
        { id: claimed, at: now },
        { id: retried, at: dueAt },
        { id: postponed, at: dueAt },
      ])
      const { rows: leases } = await sql`
        select 1 from receiver_leases where shop_id = ${queue.shopId}`.execute(transaction)
      expect(leases).toEqual([])
    } finally {
      await transaction.rollback().execute()
    }
  })
})
