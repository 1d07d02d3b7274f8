import { connect } from 'node:net'
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { importFile, sendImport, settleImports } from '../harness/imports.ts'
import { multipart } from '../harness/multipart.ts'
import { createOrder, readOrder, uniqueNumber } from '../harness/orders.ts'
import { call, openTestDatabase, startTestService, superadmin, theService } from '../harness/service.ts'
import { makeShop, type ShopCaller } from '../harness/shop.ts'

const open = async () => (await makeShop()).as('editor')

/** The numbers of a shop's rows that belong to imports, besides their records. */
async function leftovers(shop: ShopCaller) {
  const { uuid } = (await shop.get('')).body
  const { database } = await theService()
  const { rows } = await sql`
    select (select count(*) from import_chunks where shop_id = ${uuid}) as chunks,
      (select count(*) from import_names where shop_id = ${uuid}) as names,
      (select count(*) from imports where shop_id = ${uuid} and status = 'receiving') as receiving`.execute(database.db)
  return rows[0]
}

describe('import of orders', () => {
  it('returns at once with the address of its progress, and later the result of each order', async () => {
    const shop = await open()
    const [one, two] = [uniqueNumber(), uniqueNumber()]
    const csv = `order_number,email_id,zip_code,total_order_price\n${one},ada@example.com,10115,19.90\n${two},bo@example.com,20095,5\n`
    const sent = await sendImport(shop, csv, { filename: 'C:\\files\\my orders.csv' })
    expect(sent).toMatchObject({
      status: 200,
      body: { status: 'queued', dry_run: false, rows: 0, created: 0, problems: [], finished_at: null },
    })
    expect(sent.headers.location).toMatch(new RegExp(`/imports/${sent.body.id}$`))
    await settleImports()
    const { body } = await shop.get(`/imports/${sent.body.id}`)
    expect(body).toMatchObject({
      status: 'completed',
      filename: 'my orders.csv',
      size_bytes: csv.length,
      bytes_read: csv.length,
      rows: 2,
      created: 2,
      updated: 0,
      unchanged: 0,
      failed: 0,
      problem_count: 0,
      problems: [],
      ignored_columns: [],
      finished_at: expect.any(String),
    })
    expect(await readOrder(shop, one)).toMatchObject({
      email_id: 'ada@example.com',
      total_order_price: 19.9,
      address: { zip_code: '10115' },
    })
    const { problems: _problems, ...summary } = body
    expect((await shop.get('/imports')).body).toEqual([summary])
    expect(await leftovers(shop)).toEqual({ chunks: 0, names: 0, receiving: 0 })
  })

  it('changes nothing when the same file comes again, and updates what differs', async () => {
    const shop = await open()
    const numbers = [uniqueNumber(), uniqueNumber()]
    const csv = (city: string) =>
      `order_number,zip_code,city,tracking_number\n${numbers[0]},10115,${city},T1\n${numbers[1]},10115,Berlin,T2\n`
    expect(await importFile(shop, csv('Bonn'))).toMatchObject({ created: 2 })
    expect(await importFile(shop, csv('Bonn'))).toMatchObject({ created: 0, updated: 0, unchanged: 2 })
    expect(await importFile(shop, csv('Köln'))).toMatchObject({ created: 0, updated: 1, unchanged: 1 })
    expect((await readOrder(shop, numbers[0] ?? '')).address.city).toBe('Köln')
  })

  it('combines consecutive rows of an order, with all their products and parcels', async () => {
    const shop = await open()
    const number = uniqueNumber()
    const report = await importFile(
      shop,
      [
        'order_number,zip_code,currency,product_title,product_sku,product_quantity,product_price,product_image_url,tracking_number,carrier_reference,segments',
        `${number},10115,CHF,Rain jacket,RJ-42,1,89.90,https://shop.example/jacket.jpg,T1,dhl,vip | new`,
        `${number},,,Socks,SO-1,2,"4,5",,T2,,`,
        `${number},,,Hat,,,,,T2,dhl,`,
      ].join('\n'),
    )
    expect(report).toMatchObject({ rows: 3, created: 1, failed: 0, problems: [] })
    const order = await readOrder(shop, number)
    expect(order).toMatchObject({
      currency: 'CHF',
      status: 'fulfilled',
      segments: ['vip', 'new'],
      products: [
        { title: 'Rain jacket', sku: 'RJ-42', quantity: 1, price: 89.9, images: [{ src: expect.any(String) }] },
        { title: 'Socks', quantity: 2, price: 4.5 },
        { title: 'Hat' },
      ],
    })
    const parcels = order.trackings.map((tracking: { carrier: object; products: { title: string }[] }) => ({
      ...tracking.carrier,
      titles: tracking.products.map(({ title }) => title),
    }))
    expect(parcels).toMatchObject([
      { tracking_number: 'T1', carrier_reference: 'dhl', titles: ['Rain jacket'] },
      { tracking_number: 'T2', carrier_reference: 'dhl', titles: ['Socks', 'Hat'] },
    ])
  })

  it('fulfils orders from numbers and parcels alone, without creating orders', async () => {
    const shop = await open()
    const order = await createOrder(shop)
    const csv = `order_number,tracking_number,carrier_reference\n${order.order_number},PARCEL-1,dhl\nnobody,PARCEL-2,dhl\n`
    expect(await importFile(shop, csv)).toMatchObject({
      updated: 1,
      failed: 1,
      problems: [{ row: 3, column: 'order_number', value: 'nobody', key: 'order_not_found' }],
    })
    expect(await readOrder(shop, order.order_number)).toMatchObject({
      status: 'fulfilled',
      trackings: [{ carrier: { tracking_number: 'PARCEL-1' } }],
      products: order.products,
    })
  })

  it("understands Shopify's own order export", async () => {
    const shop = await open()
    const number = uniqueNumber()
    const csv = [
      'Name,Email,Financial Status,Currency,Subtotal,Shipping,Total,Created at,Lineitem quantity,Lineitem name,Lineitem price,Lineitem sku,Billing Name,Shipping Name,Shipping Street,Shipping City,Shipping Zip,Shipping Country,Notes,Id',
      `#${number},ada@example.com,paid,EUR,89.90,4.95,94.85,2026-11-01 09:30:00 +0100,1,Rain jacket,89.90,RJ-42,Somebody Else,Ada Example,Example Street 1,Berlin,'01115,DE,"two\nlines",77${number}`,
      `#${number},ada@example.com,,,,,,,2,Socks,0.00,SO-1,,,,,,,,`,
    ].join('\n')
    expect(await importFile(shop, csv)).toMatchObject({
      created: 1,
      problems: [],
      ignored_columns: ['Billing Name', 'Notes'],
    })
    expect(await readOrder(shop, number)).toMatchObject({
      order_name: `#${number}`,
      external_id: `77${number}`,
      order_placed_at: '2026-11-01T08:30:00.000Z',
      financial_status: 'paid',
      total_order_price: 94.85,
      address: { name: 'Ada Example', zip_code: '01115', country_code: 'DE' },
      products: [
        { title: 'Rain jacket', quantity: 1 },
        { title: 'Socks', quantity: 2 },
      ],
    })
  })

  it('skips rows with a problem, reports where it is, and writes the others', async () => {
    const shop = await open()
    const known = await createOrder(shop)
    const csv = [
      'order_number;zip_code;carrier_reference;tracking_number;total_order_price;currency;order_placed_at;external_id',
      'p1;10115;dhl;T1;1;EUR;2026-11-01;',
      'p2;-;no-such-carrier;T2;1;EUR;;',
      'p3;10115;;;1,234;euro;yesterday;',
      ';10115;;;;;;',
      'p4;10115;dhl;;;;;',
      `p5;10115;;;;;;${known.external_id}`,
      'p6;10115;;;;;;',
      'p7;10115;;;;;;',
      'p6;20095;;;;;;',
      'p7;10115;;;;;;;surplus',
      'p8;10115;;;;;;',
    ].join('\r\n')
    const report = await importFile(shop, csv)
    expect(report.problems).toEqual([
      { row: 3, column: 'zip_code', value: '-', key: 'zip_code_invalid', message: expect.any(String) },
      {
        row: 3,
        column: 'carrier_reference',
        value: 'no-such-carrier',
        key: 'carrier_reference_invalid',
        message: expect.stringContaining('/v1/carriers'),
      },
      expect.objectContaining({ row: 4, column: 'total_order_price', value: '1,234' }),
      expect.objectContaining({ row: 4, column: 'order_placed_at', value: 'yesterday' }),
      expect.objectContaining({ row: 4, column: 'currency', value: 'euro' }),
      expect.objectContaining({ row: 5, column: 'order_number', value: '' }),
      expect.objectContaining({ row: 6, column: 'carrier_reference', value: 'dhl' }),
      expect.objectContaining({ row: 7, column: 'external_id', value: known.external_id, key: 'order_exists' }),
      expect.objectContaining({
        row: 10,
        column: 'order_number',
        value: 'p6',
        message: expect.stringContaining('row 8'),
      }),
      expect.objectContaining({ row: 11, column: null }),
    ])
    expect(report).toMatchObject({ rows: 11, created: 4, failed: 7, problem_count: 10 })
    const listed = (await shop.get('/orders', { per_page: 100 })).body.map(
      (order: { order_number: string }) => order.order_number,
    )
    expect(listed.sort()).toEqual([known.order_number, 'p1', 'p6', 'p7', 'p8'].sort())
    expect((await readOrder(shop, 'p6')).address.zip_code).toBe('10115')
  })

  it('rejects rows of one order that contradict each other', async () => {
    const shop = await open()
    const report = await importFile(shop, 'order_number,zip_code,city\na,10115,Berlin\na,10115,Bonn\nb,10115,\n')
    expect(report).toMatchObject({
      created: 1,
      failed: 1,
      problems: [{ row: 3, column: 'city', value: 'Bonn', message: expect.stringContaining('row 2') }],
    })
  })

  it('finds the same problems in a dry run, and writes nothing', async () => {
    const shop = await open()
    const known = await createOrder(shop)
    const rows = Array.from(
      { length: 600 },
      (_, index) => `d${index},${index % 7 === 3 ? '-' : '10115'},e${index},T${index}`,
    )
    const csv = [
      'order_number,zip_code,external_id,tracking_number,carrier_reference',
      ...rows,
      // Ids and numbers from rows far above, of a new order without an id, and of existing orders.
      'd601,10115,e5,,',
      'd602,10115,,,',
      'd603,10115,d602,,',
      'd5,10115,,,',
      `d604,10115,${known.external_id},,`,
      `${known.order_number},,,NEW,dhl`,
      `"broken,10115,,,`,
    ].join('\n')
    const dry = await importFile(shop, csv, { dryRun: true })
    expect(dry).toMatchObject({ status: 'completed', dry_run: true, rows: 607, updated: 1 })
    expect((await shop.get('/orders', { per_page: 100 })).body).toHaveLength(1)
    expect((await readOrder(shop, known.order_number)).status).toBe('placed')
    const real = await importFile(shop, csv, { dryRun: false })
    const { id: _id, dry_run: _dry, created_at: _at, finished_at: _end, ...reported } = dry
    expect(real).toMatchObject({ ...reported, dry_run: false })
    expect(real.problems).toEqual(dry.problems)
    expect(real.problems.length).toBeGreaterThan(85)
    expect(await leftovers(shop)).toEqual({ chunks: 0, names: 0, receiving: 0 })
  })

  it('accepts dry_run before the file, after it, and in the URL', async () => {
    const shop = await open()
    const file = { name: 'file', content: 'order_number\nx1\n', filename: 'x.csv' }
    const field = { name: 'dry_run', content: 'true' }
    for (const [form, path] of [
      [multipart([field, file]), '/imports/orders'],
      [multipart([file, field]), '/imports/orders'],
      [multipart([file]), '/imports/orders?dry_run=true'],
    ] as const) {
      expect((await shop.post(path, undefined, form)).body.dry_run).toBe(true)
    }
    await settleImports()
    expect((await shop.get('/orders')).body).toEqual([])
  })

  it('stores the first 1,000 problems and counts the others', async () => {
    const shop = await open()
    const rows = Array.from({ length: 1_300 }, (_, index) => `n${index},-`)
    const report = await importFile(shop, `order_number,zip_code\n${rows.join('\n')}`)
    expect(report).toMatchObject({ rows: 1_300, failed: 1_300, problem_count: 1_300 })
    expect(report.problems.map(({ row }: { row: number }) => row)).toEqual(
      Array.from({ length: 1_000 }, (_, index) => index + 2),
    )
  })

  it.each([
    ['no header', '\n', /first row/],
    ['blank rows only', ' \n \n', /first row/],
    ['no order_number', 'email_id,zip_code\na@example.com,10115\n', /order_number is missing/],
    ['anything but text', Buffer.from([0x50, 0x4b, 3, 4, 0, 0, 255, 254]), /order_number is missing/],
  ])('rejects a file with %s with one clear problem', async (_what, csv, message) => {
    const report = await importFile(await open(), csv)
    expect(report).toMatchObject({ status: 'failed', rows: 0, problem_count: 1, finished_at: expect.any(String) })
    expect(report.problems).toEqual([expect.objectContaining({ row: 1, message: expect.stringMatching(message) })])
  })

  it('treats a header without rows as an empty import', async () => {
    expect(await importFile(await open(), 'order_number,Secret\n')).toMatchObject({
      status: 'completed',
      rows: 0,
      ignored_columns: ['Secret'],
    })
  })

  it('is visible to every viewer of the shop, and to nobody else', async () => {
    const [mine, other] = [await makeShop(), await makeShop()]
    const { id } = await importFile(mine.as('editor'), 'order_number\n1\n')
    expect((await mine.as('viewer').get(`/imports/${id}`)).status).toBe(200)
    expect(await other.as('admin').get(`/imports/${id}`)).toMatchObject({
      status: 404,
      body: { key: 'import_not_found' },
    })
    expect((await other.as('viewer').get('/imports')).body).toEqual([])
  })

  it('lists the newest first, page by page', async () => {
    const shop = await open()
    const ids: string[] = []
    for (let index = 0; index < 3; index += 1) ids.unshift((await importFile(shop, `order_number\n${index}\n`)).id)
    const first = await shop.get('/imports', { per_page: 2 })
    const second = await shop.get('/imports', { per_page: 2, page: 2 })
    expect([...first.body, ...second.body].map(({ id }: { id: string }) => id)).toEqual(ids)
    expect(first.headers['x-total-count']).toBe('3')
  })
})

describe('upload of an import', () => {
  it('is rejected without a file, with an empty one, and as anything but a form', async () => {
    const shop = await open()
    const field = multipart([{ name: 'dry_run', content: 'true' }])
    expect(await shop.post('/imports/orders', undefined, field)).toMatchObject({
      status: 422,
      body: { errors: [{ loc: ['body', 'file'] }] },
    })
    expect(await sendImport(shop, '')).toMatchObject({ status: 422, body: { errors: [{ loc: ['body', 'file'] }] } })
    expect((await shop.post('/imports/orders', { dry_run: true })).status).toBe(415)
    const wrong = multipart([
      { name: 'file', content: 'order_number\n1\n', filename: 'x.csv' },
      { name: 'dry_run', content: 'perhaps' },
    ])
    expect(await shop.post('/imports/orders', undefined, wrong)).toMatchObject({
      status: 422,
      body: { errors: [{ loc: ['body', 'dry_run'] }] },
    })
    expect((await sendImport(shop, 'order_number\n1\n', { headers: { 'idempotency-key': ' ' } })).status).toBe(422)
    expect((await shop.get('/imports')).body).toEqual([])
    expect(await leftovers(shop)).toEqual({ chunks: 0, names: 0, receiving: 0 })
  })

  it('is one import, however often it is sent with one Idempotency-Key', async () => {
    const shop = await open()
    const once = { headers: { 'idempotency-key': 'one-import' } }
    const first = await sendImport(shop, 'order_number\n1\n', once)
    const again = await sendImport(shop, 'order_number\n1\n', once)
    expect(again).toMatchObject({ status: 200, text: first.text })
    expect((await sendImport(shop, 'order_number\n2\n', once)).status).toBe(422)
    await settleImports()
    expect((await shop.get('/imports')).body).toHaveLength(1)
    expect(await leftovers(shop)).toEqual({ chunks: 0, names: 0, receiving: 0 })
  })

  it('may be as large as IMPORT_LIMIT says, whatever images may be', async () => {
    const service = await startTestService({ IMPORT_LIMIT: '300 kb', IMAGE_LIMIT: '2 kb' }, await openTestDatabase())
    onTestFinished(() => service.stop())
    const shop = (await makeShop({}, service)).as('editor')
    const padding = 'x'.repeat(280_000)
    const fits = await importFile(shop, `order_number,notes\n1,${padding}\n`, {}, service)
    expect(fits).toMatchObject({ status: 'completed', created: 1 })
    const over = await sendImport(shop, `order_number,notes\n1,${padding}${padding}\n`)
    expect(over).toMatchObject({ status: 413, body: { key: 'invalid_payload' } })
    const { rows } = await sql`select 1 from import_chunks`.execute(service.database.db)
    expect(rows).toEqual([])
    expect((await shop.get('/imports')).body).toHaveLength(1)
  })

  it('stores nothing if it is aborted', async () => {
    const service = await startTestService({ PORT: '0', HOST: '127.0.0.1' }, await openTestDatabase())
    onTestFinished(() => service.stop())
    const { slug } = await makeShop({}, service)
    const { port } = service.app.server.address() as { port: number } // it listens on a port
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    const authorization = Buffer.from(`${superadmin.username}:${superadmin.apiKey}`).toString('base64')
    const { payload, headers } = multipart([
      { name: 'file', content: `order_number\n${'1001\n'.repeat(200_000)}`, filename: 'x.csv' },
    ])
    socket.write(
      `POST /v1/shops/${slug}/imports/orders HTTP/1.1\r\nHost: localhost\r\nAuthorization: Basic ${authorization}\r\n` +
        `Content-Type: ${headers?.['content-type']}\r\nContent-Length: ${payload?.length}\r\n\r\n`,
    )
    socket.write((payload as Buffer).subarray(0, 700_000)) // multipart returns a buffer
    const count = async (table: 'import_chunks' | 'imports') =>
      (await service.database.db.selectFrom(table).select('shop_id').execute()).length
    await expect.poll(() => count('import_chunks')).toBeGreaterThan(0)
    socket.destroy()
    await expect.poll(() => count('import_chunks')).toBe(0)
    await expect.poll(() => count('imports')).toBe(0)
    expect((await call('GET', `/v1/shops/${slug}/imports`, {}, service)).body).toEqual([])
  })
})
