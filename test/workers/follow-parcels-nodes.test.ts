import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { aftership as described } from '../../src/adapters/carriers/aftership/description.ts'
import { openProvider } from '../../src/adapters/carriers/registry.ts'
import { openAccount } from '../../src/credentials/provider-accounts/store.ts'
import { after, minuteMs, secondMs } from '../../src/platform/foundation/clock.ts'
import type { Database } from '../../src/platform/store/database.ts'
import type { Service } from '../../src/service.ts'
import { leaseParcels } from '../../src/tracking/scans/parcel-store.ts'
import { recordPollResults } from '../../src/tracking/scans/poll-result.ts'
import { paceOf } from '../../src/tracking/scans/rules.ts'
import { type AfterShip, aftershipKeys, startAfterShip } from '../harness/aftership.ts'
import { uniqueNumber, upsertOf } from '../harness/orders.ts'
import { eventKeys, followParcels, sendParcel } from '../harness/parcels.ts'
import { type Receiver, startReceiver } from '../harness/receiver.ts'
import { clock, openTestDatabase, startTestService } from '../harness/service.ts'
import { makeShop, type ShopCaller } from '../harness/shop.ts'

let database: Database
let nodes: [Service, Service]
let aftership: AfterShip
let dhl: Receiver

beforeAll(async () => {
  aftership = await startAfterShip()
  dhl = await startReceiver()
  dhl.respond = () => ({ status: 200, body: '{"shipments":[]}' })
  database = await openTestDatabase()
  const providerUrls = { aftership: aftership.url, dhl: dhl.url }
  nodes = [
    await startTestService({}, database, { providerUrls }),
    await startTestService({}, database, { providerUrls }),
  ]
})
afterEach(() => clock.reset())
afterAll(async () => {
  for (const node of nodes) await node.workers?.stop()
  await nodes[0].stop()
  await aftership.close()
  await dhl.close()
})

async function makeFollowedShop(provider: 'aftership' | 'dhl') {
  const made = await makeShop({ settings: { carriers_enabled: true } }, nodes[0])
  const shop = made.as('admin')
  await shop.put(`/keys/${provider}`, { api_key: aftershipKeys.api_key })
  await shop.patch('/settings/carriers/providers', { [provider]: { status: 'live' } })
  return { shop, shopId: (await shop.get('')).body.uuid as string }
}

/** Sends many parcels in one request; no worker tracks them yet. */
async function sendMany(shop: ShopCaller, count: number): Promise<string[]> {
  const numbers = Array.from({ length: count }, () => uniqueNumber('N'))
  const upserts = numbers.map((number) =>
    upsertOf(number, { order_placed_at: undefined }, [{ tracking_number: number, carrier_reference: 'dhl' }]),
  )
  const { status, text } = await shop.put('/orders/bulk', upserts)
  if (status !== 200) throw new Error(text)
  return numbers
}

/** Both nodes poll at the same moments, for that many seconds of the clock. */
async function pollTogether(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    await Promise.all(nodes.map((node) => node.workers?.parcels.sweep()))
    await Promise.all(nodes.map((node) => node.workers?.parcels.idle()))
    clock.advance(secondMs)
  }
}

describe('two nodes', () => {
  it('never poll a parcel at the same time, and poll each as often as one node would', async () => {
    const { shop } = await makeFollowedShop('aftership')
    aftership.respondsAfterMs = 20
    const numbers = await sendMany(shop, 24)
    await pollTogether(16)
    expect(aftership.registered.filter((number) => numbers.includes(number)).sort()).toEqual([...numbers].sort())
    clock.advance(12 * minuteMs)
    await pollTogether(6)
    aftership.respondsAfterMs = 0
    const polled = aftership.polled.flat().filter((number) => numbers.includes(number))
    expect([...polled].sort()).toEqual([...numbers].sort())
    expect(aftership.polledTwice).toEqual([])
  })

  it('share one limit, and respect it in every window', async () => {
    const { shop } = await makeFollowedShop('dhl')
    const times: number[] = []
    dhl.respond = () => {
      times.push(clock.now().getTime())
      return { status: 200, body: '{"shipments":[]}' }
    }
    await sendMany(shop, 12)
    await pollTogether(75)
    expect(times).toHaveLength(12)
    const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0))
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(5 * secondMs)
  })

  it('respect a limit of requests per second', async () => {
    const { shop, shopId } = await makeFollowedShop('aftership')
    // The nodes themselves do not poll here.
    await shop.patch('/settings/carriers/providers', { aftership: { status: 'disabled' } })
    await sendMany(shop, 60)
    await openAccount(nodes[0].context(), shopId, 'aftership', clock.now())
    const pace = paceOf(described)
    const { limit } = described
    const start = after(clock.now(), minuteMs)
    const granted: { at: number; requests: number }[] = []
    // As if many workers requested capacity all the time: what they get is counted, by the time of the clock.
    for (let ms = 0; ms < 8_000; ms += 50) {
      const now = after(start, ms)
      const claims = [1, 2].map(() =>
        leaseParcels(nodes[0].context(), {
          shopId,
          provider: 'aftership',
          carriers: ['dhl'],
          pace,
          maxRequests: 8,
          parcelsPerRequest: 50,
          isRegistering: true,
          now,
          dueUntil: now,
          leaseUntil: after(now, 60 * minuteMs),
        }),
      )
      for (const { parcels } of await Promise.all(claims)) granted.push({ at: ms, requests: parcels.length })
    }
    const total = granted.reduce((sum, { requests }) => sum + requests, 0)
    expect(total).toBeGreaterThan(30)
    for (const { at } of granted) {
      const window = granted.filter((other) => other.at >= at && other.at < at + limit.perMs)
      expect(window.reduce((sum, { requests }) => sum + requests, 0)).toBeLessThanOrEqual(limit.requests)
    }
  })
})

describe('worker that dies with claimed parcels', () => {
  it('loses them to other workers when its lease ends, and cannot undo their results', async () => {
    const { shop, shopId } = await makeFollowedShop('aftership')
    const { number, id } = await sendParcel(shop)
    await followParcels(nodes[0])
    clock.advance(12 * minuteMs)
    const now = clock.now()
    const { parcels } = await leaseParcels(nodes[0].context(), {
      shopId,
      provider: 'aftership',
      carriers: ['dhl'],
      pace: paceOf(described),
      maxRequests: 1,
      parcelsPerRequest: 50,
      isRegistering: true,
      now,
      dueUntil: now,
      leaseUntil: after(now, 2 * minuteMs),
    })
    expect(parcels.map(({ trackingNumber }) => trackingNumber)).toEqual([number])
    const pollCount = () => aftership.polled.filter((numbers) => numbers.includes(number)).length
    await followParcels(nodes[1])
    expect(pollCount()).toBe(0)
    clock.advance(2 * minuteMs)
    aftership.scans.set(number, [{ at: clock.now(), subtag: 'OutForDelivery_001' }])
    await followParcels(nodes[1])
    expect(pollCount()).toBe(1)
    const stored = () =>
      database.db
        .selectFrom('tracked_parcels')
        .where('shipment_id', '=', id)
        .select(['next_poll_at', 'polls', 'failures'])
        .executeTakeFirstOrThrow()
    const settled = await stored()
    const late = { result: 'failed' as const }
    await recordPollResults(nodes[0].context(), [
      {
        shopId,
        provider: openProvider(described),
        parcels,
        outcome: late,
        hasWebhookSecret: false,
        polledAt: now,
        now: clock.now(),
      },
    ])
    expect(await stored()).toEqual(settled)
    expect(await eventKeys(shop, id)).toContain('OUT_FOR_DELIVERY')
  })
})
