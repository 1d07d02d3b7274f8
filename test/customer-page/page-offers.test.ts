import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { dayMs } from '../../src/platform/foundation/clock.ts'
import { createCampaign, createTest } from '../harness/campaigns.ts'
import { readable, sendOrder, visit } from '../harness/pages.ts'
import { call, clock, theService } from '../harness/service.ts'
import { makeShop } from '../harness/shop.ts'

// The first start of a store may take longer than the time limit of a test.
const { database } = await theService()

async function countViews(subjectId: string): Promise<string[]> {
  const { rows } = await sql<{ action: string }>`
    select action from campaign_views where subject_id = ${subjectId} order by action`.execute(database.db)
  return rows.map(({ action }) => action)
}

const goLinks = (text: string) => [...text.matchAll(/href="([^"]*\/go\/[^"]+)"/g)].map(([, link = '']) => link)

const properties = {
  title: 'Warm feet',
  subtitle: 'All winter',
  cta_label: 'To the socks',
  cta_url: 'https://shop.example/socks?from=page',
  image_url: 'https://shop.example/socks.jpg',
  discount_code: 'WARM10',
}

describe('campaign on an order’s page', () => {
  it.each(['basic', 'banner'])('of the type %s shows its image, its text, its code and its link', async (type) => {
    const shop = await makeShop()
    await createCampaign(shop.as('editor'), {
      enabled: true,
      promotion_type: type,
      promotion_properties: { ...properties, translations: [{ language: 'de', values: { title: 'Warme Füße' } }] },
    })
    const { path } = await sendOrder(shop)
    const { text } = await visit(path)
    for (const part of ['Warm feet', 'All winter', 'To the socks', 'WARM10']) expect(readable(text)).toContain(part)
    expect(text).toContain('src="https://shop.example/socks.jpg"')
    expect(readable((await visit(`${path}?lang=de`)).text)).toContain('Warme Füße')
  })

  it('of the type product shows its products with localised prices', async () => {
    const shop = await makeShop()
    await createCampaign(shop.as('editor'), {
      enabled: true,
      promotion_type: 'product',
      promotion_properties: {
        title: 'Goes with it',
        cta_url: 'https://shop.example/all',
        products: [
          {
            title: 'Larch socks',
            product_url: 'https://shop.example/p/larch',
            price: 1_024.95,
            currency: 'EUR',
            discount: { category: 'percentage', amount: 20 },
          },
          { title: 'Otter hat', product_url: 'https://shop.example/p/otter', currency: 'EUR', category: 'new' },
        ],
      },
    })
    const { path } = await sendOrder(shop)
    const { text } = await visit(path)
    expect(readable(text)).toContain('Larch socks €1,024.95 20% off')
    expect(readable(text)).toContain('Otter hat New')
    expect(readable((await visit(`${path}?lang=de`)).text)).toContain('1.024,95')
    const targets = []
    for (const link of goLinks(text)) targets.push((await visit(link)).headers.location)
    expect(targets).toEqual([
      'https://shop.example/p/larch',
      'https://shop.example/p/otter',
      'https://shop.example/all',
    ])
  })

  it('counts a view when it is shown and a click when its link is followed, once per day each', async () => {
    const shop = await makeShop()
    const { uuid } = await createCampaign(shop.as('editor'), { enabled: true, promotion_properties: properties })
    const { path } = await sendOrder(shop)
    const { text } = await visit(path)
    await visit(path)
    expect(await countViews(uuid)).toEqual(['exposure'])
    const [link = ''] = goLinks(text)
    for (let time = 0; time < 2; time += 1) {
      const { status, headers } = await visit(link)
      expect({ status, location: headers.location }).toEqual({ status: 303, location: properties.cta_url })
    }
    expect(await countViews(uuid)).toEqual(['click', 'exposure'])
    try {
      clock.advance(dayMs)
      await visit(path)
    } finally {
      clock.reset()
    }
    expect(await countViews(uuid)).toEqual(['click', 'exposure', 'exposure'])
  })

  it.each([
    ['wants not to be followed', { 'sec-gpc': '1' }],
    ['fetches ahead', { 'sec-purpose': 'prefetch;prerender' }],
    ['fetches ahead in the old way', { purpose: 'prefetch' }],
    ['is a robot', { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1)' }],
    ['previews a link', { 'user-agent': 'facebookexternalhit/1.1' }],
  ])('is shown, but not counted, if the browser %s', async (_case, headers) => {
    const shop = await makeShop()
    const { uuid } = await createCampaign(shop.as('editor'), { enabled: true, promotion_properties: properties })
    const { path } = await sendOrder(shop)
    const { text } = await visit(path, { headers })
    expect(readable(text)).toContain('Warm feet')
    const [link = ''] = goLinks(text)
    expect((await visit(link, { headers })).headers.location).toBe(properties.cta_url)
    expect(await countViews(uuid)).toEqual([])
  })

  it('is not counted by a HEAD request', async () => {
    const shop = await makeShop()
    const { uuid } = await createCampaign(shop.as('editor'), { enabled: true })
    const { path } = await sendOrder(shop)
    expect((await call('HEAD', path, { auth: null })).status).toBe(200)
    expect(await countViews(uuid)).toEqual([])
  })

  it('of a test is stable and stored at the first view, but not stored for people who opt out of tracking', async () => {
    const shop = await makeShop()
    const editor = shop.as('editor')
    const test = await createTest(editor, [50, 50])
    const { path } = await sendOrder(shop)
    const shownIn = (text: string) => /\/go\/([0-9a-f-]{36})\//.exec(text)?.[1]
    const customers = async () => {
      const { variants } = (await editor.get(`/ab-tests/${test.uuid}/results`)).body
      return variants.reduce((sum: number, variant: { customers: number }) => sum + variant.customers, 0)
    }
    const first = shownIn((await visit(path, { headers: { 'sec-gpc': '1' } })).text)
    expect(shownIn((await visit(path, { headers: { 'sec-gpc': '1' } })).text)).toBe(first)
    expect(await customers()).toBe(0)
    expect(shownIn((await visit(path)).text)).toBe(first)
    expect(await customers()).toBe(1)
  })

  it('leads nowhere but to its own targets', async () => {
    const shop = await makeShop()
    const editor = shop.as('editor')
    const { uuid } = await createCampaign(editor, { enabled: true, promotion_properties: properties })
    const { path } = await sendOrder(shop)
    const [link = ''] = goLinks((await visit(path)).text)
    for (const wrong of [
      `${path}/go/${uuid}/https%3A%2F%2Fevil.example`,
      `${path}/go/${uuid}/0000000000000000?to=https://evil.example`,
      `${path}/go/0192f3c4-7b1e-7cc0-9d3a-2f6f7a1b4c5d/${link.split('/').at(-1)}`,
    ]) {
      expect((await visit(wrong)).headers.location).toBe(path)
    }
    expect(await countViews(uuid)).toEqual(['exposure'])
    const other = await makeShop()
    expect((await visit(link.replace(shop.slug, other.slug))).status).toBe(404)
  })
})
