import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { deleteOldHours } from '../../src/delivery/queue/health-store.ts'
import { dayMs, hourMs } from '../../src/platform/foundation/clock.ts'
import { settle } from '../harness/deliveries.ts'
import { createOrder, uniqueNumber } from '../harness/orders.ts'
import { until } from '../harness/patience.ts'
import { type Receiver, startReceiver } from '../harness/receiver.ts'
import { clock, theService } from '../harness/service.ts'
import { makeShop, type ShopCaller } from '../harness/shop.ts'

const receivers: Receiver[] = []
afterEach(() => clock.reset())
afterAll(async () => {
  for (const receiver of receivers) await receiver.close()
})

async function openReceiver(): Promise<Receiver> {
  const receiver = await startReceiver()
  receivers.push(receiver)
  return receiver
}

/** An endpoint that gets delivered parcels only, and a function that sends it one. */
async function listen() {
  const shop = (await makeShop()).as('admin')
  const receiver = await openReceiver()
  const url = receiver.url
  const { body } = await shop.post('/webhooks', { url, enabled_events: ['shipments/delivered'] })
  const path = `/webhooks/${body.uuid}`
  const health = async () => (await shop.get(path)).body.health
  return { shop, receiver, path, uuid: body.uuid as string, health, created: body.health }
}

async function deliverParcel(shop: ShopCaller): Promise<void> {
  const number = uniqueNumber('H')
  await createOrder(shop, { order_placed_at: undefined }, [{ tracking_number: number }])
  await shop.post('/shipment-events?notify=true', { id: number, event_name: 'SUCCESSFULLY_DELIVERED' })
  await settle()
}

const none = { attempts: 0, failed_attempts: 0, delivered: 0, dead: 0, success_rate: null }

/** As its job does; the other jobs would go through all shops of this process. */
const forgetOldHours = async () => deleteOldHours((await theService()).context())

describe('health of an endpoint', () => {
  it('is unknown before its first delivery, and disabled while it is inactive', async () => {
    const { shop, path, health, created } = await listen()
    const unknown = {
      state: 'no_deliveries',
      failing_since: null,
      last_success_at: null,
      last_failure: null,
      consecutive_failures: 0,
      last_24_hours: none,
      last_7_days: none,
      pending: 0,
      dead: 0,
    }
    expect(created).toEqual(unknown)
    expect(await health()).toEqual(unknown)
    await shop.patch(path, { status: 'inactive' })
    expect(await health()).toEqual({ ...unknown, state: 'disabled' })
  })

  it('counts successes and failures, with the reason of the last one, until it succeeds again', async () => {
    const { shop, receiver, uuid, health } = await listen()
    await deliverParcel(shop)
    const start = clock.now().toISOString()
    expect(await health()).toMatchObject({
      state: 'healthy',
      last_failure: null,
      last_24_hours: { attempts: 1, failed_attempts: 0, delivered: 1, success_rate: 1 },
    })
    receiver.respond = () => ({ status: 503, body: 'busy' })
    clock.advance(1_000)
    await deliverParcel(shop)
    clock.advance(6_000)
    await settle()
    const failing = await health()
    const [delivery] = (await shop.get('/deliveries', { status: 'pending' })).body
    expect(failing).toMatchObject({
      state: 'failing',
      consecutive_failures: 2,
      last_failure: { reason: 'server_error', status_code: 503, delivery_id: delivery.uuid },
      last_24_hours: { attempts: 3, failed_attempts: 2, delivered: 1, dead: 0, success_rate: 1 / 3 },
      pending: 1,
      dead: 0,
    })
    expect(failing.failing_since > start).toBe(true)
    expect(failing.last_failure.at > failing.failing_since).toBe(true)
    expect((await shop.get('/webhooks')).body).toMatchObject([{ uuid, health: failing }])
    receiver.respond = () => ({ status: 200 })
    clock.advance(20_000)
    await settle()
    expect(await health()).toMatchObject({
      state: 'healthy',
      failing_since: null,
      consecutive_failures: 0,
      last_failure: { reason: 'server_error' },
      last_24_hours: { attempts: 4, failed_attempts: 2, delivered: 2 },
      pending: 0,
    })
  })

  it('has the figures of a day and of a week, and forgets older hours', async () => {
    const { shop, health } = await listen()
    await deliverParcel(shop)
    clock.advance(2 * dayMs)
    await deliverParcel(shop)
    expect(await health()).toMatchObject({ last_24_hours: { attempts: 1 }, last_7_days: { attempts: 2 } })
    clock.advance(5 * dayMs + hourMs)
    await forgetOldHours()
    expect(await health()).toMatchObject({ state: 'healthy', last_24_hours: none, last_7_days: { attempts: 1 } })
    clock.advance(3 * dayMs)
    await forgetOldHours()
    expect(await health()).toMatchObject({ state: 'healthy', last_7_days: none })
    const { database } = await theService()
    const { slug } = (await shop.get('')).body
    const left = await database.db
      .selectFrom('receiver_hours')
      .innerJoin('shops', 'shops.id', 'receiver_hours.shop_id')
      .where('slug', '=', slug)
      .select('hour')
      .execute()
    expect(left).toEqual([])
  })

  it('goes with the endpoint, and an attempt that ends later does not bring it back', async () => {
    const { shop, receiver, path, uuid } = await listen()
    const { database } = await theService()
    const countRows = async () => {
      const countIn = (table: 'receiver_health' | 'receiver_hours') =>
        database.db.selectFrom(table).where('target', '=', uuid).select('target').execute()
      return [(await countIn('receiver_health')).length, (await countIn('receiver_hours')).length]
    }
    await shop.post(`${path}/test`)
    await receiver.until(1)
    await settle()
    await until(async () => ((await countRows()).join() === '1,1' ? true : undefined))
    receiver.respond = () => ({ held: { status: 500 } })
    const number = uniqueNumber('H')
    await createOrder(shop, { order_placed_at: undefined }, [{ tracking_number: number }])
    await shop.post('/shipment-events?notify=true', { id: number, event_name: 'SUCCESSFULLY_DELIVERED' })
    await receiver.until(2)
    await shop.delete(path)
    receiver.release()
    await settle()
    expect(await countRows()).toEqual([0, 0])
  })
})

describe('health of an integration', () => {
  it('is part of the list of integrations, for all systems', async () => {
    const shop = (await makeShop()).as('admin')
    const receiver = await openReceiver()
    receiver.respond = () => ({ status: 401, body: '{"message":"Invalid API key"}' })
    await shop.put('/keys/braze', { api_key: 'a-key-of-braze-that-is-long' })
    await shop.patch('/settings/triggers/braze', { status: true, rest_endpoint: receiver.url })
    await shop.patch('/settings/triggers', { klaviyo: true })
    await deliverParcel(shop)
    const { integrations } = (await shop.get('/integrations')).body
    const byName = Object.fromEntries(integrations.map((each: { integration: string }) => [each.integration, each]))
    expect(Object.keys(byName).sort()).toEqual(
      ['braze', 'brevo', 'emarsys', 'hubspot', 'inxmail', 'klaviyo', 'shopify'].sort(),
    )
    expect(byName.braze).toMatchObject({
      name: 'Braze',
      is_on: true,
      has_credentials: true,
      test: 'message',
      health: { state: 'failing', last_failure: { reason: 'unauthorized', status_code: 401 } },
    })
    expect(byName.braze.health.last_24_hours.dead).toBe(byName.braze.health.dead)
    expect(byName.klaviyo).toMatchObject({
      has_credentials: false,
      health: { state: 'failing', last_failure: { reason: 'no_credentials', status_code: null } },
    })
    expect(byName.shopify).toMatchObject({ is_on: false, test: 'credentials', health: { state: 'disabled' } })
  })
})
