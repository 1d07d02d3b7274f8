import { describe, expect, it } from 'vitest'
import { createDiscount } from '../harness/catalogue.ts'
import { createOrder, uniqueNumber } from '../harness/orders.ts'
import { pagePathOf, readable, scanParcel, sendOrder, visit } from '../harness/pages.ts'
import { reportOrder, reportParcel } from '../harness/reported-orders.ts'
import { call } from '../harness/service.ts'
import { makeShop } from '../harness/shop.ts'

const hostile = `"><script>alert(1)</script><img src=x onerror='alert(2)'>`

describe("order's page", () => {
  it('shows where the parcel is, its contents, its carrier and its events', async () => {
    const shop = await makeShop({ name: 'River & Pine', shop_faq_url: 'https://shop.example/faq' })
    const { order, trackingNumbers, path } = await sendOrder(shop)
    const [number = ''] = trackingNumbers
    await scanParcel(shop, number, 'ARRIVED_AT_SORTING_CENTER', '2026-11-03T08:00:00Z')
    const { status, text } = await visit(path)
    expect(status).toBe(200)
    const shown = readable(text)
    expect(shown).toContain(`Order ${order.order_name}`)
    expect(text).toContain('<h1>Your parcel is on its way</h1>')
    expect(text).toMatch(/<li class="now" aria-current="step"><span>On its way/)
    for (const part of ['DHL', number, 'Rain jacket', 'Blue / M', 'Quantity: 2', '€89.90'])
      expect(shown).toContain(part)
    expect(shown).toContain('Your parcel has arrived at a sorting centre')
    expect(text).toContain('href="https://shop.example/faq"')
    expect(text).toContain(`href="${path}/claim"`)
    expect(text).toContain('src="https://shop.example/images/rain-jacket.jpg"')
    // One first-level heading, and no level is skipped.
    const levels = [...text.matchAll(/<h([1-6])[ >]/g)].map(([, level]) => Number(level))
    expect(levels.filter((level) => level === 1)).toEqual([1])
    for (const [index, level] of levels.entries()) {
      if (index > 0) expect(level - (levels[index - 1] ?? 1)).toBeLessThanOrEqual(1)
    }
  })

  it.each([
    ['en', 'Your order is complete', 'your items are delivered digitally'],
    ['de', 'Ihre Bestellung ist abgeschlossen', 'werden digital geliefert'],
  ])('says in %s that a digital order is not shipped, and what was ordered', async (lang, title, lead) => {
    const shop = await makeShop({ name: 'River & Pine' })
    const products = [{ title: 'E-book', quantity: 1, requires_shipping: false }]
    const { path } = await sendOrder(shop, { products }, [])
    const { text } = await visit(`${path}?lang=${lang}`)
    expect(text).toContain(`<h1>${title}</h1>`)
    for (const part of [lead, 'River & Pine', 'E-book']) expect(readable(text)).toContain(part)
    expect(text).not.toContain('aria-current="step"')
  })

  it('says that a refunded order has nothing left to send, and that another was sent', async () => {
    const shop = await makeShop({ name: 'River & Pine' })
    const [refunded, sent] = [uniqueNumber(), uniqueNumber()]
    await reportOrder(shop, refunded, { nothingToSend: true })
    await reportOrder(shop, sent, { handedOverWithoutTracking: true })
    const pageOf = async (number: string) => (await visit(await pagePathOf(shop.as('editor'), number))).text
    expect(await pageOf(refunded)).toContain('<h1>There is nothing left to send</h1>')
    const handedOver = await pageOf(sent)
    expect(handedOver).toContain('<h1>Your order is on its way</h1>')
    expect(readable(handedOver)).toContain('This parcel was sent without a tracking number.')
    expect(readable(handedOver)).not.toContain('still being packed')
    await reportParcel(shop, sent, `${sent}-1`)
    expect(readable(await pageOf(sent))).toContain(`${sent}-1`)
    expect(await pageOf(sent)).not.toContain('without a tracking number')
  })

  it('lists the remaining items in a parcel that is not sent yet', async () => {
    const shop = await makeShop()
    const sent = [{ title: 'Rain jacket', quantity: 1, sku: 'RJ-42' }]
    const { path } = await sendOrder(shop, { expected_number_of_shipments: 2 }, [{ products: sent }])
    const { text } = await visit(path)
    const draft = readable(text.slice(text.lastIndexOf('class="parcel-fold"')))
    expect(draft).toContain('Socks')
    expect(draft).not.toContain('Rain jacket')
  })

  it('shows times in the time zone of the destination, by day', async () => {
    const shop = await makeShop()
    const { trackingNumbers, path } = await sendOrder(shop, {
      address: { zip_code: '10115', country_code: 'DE' },
      order_placed_at: '2026-11-01T09:30:00Z',
    })
    await scanParcel(shop, trackingNumbers[0] ?? '', 'OUT_FOR_DELIVERY', '2026-11-03T23:30:00Z')
    const english = readable((await visit(path)).text)
    expect(english).toContain('Wednesday 4 November 00:30 Your parcel is out for delivery')
    const german = readable((await visit(`${path}?lang=de`)).text)
    expect(german).toContain('Mittwoch, 4. November 00:30')
  })

  it('shows nobody’s name, street or e-mail address', async () => {
    const shop = await makeShop()
    const { order, path } = await sendOrder(shop)
    const { text } = await visit(path)
    for (const secret of ['Ada Example', 'Example Street', '10115', order.email_id, '1234567', order.external_id]) {
      expect(text).not.toContain(secret)
    }
  })

  it('is protected: no cookie, no search engine, no other host’s script, no framing', async () => {
    const shop = await makeShop()
    const { path } = await sendOrder(shop)
    const { headers, text } = await visit(path)
    const policy = String(headers['content-security-policy'])
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).toContain("script-src 'self'")
    expect(policy).not.toContain('unsafe')
    expect(headers['x-robots-tag']).toContain('noindex')
    expect(headers['referrer-policy']).toBe('no-referrer')
    expect(headers['cache-control']).toBe('no-store')
    expect(headers['set-cookie']).toBeUndefined()
    expect(text).toContain('<meta name="robots" content="noindex')
    expect(text).not.toMatch(/\son\w+=|style="|<script>/)
    for (const [, source] of text.matchAll(/<script src="([^"]+)"/g))
      expect(source).toMatch(/^\/track\/-\/page-[0-9a-f]+\.js$/)
  })

  it('loads its script from an address that changes with its contents', async () => {
    const shop = await makeShop()
    const { path } = await sendOrder(shop)
    const source = /<script src="([^"]+)"/.exec((await visit(path)).text)?.[1] ?? ''
    const { status, headers, text } = await visit(source)
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('text/javascript; charset=utf-8')
    expect(headers['cache-control']).toContain('immutable')
    expect(text.length).toBeLessThan(10_000)
    expect((await visit('/track/-/page-000000000000.js')).status).toBe(404)
  })

  it('escapes whatever a shop or a carrier has written', async () => {
    const shop = await makeShop({ name: hostile, shop_url: 'https://shop.example/"><b>' })
    const { path } = await sendOrder(
      shop,
      {
        order_name: hostile,
        products: [{ title: hostile, variant_title: hostile, images: [{ src: 'javascript:alert(1)' }] }],
      },
      [{ carrier_reference: null, tracking_company: hostile, tracking_url: 'javascript:alert(1)' }],
    )
    const { text } = await visit(path)
    expect(text).not.toContain('<script>alert')
    expect(text).not.toContain('<img src=x')
    expect(text).not.toContain('javascript:')
    expect(readable(text)).toContain('<script>alert(1)</script>')
  })

  it('is in the requested language, and its links use a chosen one', async () => {
    const shop = await makeShop({ language: 'fr' })
    const { path } = await sendOrder(shop)
    const langOf = async (query: string, accepted: string) =>
      /<html lang="([^"]+)"/.exec(
        (await visit(`${path}${query}`, { headers: { 'accept-language': accepted } })).text,
      )?.[1]
    expect(await langOf('', 'da, en;q=0.5')).toBe('da')
    expect(await langOf('', 'xx')).toBe('fr')
    expect(await langOf('?lang=gr', 'da')).toBe('el')
    expect(await langOf('?lang=nonsense', 'da')).toBe('da')
    const { text } = await visit(`${path}?lang=sv`)
    const own = [...text.matchAll(/href="((?:\/track\/|\?)[^"]+)"/g)].map(([, link = '']) =>
      link.replaceAll('&amp;', '&'),
    )
    expect(own.length).toBeGreaterThan(16)
    for (const link of own) expect(link).toContain('lang=')
  })

  it.each([
    ['a token that is none', (path: string) => `${path.slice(0, -3)}AAA`],
    ['a token that is too short', (path: string) => path.slice(0, -20)],
    ['what a token never is', (path: string) => `${path.split('/').slice(0, 3).join('/')}/%00%ff`],
  ])('for %s is a helpful page', async (_case, change) => {
    const shop = await makeShop()
    const { path } = await sendOrder(shop)
    const { status, headers, text } = await visit(change(path))
    expect(status).toBe(404)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(headers['content-security-policy']).toContain("default-src 'none'")
    expect(text).not.toContain('route_not_found')
  })

  it('opens in its own shop only', async () => {
    const [shop, other] = [await makeShop(), await makeShop()]
    const { path } = await sendOrder(shop)
    const token = path.split('/').at(-1)
    const { status, text } = await visit(`/track/${other.slug}/${token}`)
    expect(status).toBe(404)
    expect(readable(text)).toContain('We cannot find this order')
    expect((await visit(`/track/${other.slug}/${token}/events`)).status).toBe(404)
  })

  it('for an unknown shop or address is an error page in the visitor’s language', async () => {
    const unknown = await visit('/track/no-such-shop', { headers: { 'accept-language': 'en' } })
    expect(unknown.status).toBe(404)
    expect(readable(unknown.text)).toContain('There is no such shop here')
    const nowhere = await visit('/track/a/b/c/d/e')
    expect(nowhere.status).toBe(404)
    expect(readable(nowhere.text)).toContain('This page does not exist')
    const deleted = await makeShop()
    const { path } = await sendOrder(deleted)
    await call('DELETE', `/v1/shops/${deleted.slug}`)
    expect((await visit(path)).status).toBe(404)
  })

  it('describes an order without a parcel, and a cancelled one', async () => {
    const shop = await makeShop()
    const editor = shop.as('editor')
    const order = await createOrder(editor)
    const path = await pagePathOf(editor, order.order_number)
    const placed = await visit(path)
    expect(placed.status).toBe(200)
    expect(placed.text).toMatch(/<li class="now" aria-current="step"><span>Ordered/)
    expect(placed.text).not.toContain(`${path}/claim`)
    const none = await createOrder(editor, { expected_number_of_shipments: 0 })
    const nothing = await visit(await pagePathOf(editor, none.order_number))
    expect(readable(nothing.text)).toContain('We have received your order')
    const event = { id: order.order_number, id_type: 'order_number', event_name: 'ORDER_CANCELLED' }
    await editor.post('/shipment-events', event)
    const cancelled = await visit(path)
    expect(readable(cancelled.text)).toContain('cancelled')
    expect(cancelled.text).not.toContain('class="steps')
  })

  it('shows ten parcels and 200 events within 50 KB, the rest collapsed', async () => {
    const shop = await makeShop()
    const many = await sendOrder(
      shop,
      { products: [{ title: 'A'.repeat(300), quantity: 1 }] },
      Array.from({ length: 10 }, () => ({})),
    )
    const ten = await visit(many.path)
    expect(ten.text.match(/<details class="parcel-fold"/g)).toHaveLength(10)
    expect(ten.text.match(/<details class="parcel-fold"[^>]* open>/g)).toHaveLength(1)
    expect(readable(ten.text)).toContain('10 parcels are on their way')
    const long = await sendOrder(shop)
    const started = Date.parse('2026-11-02T00:00:00Z')
    for (let index = 0; index < 200; index += 1) {
      const time = new Date(started + index * 600_000).toISOString()
      await scanParcel(shop, long.trackingNumbers[0] ?? '', 'ARRIVED_AT_SORTING_CENTER', time)
    }
    const { text } = await visit(`${long.path}?lang=gr`)
    expect(text.match(/<li[^>]*><time>/g)?.length).toBeGreaterThanOrEqual(200)
    expect(text).toContain('<details class="more"')
    expect(Buffer.byteLength(ten.text)).toBeLessThan(50_000)
    expect(Buffer.byteLength(text)).toBeLessThan(50_000)
  })

  it('shows the announcements and deals of the shop and the claims of the customer', async () => {
    const shop = await makeShop()
    const editor = shop.as('editor')
    await editor.post('/announcements', { text: 'We are <late>.', language: 'en' })
    const discount_id = await createDiscount(editor)
    await editor.post('/deals', { discount_id, title: 'Warm feet for less', cta_url: 'https://shop.example/deal' })
    const { trackingNumbers, path } = await sendOrder(shop)
    const claim = await editor.post('/claims', { tracking_number: trackingNumbers[0], reason: 'damage' })
    expect(claim.status, claim.text).toBe(200)
    const { text } = await visit(path)
    const shown = readable(text)
    expect(shown).toContain('We are <late>.')
    expect(shown).toContain('Warm feet for less')
    expect(text).toContain('href="https://shop.example/deal"')
    expect(shown).toContain('What you have reported')
    expect(shown).toContain('We are looking at it')
  })

  it('shows what the shop answers to a claim, as text with its line breaks, under words in the customer’s language', async () => {
    const shop = await makeShop()
    const editor = shop.as('editor')
    const { trackingNumbers, path } = await sendOrder(shop)
    const { body } = await editor.post('/claims', { tracking_number: trackingNumbers[0], reason: 'damage' })
    expect(readable((await visit(path)).text)).not.toContain('The shop’s answer')
    await editor.put(`/claims/${body.uuid}`, { status: 'accepted', reply: 'We are <b>sorry</b>.\nA new one comes.' })
    const { text } = await visit(path)
    expect(readable(text)).toContain('The shop’s answer')
    expect(text).toContain('<blockquote>We are &lt;b&gt;sorry&lt;/b&gt;.\nA new one comes.</blockquote>')
    expect(text).toContain('white-space:pre-line')
    expect(readable((await visit(`${path}?lang=de`)).text)).toContain('Antwort des Shops')
  })

  it('uses the shop’s palette as soon as it changes', async () => {
    const shop = await makeShop()
    const { path } = await sendOrder(shop)
    expect((await visit(path)).text).not.toContain('--accent:#115522')
    await shop.as('admin').patch('/settings/brand-palette', { primary_dark: '#115522' })
    expect((await visit(path)).text).toContain('--accent:#115522')
    expect((await visit(`/track/${shop.slug}`)).text).toContain('--accent:#115522')
  })
})
