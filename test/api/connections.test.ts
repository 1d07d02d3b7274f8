import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { topics } from '../../src/connections/shop-systems/schema.ts'
import { hourMs, minuteMs, secondMs } from '../../src/platform/foundation/clock.ts'
import { createFakeServer, type Failure, type FakeRequest, type FakeResponse } from '../conformance/fake-server.ts'
import { brazeKey, brazeLimitedKey, createBrazeFake } from '../conformance/fakes/braze-server.ts'
import { brevoKey, brevoLimitedKey, createBrevoFake } from '../conformance/fakes/brevo-server.ts'
import { createFakeEmarsys, emarsysClients } from '../conformance/fakes/emarsys-server.ts'
import {
  createHubspotFake,
  hubspotKey,
  hubspotLimitedKey,
  hubspotPortalId,
} from '../conformance/fakes/hubspot-server.ts'
import { createFakeInxmail, inxmailKeys } from '../conformance/fakes/inxmail-server.ts'
import { createKlaviyoFake, klaviyoKey, klaviyoLimitedKey } from '../conformance/fakes/klaviyo-server.ts'
import { FakeShopware } from '../conformance/fakes/shopware-server.ts'
import { createFakeAftership } from '../conformance/providers/fakes/aftership-server.ts'
import { clients, keys } from '../conformance/providers/fakes/credentials.ts'
import { createFakeDhl } from '../conformance/providers/fakes/dhl-server.ts'
import { createFakeEasypost } from '../conformance/providers/fakes/easypost-server.ts'
import { createFakeFedex } from '../conformance/providers/fakes/fedex-server.ts'
import { createFakeUps } from '../conformance/providers/fakes/ups-server.ts'
import { aftershipKeys, pushOf } from '../harness/aftership.ts'
import { findClosedPort } from '../harness/loopback.ts'
import { call, clock, openTestDatabase, startTestService } from '../harness/service.ts'
import { makeShop, type TestShop } from '../harness/shop.ts'
import { accessToken, startShopify } from '../harness/shop-system-servers/shopify.ts'
import { consumerKey, consumerSecret, startWooCommerce } from '../harness/shop-system-servers/woocommerce.ts'
import { payload, senderOf } from '../harness/shop-systems.ts'
import { manifestOf, transportTo } from '../harness/shopware.ts'

interface System {
  fake(): { respond(request: FakeRequest, failure: Failure | undefined): FakeResponse }
  right: object
  wrong: object
  limited: object
  /** The scopes that it says are missing. */
  missing?: string[]
  settings?: object
  facts?: object
}

const apiKeys = (right: string, limited: string, wrong = 'a-key-nobody-has-0123456789') => ({
  right: { api_key: right },
  limited: { api_key: limited },
  wrong: { api_key: wrong },
})

const marketing: Record<string, System> = {
  klaviyo: {
    fake: createKlaviyoFake,
    ...apiKeys(klaviyoKey, klaviyoLimitedKey),
    missing: ['accounts:read'],
    facts: { account_name: 'River & Pine', currency: 'EUR', timezone: 'Europe/Berlin' },
  },
  brevo: {
    fake: createBrevoFake,
    ...apiKeys(brevoKey, brevoLimitedKey),
    facts: { account_name: 'River & Pine', email: 'ada@example.com', plan: 'free' },
  },
  braze: {
    fake: createBrazeFake,
    ...apiKeys(brazeKey, brazeLimitedKey),
    missing: ['events.list'],
    settings: { rest_endpoint: 'https://rest.fra-01.braze.eu' },
    facts: { events: '1' },
  },
  hubspot: {
    fake: createHubspotFake,
    ...apiKeys(hubspotKey, hubspotLimitedKey),
    settings: { portal_id: hubspotPortalId },
    facts: { portal_id: hubspotPortalId, account_type: 'STANDARD', currency: 'EUR', timezone: 'Europe/Berlin' },
  },
  emarsys: {
    fake: () => createFakeEmarsys('ada@example.com', clock.now().getTime() / 1_000 + 42),
    ...emarsysClients,
    facts: { external_events: '1' },
  },
  inxmail: { fake: createFakeInxmail, ...inxmailKeys, settings: { instance_id: 'a-space' }, facts: {} },
}

const keyed = apiKeys(keys.right, keys.limited, keys.wrong)
const providers: Record<string, System> = {
  dhl: { fake: () => createFakeDhl({ id: 'another' }), ...keyed },
  aftership: { fake: () => createFakeAftership({ tracking_number: 'another' }), ...keyed },
  easypost: { fake: () => createFakeEasypost({ tracking_code: 'another' }), ...keyed },
  ups: { fake: () => createFakeUps({ trackingNumber: 'another' }), ...clients },
  fedex: { fake: () => createFakeFedex('another', {}), ...clients },
}

const server = createFakeServer()
await server.start()
const urlsOf = (systems: object) => Object.fromEntries(Object.keys(systems).map((name) => [name, server.baseUrl]))
const service = await startTestService({ WEBHOOK_ALLOW_PRIVATE: 'on' }, await openTestDatabase(), {
  integrationUrls: urlsOf(marketing),
  providerUrls: urlsOf(providers),
})
await service.schedule.stop()

const opened: { close(): Promise<void> }[] = []
beforeEach(() => server.fail(undefined))
afterEach(async () => {
  clock.reset()
  for (const one of opened.splice(0)) await one.close()
})
afterAll(async () => {
  await service.stop()
  await server.stop()
})

const check = async (shop: TestShop, name: string) => (await shop.as('admin').post(`/connections/${name}/check`)).body
const overview = async (shop: TestShop) => (await shop.as('viewer').get('/connections')).body
const systemOf = async (shop: TestShop, name: string) =>
  (await overview(shop)).shop_systems.find((one: { name: string }) => one.name === name)
const accountOf = async (shop: TestShop, name: string) => {
  const { providers, marketing } = await overview(shop)
  return [...providers, ...marketing].find((one: { name: string }) => one.name === name)
}

describe.each(Object.entries({ ...marketing, ...providers }))('check of %s', (name, system) => {
  const use = () => {
    const fake = system.fake()
    server.reset((request, failure) => fake.respond(request, failure))
  }

  async function shopWith(credentials: object): Promise<TestShop> {
    const shop = await makeShop({}, service)
    if (system.settings) await shop.as('admin').patch(`/settings/triggers/${name}`, system.settings)
    await shop.as('admin').put(`/keys/${name}`, credentials)
    return shop
  }

  it('is ok with the right credentials, and changes nothing there', async () => {
    use()
    const shop = await shopWith(system.right)
    expect(await accountOf(shop, name)).toEqual({ name, has_credentials: true, state: 'incomplete' })
    const result = await check(shop, name)
    expect(result).toMatchObject({ name, result: 'ok', detail: null, missing_permissions: [] })
    expect(result.facts).toEqual(system.facts ?? {})
    expect(await accountOf(shop, name)).toEqual({ name, has_credentials: true, state: 'connected' })
  })

  it('says that credentials are wrong or may not do it, and quotes no secret', async () => {
    use()
    const shop = await shopWith(system.wrong)
    expect(await check(shop, name)).toMatchObject({ result: 'unauthorised', status: expect.any(Number) })
    expect(await accountOf(shop, name)).toMatchObject({ state: 'failing' })
    clock.advance(secondMs)
    await shop.as('admin').put(`/keys/${name}`, system.right)
    expect(await accountOf(shop, name)).toMatchObject({ state: 'incomplete' })
    expect(await check(await shopWith(system.limited), name)).toMatchObject({
      result: 'missing_permissions',
      status: 403,
      missing_permissions: system.missing ?? [],
    })
    server.echoAll(401)
    const echoed = JSON.stringify(await check(shop, name))
    // The reply repeats the request, and it is quoted.
    expect(echoed).toContain('not taken')
    for (const secret of Object.values(system.right).slice(-1)) expect(echoed).not.toContain(secret)
  })

  it('distinguishes a rate limit and a failure', async () => {
    use()
    const shop = await shopWith(system.right)
    server.fail('rateLimited')
    expect(await check(shop, name)).toMatchObject({ result: 'rate_limited', status: 429 })
    server.fail('serverError')
    expect(await check(shop, name)).toMatchObject({ result: 'unreachable' })
  })

  it('needs credentials', async () => {
    const shop = await makeShop({}, service)
    expect(await check(shop, name)).toMatchObject({ result: 'missing_credentials', status: null, facts: {} })
    expect(await accountOf(shop, name)).toEqual({ name, has_credentials: false, state: 'none' })
  })
})

describe('check of aftership › version of its webhooks', () => {
  it('is reported from the first message on, until the version is the one that is read', async () => {
    const fake = createFakeAftership({ tracking_number: 'another' })
    server.reset((request, failure) => fake.respond(request, failure))
    const shop = await makeShop({}, service)
    await shop.as('admin').put('/keys/aftership', { ...keyed.right, webhook_secret: aftershipKeys.webhook_secret })
    expect(await check(shop, 'aftership')).toMatchObject({ result: 'ok' })
    const push = async (version: string) => {
      const { payload, headers } = pushOf('00340434161094042557', [])
      const path = `/v1/inbound/${shop.slug}/carriers/aftership`
      const options = { auth: null, payload, headers: { ...headers, 'as-webhook-version': version } }
      expect((await call('POST', path, options, service)).status).toBe(200)
    }
    await push('2024-07')
    expect(await check(shop, 'aftership')).toMatchObject({
      result: 'unexpected',
      detail: expect.stringMatching(/version 2024-07.*2026-07/),
    })
    await push('2026-07')
    expect(await check(shop, 'aftership')).toMatchObject({ result: 'ok', detail: null })
  })
})

describe('Shopify', () => {
  async function connected() {
    const shopify = await startShopify(() => clock.now())
    opened.push(shopify)
    const shop = await makeShop({ shop_admin_url: shopify.url }, service)
    await shop.as('admin').put('/keys/shopify', { api_key: accessToken })
    return { shopify, shop }
  }

  it('is connected step by step: token, check, webhooks, first message', async () => {
    const { shop, shopify } = await connected()
    expect(await systemOf(shop, 'shopify')).toMatchObject({ state: 'incomplete', has_credentials: true, received: 0 })
    expect(await check(shop, 'shopify')).toMatchObject({
      result: 'ok',
      facts: { store_name: 'River & Pine', currency: 'EUR', plan: 'Basic', orders_since: '60 days' },
    })
    const admin = shop.as('admin')
    const { body } = await admin.post('/connections/shopify/webhooks')
    expect(body.failed).toEqual([])
    expect([...body.registered].sort()).toEqual(Object.values(topics).sort())
    expect((await admin.post('/connections/shopify/webhooks')).body).toEqual(body)
    expect(shopify.subscriptions.size).toBe(12)
    await (await senderOf(shop, 'shopify')).send('orders/create', payload('shopify-order'))
    const found = await systemOf(shop, 'shopify')
    expect(found).toMatchObject({
      state: 'connected',
      received: 1,
      last_received_at: expect.any(String),
      problem: null,
    })
    expect(found.store).toEqual({ name: 'River & Pine', url: shopify.url, currency: 'EUR' })
    expect(found.webhooks).toMatchObject({
      address: `https://doorstep.example/v1/inbound/${shop.slug}/shopify`,
      missing: [],
    })
  })

  it('names the scopes that the token lacks, and the webhooks that fail', async () => {
    const { shop, shopify } = await connected()
    shopify.scopes = ['write_orders']
    const result = await check(shop, 'shopify')
    expect(result).toMatchObject({ result: 'missing_permissions', missing_permissions: ['read_products'] })
    expect(await systemOf(shop, 'shopify')).toMatchObject({
      state: 'failing',
      problem: { key: 'missing_permissions', message: expect.stringContaining('read_products') },
    })
    shopify.failure = { status: 403, body: '{}' }
    const { body } = await shop.as('admin').post('/connections/shopify/webhooks')
    expect(body.registered).toEqual([])
    expect(body.failed).toHaveLength(12)
    expect(body.failed[0]).toEqual({ topic: 'orders/create', message: expect.stringContaining('read_orders') })
  })

  it('is unauthorised with another token, and unreachable if nobody listens', async () => {
    const { shop } = await connected()
    await shop.as('admin').put('/keys/shopify', { api_key: 'shpat_another_token_0123456789' })
    expect(await check(shop, 'shopify')).toMatchObject({ result: 'unauthorised', status: 401 })
    const other = await makeShop({ shop_admin_url: `http://127.0.0.1:${await findClosedPort()}` }, service)
    await other.as('admin').put('/keys/shopify', { api_key: accessToken })
    expect(await check(other, 'shopify')).toMatchObject({ result: 'unreachable', status: null })
  })
})

describe('WooCommerce', () => {
  it('shows the ping of its first webhook at once, and messages to the minute', async () => {
    const shop = await makeShop({}, service)
    expect(await systemOf(shop, 'woocommerce')).toMatchObject({ state: 'none', last_ping_at: null, store: null })
    const sender = await senderOf(shop, 'woocommerce')
    const ping = () =>
      call(
        'POST',
        `/v1/inbound/${shop.slug}/woocommerce`,
        { auth: null, payload: 'webhook_id=7', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
        service,
      )
    expect((await ping()).status).toBe(200)
    const pinged = await systemOf(shop, 'woocommerce')
    expect(pinged).toMatchObject({ state: 'connected', last_ping_at: expect.any(String), last_received_at: null })
    await sender.send('order.created', payload('woocommerce-order'))
    const first = await systemOf(shop, 'woocommerce')
    expect(first).toMatchObject({ received: 1, last_received_at: expect.any(String) })
    clock.advance(10 * secondMs)
    await sender.send('order.updated', payload('woocommerce-order'))
    expect((await systemOf(shop, 'woocommerce')).last_received_at).toBe(first.last_received_at)
    clock.advance(2 * minuteMs)
    await sender.send('order.updated', payload('woocommerce-order'))
    expect((await systemOf(shop, 'woocommerce')).last_received_at > first.last_received_at).toBe(true)
  })

  it('is checked with its key, which is sent to its store only and returned masked', async () => {
    const store = await startWooCommerce()
    opened.push(store)
    const shop = await makeShop({}, service)
    const admin = shop.as('admin')
    expect((await admin.get('/keys')).body).not.toHaveProperty('woocommerce')
    const credentials = { store_url: store.url, consumer_key: consumerKey, consumer_secret: consumerSecret }
    await admin.put('/keys/woocommerce', credentials)
    expect((await admin.get('/keys')).body.woocommerce).toMatchObject({ consumer_secret: '****4567' })
    expect(await check(shop, 'woocommerce')).toMatchObject({
      result: 'ok',
      facts: { currency: 'EUR', version: '9.4.1' },
    })
    expect(await systemOf(shop, 'woocommerce')).toMatchObject({
      state: 'incomplete',
      has_credentials: true,
      store: { name: null, url: store.url, currency: 'EUR' },
    })
    await admin.put('/keys/woocommerce', { ...credentials, consumer_secret: 'cs_another_secret_0123456789' })
    expect(await check(shop, 'woocommerce')).toMatchObject({ result: 'unauthorised', status: 401 })
    await admin.put('/keys/woocommerce', { ...credentials, store_url: `${store.url}/blog` })
    expect(await check(shop, 'woocommerce')).toMatchObject({ result: 'not_found', status: 404 })
    expect((await admin.delete('/keys/woocommerce')).status).toBe(200)
    expect(await check(shop, 'woocommerce')).toMatchObject({ result: 'missing_credentials' })
  })
})

describe('Shopware', () => {
  it('is checked with the credentials of the installed app', async () => {
    const shop = await makeShop({}, service)
    expect(await check(shop, 'shopware')).toMatchObject({ result: 'missing_credentials' })
    const shopware = await FakeShopware.start({ transport: transportTo(shop), now: () => clock.now() })
    opened.push({ close: () => shopware.server.stop() })
    await shopware.install(await manifestOf(shop))
    clock.advance(hourMs)
    expect(await check(shop, 'shopware')).toMatchObject({ result: 'ok', facts: { version: '6.7.9.0', orders: '0' } })
    expect(await systemOf(shop, 'shopware')).toMatchObject({ state: 'connected', store: { url: shopware.url } })
    shopware.clientSecret = 'renewed in Shopware'
    shopware.revokeTokens()
    expect(await check(shop, 'shopware')).toMatchObject({ result: 'unauthorised', status: 401 })
    expect(await systemOf(shop, 'shopware')).toMatchObject({ state: 'failing', problem: { key: 'unauthorised' } })
  })
})
