import { sql } from 'kysely'
import { afterAll, afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { circuitPolicy, probePausesMs } from '../../src/delivery/queue/circuit.ts'
import { after, dayMs, hourMs, minuteMs, secondMs } from '../../src/platform/foundation/clock.ts'
import { settle } from '../harness/deliveries.ts'
import { createOrder, uniqueNumber } from '../harness/orders.ts'
import { until } from '../harness/patience.ts'
import { type Receiver, startReceiver } from '../harness/receiver.ts'
import { clock, startNode, theService } from '../harness/service.ts'
import { makeShop, type ShopCaller } from '../harness/shop.ts'

/** The clock goes on while a test looks at what must not have happened yet. */
const marginMs = 15 * secondMs

const receivers: Receiver[] = []
afterEach(() => clock.reset())
afterAll(async () => {
  for (const receiver of receivers) await receiver.close()
})

/** A shop with one endpoint whose server fails until the test says otherwise. */
async function openShop() {
  const receiver = await startReceiver()
  receivers.push(receiver)
  receiver.respond = () => ({ status: 503 })
  const shop = (await makeShop()).as('admin')
  const number = uniqueNumber('CB')
  const order = await createOrder(shop, { order_placed_at: undefined }, [{ tracking_number: number }])
  const { body } = await shop.post('/webhooks', { url: receiver.url })
  const path = `/webhooks/${body.uuid}`
  return {
    receiver,
    shop,
    uuid: body.uuid as string,
    orderNumber: order.order_number as string,
    path,
    endpoint: async () => (await shop.get(path)).body,
    test: async (caller: ShopCaller = shop) => (await caller.post(`${path}/test`)).body,
    scan: (event_name: string) => shop.post('/shipment-events?notify=true', { id: number, event_name }),
    deliveries: async () => (await shop.get(`${path}/deliveries`, { per_page: '100' })).body,
    recover: () => {
      receiver.respond = () => ({ status: 200 })
    },
  }
}

/** The same, with a circuit that has just opened and deliveries that wait. */
async function openCircuit(known?: Awaited<ReturnType<typeof openShop>>) {
  const made = known ?? (await openShop())
  for (let count = 0; count < circuitPolicy.failures; count += 1) await made.test()
  await settle()
  clock.advance(circuitPolicy.failingForMs + 10 * secondMs)
  await settle()
  await settle()
  expect((await made.endpoint()).circuit).not.toBeNull()
  // Their retries are due, so that there is always something to probe with.
  clock.advance(circuitPolicy.firstProbeMs - marginMs)
  return made
}

/** Rounded, because the clock goes on. */
function minutesUntil(instant: string): number {
  return Math.round((Date.parse(instant) - clock.now().getTime()) / minuteMs)
}

describe('circuit of an endpoint', () => {
  it('stays closed for a receiver that failed often within a moment, or seldom for long', async () => {
    const often = await openShop()
    for (let count = 0; count < circuitPolicy.failures + 5; count += 1) await often.test()
    await settle()
    await settle()
    expect(await often.endpoint()).toMatchObject({ circuit: null, health: { state: 'failing' } })
    const seldom = await openShop()
    await seldom.test()
    for (let round = 0; round < 17; round += 1) {
      await settle()
      clock.advance(13 * hourMs)
    }
    await settle()
    expect(await seldom.endpoint()).toMatchObject({ circuit: null, health: { dead: 1 } })
  })

  it('opens for one that keeps failing, and its status stays active', async () => {
    const { endpoint, receiver, shop, uuid } = await openCircuit()
    const { status, health, circuit } = await endpoint()
    expect({ status, state: health.state }).toEqual({ status: 'active', state: 'failing' })
    expect(new Date(circuit.next_attempt_at).getTime() - new Date(circuit.opened_at).getTime()).toBe(
      circuitPolicy.firstProbeMs,
    )
    const { body: attention } = await shop.get('/attention')
    expect(attention.webhooks.endpoints).toMatchObject([{ uuid, waits_until: circuit.next_attempt_at }])
    const sent = receiver.received.length
    await settle()
    expect(receiver.received).toHaveLength(sent)
  })

  it('lets deliveries wait without using up attempts', async () => {
    const { scan, deliveries, receiver, endpoint } = await openCircuit()
    const sent = receiver.received.length
    await scan('OUT_FOR_DELIVERY')
    await settle()
    expect(receiver.received).toHaveLength(sent)
    const [waiting] = await deliveries()
    expect(waiting).toMatchObject({ event_name: 'OUT_FOR_DELIVERY', status: 'pending', attempt_count: 0, attempts: [] })
    expect(waiting.next_attempt_at).toBe((await endpoint()).circuit.next_attempt_at)
  })

  it('is probed by one delivery at a time, after growing pauses', async () => {
    const { receiver, endpoint } = await openCircuit()
    let sent = receiver.received.length
    clock.advance(marginMs + secondMs)
    for (let probes = 1; probes <= 4; probes += 1) {
      await settle()
      sent += 1
      expect(receiver.received).toHaveLength(sent)
      expect((await endpoint()).circuit.attempts).toBe(probes)
      clock.advance((probePausesMs[probes - 1] ?? 0) - marginMs)
      await settle()
      expect(receiver.received).toHaveLength(sent)
      clock.advance(marginMs + secondMs)
    }
  })

  it('is probed every half an hour in the end, however many probes there were', async () => {
    const { receiver, endpoint, uuid } = await openCircuit()
    const { db } = (await theService()).database
    // The first after all listed pauses, the second at the most that is counted.
    for (const [probes, counted] of [
      [probePausesMs.length, probePausesMs.length + 1],
      [32_000, 32_000],
    ] as const) {
      const probe_at = clock.now()
      await db.updateTable('webhook_endpoints').set({ probes, probe_at }).where('id', '=', uuid).execute()
      const sent = receiver.received.length
      await settle()
      expect(receiver.received).toHaveLength(sent + 1)
      const { circuit } = await endpoint()
      expect(circuit.attempts).toBe(counted)
      expect(minutesUntil(circuit.next_attempt_at)).toBe(30)
      clock.advance(29 * minuteMs)
      await settle()
      expect(receiver.received).toHaveLength(sent + 1)
      clock.advance(2 * minuteMs)
    }
  })

  it('begins with short pauses again after it closed, and after somebody asked for a probe', async () => {
    const made = await openCircuit()
    clock.advance(marginMs + secondMs)
    for (let probes = 1; probes <= 3; probes += 1) {
      await settle()
      expect((await made.endpoint()).circuit.attempts).toBe(probes)
      clock.advance(hourMs)
    }
    await made.test()
    await settle()
    const { circuit } = await made.endpoint()
    expect(circuit.attempts).toBe(1)
    expect(minutesUntil(circuit.next_attempt_at)).toBe(1)
    made.recover()
    clock.advance(2 * minuteMs)
    await settle()
    await settle()
    expect((await made.endpoint()).circuit).toBeNull()
    const { db } = (await theService()).database
    const stored = await db.selectFrom('webhook_endpoints').where('id', '=', made.uuid).select('probes').execute()
    expect(stored).toEqual([{ probes: 0 }])
    // An opening resets the count of probes.
    await db.updateTable('webhook_endpoints').set({ probes: 5 }).where('id', '=', made.uuid).execute()
    made.receiver.respond = () => ({ status: 503 })
    await openCircuit(made)
    expect((await made.endpoint()).circuit.attempts).toBe(0)
  })

  it('closes by itself when a probe succeeds, and everything that waited is sent', async () => {
    const { receiver, endpoint, recover, scan, deliveries } = await openCircuit()
    await scan('OUT_FOR_DELIVERY')
    recover()
    const sent = receiver.received.length
    clock.advance(marginMs + secondMs)
    await settle()
    await settle()
    expect(await endpoint()).toMatchObject({ circuit: null, health: { state: 'healthy', pending: 0, dead: 0 } })
    const all = await deliveries()
    expect(all.length).toBeGreaterThan(circuitPolicy.failures)
    expect(all.filter((delivery: { status: string }) => delivery.status !== 'delivered')).toEqual([])
    expect(receiver.received.length - sent).toBe(circuitPolicy.failures + 1)
  })

  it('keeps the order of a shipment', async () => {
    const made = await openShop()
    await made.scan('PARCEL_DISPATCHED')
    const { receiver, recover, scan } = await openCircuit(made)
    await scan('OUT_FOR_DELIVERY')
    await scan('SUCCESSFULLY_DELIVERED')
    const sent = receiver.received.length
    recover()
    clock.advance(marginMs + secondMs)
    await settle()
    await settle()
    const names = ['PARCEL_DISPATCHED', 'OUT_FOR_DELIVERY', 'SUCCESSFULLY_DELIVERED']
    const arrived = receiver.received.slice(sent).map(({ body }) => body)
    const ofParcel = arrived.filter(({ context }) => context.order.order_number === made.orderNumber)
    expect(ofParcel.map(({ event_data }) => event_data.event_name)).toEqual(names)
  })

  it('brings retries forward when it closes, however far away they were', async () => {
    const made = await openShop()
    await made.scan('PARCEL_DISPATCHED')
    for (let round = 0; round < 7; round += 1) {
      await settle()
      clock.advance(6 * minuteMs)
    }
    const { recover, deliveries } = await openCircuit(made)
    const find = async () =>
      (await deliveries()).find((delivery: { event_name: string }) => delivery.event_name === 'PARCEL_DISPATCHED')
    const planned = await find()
    const plannedMs = new Date(planned.next_attempt_at).getTime()
    expect(plannedMs).toBeGreaterThan(clock.now().getTime() + 3 * minuteMs)
    recover()
    // On a busy machine the first probe was made before that, and the next one is made later.
    await until(async () => {
      clock.advance(10 * secondMs)
      await settle()
      return (await find()).status === 'delivered' ? true : undefined
    })
    expect(clock.now().getTime()).toBeLessThan(plannedMs)
  })

  it.each(['a resend', 'a test message', 'recovering', 'a new address', 'a new header', 'resuming'] as const)(
    'is probed at once by %s',
    async (act) => {
      const { shop, path, receiver, endpoint, test, deliveries, recover, uuid } = await openCircuit()
      const sent = receiver.received.length
      if (act === 'recovering') {
        const { database } = await theService()
        await sql`update deliveries set status = 'dead', finished_at = now() where target = ${uuid}`.execute(
          database.db,
        )
      }
      recover()
      if (act === 'a resend') await shop.post(`/deliveries/${(await deliveries())[5].uuid}/resend`)
      if (act === 'a test message') await test()
      if (act === 'recovering') await shop.post(`${path}/recover`, { since: '2020-01-01T00:00:00Z' })
      if (act === 'a new address') await shop.patch(path, { url: `${receiver.url}/new` })
      if (act === 'a new header') await shop.patch(path, { headers: [{ name: 'X-Key', value: 'k' }] })
      if (act === 'resuming') {
        await shop.patch(path, { status: 'inactive' })
        await shop.patch(path, { status: 'active' })
      }
      await settle()
      await settle()
      expect(receiver.received.length).toBeGreaterThan(sent)
      expect((await endpoint()).circuit).toBeNull()
    },
  )

  it('is probed with what somebody resends or tests', async () => {
    const { receiver, shop, test, deliveries } = await openCircuit()
    const tested = await test()
    await settle()
    expect(receiver.received.at(-1)?.headers['webhook-id']).toBe(tested.uuid)
    clock.advance(secondMs)
    const { uuid } = (await deliveries())[9]
    await shop.post(`/deliveries/${uuid}/resend`)
    await settle()
    expect(receiver.received.at(-1)?.headers['webhook-id']).toBe(uuid)
    expect((await shop.get(`/deliveries/${uuid}`)).body.attempts.at(-1)).toMatchObject({ status_code: 503 })
  })

  it('is the same for every node: two of them send one probe', async () => {
    const { receiver, endpoint } = await openCircuit()
    const other = await startNode({ ROLE: 'all' })
    onTestFinished(() => other.stop())
    const sent = receiver.received.length
    clock.advance(marginMs + secondMs)
    await Promise.all([settle(), settle(other)])
    await Promise.all([settle(other), settle()])
    expect(receiver.received).toHaveLength(sent + 1)
    expect((await endpoint()).circuit.attempts).toBe(1)
  })

  it('is respected by a node that has seen no failure itself', async () => {
    const { receiver, recover, scan, uuid, deliveries } = await openShop()
    recover()
    const { database } = await theService()
    await database.db
      .updateTable('webhook_endpoints')
      .set({ circuit_opened_at: clock.now(), probe_at: after(clock.now(), minuteMs) })
      .where('id', '=', uuid)
      .execute()
    await scan('OUT_FOR_DELIVERY')
    await scan('SUCCESSFULLY_DELIVERED')
    await settle()
    expect(receiver.received).toEqual([])
    expect(await deliveries()).toMatchObject([{ attempt_count: 0 }, { attempt_count: 0 }])
    clock.advance(minuteMs + secondMs)
    await settle()
    await settle()
    const names = receiver.received.map(({ body }) => body.event_data.event_name)
    expect(names).toEqual(['OUT_FOR_DELIVERY', 'SUCCESSFULLY_DELIVERED'])
  })

  it('gives up what has waited for a week as dead letters that can be recovered', async () => {
    const { endpoint, shop, path, scan, recover } = await openCircuit()
    await scan('OUT_FOR_DELIVERY')
    clock.advance(circuitPolicy.waitsAtMostMs + dayMs)
    for (let round = 0; round < 3; round += 1) {
      await settle()
      clock.advance(hourMs)
    }
    const { health } = await endpoint()
    expect(health.dead).toBeGreaterThanOrEqual(circuitPolicy.failures - 3)
    recover()
    await shop.post(`${path}/recover`, { since: '2020-01-01T00:00:00Z' })
    clock.advance(hourMs)
    await settle()
    await settle()
    expect((await endpoint()).health).toMatchObject({ state: 'healthy', dead: 0, pending: 0 })
  })

  it('judges the probe itself by its attempt, even if it has waited for a week', async () => {
    const { receiver, shop, uuid, scan, deliveries, recover, endpoint } = await openCircuit()
    await scan('OUT_FOR_DELIVERY')
    const [waiting] = await deliveries()
    const { db } = (await theService()).database
    await db.deleteFrom('deliveries').where('target', '=', uuid).where('id', '<>', waiting.uuid).execute()
    clock.advance(circuitPolicy.waitsAtMostMs + dayMs)
    recover()
    const sent = receiver.received.length
    await settle()
    await settle()
    expect(receiver.received.slice(sent).map(({ headers }) => headers['webhook-id'])).toEqual([waiting.uuid])
    const { status, attempt_count } = (await shop.get(`/deliveries/${waiting.uuid}`)).body
    expect({ status, attempt_count }).toEqual({ status: 'delivered', attempt_count: 1 })
    expect((await endpoint()).circuit).toBeNull()
  })
})

describe('pauses between probes', () => {
  it('grow up to half an hour', () => {
    expect(probePausesMs.slice(0, 3)).toEqual([minuteMs, 2 * minuteMs, 4 * minuteMs])
    expect(probePausesMs.at(-1)).toBe(circuitPolicy.maxProbeMs)
    expect(probePausesMs).toEqual([...probePausesMs].sort((left, right) => left - right))
  })
})
