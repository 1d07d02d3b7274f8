import { beforeEach, describe, expect, it } from 'vitest'
import { createDiscount, placesOf } from '../harness/catalogue.ts'
import { call } from '../harness/service.ts'
import { makeShop, type ShopCaller, type TestShop } from '../harness/shop.ts'

const unknownId = '0192f3c4-7b1e-7cc0-9d3a-2f6f7a1b4c5d'
const translations = [
  { language: 'de', data: { title: 'Gratis-Socken', description: 'Warme Füße.' } },
  { language: 'fr', data: { title: 'Chaussettes offertes' } },
  { language: 'el', data: { title: 'Δωρεάν κάλτσες' } },
]

describe('deals', () => {
  let shop: TestShop
  let editor: ShopCaller
  let discountId: string

  beforeEach(async () => {
    shop = await makeShop()
    editor = shop.as('editor')
    discountId = await createDiscount(editor, { type: 'order', code: 'SOCKS', value: 5, value_type: 'fixed_amount' })
  })

  const add = async (fields: Record<string, unknown> = {}) =>
    (await editor.post('/deals', { discount_id: discountId, ...fields })).body
  const ranks = async () =>
    (await editor.get('/deals', { per_page: 100 })).body.map(({ rank }: { rank: number }) => rank)

  it('are returned as created, with their shop and their discount', async () => {
    const fields = {
      brand_image_url: 'https://brand.example/image.jpg',
      brand_logo_url: 'https://brand.example/logo.png',
      cta_url: 'https://brand.example/go',
      title: 'Free socks',
      description: 'Warm feet.',
      translations,
    }
    const created = await editor.post('/deals', { discount_id: discountId, ...fields, rank: 99, unknown_field: 1 })
    const { warnings, ...stored } = created.body
    const { uuid } = stored
    // The rank is a field of our own replies.
    expect(warnings).toEqual([{ loc: ['body', 'unknown_field'], msg: 'ignored: unknown field' }])
    expect(stored).toEqual({
      uuid,
      shop_slug: shop.slug,
      shop_name: (await editor.get('')).body.name,
      discount_id: discountId,
      ...fields,
      rank: 1,
      discount: {
        uuid: discountId,
        shop_slug: shop.slug,
        code: 'SOCKS',
        target_selection: null,
        target_type: null,
        title: null,
        value_type: 'fixed_amount',
        value: 5,
        type: 'order',
      },
    })
    expect(created.headers.location).toBe(`/v1/shops/${shop.slug}/deals/${uuid}`)
    expect((await shop.as('viewer').get('/deals')).body).toEqual([stored])
  })

  it('need only a discount of the shop', async () => {
    expect(await add({ title: null })).toMatchObject({
      brand_image_url: null,
      brand_logo_url: null,
      cta_url: null,
      title: null,
      description: null,
      translations: [],
    })
    const foreign = await createDiscount((await makeShop()).as('editor'))
    for (const id of [foreign, unknownId]) {
      const missing = { status: 404, body: { key: 'discount_not_found' } }
      expect(await editor.post('/deals', { discount_id: id })).toMatchObject(missing)
    }
    expect(await ranks()).toEqual([1])
  })

  it('are rejected if they are wrong', async () => {
    const { status, body } = await editor.post('/deals', {
      brand_image_url: '',
      cta_url: 'javascript:alert(1)',
      title: 7,
      translations: [{ language: 'de', data: { title: 1 } }, { data: {} }],
    })
    expect(status).toBe(422)
    expect(placesOf(body)).toEqual([
      'body.brand_image_url value_error',
      'body.cta_url value_error',
      'body.discount_id missing',
      'body.title type_error',
      'body.translations.0.data.title type_error',
      'body.translations.1.language missing',
    ])
    expect(placesOf((await editor.patch('/deals/nonsense', {})).body)).toEqual(['path.deal_id value_error'])
    expect((await editor.get('/deals', { per_page: 101 })).status).toBe(422)
  })

  it.each([
    [undefined, 'Free socks', 'Warm feet.'],
    ['en', 'Free socks', 'Warm feet.'],
    ['de', 'Gratis-Socken', 'Warme Füße.'],
    ['de-AT', 'Gratis-Socken', 'Warme Füße.'],
    ['fr', 'Chaussettes offertes', 'Warm feet.'],
    ['el', 'Δωρεάν κάλτσες', 'Warm feet.'],
    ['sv', 'Free socks', 'Warm feet.'],
    ['sv, de;q=0.5', 'Gratis-Socken', 'Warme Füße.'],
    ['en, de;q=0.5', 'Free socks', 'Warm feet.'],
    ['fr;q=0.1, de;q=0.5', 'Gratis-Socken', 'Warme Füße.'],
  ])('are returned in the best language for Accept-Language %s', async (header, title, description) => {
    const headers: Record<string, string> = header === undefined ? {} : { 'accept-language': header }
    const created = await editor.post(
      '/deals',
      { discount_id: discountId, title: 'Free socks', description: 'Warm feet.', translations },
      { headers },
    )
    expect(created.body).toMatchObject({ title, description, translations })
    expect((await editor.get('/deals', {}, headers)).body[0]).toMatchObject({ title, description, translations })
  })

  it('store the last of several translations into one language, without nulls', async () => {
    const { translations: kept } = await add({
      translations: [
        { language: 'de', data: { title: 'Erst' } },
        { language: 'de', data: { title: 'Dann', description: null } },
      ],
    })
    expect(kept).toEqual([{ language: 'de', data: { title: 'Dann' } }])
  })

  it('change only what an update names, and never the rank', async () => {
    await add()
    const { uuid } = await add({ title: 'Before', description: 'Stays', translations })
    const other = await createDiscount(editor, { type: 'shipping' })
    const changed = await editor.patch(`/deals/${uuid}`, { title: 'After', discount_id: other, rank: 1 })
    expect(changed.body).toMatchObject({
      title: 'After',
      description: 'Stays',
      discount_id: other,
      discount: { uuid: other, type: 'shipping' },
      rank: 2,
      translations,
    })
    const emptied = await editor.patch(`/deals/${uuid}`, { title: null, translations: null, discount_id: null })
    expect(emptied.body).toMatchObject({ title: null, translations: [], discount_id: other })
    expect(await editor.patch(`/deals/${uuid}`, { discount_id: unknownId })).toMatchObject({
      status: 404,
      body: { key: 'discount_not_found' },
    })
  })

  it('are renumbered without a gap when one is deleted', async () => {
    const deals = []
    for (let number = 0; number < 5; number += 1) deals.push(await add({ title: `Deal ${number}` }))
    for (const gone of [deals[0], deals[2], deals[4]]) {
      expect(await editor.delete(`/deals/${gone.uuid}`)).toMatchObject({ status: 200, text: 'null' })
    }
    const left = (await editor.get('/deals')).body
    expect(left.map(({ title, rank }: { title: string; rank: number }) => `${rank} ${title}`)).toEqual([
      '1 Deal 1',
      '2 Deal 3',
    ])
    expect(await add()).toMatchObject({ rank: 3 })
    expect(await editor.delete(`/deals/${deals[0].uuid}`)).toMatchObject({ body: { key: 'deal_not_found' } })
  })

  it('have distinct ranks without gaps when ten are created, and some deleted, concurrently', async () => {
    const first = await Promise.all(Array.from({ length: 10 }, () => add()))
    expect(first.map(({ rank }) => rank).sort((left, right) => left - right)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    await Promise.all([
      ...first.slice(0, 5).map(({ uuid }) => editor.delete(`/deals/${uuid}`)),
      ...Array.from({ length: 3 }, () => add()),
    ])
    expect(await ranks()).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  })

  it('are listed by pages', async () => {
    for (let number = 0; number < 3; number += 1) await add({ title: `Deal ${number}` })
    const page = await editor.get('/deals', { per_page: 2, page: 2 })
    expect(page.body.map(({ title }: { title: string }) => title)).toEqual(['Deal 2'])
    expect(page.headers['x-total-count']).toBe('3')
    expect(page.headers.link).toContain('rel="prev"')
  })

  it('of all shops that a key may see are listed, and no others', async () => {
    const deal = await add({ title: 'Mine', translations })
    const other = await makeShop()
    const otherDiscount = await createDiscount(other.as('editor'))
    await other.as('editor').post('/deals', { discount_id: otherDiscount, title: 'Theirs' })
    const auth = await shop.credentials('viewer')
    const mine = await call('GET', '/v1/deals', { auth, headers: { 'accept-language': 'de' } })
    expect(mine.body).toEqual([{ ...deal, title: 'Gratis-Socken', description: 'Warme Füße.' }])
    expect(mine.headers['x-total-count']).toBe('1')

    const shops = [shop, other].map(({ slug }) => ({ shop_slug: slug, role: 'viewer' }))
    const key = (await call('POST', `/v1/shops/${shop.slug}/api-keys`, { body: { shops } })).body
    const both = await call('GET', '/v1/deals', { auth: { username: key.username, apiKey: key.secret } })
    expect(both.body.map(({ title }: { title: string }) => title).sort()).toEqual(['Mine', 'Theirs'])

    await call('DELETE', `/v1/shops/${other.slug}`)
    const all = await call('GET', '/v1/deals', { query: { per_page: 100 } })
    const slugs = all.body.map(({ shop_slug }: { shop_slug: string }) => shop_slug)
    expect(slugs).toContain(shop.slug)
    expect(slugs).not.toContain(other.slug)
  })

  it('of another shop are not found', async () => {
    const { uuid } = await add({ title: 'Mine' })
    const other = (await makeShop()).as('editor')
    const missing = { status: 404, body: { key: 'deal_not_found' } }
    expect(await other.get('/deals')).toMatchObject({ text: '[]' })
    expect(await other.patch(`/deals/${uuid}`, { title: 'Theirs' })).toMatchObject(missing)
    expect(await other.delete(`/deals/${uuid}`)).toMatchObject(missing)
    expect((await editor.get('/deals')).body).toMatchObject([{ title: 'Mine' }])
  })
})
