import { sql } from 'kysely'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { dayMs, minuteMs } from '../../src/platform/foundation/clock.ts'
import { createDatabase } from '../../src/platform/store/database.ts'
import { openPostgres } from '../../src/platform/store/postgres.ts'
import { settle } from '../harness/deliveries.ts'
import { createOrder } from '../harness/orders.ts'
import { until, within } from '../harness/patience.ts'
import { createMigratedPostgresDatabase, openMemoryStore } from '../harness/prepared-stores.ts'
import { startReceiver } from '../harness/receiver.ts'
import { call, clock, startTestService, theService } from '../harness/service.ts'
import { makeShop } from '../harness/shop.ts'
import { exportShop, importShop } from '../harness/shop-moves.ts'

const source = await theService()

/** With both engines under test, shops move between all four pairs. */
const targets = {
  embedded: openMemoryStore,
  postgres: async () => openPostgres(await createMigratedPostgresDatabase(), 10),
}
const engines = process.env.TEST_DATABASE_URL ? (['embedded', 'postgres'] as const) : (['embedded'] as const)

/** The events of each parcel, in this order. */
const story = ['PARCEL_DISPATCHED', 'ARRIVED_AT_SORTING_CENTER', 'DELAY_EXPECTED', 'OUT_FOR_DELIVERY'] as const
const countParcels = 24

afterEach(() => clock.reset())

describe.each(engines)('shop that moves under load to a store of the engine %s', (engine) => {
  it('loses no acknowledged event, and sends none twice', async () => {
    const target = await startTestService(
      { ENCRYPTION_KEY: 'another-key-of-the-tests' },
      await createDatabase(await targets[engine]()),
    )
    onTestFinished(() => target.stop())
    const receiver = await startReceiver()
    onTestFinished(() => receiver.close())
    const made = await makeShop({}, source)
    const admin = made.as('admin')
    const auth = await made.credentials('admin')
    const numbers = Array.from({ length: countParcels }, (_, index) => `MOVE-${process.pid}-${engine}-${index}`)
    for (const tracking_number of numbers) {
      await createOrder(admin, { order_placed_at: undefined }, [{ tracking_number }])
    }
    const endpoint = await admin.post('/webhooks', { url: receiver.url, enabled_events: ['shipments'] })
    expect(endpoint.status).toBe(200)
    // Some fail at their first attempt and wait for the second when the shop moves; all take a while.
    const accepted: { id: string; event: string }[] = []
    const tried = new Set<string>()
    receiver.respond = ({ headers, text, body }) => {
      const id = String(headers['webhook-id'])
      const isFirst = !tried.has(id)
      tried.add(id)
      if (isFirst && tried.size % 5 === 0) return { status: 500, afterMs: 20 }
      const number = numbers.find((number) => text.includes(`"${number}"`))
      accepted.push({ id, event: `${number} ${(body?.data ?? body)?.event_data?.event_name}` })
      return { status: 200, afterMs: 20 }
    }
    let at = source
    let refused = 0
    const acknowledged: string[] = []
    const waiting = [...numbers]
    const post = async (number: string, event_name: string) => {
      for (;;) {
        const headers = { 'idempotency-key': `event-${number}-${event_name}` }
        const path = `/v1/shops/${made.slug}/shipment-events?notify=true`
        const reply = await call('POST', path, { auth, body: { id: number, event_name }, headers }, at)
        if (reply.status !== 503) {
          expect(reply.status).toBe(200)
          return void acknowledged.push(`${number} ${event_name}`)
        }
        refused += 1
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    }
    const client = async () => {
      for (let number = waiting.shift(); number !== undefined; number = waiting.shift()) {
        for (const name of story) await post(number, name)
      }
    }
    const clients = Promise.all([client(), client(), client(), client()])
    await Promise.race([clients, until(() => (acknowledged.length >= countParcels ? true : undefined))])
    const file = await exportShop(source, made.slug, { move: true })
    const sentBefore = new Set(accepted.map(({ id }) => id))
    expect(await importShop(target, file)).toMatchObject({ status: 'completed', kind: 'move' })
    at = target
    await within(clients)
    expect(refused).toBeGreaterThan(0)
    const expected = numbers.flatMap((number) => story.map((name) => `${number} ${name}`)).sort()
    expect(acknowledged.sort()).toEqual(expected)
    await until(async () => {
      clock.advance(minuteMs)
      await settle(source)
      await settle(target)
      return accepted.length >= expected.length ? true : undefined
    })
    clock.advance(dayMs)
    await settle(source)
    await settle(target)
    expect(sentBefore.size).toBeGreaterThan(0)
    expect(sentBefore.size).toBeLessThan(expected.length)
    // By name: whatever was acknowledged was accepted by the receiver once, and nothing else was sent.
    expect(accepted.map(({ event }) => event).sort()).toEqual(expected)
    // By webhook-id: no message was accepted twice, also not one before the move and one after it.
    expect(new Set(accepted.map(({ id }) => id)).size).toBe(accepted.length)
    // The log at the target has them all as delivered, whichever side has sent them.
    const { rows } = await sql`
      select event_name as name, status, count(*)::int as count from deliveries
      where shop_id = (select id from shops where slug = ${made.slug})
      group by 1, 2 order by 1`.execute(target.database.db)
    expect(rows).toEqual([...story].sort().map((name) => ({ name, status: 'delivered', count: countParcels })))
  })
})
