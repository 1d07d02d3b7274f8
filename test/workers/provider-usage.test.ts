import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { dayMs, hourMs, minuteMs } from '../../src/platform/foundation/clock.ts'
import type { Service } from '../../src/service.ts'
import { type AfterShip, aftershipKeys, startAfterShip } from '../harness/aftership.ts'
import { runJobs } from '../harness/deliveries.ts'
import { followParcels, sendParcel } from '../harness/parcels.ts'
import { clock, openTestDatabase, startTestService } from '../harness/service.ts'
import { makeShop, type ShopCaller } from '../harness/shop.ts'

let service: Service
let aftership: AfterShip

beforeAll(async () => {
  aftership = await startAfterShip()
  service = await startTestService({}, await openTestDatabase(), { providerUrls: { aftership: aftership.url } })
})
beforeEach(() => clock.advanceToHalfPast())
afterEach(() => {
  aftership.failure = undefined
  clock.reset()
})
afterAll(async () => {
  await service.stop()
  await aftership.close()
})

async function followedShop(): Promise<ShopCaller> {
  const shop = (await makeShop({ settings: { carriers_enabled: true } }, service)).as('admin')
  await shop.put('/keys/aftership', { api_key: aftershipKeys.api_key })
  await shop.patch('/settings/carriers/providers', { aftership: { status: 'live' } })
  return shop
}

async function aftershipOf(shop: ShopCaller) {
  return (await shop.get('/settings/carriers/providers')).body.aftership
}

/** The counts are stored by the sweep after the requests. */
async function follow(): Promise<void> {
  await followParcels(service)
  await service.workers?.parcels.sweep()
}

describe('usage of a provider', () => {
  it('counts requests and failures by hour, and names the limit', async () => {
    const shop = await followedShop()
    expect(await aftershipOf(shop)).toMatchObject({
      name: 'AfterShip',
      health: { state: 'no_requests', last_failure_reason: null },
      usage: { requests_this_hour: 0, limit: { requests: 6, per_seconds: 1, used: null } },
    })
    await sendParcel(shop)
    await follow()
    clock.advance(hourMs)
    await sendParcel(shop)
    await follow()
    const { health, usage } = await aftershipOf(shop)
    expect(health.state).toBe('healthy')
    expect(usage.hours).toHaveLength(24)
    const [before, now] = usage.hours.slice(-2)
    expect([before.requests, usage.requests_this_hour]).toEqual([1, now.requests])
    expect(now.requests).toBeGreaterThan(0)
    expect(usage.requests_last_24_hours).toBe(before.requests + now.requests)
    expect(usage.failures_last_24_hours).toBe(0)
  })

  it('shows a viewer why it fails and until when the provider asked us to wait, but not its words', async () => {
    const made = await makeShop({ settings: { carriers_enabled: true } }, service)
    const shop = made.as('admin')
    await shop.put('/keys/aftership', { api_key: aftershipKeys.api_key })
    await shop.patch('/settings/carriers/providers', { aftership: { status: 'live' } })
    aftership.failure = { status: 429, headers: { 'retry-after': '1800' } }
    await sendParcel(shop)
    await follow()
    const { health, usage } = await aftershipOf(made.as('viewer'))
    expect(health).toMatchObject({ state: 'failing', last_failure_reason: 'rate_limited', last_failure_detail: null })
    expect(usage).toMatchObject({ requests_this_hour: 1, failures_last_24_hours: 1 })
    expect(Date.parse(usage.rate_limited_until) - clock.now().getTime()).toBeGreaterThan(29 * minuteMs)
    aftership.failure = { status: 401 }
    clock.advance(hourMs)
    await follow()
    const rejected = await aftershipOf(made.as('viewer'))
    expect(rejected.health.last_failure_reason).toBe('unauthorized')
    expect(rejected.usage.rate_limited_until).toBeNull()
  })

  it('is forgotten after two days', async () => {
    const shop = await followedShop()
    await sendParcel(shop)
    await follow()
    const stored = () => service.database.db.selectFrom('provider_hours').selectAll().execute()
    expect((await stored()).length).toBeGreaterThan(0)
    clock.advance(3 * dayMs)
    await runJobs(service)
    const old = clock.now().getTime() - 2 * dayMs
    expect((await stored()).filter(({ hour }) => hour.getTime() < old)).toEqual([])
  })
})
