import { get, type IncomingMessage } from 'node:http'
import { parse } from 'csv-parse/sync'
import { type KyselyPlugin, sql } from 'kysely'
import { afterAll, afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { csvCell } from '../../src/orders/exports/operations.ts'
import { dayMs } from '../../src/platform/foundation/clock.ts'
import { guardFormulas, unguardFormulas } from '../../src/platform/foundation/spreadsheet.ts'
import type { Service } from '../../src/service.ts'
import { importFile } from '../harness/imports.ts'
import { createOrder } from '../harness/orders.ts'
import { loadRows } from '../harness/plans.ts'
import { call, clock, openTestDatabase, startTestService, superadmin } from '../harness/service.ts'
import { makeShop, type ShopCaller } from '../harness/shop.ts'

afterEach(() => clock.reset())

type Line = Record<string, string>

async function exported(shop: ShopCaller, query: Record<string, string> = {}): Promise<Line[]> {
  const { status, text } = await shop.get('/exports/shipments.csv', query)
  expect(status).toBe(200)
  return parse(text, { columns: true }) as Line[] // an object for each row
}

const numbersOf = (lines: Line[]) => lines.map((line) => line.tracking_number)

describe('export of shipments', () => {
  it('is a file with a row per shipment, including its order', async () => {
    const test = await makeShop()
    const order = await createOrder(test.as('editor'), {}, [{ tracking_number: 'T-1', carrier_reference: 'dhl' }])
    const { status, headers, text } = await test.as('viewer').get('/exports/shipments.csv')
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(headers['content-disposition']).toMatch(/^attachment; filename="shipments-[\w-]+-\d{4}-\d{2}-\d{2}\.csv"$/)
    expect(text.endsWith('\r\n')).toBe(true)
    expect(parse(text, { columns: true })).toEqual([
      expect.objectContaining({
        shipment_id: order.trackings[0].uuid,
        order_number: order.order_number,
        external_id: order.external_id,
        email_id: order.email_id,
        city: 'Berlin',
        zip_code: '10115',
        phone: "'+49 30 1234567",
        tracking_number: 'T-1',
        carrier_reference: 'dhl',
        phase: 'order_processed',
        current_event_key: 'ORDER_PROCESSED',
      }),
    ])
  })

  it('has every shipment once and in order, across many batches', async () => {
    const shop = (await makeShop()).as('editor')
    const upserts = Array.from({ length: 1_000 }, (_, index) => ({
      id: `n${index}`,
      order: { address: { zip_code: '10115' } },
      // Every third stays a draft: both kinds are merged.
      trackings: index % 3 === 0 ? [] : [{ tracking_number: `T${index}` }],
    }))
    for (const half of [upserts.slice(0, 500), upserts.slice(500)]) {
      expect((await shop.put('/orders/bulk', half)).status).toBe(200)
    }
    const lines = await exported(shop)
    expect(lines.map(({ order_number }) => order_number).sort()).toEqual(upserts.map(({ id }) => id).sort())
    const times = lines.map(({ shipment_created_at }) => shipment_created_at ?? '')
    expect(times).toEqual([...times].sort())
    expect(await exported(shop, { include_drafts: 'false' })).toHaveLength(
      upserts.filter(({ trackings }) => trackings.length > 0).length,
    )
    expect(await exported(shop, { updated_from: '2020-01-01' })).toHaveLength(1_000)
  })

  it('has the shipments of the requested period, by default of the last 90 days', async () => {
    const shop = (await makeShop()).as('editor')
    const start = clock.now()
    const day = (days: number) => new Date(start.getTime() + days * dayMs).toISOString()
    await createOrder(shop, {}, [{ tracking_number: 'OLD' }])
    clock.advance(80 * dayMs)
    await createOrder(shop, {}, [{ tracking_number: 'MIDDLE' }])
    clock.advance(20 * dayMs)
    await createOrder(shop, {}, [{ tracking_number: 'NEW' }])
    await shop.post('/shipment-events', { id: 'OLD', event_name: 'OUT_FOR_DELIVERY' })
    expect(numbersOf(await exported(shop))).toEqual(['MIDDLE', 'NEW'])
    expect(numbersOf(await exported(shop, { created_from: day(-1) }))).toEqual(['OLD', 'MIDDLE', 'NEW'])
    expect(numbersOf(await exported(shop, { created_to: day(85) }))).toEqual(['OLD', 'MIDDLE'])
    expect(numbersOf(await exported(shop, { created_to: day(98) }))).toEqual(['MIDDLE'])
    expect(numbersOf(await exported(shop, { updated_from: day(99) }))).toEqual(['NEW', 'OLD'])
    expect(numbersOf(await exported(shop, { updated_from: day(99), created_to: day(1) }))).toEqual(['OLD'])
    expect(numbersOf(await exported(shop, { updated_to: day(90) }))).toEqual(['MIDDLE'])
    expect(numbersOf(await exported(shop, { created_from: day(-1), created_to: day(-0.5) }))).toEqual([])
  })

  it('has what was created at the first and at the last moment of the period', async () => {
    const shop = (await makeShop()).as('editor')
    await createOrder(shop, {}, [{ tracking_number: 'EDGE' }])
    const [line] = await exported(shop)
    const at = Date.parse(line?.shipment_created_at ?? '')
    const moment = (ms: number) => new Date(at + ms).toISOString()
    const found = async (from: number, to: number) =>
      numbersOf(await exported(shop, { created_from: moment(from), created_to: moment(to) }))
    expect(await found(-1, 0)).toEqual(['EDGE'])
    expect(await found(0, 1)).toEqual(['EDGE'])
    expect(await found(-2, -1)).toEqual([])
    expect(await found(1, 2)).toEqual([])
    const changed = Date.parse((await exported(shop))[0]?.shipment_updated_at ?? '')
    const updated_to = new Date(changed).toISOString()
    expect(numbersOf(await exported(shop, { updated_to }))).toEqual(['EDGE'])
    expect(numbersOf(await exported(shop, { updated_from: updated_to }))).toEqual(['EDGE'])
  })

  it('has only its header in a shop without shipments, and no body for HEAD', async () => {
    const { slug, as } = await makeShop()
    const { text } = await as('viewer').get('/exports/shipments.csv')
    expect(text).toMatch(/^shipment_id,[^\r\n]+\r\n$/)
    const head = await call('HEAD', `/v1/shops/${slug}/exports/shipments.csv`)
    expect(head).toMatchObject({ status: 200, text: '' })
    expect(head.headers['content-type']).toBe('text/csv; charset=utf-8')
  })

  it('rejects invalid times', async () => {
    const shop = (await makeShop()).as('viewer')
    expect(await shop.get('/exports/shipments.csv', { created_from: 'soon' })).toMatchObject({
      status: 422,
      body: { errors: [{ loc: ['query', 'created_from'] }] },
    })
  })

  it('gives spreadsheets nothing to calculate', async () => {
    const shop = (await makeShop()).as('editor')
    const order_name = '=HYPERLINK("https://evil.example","click")'
    await createOrder(shop, { order_name, external_customer_id: 'x' }, [{ tracking_number: '@SUM(1)' }])
    const { text } = await shop.get('/exports/shipments.csv')
    expect(text).toContain(`"'=HYPERLINK(""https://evil.example"",""click"")"`)
    expect(text).toContain(",'@SUM(1),")
    expect(['=1', '+1', '-1+1', '@a', '\ta', '\ra', '\na'].map(csvCell)).toEqual([
      "'=1",
      "'+1",
      "'-1+1",
      "'@a",
      `"'\ta"`,
      `"'\ra"`,
      `"'\na"`,
    ])
    expect(['a=1', '1-2', '', 'a"b', 'a,b', 'a\nb', null].map(csvCell)).toEqual([
      'a=1',
      '1-2',
      '',
      '"a""b"',
      '"a,b"',
      '"a\nb"',
      '',
    ])
  })

  it('gives spreadsheets that separate cells by semicolons nothing to calculate either', async () => {
    const shop = (await makeShop()).as('editor')
    await createOrder(shop, { order_name: 'x;=1+1;' }, [{ tracking_number: 'T-1', tracking_company: 'a\n@SUM(1)' }])
    const { text } = await shop.get('/exports/shipments.csv')
    // Parsed as such a spreadsheet does: quotes in the middle of a line have no meaning.
    const cells = text.split(/[;\r\n]/)
    expect(cells.length).toBeGreaterThan(6)
    expect(cells.filter((cell) => /^[\s"]*[=+\-@]/.test(cell))).toEqual([])
    const hostile = [
      'a;=1',
      'a; =1',
      'a;"=1',
      'a,=1',
      'a\t=1',
      'a\r\n-1+1',
      ';@a',
      ' =1',
      '＝1',
      'a;＋1',
      "a;'=1",
      "'=1",
    ]
    expect(hostile.map(csvCell)).toEqual([
      `"a;'=1"`,
      `"a; '=1"`,
      `"a;""'=1"`,
      `"a,'=1"`,
      `"a\t'=1"`,
      `"a\r\n'-1+1"`,
      `";'@a"`,
      " '=1",
      "'＝1",
      `"a;'＋1"`,
      `"a;''=1"`,
      "''=1",
    ])
    for (const value of [...hostile, '\t=1', '\n\n=1', 'a', "'a", "a;'b", '-5', "'-5"]) {
      expect(unguardFormulas(guardFormulas(value))).toBe(value)
    }
  })

  it('does not change numbers and ordinary text', () => {
    const harmless = ['-5', '-5.20', '-5,20', '49', 'Main St. 5, -B', 'a - b', "O'Neill", 'a;b']
    expect(harmless.map(guardFormulas)).toEqual(harmless)
  })

  it('can be imported again without changing anything', async () => {
    const shop = (await makeShop()).as('editor')
    for (let index = 0; index < 3; index += 1) {
      const order_name = ['=0', 'a;=1', "b;'=2\n-2"][index]
      await createOrder(shop, { order_name, expected_number_of_shipments: 2 }, [
        { tracking_number: `-T${index}`, carrier_reference: 'dhl', external_shipment_id: `parcel;+${index}` },
      ])
    }
    const { text } = await shop.get('/exports/shipments.csv')
    expect(await importFile(shop, text)).toMatchObject({ rows: 6, unchanged: 3, created: 0, updated: 0, problems: [] })
  })
})

/** Together 36 MB, more than a connection buffers at both ends: they cannot be sent before the receiver reads. */
const [rowsOfLarge, bytesOfRow] = [6_000, 6_000]

describe('export that is not read to its end', () => {
  let batches = 0
  let large: Promise<{ service: Service; path: string }> | undefined
  afterAll(async () => (await large)?.service.stop())

  async function makeLarge() {
    const database = await openTestDatabase()
    const counting: KyselyPlugin = {
      transformQuery({ node }) {
        if (JSON.stringify(node).includes('sorted_by')) batches += 1
        return node
      },
      transformResult: async ({ result }) => result,
    }
    const counted = { ...database, db: database.db.withPlugin(counting) }
    const service = await startTestService({ PORT: '0', HOST: '127.0.0.1' }, counted)
    const { slug } = await makeShop({}, service)
    await loadRows(database.db, async (db) => {
      await sql`
        insert into orders (shop_id, id, order_number, external_id, order_placed_at, expected_number_of_shipments,
          details, created_at, updated_at)
        select id, md5(n::text)::uuid, n, n, now(), 1,
          json_build_object('address', json_build_object('street', repeat('x', ${sql.lit(bytesOfRow)}))), now(), now()
        from shops, generate_series(1, ${sql.lit(rowsOfLarge)}) as n where slug = ${slug}`.execute(db)
      await sql`
        insert into shipments (shop_id, id, order_id, tracking_number, direction, phase, flag, current_event_key,
          current_event_at, latest_event_at, placed_at, created_at, updated_at)
        select orders.shop_id, orders.id, orders.id, order_number, 'merchant_customer', 'order_processed', 'normal',
          'ORDER_PROCESSED', now(), now(), now(), now(), now()
        from orders join shops on shops.id = shop_id where slug = ${slug}`.execute(db)
    })
    return { service, path: `/v1/shops/${slug}/exports/shipments.csv` }
  }

  async function openLarge() {
    large ??= makeLarge()
    const { service, path } = await large
    batches = 0
    const { port } = service.app.server.address() as { port: number } // it listens on a port
    const authorization = `Basic ${Buffer.from(`${superadmin.username}:${superadmin.apiKey}`).toString('base64')}`
    const request = get({ port, host: '127.0.0.1', path, headers: { authorization }, agent: false })
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request.on('error', reject).on('response', resolve)
    })
    response.on('error', () => {})
    return { service, request, response }
  }

  it('closes the connection if the database fails in the middle, so that no file appears complete', async () => {
    const { service, response } = await openLarge()
    let bytes = 0
    await sql`alter table shipments rename to elsewhere`.execute(service.database.db)
    onTestFinished(async () => void (await sql`alter table elsewhere rename to shipments`.execute(service.database.db)))
    response.on('data', (piece: Buffer) => {
      bytes += piece.length
    })
    await new Promise((resolve) => response.once('close', resolve))
    expect(bytes).toBeGreaterThan(1_000)
    expect(response.complete).toBe(false)
  })

  it('reads no further ahead than the receiver, and stops when the receiver disconnects', async () => {
    const { service, request } = await openLarge()
    const wholeFile = rowsOfLarge / 500
    request.destroy()
    await expect.poll(() => connectionsOf(service)).toBe(0)
    const requested = batches
    expect(requested).toBeGreaterThan(0)
    expect(requested).toBeLessThan(wholeFile)
    for (let round = 0; round < 20; round += 1) await call('GET', '/readyz', {}, service)
    expect(batches).toBeLessThanOrEqual(requested + 1)
  })
})

function connectionsOf(service: Service): Promise<number> {
  return new Promise((resolve, reject) => {
    service.app.server.getConnections((error, count) => (error ? reject(error) : resolve(count)))
  })
}
