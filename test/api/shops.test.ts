import { describe, expect, it } from 'vitest'
import { createOrder } from '../harness/orders.ts'
import { call } from '../harness/service.ts'
import { makeShop, type TestShop } from '../harness/shop.ts'

describe('profile of a shop', () => {
  it('has everything that can be changed, for admins only', async () => {
    const fields = {
      contact_email: 'hello@shop.example',
      contact_phone: '+49 30 1',
      shop_admin_url: 'https://admin.shop.example/',
      shop_faq_url: 'https://shop.example/faq',
      shop_url: 'https://shop.example/',
      logo_url: 'https://shop.example/logo.png',
      organization: 'River Group',
      industry: 'other',
    }
    const shop = await makeShop({ name: 'Profiled', language: 'de', ...fields })
    const admin = shop.as('admin')
    await admin.patch('', { description: 'Warme Sachen' }, { headers: { 'accept-language': 'de' } })
    await admin.patch('', { description: 'Warm things' }, { headers: { 'accept-language': 'en' } })
    expect((await admin.get('/profile')).body).toEqual({
      name: 'Profiled',
      slug: shop.slug,
      language: 'de',
      shop_provider: null,
      shop_service_url: null,
      shop_currency: 'EUR',
      descriptions: [
        { language: 'en', text: 'Warm things' },
        { language: 'de', text: 'Warme Sachen' },
      ],
      ...fields,
    })
    expect((await shop.as('editor').get('/profile')).status).toBe(403)
  })
})

describe('shops', () => {
  it('stores the given fields and shows only those of the contract', async () => {
    const slug = `kept-${process.pid}`
    const created = await call('POST', '/v1/shops', {
      body: {
        name: 'River & Pine',
        slug,
        description: 'Outdoor clothing',
        language: 'de',
        contact_email: 'hello@shop.example',
        contact_phone: '+49 30 1',
        industry: 'clothing_and_accessories',
        shop_provider: 'shopify',
        shop_admin_url: 'https://admin.shop.example',
        shop_url: 'https://shop.example',
        logo_url: 'https://shop.example/logo.png',
        unknown_field: 'is ignored',
      },
    })
    expect(created).toMatchObject({ status: 200, text: 'null' })
    expect(created.headers.location).toBe(`/v1/shops/${slug}`)
    const { body } = await call('GET', `/v1/shops/${slug}`)
    expect(body).toEqual({
      uuid: expect.any(String),
      created_at: expect.any(String),
      updated_at: expect.any(String),
      name: 'River & Pine',
      slug,
      description: 'Outdoor clothing',
      organization: null,
      language: 'de',
      contact_phone: '+49 30 1',
      industry: 'clothing_and_accessories',
      shop_provider: 'shopify',
      shop_faq_url: null,
      shop_service_url: null,
      shop_currency: 'EUR',
    })
  })

  it('rejects a slug that is taken, and frees it when the shop is deleted', async () => {
    const shop = await makeShop()
    const again = { body: { name: 'Again', slug: shop.slug } }
    expect(await call('POST', '/v1/shops', again)).toMatchObject({ status: 409, body: { key: 'shop_exists' } })
    expect(await call('DELETE', `/v1/shops/${shop.slug}`)).toMatchObject({ status: 200, text: 'null' })
    expect(await call('GET', `/v1/shops/${shop.slug}`)).toMatchObject({ status: 404, body: { key: 'shop_not_found' } })
    expect(await call('POST', '/v1/shops', again)).toMatchObject({ status: 200 })
  })

  it('reports every problem of a body at once, each with its location', async () => {
    const { status, body } = await call('POST', '/v1/shops', {
      body: {
        slug: 'Not A Slug',
        language: 'xx',
        contact_phone: 7,
        settings: { klaviyo_enabled: 'yes' },
        logo_url: '',
      },
    })
    expect(status).toBe(422)
    expect(body).toMatchObject({ key: 'invalid_payload', type: 'invalid_request_error' })
    const found = body.errors.map((error: { loc: string[]; type: string }) => `${error.loc.join('.')} ${error.type}`)
    expect(found.sort()).toEqual([
      'body.contact_phone type_error',
      'body.language value_error',
      'body.logo_url value_error',
      'body.name missing',
      'body.settings.klaviyo_enabled type_error',
      'body.slug value_error',
    ])
  })

  it('changes only what an update names; null empties a field', async () => {
    const shop = await makeShop({ description: 'Before', contact_phone: '1' })
    const admin = shop.as('admin')
    expect(await admin.patch('', { description: null, name: 'After', slug: 'ignored' })).toMatchObject({ text: 'null' })
    const { body } = await admin.get('')
    expect(body).toMatchObject({ name: 'After', description: null, contact_phone: '1', slug: shop.slug })
    expect(await admin.patch('', { name: null })).toMatchObject({ status: 422 })
  })

  it('finds shops by every filter, and only those the key may see', async () => {
    const marker = `org-${process.pid}`
    const first = await makeShop({ organization: marker, language: 'fr', shop_provider: 'woocommerce' })
    const second = await makeShop({ organization: marker })
    const find = async (query: Record<string, string>) =>
      (await call('GET', '/v1/shops', { query: { organization: marker, ...query } })).body.map(
        (shop: { slug: string }) => shop.slug,
      )
    expect((await find({})).sort()).toEqual([first.slug, second.slug].sort())
    expect(await find({ language: 'fr' })).toEqual([first.slug])
    expect(await find({ shop_provider: 'woocommerce' })).toEqual([first.slug])
    expect(await find({ slug: second.slug })).toEqual([second.slug])
    const { uuid, name } = (await call('GET', `/v1/shops/${second.slug}`)).body
    expect(await find({ uuid })).toEqual([second.slug])
    expect(await find({ name })).toEqual([second.slug])
    const seen = await call('GET', '/v1/shops', { auth: await first.credentials('viewer') })
    expect(seen.body.map((shop: { slug: string }) => shop.slug)).toEqual([first.slug])
  })

  it('pages with links and a total', async () => {
    const organization = `paged-${process.pid}`
    for (let number = 0; number < 5; number += 1) await makeShop({ organization })
    const first = await call('GET', '/v1/shops', { query: { organization, per_page: 2 } })
    expect(first.body).toHaveLength(2)
    expect(first.headers['x-total-count']).toBe('5')
    expect(first.headers.link).toContain('page=2>; rel="next"')
    expect(first.headers.link).not.toContain('rel="prev"')
    const last = await call('GET', '/v1/shops', { query: { organization, per_page: 2, page: 3 } })
    expect(last.body).toHaveLength(1)
    expect(last.headers.link).toContain('page=2>; rel="prev"')
    expect(last.headers.link).not.toContain('rel="next"')
    expect((await call('GET', '/v1/shops', { query: { organization, page: 9 } })).headers['x-total-count']).toBe('5')
    for (const query of ['page=0', 'per_page=101', 'per_page=many']) {
      expect((await call('GET', `/v1/shops?${query}`)).status).toBe(422)
    }
  })
})

describe("shop's description", () => {
  const describedAs = async (shop: TestShop, language?: string) =>
    (await shop.as('viewer').get('', {}, language === undefined ? undefined : { 'accept-language': language })).body
      .description

  const write = (shop: TestShop, description: string | null, language?: string) =>
    shop
      .as('admin')
      .patch('', { description }, language === undefined ? {} : { headers: { 'accept-language': language } })

  it("is stored per language and shown in the reader's, else the shop's, else the newest", async () => {
    const shop = await makeShop({ language: 'de' })
    await write(shop, 'Vêtements', 'fr')
    expect(await describedAs(shop)).toBe('Vêtements')
    await write(shop, 'Kleidung')
    await write(shop, 'Clothing', 'en-GB, de;q=0.5')
    expect(await describedAs(shop)).toBe('Kleidung')
    expect(await describedAs(shop, 'fr')).toBe('Vêtements')
    expect(await describedAs(shop, 'en')).toBe('Clothing')
    expect(await describedAs(shop, 'sv')).toBe('Kleidung')
    await write(shop, null, 'de')
    expect(await describedAs(shop, 'sv')).toBe('Clothing')
    const found = await shop.as('viewer').get('', {}, { 'accept-language': 'fr' })
    expect(found.body.description).toBe('Vêtements')
    await write(shop, null)
    expect(await describedAs(shop, 'fr')).toBeNull()
  })
})

describe("shop's currency", () => {
  it('follows its latest orders', async () => {
    const shop = await makeShop()
    const currency = async () => (await shop.as('viewer').get('')).body.shop_currency
    expect(await currency()).toBe('EUR')
    await createOrder(shop.as('editor'), { currency: 'SEK' })
    expect(await currency()).toBe('SEK')
    for (const other of ['SEK', 'NOK', 'SEK']) await createOrder(shop.as('editor'), { currency: other })
    expect(await currency()).toBe('SEK')
  })

  it('and that of an order which names none is the euro', async () => {
    const shop = await makeShop()
    expect((await createOrder(shop.as('editor'), { currency: undefined })).currency).toBe('EUR')
    expect((await shop.as('viewer').get('')).body.shop_currency).toBe('EUR')
  })
})

describe("shop's contact address", () => {
  it('may be in any script, and must be valid', async () => {
    const shop = (await makeShop()).as('admin')
    for (const contact_email of [
      'jörg@müller.example',
      '用户@例子.广告',
      'a+b@sub.shop.example',
      "o'neil@shop.example",
    ]) {
      expect((await shop.patch('', { contact_email })).status, contact_email).toBe(200)
    }
    for (const contact_email of [
      'a@b@c.example',
      'a b@c.example',
      '@c.example',
      'a@',
      'a@c',
      'a@-c.example',
      'a@c..example',
    ]) {
      expect((await shop.patch('', { contact_email })).status, contact_email).toBe(422)
    }
  })
})
