import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { detectCarriers } from '../../src/adapters/carriers/detect.ts'
import { type Claim, claimStatuses } from '../../src/claims/claims/schema.ts'
import type { Demo } from '../../src/installation/demo/build.ts'
import { demoClaims } from '../../src/installation/demo/claims.ts'
import { customers } from '../../src/installation/demo/customers.ts'
import { numberedEverydayOrders, numberedOrders, scannedParcels, toUpsert } from '../../src/installation/demo/orders.ts'
import { productNames } from '../../src/installation/demo/products.ts'
import { timeOf } from '../../src/installation/demo/scans.ts'
import { isDemoWanted } from '../../src/installation/setup/open-demo.ts'
import { demoGuide } from '../../src/installation/setup/welcome.ts'
import { BulkUpsert, type Order } from '../../src/orders/orders/schema.ts'
import { phases } from '../../src/platform/catalogue/catalogue.ts'
import { after, dayMs, hourMs } from '../../src/platform/foundation/clock.ts'
import { createValidator } from '../../src/platform/foundation/validate.ts'
import type { Database } from '../../src/platform/store/database.ts'
import type { Service } from '../../src/service.ts'
import { EvaluationMemory, evaluateExceptions } from '../../src/tracking/exceptions/evaluate.ts'
import { type Call, call, clock, logLines, openTestDatabase, startTestService, testConfig } from '../harness/service.ts'

let database: Database
let service: Service

beforeAll(async () => {
  database = await openTestDatabase()
  service = await startTestService({ DEMO: '', NODE_ENV: 'production' }, { ...database, close: async () => {} })
})

afterAll(() => service.stop())

type Start = [start: string, engine: 'embedded' | 'postgres', isFirst: boolean, settings: object, isWanted: boolean]

describe('store without a demo shop', () => {
  const demoWith = async (settings: Record<string, string>) => (await startTestService(settings, database)).demo

  it('is the result of a first start in production', async () => expect(await service.demo).toBeUndefined())

  it('does not get one at a later start', async () => {
    expect(await demoWith({ DEMO: '' })).toBeUndefined()
    expect(await demoWith({ DEMO: '0' })).toBeUndefined()
  })

  it('does not replace an existing shop called demo', async () => {
    await call('POST', '/v1/shops', { body: { name: 'Mine', slug: 'demo' } }, service)
    expect(await demoWith({ DEMO: '1' })).toBeUndefined()
    expect((await call('GET', '/v1/shops/demo/orders', {}, service)).body).toEqual([])
    await call('DELETE', '/v1/shops/demo', {}, service)
  })

  // That a first start makes one is followed in the guide.
  it.each<Start>([
    ['a first start on the embedded store', 'embedded', true, {}, true],
    ['a first start in production', 'embedded', true, { NODE_ENV: 'production' }, false],
    ['a first start on PostgreSQL', 'postgres', true, {}, false],
    ['a later start', 'embedded', false, {}, false],
    ['a first start with DEMO=0', 'embedded', true, { DEMO: '0' }, false],
    ['any start with DEMO=1', 'postgres', false, { DEMO: '1', NODE_ENV: 'production' }, true],
  ])('gets one at %s: %4$s', (_start, engine, isFirstStart, ...[settings, isWanted]) => {
    expect(isDemoWanted(testConfig({ DEMO: '', ...settings }), engine, isFirstStart)).toBe(isWanted)
  })
})

describe('demo shop of a start with DEMO=1, in production too', () => {
  let demo: Demo
  let orders: Order[]

  const get = (path: string, query: Call['query'] = {}) => call('GET', `/v1/shops/demo${path}`, { query }, service)
  const dayBefore = (days: number) =>
    after(clock.now(), -days * dayMs)
      .toISOString()
      .slice(0, 10)
  const trackings = () => orders.flatMap((order) => order.trackings)
  const eventKeys = () => trackings().flatMap(({ events }) => events.map(({ event_key }) => event_key))

  beforeAll(async () => {
    await service.stop()
    service = await startTestService({ DEMO: '1', NODE_ENV: 'production' }, database)
    const made = await service.demo
    expect(logLines.find((line) => line.includes('the demo shop could not be created'))).toBeUndefined()
    if (made === undefined) throw new Error('no demo shop was made')
    demo = made
    const pages = await Promise.all([1, 2, 3, 4, 5].map((page) => get('/orders', { page, per_page: 100 })))
    orders = pages.flatMap(({ body }) => body)
  })

  it('has a name, addresses and colours of its own', async () => {
    expect((await get('')).body).toMatchObject({
      name: 'River & Pine',
      language: 'en',
      shop_faq_url: 'https://river-and-pine.example/faq',
    })
    expect((await get('/settings/brand-palette')).body.primary_dark).toBe('#1E4637')
  })

  it('has orders of half a year, in many countries and several currencies', () => {
    expect(orders).toHaveLength(numberedOrders.length + numberedEverydayOrders(clock.now()).length)
    const oldest = Math.min(...orders.map(({ order_placed_at }) => Date.parse(order_placed_at)))
    expect(clock.now().getTime() - oldest).toBeGreaterThan(175 * dayMs)
    expect(clock.now().getTime() - oldest).toBeLessThan(190 * dayMs)
    expect(new Set(orders.map(({ address }) => address?.country_code)).size).toBeGreaterThanOrEqual(10)
    expect(new Set(orders.map(({ currency }) => currency))).toEqual(new Set(['EUR', 'GBP', 'CHF', 'SEK', 'PLN', 'USD']))
    expect(orders.filter(({ order_analytics }) => order_analytics.source).length).toBeGreaterThan(8)
  })

  it('has more orders in each period than in the one before, and more on Sundays than on Fridays', () => {
    const daysAgo = orders.map(({ order_placed_at }) => (clock.now().getTime() - Date.parse(order_placed_at)) / dayMs)
    const within = (from: number, to: number) => daysAgo.filter((days) => days >= from && days < to).length
    for (const days of [30, 90]) expect(within(0, days)).toBeGreaterThan(1.1 * within(days, 2 * days))
    const onWeekday = (day: number) => orders.filter((order) => new Date(order.order_placed_at).getUTCDay() === day)
    expect(onWeekday(0).length).toBeGreaterThan(1.5 * onWeekday(5).length)
  })

  it('has a logo, and pictures of what it sells', async () => {
    const page = await call('GET', '/track/demo', { auth: null }, service)
    const [logo = ''] = /\/v1\/images\/logo-[\w-]+\.png/.exec(page.text) ?? []
    const pictures = new Set(
      orders.flatMap(({ products }) => products.flatMap(({ images }) => images ?? [])).map(({ src }) => src),
    )
    expect(pictures.size).toBe(productNames.length)
    for (const address of [logo, ...[...pictures].map((src) => new URL(src).pathname)]) {
      const { status, headers } = await call('GET', address, { auth: null }, service)
      expect([status, headers['content-type']], address).toEqual([200, expect.stringMatching(/^image\/(png|webp)$/)])
    }
  })

  it('has prices that add up', () => {
    for (const order of orders) {
      const items = order.products.reduce((sum, { price, quantity }) => sum + (price ?? 0) * (quantity ?? 0), 0)
      expect(order.sub_total_price).toBeCloseTo(items, 2)
      const total = (order.sub_total_price ?? 0) - order.discount_price + (order.shipping_price ?? 0)
      expect(order.total_order_price).toBeCloseTo(total, 2)
    }
  })

  it('has an order with nothing to send, and one that was sent without a number', () => {
    expect(orders.filter((order) => order.nothing_to_send)).toMatchObject([{ trackings: [] }])
    expect(orders.filter((order) => order.handed_over_without_tracking)).toMatchObject([{ status: 'placed' }])
  })

  it('has orders of every status, and some with several parcels', () => {
    const statuses = new Set(orders.map(({ status }) => status))
    expect(statuses).toEqual(new Set(['placed', 'partially_fulfilled', 'fulfilled']))
    expect(
      orders.filter((order) => order.trackings.filter(({ is_return }) => !is_return).length > 1).length,
    ).toBeGreaterThan(5)
  })

  it('has parcels in every phase that an event leads to', () => {
    const reachable = phases.filter((phase) => phase !== 'return_created')
    expect(new Set(trackings().map(({ phase }) => phase))).toEqual(new Set(reachable))
    expect(new Set(trackings().map(({ flag }) => flag))).toEqual(new Set(['normal', 'delay', 'error']))
  })

  it.each([
    'SUCCESSFULLY_DELIVERED_TO_NEIGHBOR',
    'SUCCESSFULLY_DELIVERED_AND_LEFT_AT_LETTER_BOX',
    'ARRIVED_AT_PARCEL_LOCKER',
    'ARRIVED_AT_PARCEL_SHOP',
    'DELAY_IN_TRANSPORT',
    'DELIVERY_ATTEMPTED_RECIPIENT_NOT_AT_HOME_CARD_LEFT',
    'DELIVERY_ATTEMPTED_ADDRESS_COULD_NOT_BE_FOUND',
    'SHIPMENT_LOST_IN_TRANSIT',
    'SHIPMENT_DAMAGED',
    'ORDER_CANCELLED',
    'SHIPMENT_RETURNED_TO_SENDER',
  ])('has a parcel with %s', (event) => expect(eventKeys()).toContain(event))

  it('has returns of customers, from the label to the warehouse', () => {
    const returns = trackings().filter(({ is_return }) => is_return)
    expect(returns.map(({ phase }) => phase).sort()).toEqual(['in_transit', 'order_processed', 'return_received'])
    for (const { products } of returns) expect(products[0]?.title).toBeTruthy()
  })

  it('has claims of every status, none before its parcel was on its way', async () => {
    const { claims } = (await get('/claims?kind=claim')).body
    expect(claims).toHaveLength(demoClaims.length)
    expect(new Set(claims.map(({ status }: Claim) => status))).toEqual(new Set(claimStatuses))
    for (const { created_at, updated_at, scan_date } of claims as Claim[]) {
      expect(Date.parse(created_at)).toBeGreaterThan(Date.parse(scan_date ?? ''))
      expect(Date.parse(updated_at)).toBeLessThanOrEqual(clock.now().getTime())
    }
  })

  it('offers to withdraw from a contract, and has one who did so in time', async () => {
    expect((await get('/withdrawals')).body.withdrawals).toMatchObject([
      { kind: 'withdrawal', status: 'pending', withdrawal: { is_late: false, last_day: expect.any(String) } },
    ])
  })

  it('has events with places, and pick-up points where a parcel waits', () => {
    const events = trackings().flatMap(({ events }) => events)
    expect(events.find(({ event_key }) => event_key === 'OUT_FOR_DELIVERY')).toMatchObject({
      timezone: expect.stringContaining('/'),
      location: { city: expect.any(String), latitude: expect.any(Number), longitude: expect.any(Number) },
    })
    for (const event of events.filter(({ event_key }) => event_key === 'ARRIVED_AT_PARCEL_LOCKER')) {
      expect(event.additional_info).toMatchObject({ pickup_point: expect.any(String) })
    }
  })

  it('has no event before its order or in the future', () => {
    for (const order of orders) {
      for (const { time } of order.trackings.flatMap(({ events }) => events)) {
        expect(Date.parse(time)).toBeGreaterThanOrEqual(Date.parse(order.order_placed_at))
        expect(Date.parse(time)).toBeLessThanOrEqual(clock.now().getTime())
      }
    }
  })

  it('proves some of its deliveries, by name or by place', () => {
    const proofs = trackings().flatMap(({ proof_of_delivery: proof }) => proof ?? [])
    expect(proofs.length).toBeGreaterThan(20)
    expect(proofs.some(({ received_by }) => received_by === null)).toBe(true)
    expect(proofs.some(({ received_by }) => received_by !== null)).toBe(true)
    expect(trackings().some(({ phase, proof_of_delivery: proof }) => phase === 'delivered' && proof === null)).toBe(
      true,
    )
  })

  it('shows delivery windows learnt from its own deliveries, and how accurate they were', async () => {
    const underWay = trackings().filter(({ phase, estimated_arrival }) => phase === 'in_transit' && estimated_arrival)
    expect(underWay.length).toBeGreaterThan(0)
    for (const { estimated_arrival } of underWay) expect(estimated_arrival?.source).toBe('history')
    const report = (await get('/analytics/delivery-windows')).body
    expect(report.predicted).toBeGreaterThan(0)
    expect(report.held).toBeGreaterThan(0)
  })

  it('has orders that were promised a day, with what that was based on: kept, broken and open', async () => {
    await evaluateExceptions(service.context(), new EvaluationMemory())
    const { total, routes } = (await get('/analytics/promises', { from: dayBefore(60) })).body
    expect(total.kept).toBeGreaterThan(20)
    expect(total.broken).toBeGreaterThan(0)
    expect(routes.length).toBeGreaterThan(2)
    const pages = await Promise.all([1, 2, 3].map((page) => get('/orders', { page, per_page: 100 })))
    const promises = pages.flatMap(({ body }) => body as Order[]).flatMap(({ promised_delivery: given }) => given ?? [])
    expect(promises.some(({ state }) => state === 'open' || state === 'at_risk')).toBe(true)
    for (const { basis, sample_size, source } of promises) {
      expect(source).toBe('promise')
      expect(['route', 'country', 'carrier']).toContain(basis)
      expect(sample_size).toBeGreaterThan(0)
    }
  })

  it('promises when its parcels arrive, from its own deliveries and from a table', async () => {
    const { body } = await get('/delivery-promises', { country_code: 'DE', zip_code: '10115' })
    const methods = new Map<string, { basis: string; sample_size: number; share_by_latest: number }>(
      body.promises.map((promise: { method: string }) => [promise.method, promise]),
    )
    expect([...methods.keys()]).toEqual(['Standard', 'Hermes', 'GLS', 'DPD', 'Courier'])
    expect(methods.get('Standard')?.basis).toMatch(/^(?:route|country)$/)
    expect(methods.get('Standard')?.sample_size).toBeGreaterThanOrEqual(20)
    expect(methods.get('Standard')?.share_by_latest).toBeGreaterThanOrEqual(0.9)
    expect(methods.get('Courier')).toMatchObject({ basis: 'table', sample_size: 0, share_by_latest: null })
  })

  it('sells the products of its orders, at the same prices', async () => {
    const catalogue = (await call('GET', '/v1/shops/demo/products', { query: { per_page: 100 } }, service)).body
    const priceOf = new Map(
      catalogue.map((product: { variant_id: string; price: number }) => [product.variant_id, product.price]),
    )
    const sold = orders.filter(({ currency }) => currency === 'EUR').flatMap(({ products }) => products)
    expect(sold.length).toBeGreaterThan(0)
    for (const { variant_id, price } of sold) expect(priceOf.get(variant_id)).toBe(price)
    const [first] = (await get('/products', { product_id: 'tarn' })).body
    expect(first).toMatchObject({ category: 'Rainwear', translations: { de: { title: 'Regenjacke Tarn' } } })
  })

  it('has discounts, and deals made of them in several languages', async () => {
    const discounts = (await get('/discounts')).body
    expect(discounts.map(({ type }: { type: string }) => type)).toEqual(['order', 'product', 'shipping'])
    const german = { headers: { 'accept-language': 'de' } }
    const deals = (await call('GET', '/v1/shops/demo/deals', german, service)).body
    expect(deals.map(({ rank }: { rank: number }) => rank)).toEqual([1, 2, 3])
    expect(deals[1]).toMatchObject({ title: 'Warme Füße für weniger', discount: { code: 'WARMFEET' } })
  })

  it('has campaigns of every type, and a running test that customers have seen', async () => {
    const campaigns = (await get('/campaigns')).body
    expect(new Set(campaigns.map((each: { promotion_type: string }) => each.promotion_type))).toEqual(
      new Set(['basic', 'product', 'banner']),
    )
    const [test] = (await get('/ab-tests')).body
    expect(test.status).toBe('running')
    const { variants, holdout } = (await get(`/ab-tests/${test.uuid}/results`)).body
    const seen = [...variants, holdout].reduce((sum, { exposures }) => sum + exposures, 0)
    expect(seen).toBeGreaterThan(4)
  })

  it('has a healthy and a failing webhook endpoint, each with its attempts', async () => {
    const endpoints = (await get('/webhooks')).body
    const failing = endpoints.find(({ url }: { url: string }) => url.includes('warehouse'))
    const healthy = endpoints.find(({ url }: { url: string }) => url.includes('desk'))
    expect(healthy.health).toMatchObject({ failing_since: null, last_success_at: expect.any(String) })
    expect(failing.health).toMatchObject({ failing_since: expect.any(String), last_success_at: expect.any(String) })
    expect(healthy).toMatchObject({
      conditions: [{ operator: 'gte' }],
      headers: [{ name: 'X-Desk-Key' }],
      circuit: null,
    })
    expect(failing).toMatchObject({ status: 'active', circuit: { opened_at: expect.any(String) } })
    const statusesOf = async ({ uuid }: { uuid: string }) => {
      const { body } = await get(`/webhooks/${uuid}/deliveries`, { per_page: 100 })
      return new Set(body.map(({ status }: { status: string }) => status))
    }
    expect(await statusesOf(healthy)).toEqual(new Set(['delivered']))
    const ofFailing = await statusesOf(failing)
    expect([ofFailing.has('delivered'), ofFailing.has('pending') || ofFailing.has('dead')]).toEqual([true, true])
  })

  it('has an event feed that is on', async () => {
    const feeds = await database.db.selectFrom('event_feeds').select('is_on').execute()
    expect(feeds).toEqual([{ is_on: true }])
  })

  it('has a code that nobody has mapped yet', async () => {
    expect((await get('/carriers/unmapped')).body).toMatchObject([{ provider: 'aftership', scans: 2 }])
  })

  it('has a file that was checked and has problems, and a provider that is used', async () => {
    await service.workers?.imports.runDue()
    const [found] = (await get('/imports')).body
    expect(found).toMatchObject({ filename: 'market-stall.csv', dry_run: true, status: 'completed', created: 3 })
    expect((await get(`/imports/${found.id}`)).body.problems.map(({ row }: { row: number }) => row)).toEqual([
      4, 5, 7, 8,
    ])
    const { sandbox } = (await get('/settings/carriers/providers')).body
    expect(sandbox.usage.requests_last_24_hours).toBeGreaterThan(100)
  })

  it('has colleagues, their notes and their views', async () => {
    const people = (await call('GET', '/v1/people', { query: { shop_slug: 'demo' } }, service)).body
    expect(people.map(({ name }: { name: string }) => name).sort()).toEqual([
      'Jonas Albers',
      'Mia Sommer',
      'Noor Haddad',
    ])
    const { order_id } = (await get('/shipments', { tracking_number: 'H00HXK1357734804' })).body.shipments[0]
    expect((await get('/notes', { order_id })).body).toMatchObject([{ author: 'Mia Sommer' }])
    expect((await get('/views', { screen: 'exceptions' })).body).toHaveLength(2)
  })

  it('can be searched by number, customer and zip code', async () => {
    const number = demo.trackingNumber
    const { shipments } = (await get('/shipments', { tracking_number: number })).body
    expect(shipments).toMatchObject([{ tracking_number: number, phase: 'in_transit', carrier_reference: 'dhl' }])
    const ordersOf = (email: string) => orders.filter(({ email_id }) => email_id === email).length
    const email_id = 'miriam.vogel@example.com'
    expect((await get('/orders', { email_id })).body).toHaveLength(ordersOf(email_id))
    expect((await get('/orders', { zip_code: 'EH6 5DX' })).body).toHaveLength(ordersOf('oliver.hughes@example.com'))
    expect((await get('/shipments')).body.pagination.total).toBeGreaterThan(100)
  })

  it('is announced with commands to copy when it is ready', async () => {
    const guide = demoGuide(demo, service, testConfig())
    expect(guide).toContain('The demo shop "demo" (River & Pine)')
    const commands = guide.split('\n').filter((line) => line.startsWith(`    curl -u 'admin:YOUR-API-KEY' '`))
    expect(commands).toHaveLength(3)
    const [orderPath = '', shipmentPath = '', eventPath = ''] = commands.map(
      (command) => /'https:\/\/doorstep\.example(\/[^']+)'/.exec(command)?.[1],
    )
    expect((await call('GET', orderPath, {}, service)).body).toHaveLength(3)
    expect((await call('GET', shipmentPath, {}, service)).body.shipments).toHaveLength(1)
    const body = JSON.parse(/-d '([^']+)'/.exec(commands[2] ?? '')?.[1] ?? '')
    expect((await call('POST', eventPath, { body }, service)).status).toBe(200)
  })

  it('is announced with pages that its customers see', async () => {
    const guide = demoGuide(demo, service, testConfig())
    expect(demo.pages.length).toBeGreaterThan(2)
    for (const { path } of [...demo.pages, { path: '/track/demo' }]) {
      expect(guide).toContain(`${service.url}${path}\n`)
      const { status, headers } = await call('GET', path, { auth: null }, service)
      expect({ status, type: headers['content-type'] }).toEqual({ status: 200, type: 'text/html; charset=utf-8' })
    }
  })

  it('is not created again at the next start, nor after it was deleted', async () => {
    const second = await startTestService({ DEMO: '1' }, database)
    expect(await second.demo).toBeUndefined()
    expect((await get('/orders', { per_page: 1 })).headers['x-total-count']).toBe(String(orders.length))
    expect((await call('GET', '/v1/shops', {}, second)).body).toHaveLength(1)
    await call('DELETE', '/v1/shops/demo', {}, service)
    const third = await startTestService({ DEMO: '1' }, database)
    expect(await third.demo).toBeUndefined()
    expect((await call('GET', '/v1/shops', {}, third)).body).toEqual([])
  })
})

describe('data of the demo shop', () => {
  const everyOrder = (now: Date) => [...numberedEverydayOrders(now), ...numberedOrders]

  it('is what the API would accept', () => {
    const sent = everyOrder(clock.now()).map((order) => toUpsert(order, clock.now()).upsert)
    expect(createValidator(BulkUpsert, 'body').problems(sent)).toBeUndefined()
  })

  it('has tracking numbers that fit their carriers', () => {
    for (const { parcels, sentBack, customer } of everyOrder(clock.now())) {
      for (const { trackingNumber, carrier } of [...parcels, ...(sentBack ? [sentBack] : [])]) {
        const [best] = detectCarriers({ trackingNumber, countryCode: customers[customer].country })
        expect(best?.carrier_reference, trackingNumber).toBe(carrier)
      }
    }
  })

  it('has only past events, at every hour of the week', () => {
    const monday = new Date('2026-11-02T00:00:00Z')
    for (let hour = 0; hour < 7 * 24; hour += 1) {
      const now = after(monday, hour * hourMs)
      // Of tens of thousands of times: an `expect` for each takes as long as all else.
      const wrong: string[] = []
      for (const order of everyOrder(now).slice(-200)) {
        const { upsert, sentAt } = toUpsert(order, now)
        const placedAt = Date.parse(upsert.order?.order_placed_at ?? '')
        if (!(sentAt <= now && now.getTime() - placedAt < 190 * dayMs)) wrong.push(order.number)
        for (const parcel of scannedParcels(order, now)) {
          const times = [...parcel.scans.map((scan) => timeOf(parcel, scan).getTime()), now.getTime()]
          if (times.some((time, index) => time < (times[index - 1] ?? 0))) wrong.push(parcel.trackingNumber)
        }
      }
      expect(wrong, now.toISOString()).toEqual([])
    }
  })
})
