import { afterAll, afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { createDatabase } from '../../src/database/database.ts'
import { dayMs, minuteMs } from '../../src/foundation/clock.ts'
import { settle } from '../harness/deliveries.ts'
import { createOrder } from '../harness/orders.ts'
import { until, within } from '../harness/patience.ts'
import { openMemoryStore } from '../harness/prepared-stores.ts'
import { startReceiver } from '../harness/receiver.ts'
import { call, clock, startTestService, theService } from '../harness/service.ts'
import { makeShop } from '../harness/shop.ts'
import { exportShop, importShop } from '../harness/shop-moves.ts'

const source = await theService()
const target = await startTestService(
  { ENCRYPTION_KEY: 'another-key-of-the-tests' },
  await createDatabase(await openMemoryStore()),
)

afterEach(() => clock.reset())
afterAll(() => target.stop())

describe('shop that moves under load', () => {
  it('loses no acknowledged event, and sends none twice', async () => {
    const receiver = await startReceiver()
    onTestFinished(() => receiver.close())
    const made = await makeShop({}, source)
    const admin = made.as('admin')
    const auth = await made.credentials('admin')
    expect((await admin.post('/webhooks', { url: receiver.url, enabled_events: ['shipments'] })).status).toBe(200)
    const numbers = Array.from({ length: 60 }, (_, index) => `MOVE-${process.pid}-${index}`)
    for (const tracking_number of numbers) {
      await createOrder(admin, { order_placed_at: undefined }, [{ tracking_number }])
    }
    // Some fail at their first attempt and wait for the second when the shop moves; all take a while.
    const taken: { id: string; number: string }[] = []
    const tried = new Set<string>()
    receiver.respond = ({ headers, text, body }) => {
      const id = String(headers['webhook-id'])
      const number = numbers.find((number) => text.includes(`"${number}"`)) ?? ''
      if ((body?.data ?? body)?.event_data?.event_name !== 'PARCEL_DISPATCHED') return { status: 200 }
      const isFirst = !tried.has(id)
      tried.add(id)
      if (isFirst && tried.size % 5 === 0) return { status: 500, afterMs: 20 }
      taken.push({ id, number })
      return { status: 200, afterMs: 20 }
    }
    let at = source
    let refused = 0
    const acknowledged: string[] = []
    const waiting = [...numbers]
    const client = async () => {
      for (let number = waiting.shift(); number !== undefined; ) {
        const body = { id: number, event_name: 'PARCEL_DISPATCHED' }
        const headers = { 'idempotency-key': `event-${number}` }
        const path = `/v1/shops/${made.slug}/shipment-events?notify=true`
        const reply = await call('POST', path, { auth, body, headers }, at)
        if (reply.status === 503) {
          refused += 1
          await new Promise((resolve) => setTimeout(resolve, 50))
          continue
        }
        expect(reply.status).toBe(200)
        acknowledged.push(number)
        number = waiting.shift()
      }
    }
    const clients = Promise.all([client(), client(), client(), client()])
    await Promise.race([clients, until(() => (acknowledged.length >= 15 ? true : undefined))])
    const file = await exportShop(source, made.slug, { move: true })
    const sentBefore = taken.length
    expect(await importShop(target, file)).toMatchObject({ status: 'completed', kind: 'move' })
    at = target
    await within(clients)
    expect(refused).toBeGreaterThan(0)
    await until(async () => {
      clock.advance(minuteMs)
      await settle(source)
      await settle(target)
      return new Set(taken.map(({ number }) => number)).size === numbers.length ? true : undefined
    })
    clock.advance(dayMs)
    await settle(source)
    await settle(target)
    expect(sentBefore).toBeLessThan(numbers.length)
    expect(acknowledged.sort()).toEqual([...numbers].sort())
    expect(taken.map(({ number }) => number).sort()).toEqual([...numbers].sort())
    expect(new Set(taken.map(({ id }) => id)).size).toBe(numbers.length)
  })
})
