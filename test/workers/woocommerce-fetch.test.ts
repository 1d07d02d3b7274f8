import { sql } from 'kysely'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { minuteMs } from '../../src/platform/foundation/clock.ts'
import { clock, openTestDatabase, startTestService } from '../harness/service.ts'
import type { Payload } from '../harness/shop-systems.ts'
import { fulfilmentOf, openStoreWithOrder, type StoreWithOrder } from '../harness/woocommerce-details.ts'

const database = await openTestDatabase()
const service = await startTestService({ WEBHOOK_ALLOW_PRIVATE: 'on' }, database)
// Jobs run only when a test starts them.
await service.schedule.stop()
const opened: StoreWithOrder[] = []

afterEach(async () => {
  clock.reset()
  for (const { fake } of opened.splice(0)) await fake.close()
})
afterAll(() => service.stop())

async function open(options?: Parameters<typeof openStoreWithOrder>[1]): Promise<StoreWithOrder> {
  const store = await openStoreWithOrder(service, options)
  opened.push(store)
  return store
}

const jacket = 315
const socks = 316
const quantities = (products: Payload[]) => products.map(({ title, quantity }) => [title, quantity])
const sent = ({ trackings }: Payload) =>
  trackings.flatMap(({ carrier }: Payload) => (carrier?.tracking_number ? [carrier.tracking_number] : []))
const paths = ({ fake }: StoreWithOrder) => fake.requests().map(({ path }) => path.replace('/wp-json/wc/v3/', ''))
const waiting = async ({ shop }: StoreWithOrder) => {
  const found = sql<{ count: number }>`
    select count(*)::int as count from woocommerce_fetches join shops on id = shop_id where slug = ${shop.slug}`
  return (await found.execute(database.db)).rows[0]?.count
}

describe('refund of some goods', () => {
  it('takes them out of the order, and a late message does not bring them back', async () => {
    const store = await open()
    await store.send()
    const late = store.change({ customer_note: 'Please ring twice' })
    store.refund({ [socks]: 1 }, '7.50')
    await store.send()
    expect(quantities((await store.read()).products)).toEqual([
      ['Rain jacket', 1],
      ['Socks', 2],
    ])
    await store.fetchAll()
    const reduced = [
      ['Rain jacket', 1],
      ['Socks', 1],
    ]
    expect(quantities((await store.read()).products)).toEqual(reduced)
    expect(await store.read()).toMatchObject({ financial_status: 'partially_refunded' })
    await store.send(late)
    expect(quantities((await store.read()).products)).toEqual(reduced)
    store.change({ customer_note: 'Please ring once' })
    await store.send()
    expect(quantities((await store.read()).products)).toEqual(reduced)
    await store.fetchAll()
    expect(quantities((await store.read()).products)).toEqual(reduced)
    expect(await waiting(store)).toBe(0)
  })

  it('takes them out of their parcel, and no shipment is expected for them', async () => {
    const store = await open()
    const products_list = [
      { item_id: String(jacket), product: '94', qty: '1' },
      { item_id: String(socks), product: '22', qty: '1' },
    ]
    const tracking = {
      tracking_provider: 'dhl',
      tracking_number: '00340434161094042557',
      tracking_id: 'a',
      products_list,
    }
    store.change({ meta_data: [{ id: 1, key: '_wc_shipment_tracking_items', value: [tracking] }] })
    await store.send()
    expect(await store.read()).toMatchObject({ expected_number_of_shipments: 2 })
    store.refund({ [socks]: 1 }, '7.50')
    await store.send()
    await store.fetchAll()
    const partly = await store.read()
    expect(partly).toMatchObject({ expected_number_of_shipments: 1, status: 'fulfilled' })
    expect(quantities(partly.trackings[0].products)).toEqual([
      ['Rain jacket', 1],
      ['Socks', 1],
    ])
    store.refund({ [socks]: 1 }, '7.50')
    await store.send()
    await store.fetchAll()
    const fewer = await store.read()
    expect(quantities(fewer.products)).toEqual([['Rain jacket', 1]])
    expect(quantities(fewer.trackings[0].products)).toEqual([['Rain jacket', 1]])
  })

  it('that were sent leaves the rest to be sent, and the parcel as it was', async () => {
    const store = await open()
    store.fulfil(
      fulfilmentOf(3, { [socks]: 2 }, { _tracking_number: '00340434161094042557', _shipment_provider: 'dhl' }),
    )
    store.refund({ [socks]: 2 }, '15.00')
    await store.send()
    await store.fetchAll()
    const order = await store.read()
    expect(order).toMatchObject({ status: 'partially_fulfilled', expected_number_of_shipments: 2 })
    expect(quantities(order.products)).toEqual([['Rain jacket', 1]])
    const parcel = order.trackings.find(({ carrier }: Payload) => carrier?.tracking_number)
    expect(quantities(parcel.products)).toEqual([['Socks', 2]])
  })

  it('of all goods but not of the shipping leaves nothing to send', async () => {
    const store = await open()
    await store.send()
    store.refund({ [jacket]: 1, [socks]: 2 }, '89.90')
    await store.send()
    expect(await store.read()).toMatchObject({ nothing_to_send: false })
    await store.fetchAll()
    const order = await store.read()
    expect(order).toMatchObject({ nothing_to_send: true, trackings: [] })
    expect(order.products).toHaveLength(2)
  })

  it('that is withdrawn brings them back', async () => {
    const store = await open()
    store.refund({ [socks]: 2 }, '15.00')
    await store.send()
    await store.fetchAll()
    expect(quantities((await store.read()).products)).toEqual([['Rain jacket', 1]])
    store.change({ refunds: [] })
    await store.send()
    expect(quantities((await store.read()).products)).toEqual([
      ['Rain jacket', 1],
      ['Socks', 2],
    ])
  })

  it('is fetched in pages, and not at all if everything was refunded or there is no key', async () => {
    const store = await open({ fields: { total: '500.00' } })
    store.order.line_items[1].quantity = 200
    for (let count = 0; count < 130; count += 1) store.refund({ [socks]: 1 }, '1.00')
    await store.send()
    await store.fetchAll()
    expect(quantities((await store.read()).products)).toEqual([
      ['Rain jacket', 1],
      ['Socks', 70],
    ])
    expect(paths(store)).toEqual(['orders', 'orders/727/refunds', 'orders/727/refunds'])
    store.change({ status: 'refunded' })
    await store.send()
    await store.fetchAll()
    expect(paths(store)).toHaveLength(3)
    const other = await open({ hasKey: false })
    other.refund({ [socks]: 1 }, '7.50')
    await other.send()
    await other.fetchAll()
    expect(paths(other)).toEqual([])
    expect(quantities((await other.read()).products)).toEqual([
      ['Rain jacket', 1],
      ['Socks', 2],
    ])
  })
})

describe("WooCommerce's own fulfilments", () => {
  const first = fulfilmentOf(
    3,
    { [jacket]: 1 },
    { _tracking_number: '00340434161094042557', _shipment_provider: 'dhl', _tracking_url: 'https://dhl.example/1' },
  )
  const second = fulfilmentOf(
    4,
    { [socks]: 2 },
    { _tracking_number: 'JJD1, JJD2', _shipping_provider: 'other', _provider_name: 'Local Couriers' },
  )

  it('become parcels with their contents, carriers and times', async () => {
    const store = await open()
    await store.send()
    store.fulfil(first, second)
    await store.send()
    expect(sent(await store.read())).toEqual([])
    await store.fetchAll()
    const order = await store.read()
    expect(order).toMatchObject({ status: 'fulfilled', expected_number_of_shipments: 3 })
    expect(order.trackings).toMatchObject([
      {
        carrier: { tracking_number: '00340434161094042557', carrier_reference: 'dhl' },
        products: [{ title: 'Rain jacket', quantity: 1 }],
      },
      { carrier: { tracking_number: 'JJD1' }, products: [{ title: 'Socks', quantity: 2 }] },
      { carrier: { tracking_number: 'JJD2' } },
    ])
    store.change({ customer_note: 'Please ring twice' })
    await store.send()
    expect(sent(await store.read())).toHaveLength(3)
    await store.fetchAll()
    expect(sent(await store.read())).toHaveLength(3)
  })

  it('are not sent while they are drafts, and no longer when they are deleted', async () => {
    const store = await open()
    store.fulfil(fulfilmentOf(3, { [jacket]: 1 }, { _tracking_number: '00340434161094042557' }, false))
    await store.send()
    await store.fetchAll()
    expect(await store.read()).toMatchObject({ status: 'placed' })
    store.fulfil(first, second)
    await store.send()
    await store.fetchAll()
    expect(sent(await store.read())).toHaveLength(3)
    store.fulfil(first)
    await store.send()
    expect(sent(await store.read())).toHaveLength(3)
    await store.fetchAll()
    expect(sent(await store.read())).toEqual(['00340434161094042557'])
    store.fulfil()
    await store.send()
    expect(sent(await store.read())).toEqual([])
    expect(await store.read()).toMatchObject({ status: 'placed' })
  })

  it('without a number are handed over, as the order then says', async () => {
    const store = await open()
    store.fulfil(fulfilmentOf(3, { [jacket]: 1, [socks]: 2 }, {}))
    store.order.meta_data.at(-1).value = 'fulfilled'
    await store.send()
    await store.fetchAll()
    expect(await store.read()).toMatchObject({ handed_over_without_tracking: true, expected_number_of_shipments: 1 })
  })

  it('are one parcel with the number of a plug-in', async () => {
    const store = await open()
    const tracking = { tracking_provider: 'dhl', tracking_number: '00340434161094042557', tracking_id: 'a' }
    const meta = { id: 1, key: '_wc_shipment_tracking_items', value: [tracking] }
    store.change({ meta_data: [meta] })
    store.fulfil(first)
    await store.send()
    await store.fetchAll()
    const states = [await store.read()]
    store.change({ customer_note: 'Please ring twice' })
    await store.send()
    states.push(await store.read())
    await store.fetchAll()
    states.push(await store.read())
    for (const state of states) {
      expect(state).toMatchObject({ expected_number_of_shipments: 2, status: 'partially_fulfilled' })
      expect(sent(state)).toEqual(['00340434161094042557'])
    }
  })

  it('leave the order as it is in a WooCommerce that has none, or with a key that may not read them', async () => {
    for (const status of [403, 404]) {
      const store = await open()
      store.fulfil(first)
      await store.send()
      store.fake.intercept = (path) => (path.endsWith('/fulfillments') ? { status, body: '{}' } : undefined)
      await store.fetchAll()
      expect(await store.read()).toMatchObject({ status: 'placed' })
      expect(await waiting(store)).toBe(0)
    }
  })
})

describe('existing orders', () => {
  it('are read with their details, and read again if one of them could not be read', async () => {
    const store = await open()
    store.fulfil(fulfilmentOf(3, { [jacket]: 1 }, { _tracking_number: '00340434161094042557' }))
    store.refund({ [socks]: 1 }, '7.50')
    store.fake.intercept = (path) => (path.endsWith('/fulfillments') ? { status: 500, body: '{}' } : undefined)
    await store.shop.as('admin').post('/backfills', { system: 'woocommerce', days: 90 })
    await service.workers?.backfills.runDue()
    expect((await store.shop.as('viewer').get('/orders')).body).toEqual([])
    store.fake.intercept = undefined
    clock.advance(minuteMs)
    await service.workers?.backfills.runDue()
    const order = await store.read()
    expect(order).toMatchObject({ status: 'partially_fulfilled', expected_number_of_shipments: 2 })
    expect(sent(order)).toEqual(['00340434161094042557'])
    expect(quantities(order.products)).toContainEqual(['Socks', 1])
    expect(await waiting(store)).toBe(0)
  })
})

describe('existing orders with many details', () => {
  it('are read in pages that end after 40 of them, each order once', async () => {
    const { shop, fake, order } = await open()
    const status = { id: 77, key: '_fulfillment_status', value: 'fulfilled' }
    fake.orders = Array.from({ length: 90 }, (_, index) => {
      const second = `:${String(index % 60).padStart(2, '0')}`
      const minute = order.date_created_gmt.slice(0, 14) + (index < 60 ? '10' : '11') + second
      return { ...order, id: 1_000 + index, number: `${1_000 + index}`, date_created_gmt: minute, meta_data: [status] }
    })
    for (const { id } of fake.orders) {
      fake.fulfilments?.set(id, [fulfilmentOf(id, { [jacket]: 1 }, { _tracking_number: `NUMBER${id}` })])
    }
    const read: string[] = []
    fake.intercept = (path) => void read.push(path)
    const { body } = await shop.as('admin').post('/backfills', { system: 'woocommerce', days: 90 })
    await service.workers?.backfills.runDue()
    expect((await shop.as('viewer').get(`/backfills/${body.id}`)).body).toMatchObject({
      status: 'completed',
      created: 90,
      failed: 0,
    })
    const details = read.filter((path) => path.endsWith('/fulfillments'))
    expect(new Set(details).size).toBe(90)
    expect(details).toHaveLength(90)
    expect(read.length - details.length).toBe(3)
  })
})

describe('WooCommerce that fails', () => {
  it('is called again later, and loses nothing', async () => {
    const store = await open()
    store.refund({ [socks]: 1 }, '7.50')
    await store.send()
    store.fake.intercept = (path) =>
      path.endsWith('/refunds') ? { status: 500, body: 'Error establishing a database connection' } : undefined
    await store.fetchAll()
    const problem = async () => (await store.shop.as('viewer').get('/connections')).body.shop_systems[2]
    expect(await problem()).toMatchObject({
      state: 'failing',
      problem: { message: expect.stringContaining('fetched') },
    })
    store.fake.intercept = undefined
    await store.fetchAll()
    expect(quantities((await store.read()).products)).toContainEqual(['Socks', 2])
    clock.advance(minuteMs)
    await store.fetchAll()
    expect(quantities((await store.read()).products)).toContainEqual(['Socks', 1])
    expect(await problem()).toMatchObject({ name: 'woocommerce', state: 'connected', problem: null })
  })

  it('is not called for as long as it requests', async () => {
    const store = await open()
    store.refund({ [socks]: 1 }, '7.50')
    await store.send()
    store.fake.intercept = () => ({ status: 429, headers: { 'retry-after': '120' }, body: '{}' })
    await store.fetchAll()
    store.fake.intercept = undefined
    clock.advance(minuteMs)
    await store.fetchAll()
    expect(paths(store)).toEqual(['orders'])
    clock.advance(2 * minuteMs)
    await store.fetchAll()
    expect(quantities((await store.read()).products)).toContainEqual(['Socks', 1])
  })

  it('is not called any longer once its key was removed', async () => {
    const store = await open()
    store.refund({ [socks]: 1 }, '7.50')
    await store.send()
    await store.shop.as('admin').delete('/keys/woocommerce')
    await store.fetchAll()
    expect(paths(store)).toEqual([])
    expect(await waiting(store)).toBe(0)
  })
})

describe('node that dies', () => {
  it('between its reply and the fetch loses nothing', async () => {
    const store = await open()
    store.refund({ [socks]: 1 }, '7.50')
    await store.send()
    // It has claimed the queue, and died.
    clock.advance(3_000)
    await sql`update woocommerce_fetch_queues set blocked_until = ${new Date(clock.now().getTime() + 3 * minuteMs)}`.execute(
      database.db,
    )
    await store.fetchAll()
    expect(paths(store)).toEqual([])
    clock.advance(3 * minuteMs)
    await store.fetchAll()
    expect(quantities((await store.read()).products)).toContainEqual(['Socks', 1])
  })

  it('before it has scheduled the fetch loses nothing', async () => {
    const store = await open()
    store.refund({ [socks]: 1 }, '7.50')
    await store.send()
    await sql`update woocommerce_fetch_queues set fetch_at = null`.execute(database.db)
    clock.advance(2 * minuteMs)
    await store.fetchAll()
    expect(paths(store)).toEqual([])
    await service.schedule.tick()
    await store.fetchAll()
    expect(quantities((await store.read()).products)).toContainEqual(['Socks', 1])
  })
})
