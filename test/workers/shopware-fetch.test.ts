import { sql } from 'kysely'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { minuteMs, secondMs } from '../../src/platform/foundation/clock.ts'
import { newId } from '../../src/platform/foundation/ids.ts'
import type { Service } from '../../src/service.ts'
import { FakeShopware } from '../conformance/fakes/shopware-server.ts'
import { clock, openTestDatabase, startTestService } from '../harness/service.ts'
import { makeShop, type TestShop } from '../harness/shop.ts'
import { type Payload, payload } from '../harness/shop-systems.ts'
import { manifestOf, transportTo } from '../harness/shopware.ts'

const database = await openTestDatabase()
const service = await startTestService({ WEBHOOK_ALLOW_PRIVATE: 'on' }, database)
// Jobs run only when a test starts them.
await service.schedule.stop()
const opened: FakeShopware[] = []

afterEach(async () => {
  clock.reset()
  for (const shopware of opened.splice(0)) await shopware.server.stop()
})
afterAll(() => service.stop())

async function connect(at: Service = service): Promise<{ shop: TestShop; shopware: FakeShopware }> {
  const shop = await makeShop({}, at)
  const shopware = await FakeShopware.start({ transport: transportTo(shop), now: () => clock.now() })
  opened.push(shopware)
  await shopware.install(await manifestOf(shop))
  return { shop, shopware }
}

/** An order in Shopware, with all associations. */
function makeOrder(shopware: FakeShopware, number: string): string {
  const { order } = payload('shopware-order').data.payload
  const id = newId(clock.now()).replaceAll('-', '')
  shopware.orders.set(id, {
    ...order,
    id,
    orderNumber: number,
    deepLinkCode: 'T1EsTgpJnsZ6',
    languageId: 'b00ec0a2a0e34f7a8b0a0cd5b4c1b2ab',
    transactions: [
      { createdAt: '2026-11-02T09:30:00.200+00:00', stateMachineState: { technicalName: 'paid' }, amount: {} },
    ],
    salesChannel: {
      name: 'Storefront',
      domains: [
        { url: 'https://shop.example', languageId: '2fbb5fe2e29a4d70aa5854ce7ce3e20b' },
        { url: 'https://shop.example/de/', languageId: 'b00ec0a2a0e34f7a8b0a0cd5b4c1b2ab' },
      ],
    },
    language: { name: 'Deutsch', locale: { code: 'de-DE' } },
  })
  return id
}

const addCode = (code: string, at: string) => (order: Payload) => {
  const [delivery] = order.deliveries
  delivery.trackingCodes = [...delivery.trackingCodes, code]
  delivery.updatedAt = at
}

/** Moves the clock until the queued orders are due, and fetches them. */
async function fetchAll(at: Service = service, waitMs = 3 * secondMs): Promise<void> {
  clock.advance(waitMs)
  await at.workers?.orderFetcher.runDue()
}

const ordersOf = async (shop: TestShop) => (await shop.as('viewer').get('/orders')).body
const stateOf = async (shop: TestShop) => (await shop.as('viewer').get('/shopware/app')).body
const waiting = async () =>
  Number(
    (await sql<{ count: number }>`select count(*) as count from shopware_fetches`.execute(database.db)).rows[0]?.count,
  )

describe('order that Shopware names by its id', () => {
  it('is fetched with all fields of our order', async () => {
    const { shop, shopware } = await connect()
    const id = makeOrder(shopware, '20001')
    expect((await shopware.written([id])).status).toBe(200)
    expect(await ordersOf(shop)).toEqual([])
    await fetchAll()
    expect(await ordersOf(shop)).toMatchObject([
      {
        external_id: id,
        order_number: '20001',
        status: 'placed',
        email_id: 'ada@example.com',
        currency: 'EUR',
        total_order_price: 94.85,
        shipping_price: 4.95,
        discount_price: 5,
        financial_status: 'paid',
        order_status_url: 'https://shop.example/de/account/order/T1EsTgpJnsZ6',
        address: { street: 'Example Street 1', country_code: 'DE', province: 'Berlin' },
        products: [{ title: 'Rain jacket', images: [{ src: 'https://shopware.example/media/rain-jacket.jpg' }] }],
        discounts: [{ code: 'WELCOME5', amount: '5.00' }],
      },
    ])
    expect(await stateOf(shop)).toMatchObject({ last_error: null, fetched_at: expect.any(String) })
    expect(await waiting()).toBe(0)
  })

  it('is fulfilled when an ERP writes the code of its parcel later', async () => {
    const { shop, shopware } = await connect()
    const id = makeOrder(shopware, '20002')
    const { order } = payload('shopware-order').data.payload
    await shopware.send('checkout.order.placed', { order: { ...order, id, orderNumber: '20002' } })
    await shopware.written([id], { operation: 'insert', versionId: '0fa91ce3e96a4bc2be4bd9ce752c3425' })
    await fetchAll()
    expect(await ordersOf(shop)).toMatchObject([{ status: 'placed' }])
    shopware.change(id, addCode('00340434161094042557', '2026-11-03T15:00:00.000+00:00'))
    await shopware.written([id])
    await fetchAll()
    const [fulfilled, ...others] = await ordersOf(shop)
    expect(others).toEqual([])
    expect(fulfilled).toMatchObject({
      status: 'fulfilled',
      trackings: [{ carrier: { tracking_number: '00340434161094042557' }, products: [{ title: 'Rain jacket' }] }],
    })
  })

  it('does not lose its parcels when a state message has deliveries without codes', async () => {
    const { shop, shopware } = await connect()
    const id = makeOrder(shopware, '20003')
    shopware.change(id, (order) => {
      addCode('00340434161094042564', '2026-11-03T15:00:00.000+00:00')(order)
      order.deliveries[0].stateMachineState = { technicalName: 'shipped_partially' }
    })
    await shopware.written([id])
    await fetchAll()
    const partly = await ordersOf(shop)
    expect(partly).toMatchObject([{ status: 'partially_fulfilled', expected_number_of_shipments: 2 }])
    const entered = structuredClone(shopware.orders.get(id) ?? {})
    entered.updatedAt = '2026-11-03T16:00:00.000+00:00'
    entered.deliveries[0] = { ...entered.deliveries[0], stateMachineState: null, positions: null }
    entered.deliveries.push({ ...entered.deliveries[0], id: 'ffffa90c2fe943f6829cab2e8d6e0b42', trackingCodes: [] })
    expect((await shopware.send('state_enter.order_delivery.state.shipped', { order: entered })).status).toBe(200)
    expect(await ordersOf(shop)).toMatchObject([{ status: 'partially_fulfilled', expected_number_of_shipments: 2 }])
  })

  it('is fetched once for a burst of writes, together with other orders', async () => {
    const { shop, shopware } = await connect()
    const ids = Array.from({ length: 25 }, (_, index) => makeOrder(shopware, String(21_000 + index)))
    for (let time = 0; time < 3; time += 1) await shopware.written(ids)
    await Promise.all(ids.map((id) => shopware.written([id])))
    await fetchAll()
    expect(shopware.searches.map((search) => search.length)).toEqual([20, 5])
    expect(shopware.grants).toBe(1)
    expect(await ordersOf(shop)).toHaveLength(25)
  })

  it('is fetched again when it changes during the fetch', async () => {
    const { shop, shopware } = await connect()
    const id = makeOrder(shopware, '20005')
    await shopware.written([id])
    // The ERP writes while the response is in transit.
    shopware.beforeResponse = async () => {
      shopware.change(id, addCode('00340434161094042557', '2026-11-03T15:00:00.000+00:00'))
      await shopware.written([id])
    }
    await fetchAll()
    expect(await ordersOf(shop)).toMatchObject([{ status: 'placed' }])
    await fetchAll()
    expect(await ordersOf(shop)).toMatchObject([{ status: 'fulfilled' }])
    expect(await waiting()).toBe(0)
  })

  it('is not fetched for versions that are being edited', async () => {
    const { shop, shopware } = await connect()
    const id = makeOrder(shopware, '20006')
    await shopware.written([id], { versionId: 'c6ad1f1e3f0f4a6bbf6cbe84e5ee7e76' })
    await shopware.send('order.deleted', [
      { entity: 'order', operation: 'delete', primaryKey: id, versionId: 'c6ad1f1e3f0f4a6bbf6cbe84e5ee7e76' },
    ])
    await fetchAll()
    expect(shopware.searches).toEqual([])
    expect(await ordersOf(shop)).toEqual([])
  })

  it('is cancelled when it is deleted, and only if Shopware no longer has it', async () => {
    const { shop, shopware } = await connect()
    const id = makeOrder(shopware, '20007')
    await shopware.written([id])
    await fetchAll()
    const deleted = [{ entity: 'order', operation: 'delete', primaryKey: id }]
    await shopware.send('order.deleted', deleted)
    await fetchAll()
    const phases = async () => (await ordersOf(shop)).map(({ trackings }: Payload) => trackings[0].phase)
    expect(await phases()).toEqual(['order_created'])
    shopware.orders.delete(id)
    await shopware.written([id])
    for (let time = 0; time < 4; time += 1) await fetchAll(service, minuteMs)
    expect(await phases()).toEqual(['order_created'])
    expect(await waiting()).toBe(0)
    await shopware.send('order.deleted', deleted)
    await fetchAll()
    expect(await phases()).toEqual(['order_cancelled'])
  })
})

describe('Shopware that fails', () => {
  it('gets a new token once if the old one is rejected, and when it expires', async () => {
    const { shop, shopware } = await connect()
    const fetchOne = async (number: string) => {
      await shopware.written([makeOrder(shopware, number)])
      await fetchAll()
    }
    await fetchOne('22001')
    await fetchOne('22002')
    expect(shopware.grants).toBe(1)
    shopware.revokeTokens()
    await fetchOne('22003')
    expect(shopware.grants).toBe(2)
    clock.advance(20 * minuteMs)
    await fetchOne('22004')
    expect(shopware.grants).toBe(3)
    expect(await ordersOf(shop)).toHaveLength(4)
  })

  it('is not called for as long as it requests', async () => {
    const { shop, shopware } = await connect()
    shopware.failures = [{ status: 429, headers: { 'retry-after': '120' }, body: '{}' }]
    await shopware.written([makeOrder(shopware, '22011')])
    await fetchAll()
    expect(await stateOf(shop)).toMatchObject({ last_error: expect.stringContaining('429'), fetched_at: null })
    await shopware.written([makeOrder(shopware, '22012')])
    await fetchAll(service, minuteMs)
    expect(shopware.searches).toHaveLength(1)
    await fetchAll(service, 2 * minuteMs)
    expect(await ordersOf(shop)).toHaveLength(2)
    expect(await stateOf(shop)).toMatchObject({ last_error: null })
  })

  it('is retried after failures, and one failing order does not delay others', async () => {
    const { shop, shopware } = await connect()
    const ids = ['22021', '22022', '22023'].map((number) => makeOrder(shopware, number))
    shopware.failures = [
      { status: 500, body: 'not JSON' },
      { status: 200, headers: { 'content-type': 'application/json' }, body: '{"data":[{"id":' },
    ]
    await shopware.written(ids)
    for (let time = 0; time < 4; time += 1) await fetchAll(service, minuteMs)
    expect(shopware.searches.slice(0, 2).map((search) => search.length)).toEqual([3, 1])
    expect(await ordersOf(shop)).toHaveLength(3)
    const bad = makeOrder(shopware, '')
    await shopware.written([bad, makeOrder(shopware, '22024')])
    await fetchAll()
    expect(await ordersOf(shop)).toHaveLength(4)
    expect(await waiting()).toBe(0)
  })

  it('gets its credentials only at its verified address, and nothing at a private one', async () => {
    const guarded = await startTestService({ WEBHOOK_ALLOW_PRIVATE: 'off' }, await openTestDatabase())
    try {
      const { shop, shopware } = await connect(guarded)
      await shop.as('admin').patch('', { shop_admin_url: 'https://evil.example', shop_url: 'https://evil.example' })
      await shopware.written([makeOrder(shopware, '22031')])
      await fetchAll(guarded)
      expect(shopware.server.requests).toEqual([])
      expect(await stateOf(shop)).toMatchObject({ last_error: expect.stringContaining('private address') })
    } finally {
      await guarded.stop()
    }
  })

  it('is no longer called once the app was removed', async () => {
    const { shopware } = await connect()
    await shopware.written([makeOrder(shopware, '22041')])
    await shopware.uninstall()
    await fetchAll()
    expect(shopware.server.requests).toEqual([])
    expect(await waiting()).toBe(0)
  })
})

describe('node that dies', () => {
  it('between the webhook and the fetch loses no order', async () => {
    const { shop, shopware } = await connect()
    const id = makeOrder(shopware, '23001')
    await shopware.written([id])
    // It has claimed the queue, and died.
    clock.advance(3 * secondMs)
    await sql`update shopware_fetch_queues set blocked_until = ${new Date(clock.now().getTime() + minuteMs)}`.execute(
      database.db,
    )
    await service.workers?.orderFetcher.runDue()
    expect(shopware.searches).toEqual([])
    await fetchAll(service, 2 * minuteMs)
    expect(await ordersOf(shop)).toMatchObject([{ order_number: '23001' }])
  })

  it('before it has scheduled a fetch loses no order', async () => {
    const { shop, shopware } = await connect()
    await shopware.written([makeOrder(shopware, '23002')])
    await sql`update shopware_fetch_queues set fetch_at = null`.execute(database.db)
    await fetchAll(service, 2 * minuteMs)
    expect(shopware.searches).toEqual([])
    await service.schedule.tick()
    await fetchAll()
    expect(await ordersOf(shop)).toHaveLength(1)
  })
})
