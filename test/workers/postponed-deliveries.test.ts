import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Postponement, SendResult } from '../../src/delivery/queue/attempt.ts'
import type { Delivery } from '../../src/delivery/queue/delivery.ts'
import { releaseEverything } from '../../src/delivery/queue/fetch-store.ts'
import { DeliveryDispatcher } from '../../src/delivery/sending/dispatcher.ts'
import { after, hourMs, minuteMs, secondMs } from '../../src/platform/foundation/clock.ts'
import type { Service } from '../../src/service.ts'
import { createOrder, uniqueNumber } from '../harness/orders.ts'
import { clock, openTestDatabase, startTestService } from '../harness/service.ts'
import { makeShop } from '../harness/shop.ts'

let service: Service

beforeAll(async () => {
  // Without workers: each test has a dispatcher of its own.
  service = await startTestService({ ROLE: 'api' }, await openTestDatabase())
})
afterAll(() => service.stop())
afterEach(() => clock.reset())

const delivered: SendResult = {
  verdict: 'delivered',
  statusCode: 200,
  responseBody: null,
  stage: null,
  error: null,
  retryAfterMs: undefined,
}

/** A shop with one endpoint and one parcel, and a worker whose sender says what the test says. */
async function start() {
  const shop = (await makeShop({}, service)).as('admin')
  const number = uniqueNumber('PP')
  await createOrder(shop, { order_placed_at: undefined }, [{ tracking_number: number }])
  const { body: endpoint } = await shop.post('/webhooks', { url: 'https://receiver.example/' })
  const sent: string[] = []
  const sender = { decide: (_delivery: Delivery): SendResult | Postponement => delivered }
  const newWorker = () => {
    const worker = new DeliveryDispatcher({
      context: service.context,
      retryBaseMs: 5 * secondMs,
      automations: { evaluate() {}, isBusy: false },
      senderFor: () => ({
        async send(_context, delivery) {
          const outcome = sender.decide(delivery)
          sent.push(`${eventOf(delivery)} ${outcome.verdict}`)
          return outcome
        },
      }),
    })
    onTestFinished(() => worker.stop())
    return worker
  }
  const worker = newWorker()
  return {
    sent,
    sender,
    worker,
    newWorker,
    publish: (event_name: string) => shop.post('/shipment-events?notify=true', { id: number, event_name }),
    deliveries: async () => (await shop.get(`/webhooks/${endpoint.uuid}/deliveries`)).body,
    health: async () => (await shop.get(`/webhooks/${endpoint.uuid}`)).body.health,
  }
}

function eventOf({ body }: Delivery): string {
  return JSON.parse(body.toString()).event_data.event_name
}

/** Waits for `name` until a time, and delivers everything else. */
const waiting =
  (name: string, until: Date) =>
  (delivery: Delivery): SendResult | Postponement =>
    eventOf(delivery) === name && clock.now() < until ? { verdict: 'wait', until } : delivered

describe('postponed delivery', () => {
  it('uses up no attempt, is not logged, and is sent when its time has come', async () => {
    const { sent, sender, worker, publish, deliveries, health } = await start()
    const until = after(clock.now(), hourMs)
    sender.decide = waiting('PARCEL_DISPATCHED', until)
    await publish('PARCEL_DISPATCHED')
    await worker.runDue()
    await worker.runDue()
    expect(sent).toEqual(['PARCEL_DISPATCHED wait'])
    const [pending] = await deliveries()
    expect(pending).toMatchObject({ status: 'pending', attempt_count: 0, attempts: [] })
    expect(pending.next_attempt_at).toBe(until.toISOString())
    clock.advance(hourMs + secondMs)
    await worker.runDue()
    expect(sent).toEqual(['PARCEL_DISPATCHED wait', 'PARCEL_DISPATCHED delivered'])
    const [done] = await deliveries()
    expect(done).toMatchObject({ status: 'delivered', attempt_count: 1, attempts: [{ number: 1 }] })
    expect(await health()).toMatchObject({ failing_since: null, consecutive_failures: 0 })
  })

  it('does not block later ones of its shipment, however soon its time comes', async () => {
    const { sent, sender, worker, publish } = await start()
    for (const delayMs of [hourMs, 30 * secondMs]) {
      sender.decide = waiting('PARCEL_DISPATCHED', after(clock.now(), delayMs))
      await publish('PARCEL_DISPATCHED')
      await worker.runDue()
    }
    await publish('OUT_FOR_DELIVERY')
    await worker.runDue()
    expect(sent.at(-1)).toBe('OUT_FOR_DELIVERY delivered')
  })

  it('frees its place in the queue: any number waits, and others leave', async () => {
    const { sent, sender, worker, publish } = await start()
    sender.decide = waiting('PARCEL_DISPATCHED', after(clock.now(), hourMs))
    for (let count = 0; count < 40; count += 1) await publish('PARCEL_DISPATCHED')
    await worker.runDue()
    await publish('SUCCESSFULLY_DELIVERED')
    await worker.runDue()
    expect(sent.filter((entry) => entry === 'PARCEL_DISPATCHED wait').length).toBeGreaterThan(0)
    expect(sent.at(-1)).toBe('SUCCESSFULLY_DELIVERED delivered')
    expect(worker.isBusy).toBe(false)
  })

  it('is sent without a sweep if its time comes soon', async () => {
    const { sent, sender, worker, publish } = await start()
    const until = after(clock.now(), 300)
    sender.decide = waiting('PARCEL_DISPATCHED', until)
    await publish('PARCEL_DISPATCHED')
    await worker.runDue()
    for (let time = 0; sent.length < 2 && time < 2_000; time += 1) await new Promise((done) => setTimeout(done, 5))
    expect(sent).toEqual(['PARCEL_DISPATCHED wait', 'PARCEL_DISPATCHED delivered'])
  })

  it('keeps its time when the only process starts again', async () => {
    const { sent, sender, worker, newWorker, publish, deliveries } = await start()
    const until = after(clock.now(), 10 * minuteMs)
    sender.decide = waiting('PARCEL_DISPATCHED', until)
    await publish('PARCEL_DISPATCHED')
    await worker.runDue()
    await worker.stop()
    await releaseEverything(service.context(), clock.now())
    const next = newWorker()
    await next.runDue()
    expect(sent).toEqual(['PARCEL_DISPATCHED wait'])
    expect((await deliveries())[0].next_attempt_at).toBe(until.toISOString())
    clock.advance(11 * minuteMs)
    await next.runDue()
    expect(sent.at(-1)).toBe('PARCEL_DISPATCHED delivered')
  })
})
