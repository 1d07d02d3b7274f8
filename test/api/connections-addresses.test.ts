import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { createFakeServer, type FakeRequest, type FakeResponse } from '../conformance/fake-server.ts'
import { FakeShopware } from '../conformance/fakes/shopware-server.ts'
import { clock, openTestDatabase, startTestService } from '../harness/service.ts'
import { makeShop, type TestShop } from '../harness/shop.ts'
import { accessToken } from '../harness/shop-system-servers/shopify.ts'
import { consumerKey, consumerSecret } from '../harness/shop-system-servers/woocommerce.ts'
import { manifestOf, transportTo } from '../harness/shopware.ts'

const service = await startTestService({ WEBHOOK_ALLOW_PRIVATE: 'on' }, await openTestDatabase())
await service.schedule.stop()
const server = createFakeServer()
await server.start()
afterAll(async () => {
  await service.stop()
  await server.stop()
})
beforeEach(() => server.reset(() => ({ status: 500 })))

const html = { 'content-type': 'text/html; charset=UTF-8' }
const json = { 'content-type': 'application/json; charset=UTF-8' }
const page = (status: number, body = '<!doctype html><title>A page</title>', headers = {}): FakeResponse => ({
  status,
  headers: { ...html, ...headers },
  body,
})
const failed = (status: number, code: string): FakeResponse => ({
  status,
  headers: json,
  body: JSON.stringify({ code, message: 'Sorry.', data: { status } }),
})

async function storeAt(store_url: string): Promise<TestShop> {
  const shop = await makeShop({}, service)
  const credentials = { store_url, consumer_key: consumerKey, consumer_secret: consumerSecret }
  expect((await shop.as('admin').put('/keys/woocommerce', credentials)).status).toBe(200)
  return shop
}

const check = async (shop: TestShop, name: string) => (await shop.as('admin').post(`/connections/${name}/check`)).body
const problemOf = async (shop: TestShop, name: string) => {
  const { body } = await shop.as('viewer').get('/connections')
  return body.shop_systems.find((one: { name: string }) => one.name === name).problem
}

describe('check of a WooCommerce store', () => {
  const isApi = ({ path }: FakeRequest) => path.includes('/wp-json/')

  it('names the https address of a store entered by http, and sends the key nowhere', async () => {
    const shop = await storeAt('http://shop.example/store')
    expect(await check(shop, 'woocommerce')).toMatchObject({
      result: 'not_found',
      reason: 'https_needed',
      status: null,
      detail: expect.stringContaining('https://shop.example/store'),
      facts: { use_address: 'https://shop.example/store' },
    })
    expect(await problemOf(shop, 'woocommerce')).toEqual({
      key: 'not_found',
      reason: 'https_needed',
      use_address: 'https://shop.example/store',
      message: 'WooCommerce accepts its credentials by https only. Enter https://shop.example/store.',
    })
  })

  it('knows that a key is ignored by http, where the host is allowed', async () => {
    server.reset(() => failed(401, 'woocommerce_rest_cannot_view'))
    expect(await check(await storeAt(server.baseUrl), 'woocommerce')).toMatchObject({ reason: 'https_needed' })
    server.reset(() => failed(401, 'woocommerce_rest_authentication_error'))
    expect(await check(await storeAt(server.baseUrl), 'woocommerce')).toMatchObject({
      result: 'unauthorised',
      reason: null,
    })
  })

  it.each([
    ['https', 'https://shop.example/wp-json/wc/v3/orders?per_page=1', 'https://shop.example'],
    ['www', 'https://www.shop.example/wp-json/wc/v3/orders', 'https://www.shop.example'],
    ['a folder', 'https://shop.example/store/wp-json/wc/v3/orders', 'https://shop.example/store'],
    ['another host', 'https://user:secret@other.example/', 'https://other.example'],
  ])('names the address that it redirects to: %s', async (_name, location, address) => {
    server.reset(() => page(301, '', { location }))
    const shop = await storeAt(server.baseUrl)
    expect(await check(shop, 'woocommerce')).toMatchObject({
      result: 'not_found',
      reason: 'redirected',
      status: 301,
      facts: { use_address: address },
    })
    expect(server.requests).toHaveLength(1)
    expect(await problemOf(shop, 'woocommerce')).toMatchObject({ reason: 'redirected', use_address: address })
  })

  it('takes a redirect to a page of the same host for a password in front', async () => {
    server.reset(() => page(302, '', { location: '/wp-login.php?redirect_to=x' }))
    expect(await check(await storeAt(server.baseUrl), 'woocommerce')).toMatchObject({ reason: 'protected', facts: {} })
  })

  it('finds the address of WordPress where a page of the store was entered', async () => {
    const link = `<${server.baseUrl}/store/wp-json/>; rel="https://api.w.org/"`
    server.reset((request) => (isApi(request) ? page(404) : page(200, undefined, { link })))
    const shop = await storeAt(`${server.baseUrl}/my-account`)
    expect(await check(shop, 'woocommerce')).toMatchObject({
      result: 'not_found',
      reason: 'wrong_address',
      status: 404,
      facts: { use_address: `${server.baseUrl}/store` },
    })
    const [, discovery] = server.requests
    expect(discovery).toMatchObject({ method: 'GET', path: '/my-account' })
    expect(discovery?.headers.authorization).toBeUndefined()
  })

  it('says that the folder is missing where there is no WordPress', async () => {
    server.reset(() => page(404))
    expect(await check(await storeAt(server.baseUrl), 'woocommerce')).toMatchObject({
      reason: 'wrong_address',
      detail: expect.stringContaining('with the folder'),
      facts: {},
    })
  })

  it.each([404, 200])('recognises plain permalinks behind %s', async (status) => {
    const link = `<${server.baseUrl}/index.php?rest_route=/>; rel="https://api.w.org/"`
    server.reset((request) => (isApi(request) ? page(status) : page(200, undefined, { link })))
    expect(await check(await storeAt(server.baseUrl), 'woocommerce')).toMatchObject({
      result: 'not_found',
      reason: 'no_permalinks',
      detail: expect.stringContaining('Permalinks'),
    })
  })

  it.each([
    ['a password of the web server', page(401, '<h1>Authorization Required</h1>', { 'www-authenticate': 'Basic' })],
    ['a firewall', page(403, '<h1>Forbidden</h1>')],
    ['a plug-in that closes the API', failed(401, 'rest_not_logged_in')],
  ])('distinguishes %s from a wrong key', async (_name, response) => {
    server.reset(() => response)
    const shop = await storeAt(server.baseUrl)
    const found = await check(shop, 'woocommerce')
    expect(found).toMatchObject({ result: 'unreachable', reason: 'protected', status: response.status })
    expect(await problemOf(shop, 'woocommerce')).toMatchObject({ key: 'unreachable', reason: 'protected' })
  })

  it('recognises maintenance mode', async () => {
    server.reset(() => page(503, 'Briefly unavailable for scheduled maintenance.', { 'retry-after': '600' }))
    expect(await check(await storeAt(server.baseUrl), 'woocommerce')).toMatchObject({
      result: 'unreachable',
      reason: 'maintenance',
      status: 503,
    })
  })
})

describe('check of a Shopify shop', () => {
  async function shopAt(shop_admin_url: string): Promise<TestShop> {
    const shop = await makeShop({ shop_admin_url }, service)
    await shop.as('admin').put('/keys/shopify', { api_key: accessToken })
    return shop
  }

  it.each(['https://www.river-and-pine.example', 'https://admin.shopify.com', 'https://river-and-pine.shopify.com'])(
    'says which address to enter instead of %s',
    async (address) => {
      expect(await check(await shopAt(address), 'shopify')).toMatchObject({
        result: 'not_found',
        reason: 'wrong_address',
        status: null,
        detail: expect.stringMatching(/myshopify\.com/),
      })
    },
  )

  it('names the shop that was renamed, and the one that does not exist', async () => {
    const shop = await shopAt(server.baseUrl)
    const location = 'https://new-name.myshopify.com/admin/api/2026-10/graphql.json'
    server.reset(() => page(301, '', { location }))
    expect(await check(shop, 'shopify')).toMatchObject({
      reason: 'redirected',
      facts: { use_address: 'https://new-name.myshopify.com' },
    })
    server.reset(() => page(404))
    expect(await check(shop, 'shopify')).toMatchObject({ result: 'not_found', reason: 'wrong_address', status: 404 })
  })
})

describe('check of Shopware', () => {
  it('names the address it has moved to, a password in front, and maintenance', async () => {
    const shop = await makeShop({}, service)
    const shopware = await FakeShopware.start({ transport: transportTo(shop), now: () => clock.now() })
    await shopware.install(await manifestOf(shop))
    shopware.server.reset(() => page(308, '', { location: 'https://www.shop.example/api/oauth/token' }))
    expect(await check(shop, 'shopware')).toMatchObject({
      result: 'not_found',
      reason: 'redirected',
      facts: { use_address: 'https://www.shop.example' },
    })
    shopware.server.reset(() => page(401, '<h1>Authorization Required</h1>'))
    expect(await check(shop, 'shopware')).toMatchObject({ result: 'unreachable', reason: 'protected', status: 401 })
    shopware.server.reset(() => page(503))
    expect(await check(shop, 'shopware')).toMatchObject({ result: 'unreachable', reason: 'maintenance', status: 503 })
    await shopware.server.stop()
  })
})
