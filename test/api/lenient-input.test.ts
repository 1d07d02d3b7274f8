import { describe, expect, it } from 'vitest'
import { importFile } from '../harness/imports.ts'
import { createOrder, orderOf, readOrder, uniqueNumber, upsertOf } from '../harness/orders.ts'
import { makeShop } from '../harness/shop.ts'

const shop = await makeShop()
const editor = shop.as('editor')

const product = { title: 'Rain jacket', quantity: 1, sku: 'RJ-42' }
const image = { src: 'https://shop.example/jacket.jpg' }

describe('unusable part', () => {
  it.each([
    ['null', null],
    ['empty', ''],
    ['no address', 'jacket.jpg'],
    ['a script', 'javascript:alert(1)'],
  ])('of a line item, an image whose src is %s, is left out', async (_case, src) => {
    const number = uniqueNumber()
    const reply = await editor.put(
      '/orders',
      upsertOf(number, { products: [{ ...product, images: [{ src }, image] }] }),
    )
    expect(reply).toMatchObject({ status: 200, text: 'null' })
    expect(reply.headers['service-warnings']).toBe('1')
    expect((await readOrder(editor, number)).products).toEqual([{ ...product, images: [image] }])
  })

  it('of a batch does not affect the rest', async () => {
    const [one, two] = [uniqueNumber(), uniqueNumber()]
    const batch = [
      upsertOf(one, { products: [{ ...product, images: [{ alt: 'no src' }] }], order_status_url: 'ftp://x' }),
      upsertOf(two, { address: [], order_analytics: [], segments: ['vip', null] }, [
        { tracking_number: '' },
        { tracking_number: `${two}-parcel`, tracking_url: 'javascript:alert(1)' },
        null,
      ]),
    ]
    const reply = await editor.put('/orders/bulk', batch)
    expect(reply.status).toBe(200)
    expect(reply.headers['service-warnings']).toBe('8')
    expect(await readOrder(editor, one)).toMatchObject({ products: [{ images: [] }], order_status_url: null })
    expect(await readOrder(editor, two)).toMatchObject({
      address: null,
      segments: ['vip'],
      trackings: [{ carrier: { tracking_number: `${two}-parcel`, tracking_url: null } }],
    })
  })

  it('is named in a response that is an object', async () => {
    const { uuid, trackings } = await createOrder(editor, {}, [{ tracking_number: uniqueNumber('T') }])
    const path = `/orders/${uuid}/shipments/${trackings[0].uuid}`
    const { status, body, headers } = await editor.patch(path, {
      tracking_url: 'javascript:alert(1)',
      products: [{ ...product, images: [{ src: null }] }],
    })
    expect(status).toBe(200)
    expect(body.products).toEqual([{ ...product, images: [] }])
    expect(body.carrier.tracking_url).toBe(trackings[0].carrier.tracking_url)
    expect(body.warnings).toEqual([
      { loc: ['body', 'tracking_url'], msg: 'left out: must be an http or https address' },
      { loc: ['body', 'products', 0, 'images', 0], msg: expect.stringMatching(/^left out: src must be/) },
    ])
    expect(headers['service-warnings']).toBeUndefined()
    expect((await editor.patch(path, { products: [] })).body.warnings).toBeUndefined()
  })

  it('that is all there is remains an error, with its location', async () => {
    const number = uniqueNumber()
    expect(await editor.put('/orders', upsertOf(number, {}, [{ tracking_number: '' }]))).toMatchObject({
      status: 422,
      body: { errors: [{ loc: ['body', 'trackings', 0, 'tracking_number'], msg: 'must not be empty' }] },
    })
    const { uuid, trackings } = await createOrder(editor)
    expect(
      await editor.patch(`/orders/${uuid}/shipments/${trackings[0].uuid}`, { tracking_url: 'javascript:alert(1)' }),
    ).toMatchObject({ status: 422, body: { errors: [{ loc: ['body', 'tracking_url'] }] } })
    expect((await editor.post('/orders', orderOf(number, { address: 'Example Street 1' }))).status).toBe(422)
  })

  it('does not hide other problems, which alone are reported', async () => {
    const body = upsertOf(uniqueNumber(), { total_order_price: 'a lot', products: [{ ...product, images: [{}] }] }, [
      { tracking_number: '' },
      { tracking_number: 'T-1', carrier_reference: 7 },
    ])
    expect((await editor.put('/orders', body)).body.errors).toMatchObject([
      { loc: ['body', 'order', 'total_order_price'] },
      { loc: ['body', 'trackings', 0, 'tracking_number'] },
      { loc: ['body', 'trackings', 1, 'carrier_reference'] },
    ])
  })

  it('of a catalogue, a variant without a title, is left out', async () => {
    const good = { product_id: 'p', variant_id: '1', title: 'Jacket', image_url: 'https://shop.example/a b.jpg' }
    const reply = await editor.post('/products', [good, { product_id: 'p', variant_id: '2', title: null }])
    expect(reply.status).toBe(200)
    expect(reply.headers['service-warnings']).toBe('2')
    expect((await editor.get('/products', { product_id: 'p' })).body).toMatchObject([
      { variant_id: '1', image_url: 'https://shop.example/a%20b.jpg' },
    ])
  })

  it('of an order in a file is left out, and named in the report of its row', async () => {
    const number = uniqueNumber()
    const csv = `order_number,product_title,product_image_url,currency\n${number},Mug,no address,eur\n`
    const report = await importFile(editor, csv)
    expect(report).toMatchObject({ created: 1, failed: 0 })
    expect(report.problems).toMatchObject([
      { row: 2, column: 'product_image_url', value: 'no address', message: expect.stringMatching(/^left out: src/) },
    ])
    expect(await readOrder(editor, number)).toMatchObject({
      currency: 'EUR',
      products: [{ title: 'Mug', images: [] }],
    })
  })

  it('is counted however often it comes, and named for the first hundred', async () => {
    const { uuid, trackings } = await createOrder(editor)
    const products = Array.from({ length: 50 }, () => ({ ...product, images: [{}, {}, {}] }))
    const { body } = await editor.patch(`/orders/${uuid}/shipments/${trackings[0].uuid}`, { products })
    expect(body.warnings).toHaveLength(100)
    expect(body.products).toHaveLength(50)
    const reply = await editor.put('/orders', upsertOf(uniqueNumber(), { products }))
    expect(reply.headers['service-warnings']).toBe('150')
  })

  it('is returned again when the request is repeated with its key', async () => {
    const body = orderOf(uniqueNumber(), { products: [{ ...product, images: [{ src: null }] }] })
    const options = { headers: { 'idempotency-key': uniqueNumber('key') } }
    const first = await editor.post('/orders', body, options)
    const again = await editor.post('/orders', body, options)
    expect(again.headers['service-warnings']).toBe(first.headers['service-warnings'])
    expect(first.headers['service-warnings']).toBe('1')
  })
})

describe('address with blanks', () => {
  it('is percent-encoded if it is unambiguous, with a warning', async () => {
    const number = uniqueNumber()
    const images = [{ src: ' https://shop.example/rain jacket.jpg?size=a b ' }, { src: 'https://shop .example/x' }]
    const reply = await editor.put('/orders', upsertOf(number, { products: [{ ...product, images }] }))
    expect(reply.headers['service-warnings']).toBe('2')
    expect((await readOrder(editor, number)).products[0].images).toEqual([
      { src: 'https://shop.example/rain%20jacket.jpg?size=a%20b' },
    ])
  })
})

describe('other spellings', () => {
  it.each([
    ['dk', 'da'],
    ['cz', 'cs'],
    ['el', 'gr'],
    ['de_AT', 'de'],
    ['de-AT', 'de'],
    ['PT-br', 'pt'],
  ])('read the language %s as %s', async (given, language) => {
    const own = await makeShop({ language: given })
    const { body, headers } = await own.as('viewer').get('')
    expect(body.language).toBe(language)
    expect(headers['service-warnings']).toBeUndefined()
    const text = `Hello ${given}`
    expect((await own.as('editor').post('/announcements', { text, language: given })).status).toBe(200)
  })

  it('of a language that we do not have are rejected', async () => {
    for (const language of ['se', 'xx', 'denmark', '']) {
      expect((await editor.post('/announcements', { text: 'Hello', language })).status, language).toBe(422)
    }
  })

  it('read eur as EUR, and guess nothing', async () => {
    expect((await createOrder(editor, { currency: ' eur' })).currency).toBe('EUR')
    expect((await editor.put('/orders', upsertOf(uniqueNumber(), { currency: 'euro' }))).status).toBe(422)
  })

  it('read order_creation as order-creation, in a body and in a path', async () => {
    const admin = shop.as('admin')
    expect(await admin.get('/shopify/webhooks/type/order_creation')).toMatchObject({
      status: 404,
      body: { key: 'webhook_not_found' },
    })
    expect((await admin.get('/shopify/webhooks/type/order_crea')).status).toBe(422)
    const { body } = await admin.post('/shopify/webhooks', { webhook_type: 'order_partial_fulfillment' })
    expect(body.key).not.toBe('invalid_payload')
  })
})

describe('carrier_reference', () => {
  it('accepts a short code and returns our own reference; an unknown one is rejected', async () => {
    const [number, tracking] = [uniqueNumber(), uniqueNumber('T')]
    const put = (carrier_reference: string) =>
      editor.put('/orders', upsertOf(number, {}, [{ tracking_number: tracking, carrier_reference }]))
    expect((await put('nosuch')).body.key).toBe('carrier_reference_invalid')
    expect((await put('dhlexp')).status).toBe(200)
    expect((await readOrder(editor, number)).trackings[0].carrier.carrier_reference).toBe('dhl-express')
    const company = { tracking_number: `${tracking}-2`, tracking_company: 'My cousin & his van' }
    expect((await editor.put('/orders', { id: number, trackings: [company] })).status).toBe(200)
  })
})

describe('zip codes', () => {
  it.each([[undefined], [null], ['']])('may be %s', async (zip_code) => {
    const order = await createOrder(editor, { address: { city: 'Dublin', zip_code } })
    expect(order.address.city).toBe('Dublin')
    const number = uniqueNumber()
    expect((await editor.post('/orders', orderOf(number, { address: { country_code: 'IE' } }))).status).toBe(200)
  })

  it.each(['  ', '---', '1'.repeat(21), '101\u000715', '1'.repeat(5_000)])('are rejected as %j', async (zip_code) => {
    expect(await editor.post('/orders', orderOf(uniqueNumber(), { address: { zip_code } }))).toMatchObject({
      status: 422,
      body: { key: 'zip_code_invalid', errors: [{ loc: ['body', 'address', 'zip_code'] }] },
    })
  })

  it('are found in any spacing and case', async () => {
    const own = (await makeShop()).as('editor')
    const { uuid } = await createOrder(own, { address: { zip_code: 'EH6 5dx' } })
    for (const zip_code of ['EH65DX', 'eh6-5dx', ' EH6  5DX ', 'EH6\u00a05DX']) {
      expect((await own.get('/orders', { zip_code })).body, zip_code).toMatchObject([{ uuid }])
    }
    expect((await own.get('/orders', { zip_code: 'EH65D' })).body).toEqual([])
  })

  it('are replaced with their address, and stay if a patch has none', async () => {
    const order = await createOrder(editor, { address: { city: 'Berlin', zip_code: '10115' } })
    const { body } = await editor.patch(`/orders/${order.uuid}`, { address: { city: 'Bonn', zip_code: null } })
    expect(body.address).toEqual({ city: 'Bonn', zip_code: '10115' })
    await editor.put('/orders', upsertOf(order.order_number, { address: { city: 'Dublin' } }))
    const search = { zip_code: '10115', order_number: order.order_number }
    expect((await editor.get('/orders', search)).body).toEqual([])
  })
})
