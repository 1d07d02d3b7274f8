import { beforeEach, describe, expect, it } from 'vitest'
import { findProducts } from '../../src/orders/products/store.ts'
import type { Context } from '../../src/platform/foundation/context.ts'
import { placesOf } from '../harness/catalogue.ts'
import { clock, theService } from '../harness/service.ts'
import { makeShop, type ShopCaller, type TestShop } from '../harness/shop.ts'

const jacket = {
  product_id: 'jacket',
  variant_id: 'blue',
  title: 'Rain jacket',
  variant_title: 'Blue',
  price: 89.9,
  sku: 'RJ-42',
  product_url: 'https://shop.example/rain-jacket',
  image_url: 'https://shop.example/rain-jacket.jpg',
  category: 'Jackets',
  withdrawal_exempt: false,
  translations: { de: { title: 'Regenjacke' }, el: { title: 'Αδιάβροχο' } },
}
const bare = {
  variant_title: null,
  price: null,
  sku: null,
  product_url: null,
  image_url: null,
  category: null,
  withdrawal_exempt: false,
  translations: {},
}
const times = { created_at: expect.any(String), updated_at: expect.any(String) }

describe('products', () => {
  let shop: TestShop
  let editor: ShopCaller

  beforeEach(async () => {
    shop = await makeShop()
    editor = shop.as('editor')
  })

  const list = async (query: Record<string, string | number> = {}) => (await editor.get('/products', query)).body

  it('are stored as sent', async () => {
    const sent = await editor.post('/products', [
      { ...jacket, unknown_field: 1 },
      { product_id: 4711, variant_id: 1, title: 'Socks', sku: null, translations: { de: null, fr: { title: null } } },
    ])
    expect(sent).toMatchObject({ status: 200, text: 'null' })
    expect(sent.headers.location).toBe(`/v1/shops/${shop.slug}/products`)
    expect(await list()).toEqual([
      { product_id: '4711', variant_id: '1', title: 'Socks', ...bare, ...times },
      { ...jacket, ...times },
    ])
  })

  it('stay exempt from withdrawal until it is said otherwise: shop systems do not know it', async () => {
    const ids = { product_id: 'p', variant_id: 'v', title: 'Suit' }
    await editor.post('/products', [{ ...ids, withdrawal_exempt: true }])
    await editor.post('/products', [{ ...ids, price: 1 }])
    expect(await list()).toMatchObject([{ price: 1, withdrawal_exempt: true }])
    await editor.post('/products', [{ ...ids, withdrawal_exempt: false }])
    expect(await list()).toMatchObject([{ withdrawal_exempt: false }])
  })

  it('are rejected if none of them is valid', async () => {
    const { status, body } = await editor.post('/products', [
      { product_id: '', title: 7, price: '1', image_url: 'javascript:alert(1)', translations: { de: 'Socken' } },
      'text',
    ])
    expect(status).toBe(422)
    expect(placesOf(body)).toEqual([
      'body.0.price type_error',
      'body.0.product_id value_error',
      'body.0.title type_error',
      'body.0.variant_id missing',
      'body.1 type_error',
    ])
    expect(await list()).toEqual([])
    expect((await editor.post('/products', jacket)).status).toBe(422)
    expect(placesOf((await editor.get('/products', { page: 0 })).body)).toEqual(['query.page value_error'])
  })

  it('are accepted up to 500 per request', async () => {
    const many = Array.from({ length: 500 }, (_, index) => ({ ...jacket, variant_id: `v${index}` }))
    expect(await editor.post('/products', many)).toMatchObject({ status: 200 })
    const { headers } = await editor.get('/products', { per_page: 1 })
    expect(headers['x-total-count']).toBe('500')
    const tooMany = await editor.post('/products', [...many, { ...jacket, variant_id: 'v500' }])
    expect(tooMany).toMatchObject({ status: 422, body: { errors: [{ loc: ['body'], type: 'value_error' }] } })
    expect(await editor.post('/products', [])).toMatchObject({ status: 200 })
  })

  it('are replaced as a whole, each variant once, and unchanged if nothing is new', async () => {
    await editor.post('/products', [jacket])
    const [before] = await list()
    clock.advance(1_000)
    await editor.post('/products', [jacket])
    expect(await list()).toEqual([before])
    const { product_id, variant_id } = jacket
    await editor.post('/products', [
      { product_id, variant_id, title: 'Not this one' },
      { product_id, variant_id, title: 'Storm jacket', price: 99 },
      { product_id, variant_id: 'red', title: 'Storm jacket' },
    ])
    const [blue, red] = await list()
    expect(blue).toEqual({ product_id, variant_id, ...bare, title: 'Storm jacket', price: 99, ...times })
    expect(blue.created_at).toBe(before.created_at)
    expect(blue.updated_at > before.updated_at).toBe(true)
    expect(red.variant_id).toBe('red')
  })

  it('sent concurrently in any order are stored once each', async () => {
    const batch = Array.from({ length: 50 }, (_, index) => ({ ...jacket, product_id: `p${index}` }))
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, number) => {
        const titled = batch.map((product) => ({ ...product, title: `Sent by ${number}` }))
        return editor.post('/products', number % 2 === 0 ? titled : titled.reverse())
      }),
    )
    expect(replies.map(({ status }) => status)).toEqual(Array(8).fill(200))
    expect((await editor.get('/products', { per_page: 1 })).headers['x-total-count']).toBe('50')
  })

  it('are stored one variant at a time', async () => {
    const { product_id: _product, variant_id: _variant, ...fields } = jacket
    const path = `/products/${encodeURIComponent('gid://shop/Product/1')}/variants/blue`
    const put = await editor.put(path, { ...fields, product_id: 'ignored' })
    expect(put).toMatchObject({ status: 200, text: 'null' })
    expect(put.headers.location).toBe(`/v1/shops/${shop.slug}${path}`)
    expect(await list()).toEqual([{ ...jacket, product_id: 'gid://shop/Product/1', ...times }])
    await editor.put(path, { title: 'Storm jacket' })
    expect(await list()).toMatchObject([{ title: 'Storm jacket', price: null, translations: {} }])
    expect(placesOf((await editor.put(path, { price: 1 })).body)).toEqual(['body.title missing'])
    expect((await editor.put(`/products/${'x'.repeat(256)}/variants/1`, fields)).status).toBe(422)
  })

  it('are found by product, sku and category, page by page', async () => {
    await editor.post('/products', [
      jacket,
      { ...jacket, variant_id: 'red', sku: 'RJ-43' },
      { product_id: 'socks', variant_id: 'one', title: 'Socks', category: 'Socks' },
    ])
    const find = async (query: Record<string, string | number>) =>
      (await list(query)).map((product: typeof jacket) => `${product.product_id} ${product.variant_id}`)
    expect(await find({})).toEqual(['jacket blue', 'jacket red', 'socks one'])
    expect(await find({ product_id: 'jacket' })).toEqual(['jacket blue', 'jacket red'])
    expect(await find({ sku: 'RJ-43' })).toEqual(['jacket red'])
    expect(await find({ category: 'Socks' })).toEqual(['socks one'])
    expect(await find({ category: 'Socks', sku: 'RJ-43' })).toEqual([])
    expect(await find({ per_page: 2, page: 2 })).toEqual(['socks one'])
  })

  it.each([
    [undefined, 'Rain jacket'],
    ['de-CH', 'Regenjacke'],
    ['el', 'Αδιάβροχο'],
    ['fr', 'Rain jacket'],
    ['fr, de;q=0.1', 'Regenjacke'],
    ['en, de;q=0.1', 'Rain jacket'],
  ])('return the best title for Accept-Language %s', async (header, title) => {
    await editor.post('/products', [jacket])
    const headers: Record<string, string> = header === undefined ? {} : { 'accept-language': header }
    expect((await editor.get('/products', {}, headers)).body).toMatchObject([
      { title, translations: jacket.translations },
    ])
  })

  it("are returned in the shop's own language by default", async () => {
    const german = (await makeShop({ language: 'de' })).as('editor')
    await german.post('/products', [jacket])
    expect((await german.get('/products')).body).toMatchObject([{ title: 'Regenjacke' }])
  })

  it('are deleted with all their variants', async () => {
    await editor.post('/products', [jacket, { ...jacket, variant_id: 'red' }, { ...jacket, product_id: 'kept' }])
    expect(await editor.delete('/products/jacket')).toMatchObject({ status: 200, text: 'null' })
    expect(await list()).toMatchObject([{ product_id: 'kept' }])
    expect(await editor.delete('/products/jacket')).toMatchObject({ status: 404, body: { key: 'product_not_found' } })
  })

  it('of another shop are not found', async () => {
    await editor.post('/products', [jacket])
    const other = (await makeShop()).as('editor')
    expect((await other.get('/products')).body).toEqual([])
    expect(await other.delete('/products/jacket')).toMatchObject({ status: 404, body: { key: 'product_not_found' } })
    await other.post('/products', [{ ...jacket, title: 'Theirs' }])
    expect(await list()).toMatchObject([{ title: 'Rain jacket' }])
  })

  it('are found by their ids, including variants', async () => {
    await editor.post('/products', [jacket, { ...jacket, variant_id: 'red' }, { ...jacket, product_id: 'other' }])
    const { database } = await theService()
    const { uuid } = (await shop.as('viewer').get('')).body
    const context = { db: database.db } as Context // the fields that a read uses
    const found = await findProducts(context, uuid, ['jacket', 'unknown'])
    expect(found.map(({ product_id, variant_id }) => `${product_id} ${variant_id}`)).toEqual([
      'jacket blue',
      'jacket red',
    ])
    expect(await findProducts(context, uuid, [])).toEqual([])
  })
})
