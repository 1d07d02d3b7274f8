import { sql } from 'kysely'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ShopSystemName, shopSystemNames } from '../../src/adapters/shop-systems/registry.ts'
import { listOpenOrders } from '../../src/connections/catch-up/open-orders-store.ts'
import { dayMs, hourMs, minuteMs, secondMs } from '../../src/platform/foundation/clock.ts'
import type { Service } from '../../src/service.ts'
import { type ConnectedShop, connectWithOrders } from '../harness/backfills.ts'
import { shopIdOf } from '../harness/customers.ts'
import { settle } from '../harness/deliveries.ts'
import { upsertOf } from '../harness/orders.ts'
import { type Receiver, startReceiver } from '../harness/receiver.ts'
import { clock, openTestDatabase, startTestService } from '../harness/service.ts'
import {
  shopifyOrders,
  shopwareOrders,
  trackingNumberOf,
  wooCommerceOrders,
} from '../harness/shop-system-servers/orders.ts'
import type { Payload } from '../harness/shop-systems.ts'

const database = await openTestDatabase()
const settings = { WEBHOOK_ALLOW_PRIVATE: 'on' }
/** The node that tests call; `service` has the workers, and is stopped and started. */
const api = await startTestService({ ...settings, ROLE: 'api' }, { ...database, close: async () => {} })
const startOne = async () => {
  const service = await startTestService(settings, { ...database, close: async () => {} })
  // Jobs run only when a test starts them.
  await service.schedule.stop()
  return service
}
let service: Service

const opened: { close(): Promise<void> }[] = []
beforeEach(async () => {
  service = await startOne()
})
afterEach(async () => {
  await service.stop()
  clock.reset()
  for (const fake of opened.splice(0)) await fake.close()
  // Those of the tests before are not due again.
  await sql`update shop_system_catch_ups set due_at = due_at + interval '10 years'`.execute(database.db)
})
afterAll(async () => {
  await api.stop()
  await database.close()
})

const makeOrders = { shopify: shopifyOrders, shopware: shopwareOrders, woocommerce: wooCommerceOrders }

/** A shop whose shop system is connected and has no orders yet, after the first run. */
async function connect(system: ShopSystemName, fields: Record<string, unknown> = {}): Promise<ConnectedShop> {
  const connected = await connectWithOrders(api, system, { count: 0, days: 1 }, fields)
  opened.push(connected)
  if (system === 'shopify') await connected.shop.as('admin').post('/connections/shopify/webhooks')
  await open()
  await run()
  return connected
}

/** Orders are placed in the shop system during the hours before now; nobody reports them. */
function place(connected: ConnectedShop, system: ShopSystemName, count: number, hours: number): Payload[] {
  const orders = makeOrders[system]({ count, days: hours / 24, now: clock.now() })
  connected.add(orders)
  return orders
}

const open = (at: Service = service) => at.schedule.run('catch-ups')
const run = (at: Service = service) => at.workers?.catchUps.runDue()

/** Runs again once it is due. */
async function runNext(): Promise<void> {
  clock.advance(20 * minuteMs)
  await run()
}

async function found({ shop }: ConnectedShop, system: ShopSystemName) {
  const { body } = await shop.as('viewer').get('/connections')
  return body.shop_systems.find(({ name }: { name: string }) => name === system)
}

const countOf = async ({ shop }: ConnectedShop, table: string): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ${sql.table(table)} where shop_id = ${await shopIdOf(api, shop)}`.execute(
    database.db,
  )
  return rows[0]?.count ?? 0
}

/** An endpoint that receives everything. */
async function listen({ shop }: ConnectedShop): Promise<Receiver> {
  const receiver = await startReceiver()
  opened.push(receiver)
  await shop.as('admin').post('/webhooks', { url: receiver.url })
  return receiver
}

/** How many notices there are, of how many different events, about how many shipments. */
async function announced({ shop }: ConnectedShop): Promise<{ all: number; different: number; shipments: number }> {
  const { rows } = await sql<{ all: number; different: number; shipments: number }>`
    select count(*)::int as all, count(distinct (shipment_id, event_name))::int as different,
      count(distinct shipment_id)::int as shipments
    from notifications where shop_id = ${await shopIdOf(api, shop)}`.execute(database.db)
  return rows[0] ?? { all: 0, different: 0, shipments: 0 }
}

/** The place and transaction of each of the shop's rows: both change when a row is written. */
async function versionsOf({ shop }: ConnectedShop): Promise<unknown[]> {
  const id = await shopIdOf(api, shop)
  const tables = ['orders', 'shipments', 'shipment_events', 'shop_system_orders', 'notifications', 'deliveries']
  const versions: unknown[] = []
  for (const table of tables) {
    const { rows } = await sql`
      select ${table} as name, xmin::text as written_by, ctid::text as place from ${sql.table(table)}
      where shop_id = ${id} order by ctid`.execute(database.db)
    versions.push(rows)
  }
  return versions
}

/** As a plug-in does that writes by SQL: no date moves, and no webhook is sent. */
function writeNumber(order: Payload, system: ShopSystemName, number: string): void {
  if (system === 'shopware') order.deliveries[0].trackingCodes = [number]
  else if (system === 'woocommerce') {
    const value = [{ tracking_provider: 'dhl', tracking_number: number, date_shipped: '1762300800' }]
    order.meta_data = [{ id: 1, key: '_wc_shipment_tracking_items', value }]
  } else {
    const { id, created_at, line_items } = order
    const times = { created_at, updated_at: created_at }
    const tracking = { tracking_company: 'DHL', tracking_number: number, tracking_numbers: [number] }
    order.fulfillments = [{ id: id + 1, order_id: id, status: 'success', ...times, ...tracking, line_items }]
  }
}

describe.each(shopSystemNames)('a service that was down while orders came in to %s', (system) => {
  it('has them all after its start, and announces each once', async () => {
    const connected = await connect(system)
    const receiver = await listen(connected)
    await service.stop()
    clock.advance(6 * hourMs)
    place(connected, system, 14, 5)

    service = await startOne()
    await run()
    await settle(service)
    expect(await countOf(connected, 'orders')).toBe(14)
    const { all, different, shipments } = await announced(connected)
    expect(all).toBe(different)
    expect(shipments).toBe(14)
    expect(receiver.received).toHaveLength(all)
    const { catch_up } = await found(connected, system)
    expect(catch_up).toMatchObject({ created: 14, failed: 0, missed: 14, problem: null, problems: [] })
    expect(catch_up.caught_up_at).not.toBeNull()
  })

  it('changes, writes and announces nothing when it reads them again', async () => {
    const connected = await connect(system)
    clock.advance(6 * hourMs)
    place(connected, system, 14, 1)
    await run()
    const receiver = await listen(connected)
    await settle(service)
    // The overlap of the first time brings nothing new either.
    const versions = await versionsOf(connected)
    await runNext()
    await runNext()
    await settle(service)
    expect(await versionsOf(connected)).toEqual(versions)
    const { catch_up } = await found(connected, system)
    expect(catch_up).toMatchObject({ created: 0, updated: 0, missed: 14 })
    expect(catch_up.read).toBeGreaterThan(0)
    expect(receiver.received).toEqual([])
  })

  it('changes nothing with webhooks that arrive late', async () => {
    const connected = await connect(system)
    clock.advance(6 * hourMs)
    const orders = place(connected, system, 7, 5)
    await run()
    const receiver = await listen(connected)
    await settle(service)
    const versions = await versionsOf(connected)
    for (const order of orders) expect((await connected.report(order)).status).toBe(200)
    clock.advance(5 * secondMs)
    await service.workers?.orderFetcher.runDue()
    await settle(service)
    expect(await versionsOf(connected)).toEqual(versions)
    expect(receiver.received).toEqual([])
  })

  it('finds a number that was written without moving a date', async () => {
    const connected = await connect(system)
    clock.advance(6 * hourMs)
    const orders = place(connected, system, 7, 5)
    await run()
    const index = orders.findIndex((_, position) => position === 4)
    const order = orders[index]
    if (!order) throw new Error('there are 7')
    // Longer ago than any period that is read.
    for (let round = 0; round < 9; round += 1) await runNext()
    const receiver = await listen(connected)
    const number = trackingNumberOf(777)
    writeNumber(order, system, number)
    await runNext()
    await settle(service)
    const { body } = await connected.shop.as('viewer').get('/shipments', { tracking_number: number })
    expect(body.shipments).toHaveLength(1)
    expect(receiver.received.filter(({ text }) => text.includes(number)).length).toBeGreaterThan(0)
    expect((await found(connected, system)).catch_up).toMatchObject({ created: 0, updated: 1 })
  })

  it('finds a change of an old order', async () => {
    const connected = await connect(system)
    clock.advance(2 * hourMs)
    const [order] = place(connected, system, 1, 1)
    if (!order) throw new Error('there is one')
    await run()
    clock.advance(10 * dayMs)
    await run()
    const number = trackingNumberOf(778)
    writeNumber(order, system, number)
    const now = clock.now().toISOString()
    if (system === 'shopify') {
      order.updated_at = now
      order.fulfillments[0].updated_at = now
    } else if (system === 'woocommerce') order.date_modified_gmt = now.slice(0, 19)
    else order.deliveries[0].updatedAt = now
    // Our own order of that age is found by its change only.
    await sql`update shipments set created_at = created_at - interval '60 days' where shop_id = ${await shopIdOf(api, connected.shop)}`.execute(
      database.db,
    )
    await runNext()
    const { body } = await connected.shop.as('viewer').get('/shipments', { tracking_number: number })
    expect(body.shipments).toHaveLength(1)
  })

  it('reads nothing from before the connection began', async () => {
    const connected = await connectWithOrders(api, system, { count: 8, days: 2 })
    opened.push(connected)
    for (const order of connected.orders) {
      // Nor what had changed before.
      if (system === 'woocommerce') order.date_modified_gmt = order.date_created_gmt
    }
    await connected.shop.as('admin').post(`/connections/${system}/catch-up`)
    await run()
    clock.advance(10 * minuteMs)
    await connected.shop.as('admin').post(`/connections/${system}/catch-up`)
    await run()
    expect(await countOf(connected, 'orders')).toBe(0)
    expect((await found(connected, system)).catch_up).toMatchObject({ read: 0, missed_at: null })
  })
})

describe('catching up', () => {
  it('respects how long the store wants us to wait, and continues where it stopped', async () => {
    const connected = await connect('woocommerce')
    clock.advance(6 * hourMs)
    place(connected, 'woocommerce', 110, 5)
    const pages: number[] = []
    connected.beforePage((page) => {
      pages.push(page)
      return pages.length === 2 ? { status: 429, body: '{}', headers: { 'retry-after': '90' } } : undefined
    })
    await run()
    const waiting = (await found(connected, 'woocommerce')).catch_up
    expect(waiting.problem).toEqual({ key: 'bad_gateway', message: 'WooCommerce was called too often.' })
    expect(Date.parse(waiting.next_at) - clock.now().getTime()).toBeGreaterThan(60 * secondMs)
    expect(await countOf(connected, 'orders')).toBe(100)
    clock.advance(30 * secondMs)
    await run()
    expect(pages).toHaveLength(2)
    clock.advance(90 * secondMs)
    await run()
    const { catch_up } = await found(connected, 'woocommerce')
    expect(catch_up).toMatchObject({ created: 110, missed: 110, problem: null })
    expect(await countOf(connected, 'orders')).toBe(110)
  })

  it('backs off while the store fails, says so, and catches up when it works again', async () => {
    const connected = await connect('shopware')
    clock.advance(6 * hourMs)
    place(connected, 'shopware', 10, 5)
    let isDown = true
    let requests = 0
    connected.beforePage(() => {
      requests += 1
      return isDown ? { status: 503, body: 'down for maintenance' } : undefined
    })
    const pauses: number[] = []
    for (let attempt = 0; attempt < 4; attempt += 1) {
      await run()
      const { catch_up } = await found(connected, 'shopware')
      expect(catch_up.problem).toEqual({ key: 'bad_gateway', message: 'Shopware could not be reached.' })
      pauses.push(Math.round((Date.parse(catch_up.next_at) - clock.now().getTime()) / minuteMs))
      clock.advance(Date.parse(catch_up.next_at) - clock.now().getTime() + secondMs)
    }
    expect(pauses).toEqual([1, 2, 4, 8])
    expect(requests).toBe(4)
    const failing = await found(connected, 'shopware')
    expect(failing).toMatchObject({ state: 'failing', problem: { key: 'bad_gateway' } })
    isDown = false
    await run()
    const connection = await found(connected, 'shopware')
    expect(connection).toMatchObject({ state: 'connected', problem: null, catch_up: { created: 10, problem: null } })
  })

  it('tries new credentials at once', async () => {
    const connected = await connect('woocommerce')
    clock.advance(hourMs)
    let isRevoked = true
    connected.beforePage(() => (isRevoked ? { status: 401, body: '{}' } : undefined))
    for (let attempt = 0; attempt < 8; attempt += 1) {
      await run()
      clock.advance(hourMs)
    }
    await run()
    const { catch_up } = await found(connected, 'woocommerce')
    expect(catch_up.problem).toMatchObject({ message: 'WooCommerce rejects the credentials. Set new ones.' })
    isRevoked = false
    await connected.renew()
    await open()
    await run()
    expect((await found(connected, 'woocommerce')).catch_up).toMatchObject({ problem: null })
    expect(Date.parse((await found(connected, 'woocommerce')).catch_up.caught_up_at)).toBeCloseTo(
      clock.now().getTime(),
      -4,
    )
  })

  it('is done once by several nodes', async () => {
    const connected = await connect('woocommerce')
    clock.advance(6 * hourMs)
    place(connected, 'woocommerce', 20, 5)
    const other = await startOne()
    opened.push({ close: () => other.stop() })
    let pages = 0
    connected.beforePage(() => {
      pages += 1
      return undefined
    })
    await Promise.all([run(), run(other), run(), run(other)])
    // Placed, changed and open orders: one request for each.
    expect(pages).toBe(3)
    expect(await countOf(connected, 'orders')).toBe(20)
  })

  it('is resumed by another node if one dies in the middle', async () => {
    const connected = await connect('woocommerce')
    await listen(connected)
    clock.advance(6 * hourMs)
    place(connected, 'woocommerce', 110, 5)
    const other = await startOne()
    opened.push({ close: () => other.stop() })
    let pages = 0
    connected.beforePage(() => {
      pages += 1
      if (pages === 2) {
        // The worker hangs longer than its lease.
        clock.advance(6 * minuteMs)
        other.workers?.catchUps.wake()
      }
      return undefined
    })
    await Promise.all([run(), run(other)])
    await run(other)
    await run()
    expect(await countOf(connected, 'orders')).toBe(110)
    expect((await found(connected, 'woocommerce')).catch_up).toMatchObject({ created: 110, problem: null })
    await settle(service)
    const { all, different, shipments } = await announced(connected)
    expect(all).toBe(different)
    expect(shipments).toBe(110)
  })

  it('skips an order that cannot be written and says which', async () => {
    const connected = await connect('shopify')
    clock.advance(6 * hourMs)
    const [, second] = place(connected, 'shopify', 12, 5)
    if (!second) throw new Error('there are 12')
    for (const name of ['order_number', 'number', 'name']) delete second[name]
    await connected.shop.as('editor').put('/orders', upsertOf('1001', { external_id: 'elsewhere' }))
    await run()
    const { catch_up } = await found(connected, 'shopify')
    expect(catch_up).toMatchObject({ created: 10, failed: 2, problem: null })
    expect(catch_up.problems).toEqual([
      { order: '#1001', key: 'order_exists', message: expect.any(String) },
      { order: String(second.id), key: 'invalid_payload', message: expect.any(String) },
    ])
  })

  it('is not kept from new orders by open ones that the store cannot return', async () => {
    const connected = await connect('woocommerce')
    clock.advance(6 * hourMs)
    place(connected, 'woocommerce', 7, 5)
    await run()
    const caughtUp = (await found(connected, 'woocommerce')).catch_up.caught_up_at
    let requests = 0
    connected.beforePage(() => {
      requests += 1
      return requests % 3 === 0 ? { status: 500, body: 'fatal error' } : undefined
    })
    await runNext()
    const { catch_up } = await found(connected, 'woocommerce')
    expect(catch_up.problem).toMatchObject({ message: 'WooCommerce could not be reached.' })
    expect(Date.parse(catch_up.caught_up_at)).toBeGreaterThan(Date.parse(caughtUp))
  })

  it('does not read orders again that only wait for the number of a return', async () => {
    const connected = await connect('woocommerce')
    clock.advance(6 * hourMs)
    place(connected, 'woocommerce', 7, 5)
    await run()
    await settle(service)
    const shop = await database.db
      .selectFrom('shops')
      .where('slug', '=', connected.shop.slug)
      .selectAll()
      .executeTakeFirstOrThrow()
    const since = new Date(clock.now().getTime() - dayMs)
    const listOpen = async () =>
      (await listOpenOrders({ ...api.context(), shop }, 'woocommerce', { after: undefined, since, limit: 9 })).ids
    const [external_id = '', ...others] = await listOpen()
    const editor = connected.shop.as('editor')
    const [order] = (await editor.get('/orders', { external_id })).body
    const parcel = { tracking_number: 'OUT-1', carrier_reference: 'dhl' }
    expect((await editor.put('/orders', { id: order.order_number, trackings: [parcel] })).status).toBe(200)
    expect(await listOpen()).toEqual(others)
    const back = { order_id: order.uuid, order_id_type: 'uuid', direction: 'customer_merchant' }
    expect((await editor.post('/shipments', back)).body.tracking_number).toBeNull()
    expect(await listOpen()).toEqual(others)
  })

  it('touches no order that the store no longer has', async () => {
    const connected = await connect('woocommerce')
    clock.advance(6 * hourMs)
    place(connected, 'woocommerce', 7, 5)
    await run()
    await settle(service)
    const versions = await versionsOf(connected)
    connected.orders.splice(0)
    await runNext()
    expect(await versionsOf(connected)).toEqual(versions)
    expect((await found(connected, 'woocommerce')).catch_up).toMatchObject({ read: 0, problem: null })
  })

  it('does not happen for a shop that is paused or deleted', async () => {
    const [paused, deleted] = [await connect('woocommerce'), await connect('woocommerce')]
    let pages = 0
    for (const connected of [paused, deleted]) {
      connected.beforePage(() => {
        pages += 1
        return undefined
      })
    }
    await paused.shop.as('superadmin').post('/pause')
    await deleted.shop.as('superadmin').delete('')
    clock.advance(hourMs)
    await open()
    await run()
    expect(pages).toBe(0)
    await paused.shop.as('superadmin').delete('/pause')
    await run()
    expect(pages).toBeGreaterThan(0)
  })

  it('ends with the credentials', async () => {
    const connected = await connect('woocommerce')
    let pages = 0
    connected.beforePage(() => {
      pages += 1
      return undefined
    })
    const admin = connected.shop.as('admin')
    await admin.delete('/keys/woocommerce')
    expect((await found(connected, 'woocommerce')).catch_up).toBeNull()
    const { status, body } = await admin.post('/connections/woocommerce/catch-up')
    expect(`${status} ${body.key}`).toBe('404 partner_key_not_found')
    clock.advance(hourMs)
    await run()
    expect(pages).toBe(0)
    await open()
    expect(await countOf(connected, 'shop_system_catch_ups')).toBe(0)
  })

  it('needs more of Shopify than the token to which events are sent', async () => {
    const connected = await connectWithOrders(api, 'shopify', { count: 3, days: 1 })
    opened.push(connected)
    await open()
    expect((await found(connected, 'shopify')).catch_up).toBeNull()
    await connected.shop.as('admin').post('/connections/shopify/webhooks')
    await open()
    expect((await found(connected, 'shopify')).catch_up).toMatchObject({ caught_up_at: null, read: 0 })
  })

  it('can be asked for, by admins only, and twice is once', async () => {
    const connected = await connect('woocommerce')
    clock.advance(5 * minuteMs)
    place(connected, 'woocommerce', 4, 0.05)
    await run()
    expect(await countOf(connected, 'orders')).toBe(0)
    const path = '/connections/woocommerce/catch-up'
    expect((await connected.shop.as('viewer').post(path)).status).toBe(403)
    const { body } = await connected.shop.as('admin').post(path)
    expect(Date.parse(body.next_at)).toBeLessThanOrEqual(clock.now().getTime())
    expect((await connected.shop.as('admin').post(path)).status).toBe(200)
    await run()
    expect(await countOf(connected, 'orders')).toBe(4)
  })
})
