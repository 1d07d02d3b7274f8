import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { publicKeyLimit } from '../../src/http/public-key.ts'
import { operations } from '../../src/operations.ts'
import { minuteMs } from '../../src/platform/foundation/clock.ts'
import { languages } from '../../src/platform/foundation/languages.ts'
import { sendOrder, submit, visit } from '../harness/pages.ts'
import { anyAddress } from '../harness/people.ts'
import { type Call, call, clock, startNode } from '../harness/service.ts'
import { makeShop, type TestShop } from '../harness/shop.ts'

const embedded = operations.filter(({ takesPublicKey }) => takesPublicKey)

/** A shop, its public key, and callers with that key alone. */
async function makeEmbedding(domains: string[] = [], fields: Record<string, unknown> = {}) {
  const shop = await makeShop(fields)
  const { body } = await shop.as('admin').patch('/embedding', { domains })
  const key: string = body.public_key
  const widgets = (options: Call = {}) =>
    call('GET', `/v1/shops/${shop.slug}/embedding/widgets`, { auth: null, query: { key }, ...options })
  const lookUp = (given: Record<string, unknown>, options: Call = {}) =>
    call('POST', `/v1/shops/${shop.slug}/embedding/lookup?key=${key}`, {
      auth: null,
      from: anyAddress(),
      body: given,
      ...options,
    })
  return { shop, key, widgets, lookUp }
}

describe('embedding', () => {
  it('has a public key from the first read on, the same for everybody', async () => {
    const shop = await makeShop()
    const [one, other] = await Promise.all([shop.as('viewer').get('/embedding'), shop.as('admin').get('/embedding')])
    expect(one.body).toEqual({
      public_key: expect.stringMatching(/^pk_[A-Za-z0-9]{24}$/),
      domains: [],
      snippet_url: 'https://doorstep.example/widgets/doorstep.js',
      style: expect.stringContaining('min-height'),
      page_url: `https://doorstep.example/track/${shop.slug}`,
    })
    expect(other.body).toEqual(one.body)
  })

  it('takes domains as people copy them, each once', async () => {
    const shop = await makeShop()
    const domains = [
      'https://Shop.example/',
      'shop.example',
      'www.shop.example:8443',
      'schön.example',
      'localhost:3000',
    ]
    expect((await shop.as('editor').patch('/embedding', { domains })).status).toBe(403)
    const { body } = await shop.as('admin').patch('/embedding', { domains })
    expect(body.domains).toEqual(['shop.example', 'www.shop.example:8443', 'xn--schn-7qa.example', 'localhost:3000'])
    // Absent fields stay.
    expect((await shop.as('admin').patch('/embedding', {})).body).toEqual(body)
  })

  it.each([
    ['', 'must not have fewer'],
    ['http://shop.example', 'must be served over HTTPS'],
    ['shop.example/page', 'must be a domain'],
    ['https://user@shop.example', 'must be a domain'],
    ['*.shop.example', 'must be a domain'],
    ["shop.example; script-src 'unsafe-inline'", 'must be a domain'],
    ['shop.example,evil.example', 'must be a domain'],
    ['[::1]', 'must be a domain'],
    ['javascript://shop.example', 'must be a domain'],
    ['shop', 'must be a domain'],
  ])('does not take the domain %j', async (domain, problem) => {
    const shop = await makeShop()
    const { status, body } = await shop.as('admin').patch('/embedding', { domains: ['a.example', domain] })
    expect(status).toBe(422)
    expect(body.errors[0].loc).toEqual(['body', 'domains', 1])
    if (domain !== '') expect(body.errors[0].msg).toContain(problem)
  })

  it('has at most 20 domains', async () => {
    const shop = await makeShop()
    const domains = Array.from({ length: 21 }, (_, n) => `shop-${n}.example`)
    expect((await shop.as('admin').patch('/embedding', { domains })).status).toBe(422)
    expect((await shop.as('admin').patch('/embedding', { domains: domains.slice(1) })).status).toBe(200)
  })
})

describe('a public key', () => {
  it('is accepted by promises and by what is embedded, and by nothing else', () => {
    expect(embedded.map(({ name }) => name).sort()).toEqual([
      'getWidgetSettings',
      'listDeliveryPromises',
      'lookUpFromWidget',
    ])
    expect(embedded.every(({ isShopScoped }) => isShopScoped)).toBe(true)
  })

  it('is no credential for any other operation', async () => {
    const { shop, key } = await makeEmbedding()
    const others = operations.filter(({ takesPublicKey, needs }) => !takesPublicKey && needs !== 'nobody')
    expect(others.length).toBeGreaterThan(100)
    const accepted = others.map(async ({ name, method, path }) => {
      const filled = path.replace('{slug}', shop.slug).replaceAll(/\{\w+\}/g, 'x')
      const { status, body } = await call(method, `${filled}?key=${key}`, { auth: null })
      return /^40[01]$/.test(String(status)) && body.key === 'invalid_merchant_or_key' ? [] : [name]
    })
    expect((await Promise.all(accepted)).flat()).toEqual([])
  })

  it('is good for its own shop only', async () => {
    const [one, other] = [await makeEmbedding(), await makeEmbedding()]
    expect((await one.widgets()).status).toBe(200)
    for (const key of [other.key, 'pk_', '', 'x'.repeat(5_000), `${one.key} `]) {
      const { status, body } = await one.widgets({ query: { key } })
      expect([status, body.key]).toEqual([401, 'invalid_merchant_or_key'])
    }
    // A shop that has none yet is not open.
    const { slug } = await makeShop()
    const without = await call('GET', `/v1/shops/${slug}/embedding/widgets?key=`, { auth: null })
    expect(without.status).toBe(401)
    const unknown = await call('GET', `/v1/shops/no-such-shop/embedding/widgets?key=${one.key}`, { auth: null })
    expect(unknown.body.key).toBe('shop_not_found')
  })

  it('does not stand in for credentials that are wrong', async () => {
    const { widgets } = await makeEmbedding()
    const auth = { username: 'nobody', apiKey: 'a-key-that-nobody-was-given' }
    expect((await widgets({ auth, from: anyAddress() })).status).toBe(401)
  })

  it('ends on every node when it is replaced', async () => {
    const { shop, key, widgets } = await makeEmbedding(['shop.example'])
    const node = await startNode({})
    try {
      const path = `/v1/shops/${shop.slug}/embedding/widgets`
      const onNode = (key: string) => call('GET', path, { auth: null, query: { key } }, node)
      expect((await onNode(key)).status).toBe(200)
      const { body } = await shop.as('admin').post('/embedding/rotate-key')
      expect(body).toMatchObject({ domains: ['shop.example'] })
      expect(body.public_key).not.toBe(key)
      expect((await widgets()).status).toBe(401)
      await expect.poll(async () => (await onNode(key)).status).toBe(401)
      expect((await onNode(body.public_key)).status).toBe(200)
      expect((await shop.as('editor').post('/embedding/rotate-key')).status).toBe(403)
    } finally {
      await node.stop()
    }
  })

  it('is limited by shop and address, and only by those', async () => {
    const [one, other] = [await makeEmbedding(), await makeEmbedding()]
    const from = anyAddress()
    const ask = async () => (await one.widgets({ from, query: { key: 'pk_wrong' } })).status
    const statuses = new Set<number>()
    for (let n = 0; n < publicKeyLimit; n += 1) statuses.add(await ask())
    expect([...statuses]).toEqual([401])
    const { status, headers, body } = await one.widgets({ from })
    expect([status, body.key]).toEqual([429, 'rate_limited'])
    expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    expect((await one.widgets({ from: anyAddress() })).status).toBe(200)
    expect((await other.widgets({ from })).status).toBe(200)
    expect((await one.shop.as('viewer').get('/embedding/widgets')).status).toBe(200)
    clock.advance(minuteMs)
    expect((await one.widgets({ from })).status).toBe(200)
  })
  afterAll(() => clock.reset())
})

describe('words and colours of components', () => {
  it.each(languages)('are complete in %s', async (language) => {
    const { widgets, key } = await makeEmbedding([], { language: 'en' })
    const { status, headers, body } = await widgets({ query: { key, language } })
    expect(status).toBe(200)
    expect(headers['cache-control']).toBe('public, max-age=300')
    expect(body.language).toBe(language)
    for (const text of Object.values(body.texts)) expect(text).toMatch(/\S/)
    expect(body.texts.promise).toMatch(/\{days\}.*\{time\}|\{time\}.*\{days\}/)
  })

  it('are in the language of the shop if the one asked for is unknown', async () => {
    const { widgets, key } = await makeEmbedding([], { language: 'fr' })
    const languageOf = async (language: string) => (await widgets({ query: { key, language } })).body.language
    expect(await Promise.all(['', 'xx', 'de-AT', 'el'].map(languageOf))).toEqual(['fr', 'fr', 'de', 'gr'])
  })

  it('follow the palette of the shop', async () => {
    const { shop, widgets } = await makeEmbedding()
    const before = (await widgets()).body.colors
    await shop.as('admin').patch('/settings/brand-palette', { primary_dark: '#7a1f3d' })
    const after = (await widgets()).body.colors
    expect(after.light.accent).toBe('#7a1f3d')
    expect(after.light.accent).not.toBe(before.light.accent)
    expect(after.dark.accent).not.toBe(after.light.accent)
  })
})

describe('look-up from a component', () => {
  it('says where the parcels are, in the language asked for, and nothing about the customer', async () => {
    const { shop, lookUp } = await makeEmbedding()
    const { order, path } = await sendOrder(shop, {}, [{}, {}])
    const { status, headers, body } = await lookUp({
      order_number: order.order_number,
      email_or_zip: order.email_id,
      language: 'de-DE',
    })
    expect(status).toBe(200)
    expect(headers['cache-control']).toBe('no-store')
    expect(body).toMatchObject({ language: 'de', page_url: `https://doorstep.example${path}?lang=de` })
    expect(body.parcels).toHaveLength(2)
    const { page_url: _, ...told } = body
    expect(JSON.stringify(told)).not.toMatch(new RegExp(`${order.email_id}|10115|${order.customer_name ?? '%'}`))
    expect((await visit(new URL(body.page_url).pathname)).status).toBe(200)
  })

  it('says what was promised', async () => {
    const { shop, lookUp } = await makeEmbedding()
    const promised_delivery = { earliest: '2030-11-18', latest: '2030-11-20' }
    const { order } = await sendOrder(shop, { promised_delivery })
    const { body } = await lookUp({ order_number: order.order_number, email_or_zip: '10115' })
    expect(body.promise).toBe('Promised delivery: Mon 18 – Wed 20 Nov')
    const { order: other } = await sendOrder(shop)
    expect((await lookUp({ order_number: other.order_number, email_or_zip: '10115' })).body.promise).toBeNull()
  })

  it('replies the same to a wrong number and a wrong zip code', async () => {
    const { shop, lookUp } = await makeEmbedding()
    const { order } = await sendOrder(shop)
    const wrongProof = await lookUp({ order_number: order.order_number, email_or_zip: '99999' })
    const wrongNumber = await lookUp({ order_number: 'no-such-order', email_or_zip: '10115' })
    expect(wrongProof).toMatchObject({ status: 404, body: { key: 'order_not_found' } })
    expect(wrongNumber.text).toBe(wrongProof.text)
  })

  it('finds no order of another shop', async () => {
    const [one, other] = [await makeEmbedding(), await makeEmbedding()]
    const { order } = await sendOrder(one.shop)
    const given = { order_number: order.order_number, email_or_zip: '10115' }
    expect((await one.lookUp(given)).status).toBe(200)
    expect((await other.lookUp(given)).status).toBe(404)
  })

  it('shares its limits with the look-up page, in both directions', async () => {
    const { shop, lookUp } = await makeEmbedding()
    const { order } = await sendOrder(shop)
    const right = { order_number: order.order_number, email_or_zip: '10115' }
    const from = anyAddress()
    for (let n = 0; n < 6; n += 1) {
      expect((await lookUp({ ...right, email_or_zip: String(n) }, { from })).status).toBe(404)
      const fields = { number: order.order_number, proof: String(n) }
      expect((await submit(`/track/${shop.slug}`, fields, { from })).status).toBe(404)
    }
    const { status, headers } = await lookUp(right, { from })
    expect(status).toBe(429)
    expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    expect((await submit(`/track/${shop.slug}`, { number: order.order_number, proof: '10115' }, { from })).status).toBe(
      429,
    )
    expect((await lookUp(right)).status).toBe(200)
  })

  it('lets the e-mail address pass when strangers have used up the zip codes of an order', async () => {
    const { shop, lookUp } = await makeEmbedding()
    const { order } = await sendOrder(shop)
    const { order_number, email_id } = order
    const guess = (n: number) => lookUp({ order_number, email_or_zip: String(n) }, { from: `192.0.2.${n}` })
    for (let n = 0; n < 25; n += 1) expect((await guess(n)).status).toBe(404)
    const { status, body } = await lookUp({ order_number, email_or_zip: '10115' })
    expect([status, body.key]).toEqual([429, 'rate_limited'])
    expect(JSON.stringify(body)).toContain('The e-mail address of the order is accepted at once.')
    expect((await lookUp({ order_number, email_or_zip: email_id })).status).toBe(200)
  })

  it('checks no more attempts than its limits, however many come at once', async () => {
    const { shop, lookUp } = await makeEmbedding()
    const { order } = await sendOrder(shop)
    const from = anyAddress()
    const guesses = Array.from({ length: 40 }, (_, n) =>
      lookUp({ order_number: order.order_number, email_or_zip: String(n) }, { from }),
    )
    const statuses = (await Promise.all(guesses)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 404)).toHaveLength(12)
    expect(statuses.filter((status) => status === 429)).toHaveLength(28)
  })

  it('reads small bodies of JSON only', async () => {
    const { shop, key, lookUp } = await makeEmbedding()
    const { order } = await sendOrder(shop)
    const right = { order_number: order.order_number, email_or_zip: '10115' }
    expect((await lookUp({ ...right, more: 'x'.repeat(70_000) })).status).toBe(413)
    expect((await lookUp({ ...right, order_number: 'x'.repeat(321) })).status).toBe(422)
    expect((await lookUp({})).status).toBe(422)
    const asText = await call('POST', `/v1/shops/${shop.slug}/embedding/lookup?key=${key}`, {
      auth: null,
      payload: JSON.stringify(right),
      headers: { 'content-type': 'text/plain' },
    })
    expect(asText.status).toBe(415)
  })

  it('stores no response, whatever Idempotency-Key is sent', async () => {
    const { shop, lookUp } = await makeEmbedding()
    const { order } = await sendOrder(shop)
    const headers = { 'idempotency-key': 'one' }
    expect((await lookUp({ order_number: order.order_number, email_or_zip: '10115' }, { headers })).status).toBe(200)
    expect((await lookUp({ order_number: order.order_number, email_or_zip: '99999' }, { headers })).status).toBe(404)
  })
})

describe('pages of other origins', () => {
  const domains = ['shop.example', 'www.shop.example:8443', 'localhost']
  const listed = ['https://shop.example', 'https://www.shop.example:8443', 'http://localhost:3000', 'https://localhost']
  const unlisted = [
    'http://shop.example',
    'https://evil.example',
    'https://sub.shop.example',
    'https://shop.example.evil.example',
    'https://shop.example:444',
    'https://www.shop.example',
    'http://127.0.0.1:3000',
    'null',
    'https://shop.example/',
  ]
  let made: Awaited<ReturnType<typeof makeEmbedding>>

  beforeAll(async () => {
    made = await makeEmbedding(domains)
  })

  it.each(listed)('may read replies and errors if they are of the listed %s', async (origin) => {
    for (const query of [{ key: made.key }, { key: 'pk_wrong' }]) {
      const { headers } = await made.widgets({ query, headers: { origin } })
      expect(headers).toMatchObject({ 'access-control-allow-origin': origin, vary: 'Origin' })
      expect(headers['access-control-allow-credentials']).toBeUndefined()
    }
    const { headers } = await made.lookUp({ order_number: '1', email_or_zip: '2' }, { headers: { origin } })
    expect(headers['access-control-allow-origin']).toBe(origin)
  })

  it.each(unlisted)('may not if they are of the unlisted %s', async (origin) => {
    const { headers } = await made.widgets({ headers: { origin } })
    expect(headers['access-control-allow-origin']).toBeUndefined()
    expect(headers.vary).toBe('Origin')
    const { status, headers: preflight } = await preflightOf(made.shop, origin)
    expect(status).toBe(204)
    expect(preflight['access-control-allow-origin']).toBeUndefined()
    expect(preflight['access-control-allow-methods']).toBeUndefined()
  })

  it('may send JSON where a preflight allows it', async () => {
    const { status, headers } = await preflightOf(made.shop, 'https://shop.example')
    expect(status).toBe(204)
    expect(headers).toMatchObject({
      allow: 'OPTIONS, POST',
      'access-control-allow-origin': 'https://shop.example',
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': 'Content-Type',
      vary: 'Origin',
    })
    const other = await makeEmbedding()
    expect(
      (await preflightOf(other.shop, 'https://shop.example')).headers['access-control-allow-origin'],
    ).toBeUndefined()
    const unknown = await preflightOf({ slug: 'no-such-shop' }, 'https://shop.example')
    expect([unknown.status, unknown.headers['access-control-allow-origin']]).toEqual([204, undefined])
  })

  it('may call nothing else', async () => {
    const headers = { origin: 'https://shop.example', 'access-control-request-method': 'GET' }
    for (const path of ['/embedding', '/orders', '']) {
      const { headers: got } = await call('OPTIONS', `/v1/shops/${made.shop.slug}${path}`, { auth: null, headers })
      expect(got['access-control-allow-origin']).toBeUndefined()
    }
  })

  it('lose it when their domain is removed', async () => {
    const { shop, widgets } = await makeEmbedding(['shop.example'])
    const allowed = async () =>
      (await widgets({ headers: { origin: 'https://shop.example' } })).headers['access-control-allow-origin']
    expect(await allowed()).toBe('https://shop.example')
    await shop.as('admin').patch('/embedding', { domains: [] })
    expect(await allowed()).toBeUndefined()
  })

  it('may frame the tracking page if they are listed', async () => {
    const { path } = await sendOrder(made.shop)
    const wrong = `/track/${made.shop.slug}/${'x'.repeat(64)}`
    for (const [address, status] of [
      [path, 200],
      [`/track/${made.shop.slug}`, 200],
      [wrong, 404],
    ] as const) {
      const page = await visit(address)
      expect(page.status).toBe(status)
      expect(page.headers['content-security-policy']).toContain(
        'frame-ancestors https://shop.example https://www.shop.example:8443 http://localhost:* https://localhost:*',
      )
      expect(page.headers['x-frame-options']).toBeUndefined()
    }
    const other = await makeShop()
    const { headers } = await visit(`/track/${other.slug}`)
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
    expect(headers['x-frame-options']).toBe('DENY')
  })
})

function preflightOf(shop: Pick<TestShop, 'slug'>, origin: string) {
  return call('OPTIONS', `/v1/shops/${shop.slug}/embedding/lookup`, {
    auth: null,
    headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' },
  })
}
