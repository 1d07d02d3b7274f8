import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { languages, languageTag } from '../../src/platform/foundation/languages.ts'
import { idIn, placesOf } from '../harness/catalogue.ts'
import { theService } from '../harness/service.ts'
import { makeShop, type TestShop } from '../harness/shop.ts'

const path = '/settings/page-preview'

let shop: TestShop

beforeAll(async () => {
  shop = await makeShop({ name: 'River <& Pine>', language: 'de' })
})

const preview = (draft: Record<string, unknown> = {}, of = shop) => of.as('viewer').post(path, draft)
const campaign = (properties: Record<string, unknown>, promotion_type = 'basic') => ({
  campaign: { promotion_type, promotion_properties: properties },
})

describe('preview of offers', () => {
  it('is a page that only our own pages may frame, without scripts', async () => {
    const { status, headers, text } = await preview()
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(headers['x-frame-options']).toBe('SAMEORIGIN')
    expect(headers['content-security-policy']).toContain("frame-ancestors 'self'")
    expect(headers['content-security-policy']).not.toContain('script-src')
    expect(text).toContain('<body inert>')
    expect(text).not.toContain('<script')
    expect(text).not.toContain('class="offer')
  })

  it('has the styles of the preview of colours, so that a frame can show one after the other', async () => {
    const styles = (text: string) => text.match(/<style>[\s\S]*?<\/style>/g)
    const colours = await shop.as('viewer').get('/settings/brand-palette/preview', { scheme: 'dark' })
    const offers = await preview({ color_scheme: 'dark' })
    expect(styles(offers.text)).toEqual(styles(colours.text))
    expect(offers.headers['content-security-policy']).toBe(colours.headers['content-security-policy'])
  })

  it('shows a campaign of each type in the language of the page', async () => {
    const translations = [{ language: 'fr', values: { title: 'Les pieds au chaud' } }]
    const words = { title: 'Warme Füße', subtitle: 'Den ganzen Winter', discount_code: 'WARM', translations }
    const basic = await preview(
      campaign({ ...words, cta_url: 'https://shop.example/socks', cta_label: 'Zu den Socken' }),
    )
    for (const said of ['Warme Füße', 'Den ganzen Winter', 'WARM', 'Zu den Socken']) expect(basic.text).toContain(said)
    expect((await preview({ ...campaign(words, 'banner'), language: 'fr' })).text).toContain('Les pieds au chaud')
    const product = { title: 'Socken Larch', product_url: 'https://shop.example/larch', price: 24.95, currency: 'EUR' }
    const { text } = await preview(campaign({ ...words, products: [product] }, 'product'))
    expect(text).toContain('Socken Larch')
    expect(text).toContain('24,95')
  })

  it('shows deals with a saved or a typed discount', async () => {
    const discount_id = idIn(await shop.as('editor').post('/discounts', { type: 'order', code: 'SAVED10' }))
    const { text } = await preview({
      deals: [{ title: 'Mit Rabatt', discount_id }, { discount: { title: 'Getippt', code: 'TYPED5' } }],
    })
    for (const said of ['Mit Rabatt', 'SAVED10', 'Getippt', 'TYPED5']) expect(text).toContain(said)
  })

  it('shows the announcements of its language, as every page does', async () => {
    const announcements = [
      { text: 'Einen Tag später', language: 'de' },
      { text: 'A day later', language: 'en' },
    ]
    const german = (await preview({ announcements })).text
    expect(german).toContain('Einen Tag später')
    expect(german).not.toContain('A day later')
    // Without one in French, the shop's language.
    expect((await preview({ announcements, language: 'fr' })).text).toContain('Einen Tag später')
    expect((await preview({ announcements, language: 'en' })).text).toContain('A day later')
  })

  it.each(languages)('is complete in %s', async (language) => {
    expect((await preview({ language })).text).toContain(`<html lang="${languageTag(language)}">`)
  })

  it('shows the order at each stage', async () => {
    const titles = []
    for (const scene of ['placed', 'in_transit', 'in_delivery', 'delivered', 'failed']) {
      const { status, text } = await preview({ scene })
      expect(status, scene).toBe(200)
      titles.push(/<h1>([^<]*)</.exec(text)?.[1])
    }
    expect(new Set(titles).size).toBe(5)
  })

  it('escapes whatever is typed', async () => {
    const evil = '"><script>alert(1)</script><img src=x onerror=alert(1)>'
    const { status, text } = await preview({
      ...campaign({
        title: evil,
        subtitle: evil,
        cta_label: evil,
        cta_url: 'https://shop.example/?"><b',
        discount_code: evil,
      }),
      deals: [{ title: evil, description: evil, discount: { code: evil } }],
      announcements: [{ text: evil, language: 'de' }],
    })
    expect(status).toBe(200)
    expect(text).not.toContain('<script')
    expect(text).not.toContain('<img src=x')
    expect(text).toContain('&lt;script&gt;')
  })

  it('follows no address but those of the web', async () => {
    const { text } = await preview(
      campaign({ title: 'x', cta_url: 'https://shop.example/', image_url: 'javascript:alert(1)' }),
    )
    expect(text).not.toContain('javascript:')
  })

  it('says where a draft is wrong, and is limited', async () => {
    const wrong = await preview({
      ...campaign({ title: 7, cta_url: 'no address', products: [{ currency: 'EURO' }] }, 'carousel'),
      deals: [{ cta_url: '' }],
      announcements: [{ text: '', language: 'xx' }],
      scene: 'lost',
      language: 'xx',
    })
    expect(wrong.status).toBe(422)
    expect(placesOf(wrong.body)).toEqual(
      expect.arrayContaining([
        'body.campaign.promotion_properties.cta_url value_error',
        'body.campaign.promotion_type value_error',
        'body.deals.0.cta_url value_error',
        'body.language value_error',
        'body.scene value_error',
      ]),
    )
    expect((await preview({ deals: Array(21).fill({}) })).status).toBe(422)
    expect((await preview({ announcements: Array(21).fill({ text: 'x', language: 'en' }) })).status).toBe(422)
    expect((await preview(campaign({ title: 'x'.repeat(1_001) }))).status).toBe(422)
  })

  it('reaches nothing of another shop', async () => {
    const other = await makeShop()
    const discount_id = idIn(await other.as('editor').post('/discounts', { type: 'order', code: 'OTHERS' }))
    for (const draft of [{ deals: [{ discount_id }] }, { campaign: { ...campaign({}).campaign, discount_id } }]) {
      const { status, body, text } = await preview(draft)
      expect([status, body.key]).toEqual([404, 'discount_not_found'])
      expect(text).not.toContain('OTHERS')
    }
  })

  it('writes nothing', async () => {
    const { db } = (await theService()).database
    const count = async () => {
      const tables = [
        'campaigns',
        'deals',
        'discounts',
        'announcements',
        'campaign_views',
        'audit_log',
        'offer_versions',
      ]
      const counts = []
      for (const table of tables) {
        const { rows } = await sql`select count(*) as count from ${sql.table(table)} where shop_id =
          (select id from shops where slug = ${shop.slug})`.execute(db)
        counts.push(rows)
      }
      return counts
    }
    const before = await count()
    await preview({ ...campaign({ title: 'x' }), deals: [{}], announcements: [{ text: 'x', language: 'de' }] })
    expect(await count()).toEqual(before)
  })
})
