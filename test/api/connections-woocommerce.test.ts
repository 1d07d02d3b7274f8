import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { webhookTopics } from '../../src/adapters/shop-systems/woocommerce/webhooks.ts'
import { hourMs, minuteMs } from '../../src/platform/foundation/clock.ts'
import { FakeShopware } from '../conformance/fakes/shopware-server.ts'
import { call, clock, openTestDatabase, type Reply, startTestService } from '../harness/service.ts'
import { makeShop, type TestShop } from '../harness/shop.ts'
import { accessToken, startShopify } from '../harness/shop-system-servers/shopify.ts'
import {
  consumerKey,
  consumerSecret,
  type FakeWooCommerce,
  startWooCommerce,
} from '../harness/shop-system-servers/woocommerce.ts'
import { payload, senderOf } from '../harness/shop-systems.ts'
import { manifestOf, transportTo } from '../harness/shopware.ts'

const service = await startTestService({ WEBHOOK_ALLOW_PRIVATE: 'on' }, await openTestDatabase())
await service.schedule.stop()

const opened: { close(): Promise<void> }[] = []
afterEach(async () => {
  clock.reset()
  for (const one of opened.splice(0)) await one.close()
})
afterAll(() => service.stop())

async function openStore(): Promise<FakeWooCommerce> {
  const store = await startWooCommerce()
  opened.push(store)
  return store
}

const publicUrl = 'https://doorstep.example'
const addressOf = (shop: TestShop) => `${publicUrl}/v1/inbound/${shop.slug}/woocommerce`
const systemOf = async (shop: TestShop, name = 'woocommerce') => {
  const { body } = await shop.as('viewer').get('/connections')
  return body.shop_systems.find((one: { name: string }) => one.name === name)
}
const authorize = (shop: TestShop, store_url: string) =>
  shop.as('admin').post('/connections/woocommerce/authorize', { store_url })
const secretOf = async (shop: TestShop) =>
  (await shop.as('admin').get('/woocommerce/webhook-config')).body.webhook_secret

let networks = 0
/** As the store's server sends it; every one is in a network of its own. */
function send(body: unknown, from = `203.0.113.${++networks % 250}`): Promise<Reply> {
  return call('POST', '/v1/connections/woocommerce/grant', { auth: null, body, from }, service)
}
const transport = async (url: string, headers: Record<string, string>, payload: string) => {
  expect(url).toBe(`${publicUrl}/v1/connections/woocommerce/grant`)
  return call('POST', url.slice(publicUrl.length), { auth: null, headers, payload, from: '203.0.113.251' }, service)
}
const runChecks = () => service.workers?.webhookChecks.runDue()
const stateIn = (url: string) => new URL(url).searchParams.get('user_id') ?? ''
const granted = (state: string, key = consumerKey, secret = consumerSecret) => ({
  key_id: 1,
  user_id: state,
  consumer_key: key,
  consumer_secret: secret,
  key_permissions: 'read_write',
})
async function connected(store: FakeWooCommerce, store_url = store.url): Promise<TestShop> {
  const shop = await makeShop({}, service)
  const key = { store_url, consumer_key: consumerKey, consumer_secret: consumerSecret }
  await shop.as('admin').put('/keys/woocommerce', key)
  return shop
}

describe('connecting by the approval of the store', () => {
  it('takes an address and one approval: the key, the webhooks and the first order follow', async () => {
    const store = await openStore()
    const shop = await makeShop({}, service)
    const { status, body } = await authorize(shop, `${store.url}/wp-admin/`)
    expect(status).toBe(200)
    expect(Date.parse(body.expires_at)).toBeLessThanOrEqual(clock.now().getTime() + 10 * minuteMs)
    expect(new URL(body.url).searchParams.get('app_name')).toContain((await shop.as('admin').get('/profile')).body.name)
    expect(await systemOf(shop)).toMatchObject({
      state: 'none',
      has_credentials: false,
      authorization: { state: 'waiting', store_url: store.url, problem: null },
    })
    const back = await store.approve(body.url, transport)
    expect(back.href).toContain(`${publicUrl}/dashboard/${shop.slug}/connect/woocommerce?success=1`)
    await runChecks()
    const secret = await secretOf(shop)
    expect(store.webhooks.map(({ topic }) => topic).sort()).toEqual([...webhookTopics].sort())
    for (const webhook of store.webhooks) {
      expect(webhook).toMatchObject({ status: 'active', delivery_url: addressOf(shop), secret })
    }
    expect(await systemOf(shop)).toMatchObject({
      state: 'connected',
      has_credentials: true,
      authorization: { state: 'granted' },
      webhooks: { missing: [], disabled: [], problem: null, is_pending: false, checked_at: expect.any(String) },
      problem: null,
    })
    await (await senderOf(shop, 'woocommerce')).send('order.created', payload('woocommerce-order'))
    expect(await systemOf(shop)).toMatchObject({ received: 1 })
  })

  it('records who began it, with the key masked', async () => {
    const store = await openStore()
    const shop = await makeShop({}, service)
    const { body } = await authorize(shop, store.url)
    await store.approve(body.url, transport)
    const entries = (await shop.as('admin').get('/audit-log')).body
    const [key, begun] = entries.filter(({ action }: { action: string }) => /WooCommerce/.test(action))
    expect(begun).toMatchObject({ action: 'authorizeWooCommerce', changes: { store_url: { after: store.url } } })
    expect(key).toMatchObject({ action: 'receiveWooCommerceGrant', actor: begun.actor })
    expect(JSON.stringify(key)).not.toContain(consumerSecret)
  })

  it('takes a state once', async () => {
    const store = await openStore()
    const shop = await makeShop({}, service)
    const state = stateIn((await authorize(shop, store.url)).body.url)
    const replies = await Promise.all([send(granted(state)), send(granted(state)), send(granted(state))])
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 422, 422])
    expect((await send(granted(state))).body).toMatchObject({ key: 'invalid_payload' })
  })

  it('takes it within ten minutes, and only the last one of a person', async () => {
    const store = await openStore()
    const shop = await makeShop({}, service)
    const first = stateIn((await authorize(shop, store.url)).body.url)
    const second = stateIn((await authorize(shop, store.url)).body.url)
    expect((await send(granted(first))).status).toBe(422)
    clock.advance(10 * minuteMs)
    expect((await send(granted(second))).status).toBe(422)
    expect(await systemOf(shop)).toMatchObject({ has_credentials: false, authorization: { state: 'expired' } })
  })

  it('takes no guessed state, and none of another shop', async () => {
    const store = await openStore()
    const [shop, other] = [await makeShop({}, service), await makeShop({}, service)]
    const [mine, theirs] = [
      stateIn((await authorize(shop, store.url)).body.url),
      stateIn((await authorize(other, store.url)).body.url),
    ]
    expect(mine).toMatch(/^[0-9a-f-]{36}\.[A-Za-z0-9]{43}$/)
    const forged = [`${mine.slice(0, 36)}${theirs.slice(36)}`, mine.slice(0, -1), mine.slice(0, 36), 'x', `${mine}x`]
    for (const state of forged) expect((await send(granted(state))).status).toBe(422)
    for (const shop_ of [shop, other]) expect(await systemOf(shop_)).toMatchObject({ has_credentials: false })
    expect(store.requests().some(({ headers }) => headers.authorization)).toBe(false)
  })

  it('stores the state as a digest only', async () => {
    const store = await openStore()
    const shop = await makeShop({}, service)
    const state = stateIn((await authorize(shop, store.url)).body.url)
    const rows = await service.database.db.selectFrom('woocommerce_grants').selectAll().execute()
    expect(rows.some(({ store_url }) => store_url === store.url)).toBe(true)
    expect(JSON.stringify(rows)).not.toContain(state.slice(37))
  })

  it('stores no key that the typed store does not accept, and says so in the dashboard', async () => {
    const store = await openStore()
    const shop = await makeShop({}, service)
    const state = stateIn((await authorize(shop, store.url)).body.url)
    const reply = await send(granted(state, 'ck_of_another_store_0123456789', 'cs_of_another_store_0123456789'))
    expect(reply).toMatchObject({ status: 422, body: { key: 'invalid_payload' } })
    expect(await systemOf(shop)).toMatchObject({
      state: 'none',
      has_credentials: false,
      authorization: { state: 'failed', problem: expect.any(String) },
    })
  })

  it('lets the store delete its key when it is not stored', async () => {
    const store = await openStore()
    const shop = await makeShop({}, service)
    const { url } = (await authorize(shop, store.url)).body
    clock.advance(11 * minuteMs)
    await expect(store.approve(url, transport)).rejects.toThrow('unable to send the consumer data')
    expect([...store.keys.keys()]).toEqual([consumerKey])
  })

  it('stores nothing for somebody who is no admin any longer', async () => {
    const store = await openStore()
    const shop = await makeShop({}, service)
    const admin = shop.as('admin')
    const created = await admin.post('/api-keys', { username: `to-be-removed-${shop.slug}`, role: 'admin' })
    const auth = { username: created.body.username, apiKey: created.body.secret }
    const path = `/v1/shops/${shop.slug}/connections/woocommerce/authorize`
    const { body } = await call('POST', path, { auth, body: { store_url: store.url } }, service)
    expect((await admin.delete(`/api-keys/${created.body.id}`)).status).toBe(200)
    expect((await send(granted(stateIn(body.url)))).status).toBe(422)
    expect(await systemOf(shop)).toMatchObject({ has_credentials: false })
  })

  it('limits what a network may send, and does not count what was expected', async () => {
    const store = await openStore()
    const shop = await makeShop({}, service)
    for (let number = 0; number < 32; number += 1) {
      const state = stateIn((await authorize(shop, store.url)).body.url)
      expect((await send(granted(state), '198.51.100.7')).status).toBe(200)
    }
    const forged = Array.from({ length: 30 }, () => send(granted('nothing'), '198.51.100.7'))
    expect((await Promise.all(forged)).every(({ status }) => status === 422)).toBe(true)
    const limited = await send(granted('nothing'), '198.51.100.7')
    expect(limited).toMatchObject({ status: 429, body: { key: 'rate_limited' } })
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0)
    expect((await send(granted('nothing'), '198.51.100.8')).status).toBe(422)
  })

  it('rejects a body that is no key, or large', async () => {
    expect((await send({ user_id: 'x' })).status).toBe(422)
    const large = await send(granted('x'.repeat(70_000)))
    expect(large.status).toBe(413)
  })

  it.each([
    ['not an address', 'must be the address'],
    ['https://ada:secret@shop.example', 'user name'],
    ['ftp://shop.example', 'reached'],
  ])('rejects %s', async (typed, message) => {
    const reply = await authorize(await makeShop({}, service), typed)
    expect(reply.status).toBe(422)
    expect(reply.body.errors[0]).toMatchObject({ loc: ['body', 'store_url'] })
    expect(reply.body.errors[0].msg).toContain(message)
  })

  it('says what stands at an address that is no store', async () => {
    const store = await openStore()
    const shop = await makeShop({}, service)
    const { body, status } = await authorize(shop, `${store.url}/blog`)
    expect(status).toBe(422)
    expect(body.errors[0].msg).toContain('No route')
    expect(await systemOf(shop)).toMatchObject({ authorization: null })
  })

  it('calls no private address, and needs https for itself', async () => {
    const store = await openStore()
    const strict = await startTestService({ WEBHOOK_ALLOW_PRIVATE: 'off' }, await openTestDatabase())
    const shop = await makeShop({}, strict)
    const { body } = await authorize(shop, store.url)
    expect(body.errors[0].msg).toContain('private address')
    expect(store.requests()).toEqual([])
    await strict.stop()
    const plain = await startTestService(
      { PUBLIC_URL: 'http://doorstep.example', WEBHOOK_ALLOW_PRIVATE: 'on' },
      await openTestDatabase(),
    )
    const reply = await authorize(await makeShop({}, plain), store.url)
    expect(reply).toMatchObject({ status: 422, body: { message: expect.stringContaining('PUBLIC_URL') } })
    await plain.stop()
  })

  it('is for admins', async () => {
    const shop = await makeShop({}, service)
    const body = { store_url: 'https://shop.example' }
    expect((await shop.as('editor').post('/connections/woocommerce/authorize', body)).status).toBe(403)
    expect((await shop.as('editor').post('/connections/woocommerce/webhooks')).status).toBe(403)
  })
})

describe('webhooks of WooCommerce', () => {
  const register = (shop: TestShop) => shop.as('admin').post('/connections/woocommerce/webhooks')

  it('are created once, whatever was there before', async () => {
    const store = await openStore()
    const shop = await connected(store)
    const foreign = { id: 1, name: 'Other', topic: 'order.created', delivery_url: 'https://other.example', secret: 'x' }
    store.webhooks = [
      { ...foreign, status: 'active' },
      { ...foreign, id: 2, topic: 'order.updated', delivery_url: addressOf(shop), status: 'disabled' },
      { ...foreign, id: 3, topic: 'order.deleted', delivery_url: addressOf(shop), status: 'paused' },
    ]
    const { body, status } = await register(shop)
    expect({ status, body }).toEqual({ status: 200, body: { registered: [...webhookTopics], failed: [] } })
    expect((await register(shop)).body).toEqual(body)
    expect(store.webhooks).toHaveLength(9)
    const secret = await secretOf(shop)
    const ours = store.webhooks.filter(({ delivery_url }) => delivery_url === addressOf(shop))
    expect(ours.map((webhook) => [webhook.status, webhook.secret])).toEqual(webhookTopics.map(() => ['active', secret]))
    expect(store.webhooks[0]).toEqual({ ...foreign, status: 'active' })
  })

  it('are found behind more than a hundred others', async () => {
    const store = await openStore()
    const shop = await connected(store)
    const other = { name: 'Other', topic: 'order.created', delivery_url: 'https://other.example', secret: 'x' }
    store.webhooks = Array.from({ length: 130 }, (_, index) => ({ ...other, id: index + 1, status: 'active' as const }))
    await register(shop)
    await register(shop)
    expect(store.webhooks).toHaveLength(138)
  })

  it('need a key that may write, and the error says so', async () => {
    const store = await openStore()
    store.keys.set(consumerKey, { secret: consumerSecret, permissions: 'read' })
    const shop = await connected(store)
    const { body } = await register(shop)
    expect(body.registered).toEqual([])
    expect(body.failed).toHaveLength(8)
    expect(body.failed[0]).toEqual({ topic: 'order.created', message: expect.stringContaining('Read/Write') })
    // After the first, the others are not tried.
    expect(store.requests().filter(({ method }) => method === 'POST')).toHaveLength(1)
    expect((await systemOf(shop)).webhooks.problem).toContain('Read/Write')
  })

  it('are reported by topic if the store rejects some, and none is tried after a failure to respond', async () => {
    const store = await openStore()
    const shop = await connected(store)
    store.beforeWebhook = ({ method, body }) =>
      method === 'POST' && body.includes('order.deleted') ? { status: 500, body: 'fatal' } : undefined
    const { body } = await register(shop)
    expect(body.registered).toEqual(['order.created', 'order.updated'])
    expect(body.failed.map(({ topic }: { topic: string }) => topic)).toEqual(webhookTopics.slice(2))
    expect(JSON.stringify(body)).not.toContain(await secretOf(shop))
    const without = await makeShop({}, service)
    expect(await register(without)).toMatchObject({ status: 404, body: { key: 'partner_key_not_found' } })
  })

  it('are read when the connection is checked, and nothing is changed', async () => {
    const store = await openStore()
    const shop = await connected(store)
    await register(shop)
    const [first, second] = store.webhooks
    if (first) first.status = 'disabled'
    store.webhooks = store.webhooks.filter((webhook) => webhook !== second)
    await shop.as('admin').post('/connections/woocommerce/check')
    expect(await systemOf(shop)).toMatchObject({
      state: 'failing',
      webhooks: { disabled: ['order.created'], missing: ['order.updated'] },
      problem: { key: 'webhooks_disabled', message: expect.stringContaining('order.created') },
    })
    expect(store.webhooks).toHaveLength(7)
    expect(first?.status).toBe('disabled')
  })

  it('that WooCommerce disables are activated within the hour, and deleted ones created again', async () => {
    const store = await openStore()
    const shop = await connected(store)
    await register(shop)
    const [first, second, third] = store.webhooks
    if (first) Object.assign(first, { status: 'disabled', secret: 'another' })
    if (third) third.status = 'paused'
    store.webhooks = store.webhooks.filter((webhook) => webhook !== second)
    await runChecks()
    expect(first?.status).toBe('disabled')
    clock.advance(hourMs)
    await runChecks()
    expect(first).toMatchObject({ status: 'active', secret: await secretOf(shop) })
    expect(store.webhooks.map(({ topic }) => topic).sort()).toEqual([...webhookTopics].sort())
    // Somebody paused it by hand.
    expect(third?.status).toBe('paused')
    expect((await systemOf(shop)).webhooks).toMatchObject({ missing: [], disabled: ['order.deleted'] })
  })

  it('that were made by hand are noticed and activated, and no others are created', async () => {
    const store = await openStore()
    const shop = await connected(store)
    const webhook = { id: 1, name: 'By hand', topic: 'order.created', delivery_url: addressOf(shop), secret: 'x' }
    store.webhooks = [{ ...webhook, status: 'disabled' }]
    await service.schedule.run('connections')
    clock.advance(hourMs)
    await runChecks()
    expect(store.webhooks).toHaveLength(1)
    expect(store.webhooks[0]).toMatchObject({ status: 'active' })
    expect((await systemOf(shop)).webhooks).toMatchObject({ disabled: [], missing: webhookTopics.slice(1) })
  })

  it('get a rotated secret', async () => {
    const store = await openStore()
    const shop = await connected(store)
    await register(shop)
    const before = await secretOf(shop)
    await shop.as('admin').post('/woocommerce/webhook-config/rotate-secret')
    expect((await systemOf(shop)).webhooks.is_pending).toBe(true)
    await runChecks()
    const secret = await secretOf(shop)
    expect(secret).not.toBe(before)
    expect(store.webhooks.map((webhook) => webhook.secret)).toEqual(webhookTopics.map(() => secret))
    expect((await systemOf(shop)).webhooks.is_pending).toBe(false)
  })

  it('are tried again when the store did not respond', async () => {
    const store = await openStore()
    const shop = await makeShop({}, service)
    await store.approve((await authorize(shop, store.url)).body.url, transport)
    store.beforeWebhook = () => ({ status: 502, body: 'bad gateway' })
    await service.workers?.webhookChecks.idle()
    store.webhooks = []
    await shop.as('admin').post('/woocommerce/webhook-config/rotate-secret')
    await runChecks()
    expect(store.webhooks).toEqual([])
    expect((await systemOf(shop)).webhooks).toMatchObject({ is_pending: true, problem: expect.any(String) })
    store.beforeWebhook = undefined
    clock.advance(3 * minuteMs)
    await runChecks()
    expect(store.webhooks).toHaveLength(8)
  })

  it('are created by one at a time', async () => {
    const store = await openStore()
    const shop = await connected(store)
    const replies = await Promise.all([register(shop), register(shop), register(shop)])
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 429, 429])
    expect(store.webhooks).toHaveLength(8)
  })

  it('are forgotten with the key', async () => {
    const store = await openStore()
    const shop = await connected(store)
    await register(shop)
    await shop.as('admin').delete('/keys/woocommerce')
    expect((await systemOf(shop)).webhooks).toMatchObject({ registered: [], disabled: [], checked_at: null })
    clock.advance(hourMs)
    await runChecks()
    const rows = await service.database.db
      .selectFrom('connection_webhooks')
      .innerJoin('shops', 'shops.id', 'connection_webhooks.shop_id')
      .where('slug', '=', shop.slug)
      .selectAll()
      .execute()
    expect(rows).toEqual([])
  })
})

describe('webhooks of Shopify', () => {
  it('that Shopify deleted are listed by a check and registered again by the next run', async () => {
    const shopify = await startShopify(() => clock.now())
    opened.push(shopify)
    const shop = await makeShop({ shop_admin_url: shopify.url }, service)
    await shop.as('admin').put('/keys/shopify', { api_key: accessToken })
    await shop.as('admin').post('/connections/shopify/webhooks')
    shopify.subscriptions.delete('ORDERS_UPDATED')
    clock.advance(minuteMs)
    await shop.as('admin').post('/connections/shopify/check')
    const found = await systemOf(shop, 'shopify')
    expect(found).toMatchObject({ state: 'incomplete', webhooks: { missing: ['orders/updated'] } })
    expect(found.webhooks.registered).toHaveLength(11)
    clock.advance(hourMs)
    await runChecks()
    expect(shopify.subscriptions.size).toBe(12)
    expect(await systemOf(shop, 'shopify')).toMatchObject({ state: 'connected', webhooks: { missing: [] } })
  })
})

describe('webhooks of Shopware', () => {
  it('that Shopware switched off are listed, if the app may read them', async () => {
    const shop = await makeShop({}, service)
    const shopware = await FakeShopware.start({ transport: transportTo(shop), now: () => clock.now() })
    opened.push({ close: () => shopware.server.stop() })
    await shopware.install(await manifestOf(shop))
    clock.advance(minuteMs)
    const check = () => shop.as('admin').post('/connections/shopware/check')
    expect((await check()).body).toMatchObject({ result: 'ok' })
    const found = await systemOf(shop, 'shopware')
    expect(found).toMatchObject({ state: 'connected', webhooks: { missing: [], disabled: [], problem: null } })
    expect(found.webhooks.registered).toContain('order.written')
    shopware.inactiveWebhooks.add('order.written')
    shopware.goneWebhooks.add('product.deleted')
    await check()
    expect(await systemOf(shop, 'shopware')).toMatchObject({
      state: 'failing',
      webhooks: { disabled: ['order.written'], missing: ['product.deleted'] },
      problem: { key: 'webhooks_disabled', message: expect.stringContaining('order.written') },
    })
    // An app that was installed before it had the permission.
    if (shopware.manifest)
      shopware.manifest.permissions = shopware.manifest.permissions.filter((one) => one !== 'webhook')
    await check()
    expect((await systemOf(shop, 'shopware')).webhooks.problem).toContain('current version')
  })
})
