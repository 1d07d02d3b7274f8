import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { statusOf } from '../../src/offers/campaigns/rules.ts'
import type { CampaignStatus } from '../../src/offers/campaigns/schema.ts'
import { listCampaigns } from '../../src/offers/campaigns/store.ts'
import { after, dayMs, hourMs } from '../../src/platform/foundation/clock.ts'
import { findShopIdentity } from '../../src/shops/shops/store.ts'
import { campaignOf, createCampaign, createTest } from '../harness/campaigns.ts'
import { multipart } from '../harness/multipart.ts'
import { clock, theService } from '../harness/service.ts'
import { makeShop } from '../harness/shop.ts'

// The first start of a store may take longer than the time limit of a test.
await theService()

const nobody = '0192f3c4-7b1e-7cc0-9d3a-2f6f7a1b4c5d'
const days = (count: number) => after(clock.now(), count * dayMs).toISOString()
const product = { title: 'Socks', product_url: 'https://shop.example/socks', currency: 'EUR', price: 24.95 }

describe('creating a campaign', () => {
  it('returns it in full, with its location', async () => {
    const shop = await makeShop()
    const start = days(-1)
    const { status, body, headers } = await shop
      .as('editor')
      .post('/campaigns', campaignOf({ name: 'Socks', segment: 'vip', enabled: true, start_date: start }))
    expect(status).toBe(200)
    expect(headers.location).toBe(`/v1/shops/${shop.slug}/campaigns/${body.uuid}`)
    expect(body).toMatchObject({
      shop_slug: shop.slug,
      name: 'Socks',
      segment: 'vip',
      promotion_type: 'basic',
      enabled: true,
      status: 'active',
      start_date: start,
      end_date: null,
      discount: null,
      promotion_properties: {
        title: 'Warm feet',
        subtitle: 'All winter',
        cta_label: 'To the socks',
        cta_url: null,
        image_url: null,
        discount_code: null,
        translations: [],
      },
    })
    expect((await shop.as('viewer').get(`/campaigns/${body.uuid}`)).body).toEqual(body)
  })

  it('starts now and disabled by default', async () => {
    const shop = (await makeShop()).as('editor')
    const before = clock.now()
    const campaign = await createCampaign(shop)
    expect(campaign).toMatchObject({ enabled: false, status: 'inactive' })
    expect(Date.parse(campaign.start_date)).toBeGreaterThanOrEqual(before.getTime() - 1_000)
  })

  it('stores only the properties of its type', async () => {
    const shop = (await makeShop()).as('editor')
    const given = { title: 'New in', subtitle: 'For winter', products: [product], discount_code: 'X' }
    const banner = await createCampaign(shop, { promotion_type: 'banner', promotion_properties: given })
    expect(banner.promotion_properties).not.toHaveProperty('products')
    const products = await createCampaign(shop, {
      promotion_type: 'product',
      promotion_properties: { ...given, image_url: 'https://shop.example/banner.jpg' },
    })
    expect(products.promotion_properties).toEqual({
      title: 'New in',
      subtitle: 'For winter',
      discount_code: 'X',
      cta_label: null,
      cta_url: null,
      products: [product],
      translations: [],
    })
  })

  it('rejects an unknown type, and names the field', async () => {
    const shop = (await makeShop()).as('editor')
    expect(await shop.post('/campaigns', campaignOf({ promotion_type: 'popup' }))).toMatchObject({
      status: 422,
      body: { key: 'campaign_type_invalid', errors: [{ loc: ['body', 'promotion_type'], type: 'value_error' }] },
    })
  })

  it('rejects missing and wrong fields', async () => {
    const shop = (await makeShop()).as('editor')
    const refusal = async (fields: Record<string, unknown>) => {
      const { status, body } = await shop.post('/campaigns', campaignOf(fields))
      return [status, body.key, body.errors[0]?.loc.join('.')]
    }
    expect(await refusal({ name: undefined })).toEqual([422, 'invalid_payload', 'body.name'])
    expect(await refusal({ start_date: days(2), end_date: days(1) })).toEqual([422, 'invalid_payload', 'body.end_date'])
    const lacking = { promotion_type: 'product', promotion_properties: { products: [{ title: 'No address' }] } }
    expect(await refusal(lacking)).toEqual([422, 'invalid_payload', 'body.promotion_properties.products.0.product_url'])
    const words = { language: 'de', values: { title: 'Warme Füße' } }
    expect(await refusal({ promotion_properties: { translations: [words, words] } })).toEqual([
      422,
      'invalid_payload',
      'body.promotion_properties.translations.1.language',
    ])
  })

  it('rejects a name that the shop already uses; another shop may use it', async () => {
    const shop = (await makeShop()).as('editor')
    const { uuid } = await createCampaign(shop, { name: 'Taken' })
    expect(await shop.post('/campaigns', campaignOf({ name: 'Taken' }))).toMatchObject({
      status: 409,
      body: { key: 'campaign_exists' },
    })
    await createCampaign((await makeShop()).as('editor'), { name: 'Taken' })
    await shop.delete(`/campaigns/${uuid}`)
    await createCampaign(shop, { name: 'Taken' })
  })

  it('shows a discount of this shop, and rejects any other', async () => {
    const shop = (await makeShop()).as('editor')
    const { headers } = await shop.post('/discounts', {
      type: 'order',
      code: 'WARM',
      value: 10,
      value_type: 'percentage',
    })
    const discountId = String(headers.location).split('/').at(-1) ?? ''
    const campaign = await createCampaign(shop, { discount_id: discountId })
    expect(campaign.discount).toMatchObject({ uuid: discountId, code: 'WARM', value: 10 })
    const refused = { status: 404, body: { key: 'discount_not_found' } }
    expect(await shop.post('/campaigns', campaignOf({ discount_id: nobody }))).toMatchObject(refused)
    const other = (await makeShop()).as('editor')
    expect(await other.post('/campaigns', campaignOf({ discount_id: discountId }))).toMatchObject(refused)
    expect((await shop.delete(`/discounts/${discountId}`)).body.key).toBe('discount_in_use')
    await shop.delete(`/campaigns/${campaign.uuid}`)
    expect((await shop.delete(`/discounts/${discountId}`)).status).toBe(200)
  })
})

describe('one enabled campaign for a segment, type and period', () => {
  const conflict = { status: 409, body: { key: 'campaign_active_segment_exists' } }

  it('is the limit; adjacent periods do not overlap', async () => {
    const shop = (await makeShop()).as('editor')
    await createCampaign(shop, { enabled: true, start_date: days(1), end_date: days(3) })
    const send = (fields: Record<string, unknown>) => shop.post('/campaigns', campaignOf({ enabled: true, ...fields }))
    expect(await send({ start_date: days(2) })).toMatchObject(conflict)
    expect(await send({ start_date: days(-1) })).toMatchObject(conflict)
    expect((await send({ start_date: days(2), segment: 'vip' })).status).toBe(200)
    expect((await send({ start_date: days(2), promotion_type: 'banner' })).status).toBe(200)
    expect((await send({ start_date: days(2), enabled: false })).status).toBe(200)
    expect((await send({ start_date: '2020-01-01', end_date: '2020-02-01' })).status).toBe(200)
    expect((await send({ start_date: '2020-02-01', end_date: '2020-03-01' })).status).toBe(200)
  })

  it('is enforced when one is enabled later', async () => {
    const shop = (await makeShop()).as('editor')
    const first = await createCampaign(shop, { enabled: true })
    const second = await createCampaign(shop)
    const enable = (uuid: string, enabled: boolean) => shop.put(`/campaigns/${uuid}`, campaignOf({ enabled }))
    expect(await enable(second.uuid, true)).toMatchObject(conflict)
    expect((await enable(first.uuid, false)).status).toBe(200)
    expect((await enable(second.uuid, true)).body.status).toBe('active')
  })

  it('is enforced when many are created at once', async () => {
    const shop = (await makeShop()).as('editor')
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => shop.post('/campaigns', campaignOf({ enabled: true }))),
    )
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(7)
  })
})

describe('status of a campaign', () => {
  it('is the same for the search as for one campaign, also at the very start and end', async () => {
    const made = await makeShop()
    const period = { start: new Date('2026-11-15T12:00:00Z'), end: new Date('2026-11-15T13:00:00Z') }
    const dates = { start_date: period.start.toISOString(), end_date: period.end.toISOString() }
    const { uuid } = await createCampaign(made.as('editor'), { enabled: true, ...dates })
    const context = (await theService()).context()
    const shop = await findShopIdentity(context, made.slug)
    if (shop === undefined) throw new Error('the shop is gone')
    for (const ms of [-1, 0, hourMs - 1, hourMs]) {
      const now = after(period.start, ms)
      const found = async (status: CampaignStatus) => {
        const { items } = await listCampaigns({ ...context, shop, now }, { status })
        return items.map(({ id }) => id)
      }
      for (const status of ['inactive', 'scheduled', 'active', 'completed'] as const) {
        expect(await found(status), `${ms} ${status}`).toEqual(status === statusOf(period, true, now) ? [uuid] : [])
      }
    }
  })

  it('follows the clock, and is what a search by it finds', async () => {
    const shop = (await makeShop()).as('editor')
    const { uuid } = await createCampaign(shop, { enabled: true, start_date: days(1), end_date: days(2) })
    const status = async () => (await shop.get(`/campaigns/${uuid}`)).body.status
    const found = async (wanted: string) => (await shop.get('/campaigns', { status: wanted })).body.length
    try {
      for (const expected of ['scheduled', 'active', 'completed']) {
        expect(await status()).toBe(expected)
        for (const each of ['inactive', 'scheduled', 'active', 'completed']) {
          expect(await found(each)).toBe(each === expected ? 1 : 0)
        }
        clock.advance(dayMs + 60_000)
      }
    } finally {
      clock.reset()
    }
    await shop.put(`/campaigns/${uuid}`, campaignOf({ enabled: false }))
    expect(await status()).toBe('inactive')
    expect(await found('inactive')).toBe(1)
  })
})

describe('searching campaigns', () => {
  it('filters by every field and pages, newest first', async () => {
    const shop = (await makeShop()).as('editor')
    const socks = await createCampaign(shop, { name: 'Socks', segment: 'vip', enabled: true })
    const banner = await createCampaign(shop, { name: 'Banner', promotion_type: 'banner' })
    const ids = async (query: Record<string, string | boolean | number>) =>
      (await shop.get('/campaigns', query)).body.map((campaign: { uuid: string }) => campaign.uuid)
    expect(await ids({})).toEqual([banner.uuid, socks.uuid])
    expect(await ids({ name: 'Socks' })).toEqual([socks.uuid])
    expect(await ids({ segment: 'vip' })).toEqual([socks.uuid])
    expect(await ids({ promotion_type: 'banner' })).toEqual([banner.uuid])
    expect(await ids({ enabled: true })).toEqual([socks.uuid])
    expect(await ids({ per_page: 1, page: 2 })).toEqual([socks.uuid])
    expect((await shop.get('/campaigns', { per_page: 1 })).headers).toMatchObject({ 'x-total-count': '2' })
  })
})

describe('updating a campaign', () => {
  it('replaces required fields, keeps absent ones and empties null ones', async () => {
    const shop = (await makeShop()).as('editor')
    const known = await createCampaign(shop, { enabled: true, start_date: days(-2), end_date: days(5) })
    const put = (fields: Record<string, unknown>) => shop.put(`/campaigns/${known.uuid}`, campaignOf(fields))
    const kept = await put({ name: 'Renamed', promotion_properties: { title: 'Other' } })
    expect(kept.body).toMatchObject({
      uuid: known.uuid,
      name: 'Renamed',
      enabled: true,
      start_date: known.start_date,
      end_date: known.end_date,
      promotion_properties: { title: 'Other', subtitle: null },
    })
    expect((await put({ end_date: null })).body).toMatchObject({ end_date: null, start_date: known.start_date })
  })

  it('rejects the name of another campaign, and does not find an unknown one', async () => {
    const shop = (await makeShop()).as('editor')
    await createCampaign(shop, { name: 'First' })
    const { uuid } = await createCampaign(shop)
    expect((await shop.put(`/campaigns/${uuid}`, campaignOf({ name: 'First' }))).body.key).toBe('campaign_exists')
    const missing = { status: 404, body: { key: 'campaign_not_found' } }
    expect(await shop.put(`/campaigns/${nobody}`, campaignOf())).toMatchObject(missing)
    expect(await shop.get(`/campaigns/${nobody}`)).toMatchObject(missing)
    expect(await shop.delete(`/campaigns/${nobody}`)).toMatchObject(missing)
    expect(await (await makeShop()).as('editor').get(`/campaigns/${uuid}`)).toMatchObject(missing)
  })

  it('cannot change segment and type while a test compares it', async () => {
    const shop = (await makeShop()).as('editor')
    const test = await createTest(shop)
    const change = (segment: string) => shop.put(`/campaigns/${test.campaigns[0].campaign_id}`, campaignOf({ segment }))
    expect(await change('vip')).toMatchObject({
      status: 422,
      body: { key: 'campaign_type_invalid', errors: [{ loc: ['body', 'segment'] }] },
    })
    await shop.post(`/ab-tests/${test.uuid}/end-test`)
    expect((await change('vip')).status).toBe(200)
  })

  it('deletes it for good', async () => {
    const shop = (await makeShop()).as('editor')
    const { uuid } = await createCampaign(shop)
    expect(await shop.delete(`/campaigns/${uuid}`)).toMatchObject({ status: 200, body: null })
    expect((await shop.get(`/campaigns/${uuid}`)).status).toBe(404)
    expect((await shop.get('/campaigns')).body).toEqual([])
  })
})

describe('translations', () => {
  const translations = [
    { language: 'de', values: { title: 'Warme Füße', cta_label: 'Zu den Socken' } },
    { language: 'gr', values: { title: 'Ζεστά πόδια' } },
  ]

  it('are chosen by Accept-Language, field by field, and listed in full', async () => {
    const shop = (await makeShop()).as('editor')
    const promotion_properties = { title: 'Warm feet', subtitle: 'All winter', cta_label: 'To the socks', translations }
    const { uuid } = await createCampaign(shop, { promotion_properties })
    const read = async (language: string) =>
      (await shop.get(`/campaigns/${uuid}`, {}, { 'accept-language': language })).body.promotion_properties
    expect(await read('de-AT,en;q=0.5')).toMatchObject({
      title: 'Warme Füße',
      subtitle: 'All winter',
      cta_label: 'Zu den Socken',
      translations,
    })
    expect(await read('el')).toMatchObject({ title: 'Ζεστά πόδια', cta_label: 'To the socks' })
    expect(await read('fr,de;q=0.4')).toMatchObject({ title: 'Warme Füße' })
    expect(await read('en')).toMatchObject({ title: 'Warm feet' })
    const list = await shop.get('/campaigns', {}, { 'accept-language': 'de' })
    expect(list.body[0].promotion_properties.title).toBe('Warme Füße')
  })

  it('of products are chosen as well', async () => {
    const shop = (await makeShop()).as('editor')
    const translated = { ...product, translations: [{ language: 'de', values: { title: 'Socken' } }] }
    const { uuid } = await createCampaign(shop, {
      promotion_type: 'product',
      promotion_properties: { products: [translated] },
    })
    const { body } = await shop.get(`/campaigns/${uuid}`, {}, { 'accept-language': 'de' })
    expect(body.promotion_properties.products[0]).toMatchObject({
      title: 'Socken',
      translations: translated.translations,
    })
  })
})

describe('images of a campaign', async () => {
  const png = await sharp({ create: { width: 4, height: 4, channels: 3, background: { r: 1, g: 2, b: 3 } } })
    .png()
    .toBuffer()
  const form = multipart([{ name: 'image', content: png, filename: 'image.png', contentType: 'image/png' }])

  it('become the image of a banner', async () => {
    const shop = await makeShop()
    const { uuid } = await createCampaign(shop.as('editor'), { promotion_type: 'banner' })
    const { status, body, headers } = await shop.as('editor').post(`/campaigns/${uuid}/image`, undefined, form)
    expect(status).toBe(200)
    expect(body).toEqual((await shop.as('viewer').get(`/campaigns/${uuid}`)).body)
    expect(body.promotion_properties).toMatchObject({
      image_url: expect.stringMatching(/^http/),
      title: 'Warm feet',
    })
    expect(body.promotion_properties.image_url).toContain(headers.location)
  })

  it('become the image of one of its products', async () => {
    const shop = (await makeShop()).as('editor')
    const promotion_properties = { products: [product, product] }
    const { uuid } = await createCampaign(shop, { promotion_type: 'product', promotion_properties })
    const send = (position: string) => shop.post(`/campaigns/${uuid}/products/${position}/image`, undefined, form)
    const { body, headers } = await send('1')
    const image_url = expect.stringContaining(String(headers.location))
    expect(body.promotion_properties.products).toEqual([product, { ...product, image_url }])
    expect(body).toEqual((await shop.get(`/campaigns/${uuid}`)).body)
    expect(await send('2')).toMatchObject({ status: 404, body: { key: 'campaign_product_not_found' } })
    expect(await send('first')).toMatchObject({ status: 422, body: { key: 'invalid_payload' } })
    expect(await shop.post(`/campaigns/${uuid}/image`, undefined, form)).toMatchObject({
      status: 422,
      body: { key: 'campaign_type_invalid' },
    })
  })

  it('need a campaign, and must be images', async () => {
    const shop = (await makeShop()).as('editor')
    const { uuid } = await createCampaign(shop)
    expect((await shop.post(`/campaigns/${nobody}/image`, undefined, form)).body.key).toBe('campaign_not_found')
    const text = multipart([{ name: 'image', content: 'no image', filename: 'image.png' }])
    expect((await shop.post(`/campaigns/${uuid}/image`, undefined, text)).body.key).toBe('image_media_unsupported')
    expect((await shop.post(`/campaigns/${uuid}/products/0/image`, undefined, form)).body.key).toBe(
      'campaign_product_not_found',
    )
  })
})
