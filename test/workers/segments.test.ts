import { afterAll, afterEach, expect, it } from 'vitest'
import { minuteMs } from '../../src/foundation/clock.ts'
import { createOrder } from '../harness/orders.ts'
import { startReceiver } from '../harness/receiver.ts'
import { clock, openTestDatabase, startTestService } from '../harness/service.ts'
import { makeShop } from '../harness/shop.ts'

const brevo = await startReceiver()
const service = await startTestService({}, await openTestDatabase(), { integrationUrls: { brevo: brevo.url } })

afterEach(() => clock.reset())
afterAll(async () => {
  await service.stop()
  await brevo.close()
})

const json = (body: unknown) => ({
  status: 200,
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json' },
})

/** A customer on two lists. */
const asBrevo: typeof brevo.answer = ({ path }) =>
  path.startsWith('/v3/contacts/lists')
    ? json({
        lists: [
          { id: 7, name: 'VIP' },
          { id: 58, name: 'Newsletter' },
        ],
        count: 2,
      })
    : json({ id: 1, email: 'customer@example.com', listIds: [7, 58] })

it("adds a customer's segments to a new order, away from the request, and tries again when the other side fails", async () => {
  const shop = (await makeShop({}, service)).as('admin')
  await shop.put('/keys/brevo', { api_key: 'xkeysib-a-key-that-is-long' })
  await shop.patch('/settings/segments', { brevo: true })
  brevo.answer = () => ({ status: 503, body: '{}' })
  const order = await createOrder(shop, { segments: ['vip'] })
  const segments = async () => [...(await shop.get(`/orders/${order.uuid}`)).body.segments].sort()
  clock.advance(minuteMs)
  await service.workers?.schedule.tick()
  expect(brevo.received.length).toBeGreaterThan(0)
  expect(await segments()).toEqual(['vip'])
  brevo.answer = asBrevo
  clock.advance(10 * minuteMs)
  await service.workers?.schedule.tick()
  expect(await segments()).toEqual(['Newsletter', 'VIP', 'vip'])
  const asked = brevo.received.length
  clock.advance(10 * minuteMs)
  await service.workers?.schedule.tick()
  expect(brevo.received).toHaveLength(asked)
})

it('asks for nothing while the shop has it switched off', async () => {
  const shop = (await makeShop({}, service)).as('admin')
  await shop.put('/keys/brevo', { api_key: 'xkeysib-a-key-that-is-long' })
  const asked = brevo.received.length
  await createOrder(shop)
  clock.advance(20 * minuteMs)
  await service.workers?.schedule.tick()
  expect(brevo.received).toHaveLength(asked)
})
