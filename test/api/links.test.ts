import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { typedAddress, webAddress } from '../../src/platform/foundation/web-address.ts'
import { runJob } from '../harness/deliveries.ts'
import { importFile } from '../harness/imports.ts'
import { createOrder, uniqueNumber } from '../harness/orders.ts'
import { pagePathOf, sendOrder, visit } from '../harness/pages.ts'
import { call, theService } from '../harness/service.ts'
import { makeShop } from '../harness/shop.ts'

const unsafe = [
  'javascript:alert(1)',
  ' JaVaScRiPt:alert(1)//https://x.example',
  'java\nscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  'file:///etc/passwd',
  'ftp://x.example',
  'carrier.example/1',
  'https://',
]

describe('address that is shown as a link', () => {
  it('must be a web address', () => {
    expect(unsafe.map(webAddress)).toEqual(unsafe.map(() => undefined))
    expect(
      ['https://a.example/1', 'HTTP://a.example', '//cdn.example/a.jpg', ' https://a.example/a b.jpg'].map(webAddress),
    ).toEqual(['https://a.example/1', 'HTTP://a.example', 'https://cdn.example/a.jpg', 'https://a.example/a%20b.jpg'])
  })

  it('is left out of an order if it is invalid, and the rest is stored', async () => {
    const test = await makeShop()
    const shop = test.as('editor')
    for (const address of unsafe) {
      const images = [{ src: address }, { src: 'https://shop.example/a.jpg' }]
      const order = await createOrder(shop, { order_status_url: address, products: [{ title: 'Jacket', images }] }, [
        { tracking_number: uniqueNumber('L'), tracking_url: address, products: [{ title: 'Jacket', images }] },
      ])
      expect(order.order_status_url).toBeNull()
      expect(order.products[0].images).toEqual([{ src: 'https://shop.example/a.jpg' }])
      expect(order.trackings[0].carrier.tracking_url).toBeNull()
      expect(order.trackings[0].products[0].images).toEqual([{ src: 'https://shop.example/a.jpg' }])
    }
  })

  it('does not replace a valid one if it is invalid, and falls back to the carrier’s own', async () => {
    const shop = (await makeShop()).as('editor')
    const good = 'https://carrier.example/good'
    const order = await createOrder(shop, {}, [{ tracking_number: 'GOOD', tracking_url: good }])
    const again = { id: order.order_number, trackings: [{ tracking_number: 'GOOD', tracking_url: 'javascript:x' }] }
    expect((await shop.put('/orders', again)).status).toBe(200)
    const [tracking] = (await shop.get(`/orders/${order.uuid}`)).body.trackings
    expect(tracking.carrier.tracking_url).toBe(good)
    const other = await createOrder(shop, {}, [
      { tracking_number: '1Z999AA10123456784', carrier_reference: 'ups', tracking_url: 'javascript:x' },
    ])
    expect(other.trackings[0].carrier.tracking_url).toMatch(/^https:\/\/www\.ups\.com\//)
  })

  it('is left out of an import, too', async () => {
    const shop = (await makeShop()).as('editor')
    const file = 'order_number,zip_code,tracking_number,tracking_url,product_title,product_image_url,order_status_url\n'
    await importFile(shop, `${file}F1,10115,FT1,javascript:a,Jacket,data:x,javascript:b\n`)
    const { body } = await shop.get('/orders', { order_number: 'F1' })
    expect(JSON.stringify(body)).not.toMatch(/javascript:|data:x/)
    expect(body[0].trackings[0].carrier.tracking_number).toBe('FT1')
  })

  it('is left out of a claim', async () => {
    const shop = (await makeShop()).as('editor')
    const tracking_number = uniqueNumber('L')
    await createOrder(shop, {}, [{ tracking_number }])
    const image_urls = ['javascript:alert(1)', 'https://shop.example/evidence.jpg']
    const claim = { tracking_number, reason: 'damage', image_urls, customer_signature_image_url: 'data:text/html,x' }
    await shop.post('/claims', { ...claim, selected_items: [{ title: 'Jacket', image_urls }] })
    const [filed] = (await shop.get('/claims', { tracking_number })).body.claims
    expect(filed).toMatchObject({
      image_urls: ['https://shop.example/evidence.jpg'],
      customer_signature_image_url: null,
      selected_items: [{ image_urls: ['https://shop.example/evidence.jpg'] }],
    })
  })

  it('is rejected in the fields of a shipment, a shop and a deal', async () => {
    const test = await makeShop()
    const order = await createOrder(test.as('editor'), {}, [{ tracking_number: uniqueNumber('L') }])
    const path = `/orders/${order.uuid}/shipments/${order.trackings[0].uuid}`
    expect(await test.as('editor').patch(path, { tracking_url: 'javascript:x' })).toMatchObject({
      status: 422,
      body: { errors: [{ loc: ['body', 'tracking_url'] }] },
    })
    for (const name of ['shop_url', 'logo_url', 'shop_admin_url']) {
      const reply = await test.as('admin').patch('', { [name]: 'javascript:alert(1)' })
      expect(reply, name).toMatchObject({ status: 422, body: { errors: [{ loc: ['body', name] }] } })
    }
    const deal = { title: 'Deal', description: 'x', cta_url: 'javascript:alert(1)', brand_logo_url: 'data:x' }
    expect((await test.as('editor').post('/deals', deal)).status).toBe(422)
  })

  it('has no user name and no password', async () => {
    const given = 'https://ada:secret-word@carrier.example/1'
    expect([given, 'https://ada@carrier.example', 'https://carrier.example/@a:b@c'].map(webAddress)).toEqual([
      'https://carrier.example/1',
      'https://carrier.example/',
      'https://carrier.example/@a:b@c',
    ])
    expect(typedAddress('www.x:y@carrier.example')).toBeUndefined()
    const test = await makeShop({ shop_url: given, shop_faq_url: given, shop_service_url: given })
    const products = [{ title: 'Jacket', images: [{ src: given }] }]
    const order = await createOrder(test.as('editor'), { order_status_url: given, products }, [
      { tracking_number: uniqueNumber('L'), tracking_url: given, products },
    ])
    const path = await pagePathOf(test.as('editor'), order.order_number)
    const preview = { group: 'shipment_out_for_delivery', language: 'en', order_id: order.uuid }
    const mail = (await test.as('editor').post('/mail/preview', preview)).body
    const texts = [JSON.stringify(order), (await visit(path)).text, mail.html, mail.text]
    for (const text of texts) {
      expect(text).toContain('https://carrier.example/1')
      expect(text).not.toContain('secret-word')
    }
  })

  it('of a shop or an integration is stored and shown without user name and password', async () => {
    const secret = uniqueNumber('word-')
    const given = (host: string) => `https://ada:${secret}@${host}/a?b=c`
    const fields = ['shop_admin_url', 'shop_url', 'shop_faq_url', 'shop_service_url', 'logo_url'] as const
    const addresses = (make: (field: string) => string) =>
      Object.fromEntries(fields.map((field) => [field, make(field)]))
    const hostOf = (field: string) => `${field.replaceAll('_', '-')}.example`
    const shop = await makeShop(addresses((field) => given(hostOf(field))))
    const admin = shop.as('admin')
    const expected = addresses((field) => `https://${hostOf(field)}/a?b=c`)
    expect((await admin.get('/profile')).body).toMatchObject(expected)
    await admin.patch(
      '',
      addresses(() => given('other.example')),
    )
    await admin.patch('/settings/triggers/braze', { rest_endpoint: `ada:${secret}@rest.braze.example` })
    const profile = await admin.get('/profile')
    expect(profile.body).toMatchObject(addresses(() => 'https://other.example/a?b=c'))
    const braze = (await shop.as('viewer').get('/settings/triggers/braze')).body
    expect(braze.rest_endpoint).toBe('rest.braze.example/')
    // A text that is no address of the web stays.
    await admin.patch('', { shop_service_url: 'help@shop.example' })
    expect((await admin.get('/profile')).body.shop_service_url).toBe('help@shop.example')
    const { database } = await theService()
    const stored = async () =>
      (
        await sql<{ row: string }>`
          select t::text as row from shops as t where slug = ${shop.slug}
          union all select a::text from audit_log as a where a::text like ${`%${shop.slug}%`}
          union all select s::text from trigger_settings as s join shops on shops.id = s.shop_id and slug = ${shop.slug}
        `.execute(database.db)
      ).rows
        .map(({ row }) => row)
        .join('\n')
    expect(await stored()).not.toContain(secret)
    // As version 0.2.0 stored them.
    await sql`
      update shops set shop_admin_url = ${given('stored.example')}, logo_url = ${`HTTP://${secret}:a@b@logo.example/@c`}
      where slug = ${shop.slug}`.execute(database.db)
    await sql`
      update trigger_settings set extra = ${JSON.stringify({ rest_endpoint: `https://ada:${secret}@rest.braze.example` })}::jsonb
      from shops where shops.id = shop_id and slug = ${shop.slug} and integration = 'braze'`.execute(database.db)
    await runJob('seal addresses')
    expect(await stored()).not.toContain(secret)
    const after = (await admin.get('/profile')).body
    expect(after).toMatchObject({ shop_admin_url: 'https://stored.example/a?b=c', logo_url: 'HTTP://logo.example/@c' })
  })

  it('may be typed without a scheme if it begins with www, and nothing else is linked', () => {
    const linked = {
      'www.shop.example': 'https://www.shop.example/',
      ' WWW.Shop.example/faq?a=1#top ': 'https://www.shop.example/faq?a=1#top',
      'http://shop.example/faq': 'http://shop.example/faq',
    }
    expect(Object.keys(linked).map(typedAddress)).toEqual(Object.values(linked))
    const others = [
      '',
      ' ',
      'www',
      'www.',
      'www.shop',
      'www./x',
      'www.a b.example',
      'shop.example',
      'Call us',
      'www.a@b.c',
    ]
    expect([...others, ...unsafe].map(typedAddress)).toEqual([...others, ...unsafe].map(() => undefined))
    expect([null, undefined].map(typedAddress)).toEqual([undefined, undefined])
  })

  it('is linked on pages and in messages if the shop typed one, and any other text is only kept', async () => {
    const test = await makeShop()
    const { order, path } = await sendOrder(test)
    const names = ['shop_faq_url', 'shop_service_url'] as const
    const shown = async () => {
      const preview = { group: 'shipment_out_for_delivery', language: 'en', order_id: order.uuid }
      const { body } = await test.as('editor').post('/mail/preview', preview)
      expect(body.html).toContain(order.order_name)
      return [(await visit(path)).text, (await visit(`${path}/claim`)).text, body.html, body.text]
    }
    const store = async (value: string | null) => {
      expect((await test.as('admin').patch('', { shop_faq_url: value, shop_service_url: value })).status).toBe(200)
      const [shop, profile] = [await test.as('viewer').get(''), await test.as('admin').get('/profile')]
      for (const { body } of [shop, profile]) for (const name of names) expect(body[name]).toBe(value)
    }
    await store('www.help.example/questions')
    for (const text of await shown()) {
      expect(text).toContain('https://www.help.example/questions')
      expect(text).not.toContain('"www.help.example')
    }
    for (const value of ['', 'Ask at the counter', ...unsafe, null]) {
      await store(value)
      const texts = (await shown()).join()
      expect(texts).not.toContain('>Customer service<')
      if (value) expect(texts).not.toContain(`href="${value}"`)
    }
    const slug = `typed-${process.pid}`
    const created = await call('POST', '/v1/shops', {
      body: { name: 'Typed', slug, shop_faq_url: '', shop_service_url: 'x' },
    })
    expect(created.status).toBe(200)
    expect((await call('GET', `/v1/shops/${slug}`)).body).toMatchObject({ shop_faq_url: '', shop_service_url: 'x' })
  })

  it('that was stored before is neither returned nor shown', async () => {
    const shop = (await makeShop()).as('editor')
    const order = await createOrder(shop, {}, [{ tracking_number: uniqueNumber('L') }])
    const { db } = (await theService()).database
    const pickup = JSON.stringify({
      type: 'shop',
      name: 'Kiosk',
      address: null,
      url: 'javascript:p',
      opening_hours: null,
      date_to: null,
    })
    await sql`update shipments set tracking_url = 'javascript:t', pickup = ${pickup} where order_id = ${order.uuid}`.execute(
      db,
    )
    await sql`update orders set details = details || '{"order_status_url":"javascript:o"}' where id = ${order.uuid}`.execute(
      db,
    )
    const { body } = await shop.get(`/orders/${order.uuid}`)
    expect(JSON.stringify(body)).not.toContain('javascript:')
    const { text } = await visit(await pagePathOf(shop, order.order_number))
    expect(text).not.toContain('javascript:')
  })
})
