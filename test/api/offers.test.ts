import { describe, expect, it } from 'vitest'
import { after, dayMs, minuteMs } from '../../src/platform/foundation/clock.ts'
import { campaignOf, createCampaign, createTest } from '../harness/campaigns.ts'
import { createOrder } from '../harness/orders.ts'
import { call, clock, startTestService, theService } from '../harness/service.ts'
import { makeShop, type ShopCaller } from '../harness/shop.ts'

// The first start of a store may take longer than the time limit of a test.
const { database } = await theService()

const nobody = '0192f3c4-7b1e-7cc0-9d3a-2f6f7a1b4c5d'
const days = (count: number) => after(clock.now(), count * dayMs).toISOString()

interface Reason {
  uuid: string
  reason: string
}

const offersOf = async (shop: ShopCaller, order: { uuid: string }, language = 'en') =>
  (await shop.get(`/orders/${order.uuid}/offers`, {}, { 'accept-language': language })).body
const reasonFor = (offers: { reasons: Reason[] }, uuid: string) =>
  offers.reasons.find((reason) => reason.uuid === uuid)?.reason

describe('offers for an order', () => {
  it('are empty in a shop without campaigns', async () => {
    const shop = (await makeShop()).as('editor')
    const offers = await offersOf(shop, await createOrder(shop))
    expect(offers).toEqual({ campaign: null, deals: [], announcements: [], reasons: [] })
  })

  it('are not found for an unknown order', async () => {
    const shop = (await makeShop()).as('editor')
    const order = await createOrder((await makeShop()).as('editor'))
    for (const id of [order.uuid, nobody]) {
      expect(await shop.get(`/orders/${id}/offers`)).toMatchObject({ status: 404, body: { key: 'order_not_found' } })
    }
  })

  it('prefer the most specific campaign, then the newest, with a reason for each', async () => {
    const shop = (await makeShop()).as('editor')
    const all = await createCampaign(shop, { enabled: true, start_date: days(-1) })
    const vip = await createCampaign(shop, { enabled: true, segment: 'vip', start_date: days(-9) })
    const newer = await createCampaign(shop, {
      enabled: true,
      segment: 'vip',
      promotion_type: 'banner',
      start_date: days(-5),
    })
    const off = await createCampaign(shop, { segment: 'vip' })
    const offers = await offersOf(shop, await createOrder(shop))
    expect(offers.campaign).toEqual(newer)
    expect([all, vip, newer, off].map(({ uuid }) => reasonFor(offers, uuid))).toEqual([
      'more_specific',
      'newer',
      'chosen',
      'disabled',
    ])
    const guest = await offersOf(shop, await createOrder(shop, { segments: [] }))
    expect(guest.campaign).toEqual(all)
    expect(reasonFor(guest, vip.uuid)).toBe('segment')
  })

  it('change at once with every change of a campaign, deal or announcement', async () => {
    const shop = (await makeShop()).as('editor')
    const order = await createOrder(shop)
    const shown = async () => (await offersOf(shop, order)).campaign?.promotion_properties.title ?? null
    expect(await shown()).toBeNull()
    const { uuid } = await createCampaign(shop, { enabled: true })
    expect(await shown()).toBe('Warm feet')
    await shop.put(`/campaigns/${uuid}`, campaignOf({ promotion_properties: { title: 'Cold feet' } }))
    expect(await shown()).toBe('Cold feet')
    await shop.delete(`/campaigns/${uuid}`)
    expect(await shown()).toBeNull()
  })

  it('change at once on every node', async () => {
    const made = await makeShop()
    const shop = made.as('editor')
    // Without workers: they would send the deliveries of other tests.
    const other = await startTestService({ ROLE: 'api' }, database)
    const order = await createOrder(shop)
    const path = `/v1/shops/${made.slug}/orders/${order.uuid}/offers`
    const there = async () => (await call('GET', path, {}, other)).body
    expect((await there()).campaign).toBeNull()
    const test = await createTest(shop)
    const here = await offersOf(shop, order)
    expect(test.campaigns.map(({ uuid }: { uuid: string }) => uuid)).toContain(here.campaign.uuid)
    expect(await there()).toEqual(here)
  })

  it('have deals by rank and announcements, in the language of the reader', async () => {
    const shop = (await makeShop()).as('editor')
    const order = await createOrder(shop)
    const { headers } = await shop.post('/discounts', { type: 'order', code: 'DEAL' })
    const discount_id = String(headers.location).split('/').at(-1) ?? ''
    const translations = [{ language: 'de', data: { title: 'Erste' } }]
    const first = (await shop.post('/deals', { discount_id, title: 'First', translations })).body
    await shop.post('/deals', { discount_id, title: 'Second' })
    await shop.post('/announcements', { text: 'Hello', language: 'en' })
    await shop.post('/announcements', { text: 'Hallo', language: 'de' })
    const titles = async (language: string) => {
      const { deals, announcements } = await offersOf(shop, order, language)
      return [...deals, ...announcements].map(({ title, text }) => title ?? text)
    }
    expect(await titles('de')).toEqual(['Erste', 'Second', 'Hallo'])
    expect(await titles('fr')).toEqual(['First', 'Second', 'Hello'])
    await shop.patch(`/discounts/${discount_id}`, { code: 'OTHER' })
    expect((await offersOf(shop, order)).deals[0].discount.code).toBe('OTHER')
    await shop.delete(`/deals/${first.uuid}`)
    expect(await titles('de')).toEqual(['Second', 'Hallo'])
  })

  it('follow the clock', async () => {
    const shop = (await makeShop()).as('editor')
    const order = await createOrder(shop)
    await createCampaign(shop, { enabled: true, start_date: days(1), end_date: days(2) })
    const shown = async () => (await offersOf(shop, order)).campaign !== null
    try {
      for (const expected of [false, true, false]) {
        expect(await shown()).toBe(expected)
        clock.advance(dayMs + minuteMs)
      }
    } finally {
      clock.reset()
    }
  })
})

describe('test', () => {
  it('gives a customer the same variant in every order, known by id, then e-mail, then order', async () => {
    const shop = (await makeShop()).as('editor')
    await createTest(shop, [50, 50])
    const shown = async (fields: Record<string, unknown>) =>
      (await offersOf(shop, await createOrder(shop, fields))).campaign.uuid
    const same = async (one: Record<string, unknown>, two: Record<string, unknown>) =>
      (await shown(one)) === (await shown(two))
    for (let customer = 0; customer < 5; customer += 1) {
      const id = { external_customer_id: `customer-${customer}` }
      expect(await same({ ...id, email_id: 'a@example.com' }, { ...id, email_id: `b${customer}@example.com` })).toBe(
        true,
      )
      expect(await same({ email_id: `Ada${customer}@Example.com` }, { email_id: `ada${customer}@example.com` })).toBe(
        true,
      )
    }
    const given = new Set<string>()
    for (let order = 0; order < 12; order += 1) given.add(await shown({ email_id: null }))
    expect(given.size).toBe(2)
  })

  it('shows its holdout no campaign', async () => {
    const shop = (await makeShop()).as('editor')
    const test = await createTest(shop, [100], { has_holdout: true, holdout_percentage: 100 })
    const offers = await offersOf(shop, await createOrder(shop))
    expect(offers.campaign).toBeNull()
    expect(reasonFor(offers, test.uuid)).toBe('holdout')
  })

  it('decides nothing for new customers once it has ended', async () => {
    const shop = (await makeShop()).as('editor')
    const test = await createTest(shop, [100])
    const order = await createOrder(shop)
    expect((await offersOf(shop, order)).campaign.uuid).toBe(test.campaigns[0].uuid)
    await shop.post(`/ab-tests/${test.uuid}/end-test`)
    expect((await offersOf(shop, order)).campaign).toBeNull()
  })
})

describe('recommended products', () => {
  it('fill a product campaign if they are switched on', async () => {
    const made = await makeShop()
    const shop = made.as('editor')
    const product = (product_id: string, fields: Record<string, unknown> = {}) => ({
      product_id,
      variant_id: `${product_id}-1`,
      title: product_id,
      price: 10,
      product_url: `https://shop.example/${product_id}`,
      ...fields,
    })
    await shop.post('/products', [product('lamp'), product('boots', { category: 'feet' })])
    await shop.post('/products', [product('socks'), product('shoes', { category: 'feet' })])
    const ordered = (...ids: string[]) =>
      createOrder(shop, { products: ids.map((product_id) => ({ product_id, title: product_id, quantity: 1 })) })
    await ordered('shoes', 'socks')
    const own = { title: 'Own', product_url: 'https://shop.example/own', currency: 'EUR' }
    await createCampaign(shop, {
      enabled: true,
      promotion_type: 'product',
      promotion_properties: { products: [own] },
    })
    const order = await ordered('shoes')
    const titles = async () =>
      (await offersOf(shop, order)).campaign.promotion_properties.products.map(({ title }: { title: string }) => title)
    expect(await titles()).toEqual(['Own'])
    await made.as('admin').patch('/settings/campaigns', { product_recommendations_enabled: true })
    expect(await titles()).toEqual(['Own', 'socks', 'boots', 'lamp'])
  })

  it("do not repeat the campaign's own products", async () => {
    const made = await makeShop()
    const shop = made.as('editor')
    const [lamp, mug] = ['lamp', 'mug'].map((name) => ({
      product_id: name,
      variant_id: `${name}-1`,
      title: name,
      price: 10,
      product_url: `https://shop.example/${name}`,
    }))
    await shop.post('/products', [lamp, mug])
    await made.as('admin').patch('/settings/campaigns', { product_recommendations_enabled: true })
    const own = { title: 'Our lamp', product_url: 'https://shop.example/lamp', currency: 'EUR' }
    await createCampaign(shop, {
      enabled: true,
      promotion_type: 'product',
      promotion_properties: { products: [own] },
    })
    const { products } = (await offersOf(shop, await createOrder(shop))).campaign.promotion_properties
    expect(products.map(({ title }: { title: string }) => title)).toEqual(['Our lamp', 'mug'])
  })
})

describe("address of a customer's tracking page", () => {
  it('is found by every kind of id, and is always the same', async () => {
    const made = await makeShop()
    const shop = made.as('editor')
    const order = await createOrder(shop)
    const urls = await Promise.all(
      [
        { id: order.order_number },
        { id: order.uuid, id_type: 'uuid' },
        { id: order.external_id, id_type: 'external_id' },
        { id: order.order_name, id_type: 'order_name' },
      ].map(async (reference) => (await made.as('editor').post('/orders/trackpage-url', reference)).body.url),
    )
    expect(new Set(urls).size).toBe(1)
    expect(urls[0]).toMatch(new RegExp(`^https://doorstep\\.example/track/${made.slug}/[\\w-]{64}$`))
  })

  it('does not exist for an unknown order', async () => {
    const shop = (await makeShop()).as('editor')
    const refused = async (body: object) => (await shop.post('/orders/trackpage-url', body)).body.key
    expect(await refused({ id: 'no such order' })).toBe('order_not_found')
    expect(await refused({ id: nobody, id_type: 'uuid' })).toBe('order_not_found')
    expect(await refused({ id: 'no uuid', id_type: 'uuid' })).toBe('invalid_payload')
  })
})
