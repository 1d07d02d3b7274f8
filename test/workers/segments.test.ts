import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { minuteMs, secondMs } from '../../src/platform/foundation/clock.ts'
import { skipWaits } from '../harness/fast-waits.ts'
import { createOrder } from '../harness/orders.ts'
import { startReceiver } from '../harness/receiver.ts'
import { clock, openTestDatabase, startTestService } from '../harness/service.ts'
import { makeShop } from '../harness/shop.ts'

const brevo = await startReceiver()
const klaviyo = await startReceiver()
const service = await startTestService({}, await openTestDatabase(), {
  integrationUrls: { brevo: brevo.url, klaviyo: klaviyo.url },
})

afterEach(() => clock.reset())
afterAll(async () => {
  await service.stop()
  await brevo.close()
  await klaviyo.close()
})

const json = (body: unknown) => ({
  status: 200,
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json' },
})

/** A customer on two lists. */
const asBrevo: typeof brevo.respond = ({ path }) =>
  path.startsWith('/v3/contacts/lists')
    ? json({
        lists: [
          { id: 7, name: 'VIP' },
          { id: 58, name: 'Newsletter' },
        ],
        count: 2,
      })
    : json({ id: 1, email: 'customer@example.com', listIds: [7, 58] })

describe('segment fetching', () => {
  it("adds a customer's segments to a new order outside the request, and retries when the other side fails", async () => {
    const shop = (await makeShop({}, service)).as('admin')
    await shop.put('/keys/brevo', { api_key: 'xkeysib-a-key-that-is-long' })
    await shop.patch('/settings/segments', { brevo: true })
    brevo.respond = () => ({ status: 503, body: '{}' })
    const order = await createOrder(shop, { segments: ['vip'] })
    const segments = async () => [...(await shop.get(`/orders/${order.uuid}`)).body.segments].sort()
    clock.advance(minuteMs)
    await service.schedule.tick()
    expect(brevo.received.length).toBeGreaterThan(0)
    expect(await segments()).toEqual(['vip'])
    brevo.respond = asBrevo
    clock.advance(10 * minuteMs)
    await service.schedule.tick()
    expect(await segments()).toEqual(['Newsletter', 'VIP', 'vip'])
    const callsBefore = brevo.received.length
    clock.advance(10 * minuteMs)
    await service.schedule.tick()
    expect(brevo.received).toHaveLength(callsBefore)
  })

  it('fetches nothing while the shop has it switched off', async () => {
    const shop = (await makeShop({}, service)).as('admin')
    await shop.put('/keys/brevo', { api_key: 'xkeysib-a-key-that-is-long' })
    const callsBefore = brevo.received.length
    await createOrder(shop)
    clock.advance(20 * minuteMs)
    await service.schedule.tick()
    expect(brevo.received).toHaveLength(callsBefore)
  })

  it('respects the lower limits of Klaviyo per kind of call, and postpones the rest without counting an attempt', async () => {
    skipWaits()
    const shop = (await makeShop({}, service)).as('admin')
    await shop.put('/keys/klaviyo', { api_key: 'pk_a-key-that-is-long-enough' })
    await shop.patch('/settings/segments', { klaviyo: true })
    const calls: { kind: string; atMs: number }[] = []
    klaviyo.respond = ({ path }) => {
      const [, kind = 'profiles'] = /profiles\/01PROFILE\/(segments|lists)/.exec(path) ?? []
      calls.push({ kind, atMs: performance.now() })
      const data =
        kind === 'profiles' ? [{ type: 'profile', id: '01PROFILE' }] : [{ attributes: { name: `a ${kind}` } }]
      return json({ data, links: { next: null } })
    }
    const orders: { uuid: string }[] = []
    for (let count = 0; count < 13; count += 1) orders.push(await createOrder(shop))
    const callsOf = (kind: string) => calls.filter((call) => call.kind === kind)
    clock.advance(secondMs)
    const startMs = performance.now()
    await service.schedule.tick()
    // A sixth of the limit per minute, because a run starts every ten seconds.
    expect(['profiles', 'segments', 'lists'].map((kind) => callsOf(kind).length)).toEqual([10, 10, 10])
    for (const kind of ['segments', 'lists']) {
      // A request may arrive long after it was sent, but never before: so the times are compared with the start.
      const tooEarly = callsOf(kind).filter(({ atMs }, index) => atMs - startMs < Math.floor(index / 3) * secondMs)
      expect(tooEarly).toEqual([])
    }
    await service.schedule.tick()
    expect(callsOf('segments')).toHaveLength(10)
    clock.advance(11 * secondMs)
    await service.schedule.tick()
    expect(callsOf('segments')).toHaveLength(13)
    for (const { uuid } of orders) {
      expect((await shop.get(`/orders/${uuid}`)).body.segments).toEqual(
        expect.arrayContaining(['a segments', 'a lists']),
      )
    }
  })

  it('retries a customer with more pages than a run allows a limited number of times', async () => {
    skipWaits()
    const shop = (await makeShop({}, service)).as('admin')
    await shop.put('/keys/klaviyo', { api_key: 'pk_a-key-that-is-long-enough' })
    await shop.patch('/settings/segments', { klaviyo: true })
    let begun = 0
    klaviyo.respond = ({ path }) => {
      if (!path.includes('/01PROFILE/')) {
        begun += 1
        return json({ data: [{ type: 'profile', id: '01PROFILE' }], links: { next: null } })
      }
      return json({ data: [], links: { next: `${klaviyo.url}/api/profiles/01PROFILE/segments?page=next` } })
    }
    await createOrder(shop)
    const fetchOnce = async () => {
      clock.advance(20 * minuteMs)
      await service.schedule.tick()
    }
    for (let round = 0; round < 6; round += 1) await fetchOnce()
    const before = begun
    expect(before).toBeGreaterThan(0)
    for (let round = 0; round < 3; round += 1) await fetchOnce()
    expect(begun).toBe(before)
  })

  it.each(['braze', 'emarsys', 'inxmail'])(
    'shows a warning while it is switched on that %s has no segments',
    async (name) => {
      const shop = (await makeShop({}, service)).as('admin')
      const warning = { msg: expect.stringContaining(`the API of ${name} does not return the segments`) }
      const all = await shop.patch('/settings/segments', { [name]: true, klaviyo: true })
      expect(all.body).toMatchObject({ [name]: true, klaviyo: true, warnings: [{ ...warning, loc: [name] }] })
      const one = await shop.patch(`/settings/triggers/${name}`, { segments_enabled: true })
      expect(one.body).toMatchObject({
        segments_enabled: true,
        warnings: [{ ...warning, loc: ['segments_enabled'] }],
      })
      expect((await shop.get(`/settings/triggers/${name}`)).body.warnings).toEqual([
        { ...warning, loc: ['segments_enabled'] },
      ])
      expect((await shop.get('/settings')).body.warnings).toEqual([{ ...warning, loc: ['segments', name] }])
      // There is no warning if it is off or supported.
      const quiet = [
        await shop.patch('/settings/segments', { [name]: false }),
        await shop.patch(`/settings/triggers/${name}`, { segments_enabled: false }),
        await shop.get('/settings'),
        await shop.patch('/settings/triggers/klaviyo', { segments_enabled: true }),
      ]
      for (const { status, body } of quiet) {
        expect(status).toBe(200)
        expect(body).not.toHaveProperty('warnings')
      }
    },
  )
})
