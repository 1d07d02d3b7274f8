import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { createProviders } from '../../src/adapters/carriers/registry.ts'
import { createIntegrations } from '../../src/adapters/marketing/registry.ts'
import { checkCredentialHost, guardCredentials, readHosts } from '../../src/platform/foundation/credential-hosts.ts'
import { accessToken, startShopifySubscriptions } from '../conformance/fakes/shopify-subscriptions-server.ts'
import { settle } from '../harness/deliveries.ts'
import { createOrder, uniqueNumber } from '../harness/orders.ts'
import { type Receiver, startReceiver } from '../harness/receiver.ts'
import { clock, testConfig } from '../harness/service.ts'
import { makeShop, type ShopCaller } from '../harness/shop.ts'

const open: { close(): Promise<void> }[] = []
afterEach(() => clock.reset())
afterAll(async () => {
  for (const server of open) await server.close()
})

const api_key = 'a-key-of-braze-that-is-long'

async function receive(): Promise<Receiver> {
  const receiver = await startReceiver()
  open.push(receiver)
  receiver.respond = () => ({ status: 201, body: '{"message":"success","events_processed":1}' })
  return receiver
}

/** The same server under a name that is not allowed. */
const byName = ({ url }: { url: string }) => url.replace('127.0.0.1', 'localhost')

async function braze(rest_endpoint: string): Promise<ShopCaller> {
  const shop = (await makeShop()).as('admin')
  await shop.patch('/settings/triggers/braze', { status: true, rest_endpoint })
  await shop.put('/keys/braze', { api_key })
  return shop
}

/** Sends an event, and returns its outcome from the timeline. */
async function send(shop: ShopCaller) {
  const number = uniqueNumber('C')
  const order = await createOrder(shop, { order_placed_at: undefined }, [{ tracking_number: number }])
  await shop.post('/shipment-events?notify=true', { id: number, event_name: 'PARCEL_DISPATCHED' })
  await settle()
  const { body } = await shop.get(`/shipments/${order.trackings[0].uuid}/timeline`)
  return JSON.stringify(body)
}

describe('credentials', () => {
  it('are not sent to a host that is not the company’s, and the timeline says why', async () => {
    const receiver = await receive()
    const shop = await braze(byName(receiver))
    const timeline = await send(shop)
    expect(receiver.received).toEqual([])
    expect(timeline).toContain('localhost is not a host of Braze, so its credentials are not sent there.')
    expect(timeline).not.toContain(api_key)
    const settings = await shop.get('/settings/triggers/braze')
    expect(settings.body.rest_endpoint).toBe(byName(receiver))
  })

  it('are disabled when the host changes, until they are entered again', async () => {
    const [before, other] = [await receive(), await receive()]
    const shop = await braze(before.url)
    await send(shop)
    const sentBefore = before.received.length
    expect(sentBefore).toBeGreaterThan(0)

    await shop.patch('/settings/triggers/braze', { rest_endpoint: other.url })
    const timeline = await send(shop)
    expect(other.received).toEqual([])
    const [from, to] = [before, other].map(({ url }) => new URL(url).host)
    expect(timeline).toContain(`set for ${from}, but the URL is now on ${to}. Set them again: PUT /keys/braze.`)

    await shop.put('/keys/braze', { api_key })
    await send(shop)
    expect(other.received.length).toBeGreaterThan(0)
    expect(before.received).toHaveLength(sentBefore)
  })

  it('that were entered before there was an address belong to the first host they are used with', async () => {
    const [first, second] = [await receive(), await receive()]
    const shop = (await makeShop()).as('admin')
    await shop.put('/keys/braze', { api_key })
    await shop.patch('/settings/triggers/braze', { status: true, rest_endpoint: first.url })
    await send(shop)
    expect(first.received.length).toBeGreaterThan(0)
    await shop.patch('/settings/triggers/braze', { rest_endpoint: second.url })
    await send(shop)
    expect(second.received).toEqual([])
  })

  it('do not follow a redirect', async () => {
    const [receiver, elsewhere] = [await receive(), await receive()]
    receiver.respond = () => ({ status: 307, headers: { location: `${elsewhere.url}/users/track` } })
    await send(await braze(receiver.url))
    expect(receiver.received.length).toBeGreaterThan(0)
    expect(elsewhere.received).toEqual([])
  })

  it('for Shopify are checked by the call that would send them', async () => {
    const shopify = await startShopifySubscriptions()
    open.push(shopify)
    const test = await makeShop({ shop_admin_url: byName(shopify) })
    const shop = test.as('admin')
    await shop.put('/keys/shopify', { api_key: accessToken })
    const register = () => shop.post('/shopify/webhooks', { webhook_type: 'order-creation' })
    expect(await register()).toMatchObject({
      status: 422,
      body: {
        key: 'invalid_payload',
        errors: [
          { loc: ['shop', 'shop_admin_url'], msg: expect.stringContaining('localhost is not a host of Shopify') },
        ],
      },
    })
    // Entered for another host than the current one.
    await shop.patch('', { shop_admin_url: shopify.url })
    expect(await register()).toMatchObject({
      status: 404,
      body: {
        key: 'partner_key_not_found',
        message: expect.stringMatching(/were set for localhost.*PUT \/keys\/shopify/),
      },
    })
    expect(shopify.received).toEqual([])
    await shop.put('/keys/shopify', { api_key: accessToken })
    expect((await register()).status).toBe(200)
  })
})

describe('hosts of a company', () => {
  const rule = { label: 'Shopify', hosts: ['*.myshopify.com'] }
  const isSent = (url: string, hosts = rule.hosts, extra: string[] = []) => {
    try {
      checkCredentialHost(url, { ...rule, hosts }, extra)
      return true
    } catch {
      return false
    }
  }

  it('are its own and their subdomains, over https, and no similar names', () => {
    expect(isSent('https://river.myshopify.com/admin')).toBe(true)
    expect(isSent('https://RIVER.MyShopify.com./admin')).toBe(true)
    const wrong = [
      'http://river.myshopify.com',
      'https://myshopify.com',
      'https://evilmyshopify.com',
      'https://river.myshopify.com.evil.example',
      'https://evil.example/.myshopify.com',
      'https://river.myshopify.com@evil.example',
      'https://evil.example#.myshopify.com',
      'https://evil.example\\.myshopify.com',
      'no address',
    ]
    expect(wrong.filter((url) => isSent(url))).toEqual([])
  })

  it('can be extended by the operator', () => {
    expect(isSent('http://relay.example', rule.hosts, ['relay.example'])).toBe(true)
    expect(isSent('https://a.relay.example', rule.hosts, ['relay.example'])).toBe(false)
    expect(isSent('https://a.relay.example', rule.hosts, ['*.relay.example'])).toBe(true)
    expect(readHosts(' Relay.example, *.shops.example,.more.example, 127.0.0.1,')).toEqual({
      hosts: ['relay.example', '*.shops.example', '*.more.example', '127.0.0.1'],
    })
    expect(testConfig({ CREDENTIAL_HOSTS: '' }).credentialHosts).toEqual([])
    for (const wrong of ['https://relay.example', 'relay.example:8080', 'relay.example/x', '*', '*.com', 'a b', '@x']) {
      expect(() => testConfig({ CREDENTIAL_HOSTS: `good.example,${wrong}` }), wrong).toThrow(
        /^CREDENTIAL_HOSTS is wrong: /,
      )
    }
  })

  it('are defined for every system with credentials, and match the calls of its adapter', async () => {
    const integrations = Object.values(createIntegrations())
    const providers = Object.values(createProviders()).filter(({ name }) => name !== 'sandbox')
    for (const { label, hosts } of [...integrations, ...providers]) expect(hosts, label).not.toEqual([])
    for (const provider of providers) {
      const called: string[] = []
      const call = guardCredentials(
        async ({ url }) => {
          called.push(url)
          return { status: 200, headers: {}, body: '{"access_token":"token-of-the-test","expires_in":3600}' }
        },
        provider,
        [],
      )
      const credentials = { api_key: 'key', client_id: 'id', client_secret: 'secret' }
      const now = clock.now()
      const parcel = {
        carrierReference: 'dhl',
        trackingNumber: '1',
        zipCode: null,
        countryCode: null,
        fulfilledAt: now,
        now,
      }
      await provider.track(call, { shopId: provider.name, credentials }, [parcel])
      expect(called.length, provider.name).toBeGreaterThan(0)
    }
  })
})
