import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { createFakeServer } from '../conformance/fake-server.ts'
import { brazeKey, createBrazeFake } from '../conformance/fakes/braze-server.ts'
import { brevoKey, createBrevoFake } from '../conformance/fakes/brevo-server.ts'
import { createFakeEmarsys, emarsysClients } from '../conformance/fakes/emarsys-server.ts'
import { createHubspotFake, hubspotKey, hubspotPortalId } from '../conformance/fakes/hubspot-server.ts'
import { createFakeInxmail, inxmailKeys } from '../conformance/fakes/inxmail-server.ts'
import { createKlaviyoFake, klaviyoKey, klaviyoLimitedKey } from '../conformance/fakes/klaviyo-server.ts'
import { createFakeShopify, shopifyKeys } from '../conformance/fakes/shopify-server.ts'
import type { FakeApi } from '../conformance/integration-suite.ts'
import { settle } from '../harness/deliveries.ts'
import { clock, openTestDatabase, startTestService } from '../harness/service.ts'
import { makeShop } from '../harness/shop.ts'

const email = 'merchant@shop.example'

/** Each system's fake, the credentials that it accepts, and the settings that its adapter needs. */
const systems: Record<string, { fake: () => FakeApi; credentials: object; settings?: object }> = {
  klaviyo: { fake: createKlaviyoFake, credentials: { api_key: klaviyoKey } },
  brevo: { fake: createBrevoFake, credentials: { api_key: brevoKey } },
  braze: {
    fake: createBrazeFake,
    credentials: { api_key: brazeKey },
    settings: { rest_endpoint: 'https://rest.fra-01.braze.eu' },
  },
  hubspot: {
    fake: createHubspotFake,
    credentials: { api_key: hubspotKey },
    settings: { portal_id: hubspotPortalId },
  },
  emarsys: {
    fake: () => createFakeEmarsys(email, clock.now().getTime() / 1_000 + 42),
    credentials: emarsysClients.right,
  },
  inxmail: { fake: createFakeInxmail, credentials: inxmailKeys.right, settings: { instance_id: 'a-space' } },
}

const server = createFakeServer()
await server.start()
const integrationUrls = Object.fromEntries([...Object.keys(systems), 'shopify'].map((name) => [name, server.baseUrl]))
const service = await startTestService({}, await openTestDatabase(), { integrationUrls })
let fake: FakeApi = createKlaviyoFake()
const use = (next: FakeApi) => {
  fake = next
  server.reset((request, failure) => fake.respond(request, failure))
}

beforeEach(() => use(createKlaviyoFake()))
afterAll(async () => {
  await service.stop()
  await server.stop()
})

const newShop = async (fields: Record<string, unknown> = {}) => (await makeShop(fields, service)).as('admin')

describe('test of an integration', () => {
  it.each(Object.entries(systems))('sends a sample event to %s for the given address', async (name, system) => {
    const shop = await newShop()
    use(system.fake())
    await shop.put(`/keys/${name}`, system.credentials)
    if (system.settings) await shop.patch(`/settings/triggers/${name}`, system.settings)
    const { body } = await shop.post(`/integrations/${name}/test`, { email })
    expect(body).toMatchObject({ ok: true, test: 'message', reason: null })
    expect(fake.events).toHaveLength(1)
    expect(Object.values(fake.events[0]?.identifiers ?? {})).toContain(email)
    // It is no delivery: the log and the health are about real messages.
    await settle(service)
    expect((await shop.get('/deliveries')).body).toEqual([])
  })

  it('verifies the scopes of Shopify, and sends nothing', async () => {
    const shop = await newShop({ shop_admin_url: 'https://demo.myshopify.com' })
    const shopify = createFakeShopify({}, email)
    use(shopify)
    await shop.put('/keys/shopify', shopifyKeys.right)
    expect((await shop.post('/integrations/shopify/test')).body).toMatchObject({ ok: true, test: 'credentials' })
    expect(shopify.operations).toEqual(['currentAppInstallation'])
    await shop.put('/keys/shopify', shopifyKeys.limited)
    expect((await shop.post('/integrations/shopify/test', {})).body).toMatchObject({
      ok: false,
      reason: 'unauthorized',
      answer: 'The access token lacks the scope write_fulfillments.',
    })
  })

  it('says why it did not work, without any secret', async () => {
    const shop = await newShop()
    const test = async () => (await shop.post('/integrations/klaviyo/test', { email })).body
    expect(await test()).toMatchObject({ ok: false, reason: 'no_credentials', status_code: null })
    await shop.put('/keys/klaviyo', { api_key: klaviyoLimitedKey })
    const denied = await test()
    expect(denied).toMatchObject({ ok: false, reason: 'unauthorized', status_code: 403 })
    expect(denied.message).toMatch(/^Klaviyo returned 403/)
    expect(JSON.stringify(denied)).not.toContain(klaviyoLimitedKey)
    await shop.put('/keys/klaviyo', { api_key: klaviyoKey })
    for (const [failure, reason] of [
      ['badRequest', 'rejected'],
      ['rateLimited', 'rate_limited'],
      ['serverError', 'server_error'],
    ] as const) {
      server.fail(failure)
      expect(await test()).toMatchObject({ ok: false, reason })
    }
    await server.stop()
    expect(await test()).toMatchObject({ ok: false, reason: 'refused', status_code: null, answer: null })
    await server.start()
  })

  it('reports missing settings and credentials for another host', async () => {
    const shop = await newShop()
    use(createHubspotFake())
    await shop.put('/keys/hubspot', { api_key: hubspotKey })
    expect((await shop.post('/integrations/hubspot/test', { email })).body).toMatchObject({
      ok: false,
      reason: 'skipped',
      message: 'HubSpot: portal_id is not set, or is no number',
    })
    await shop.patch('/settings/triggers/braze', { rest_endpoint: 'https://rest.fra-01.braze.eu' })
    await shop.put('/keys/braze', { api_key: brazeKey })
    await shop.patch('/settings/triggers/braze', { rest_endpoint: 'https://rest.iad-01.braze.com' })
    expect((await shop.post('/integrations/braze/test', { email })).body).toMatchObject({ reason: 'set_aside' })
    await shop.patch('/settings/triggers/braze', { rest_endpoint: 'https://braze.example' })
    expect((await shop.post('/integrations/braze/test', { email })).body).toMatchObject({ reason: 'wrong_host' })
    expect(server.requests).toEqual([])
  })

  it('needs an address and a known system', async () => {
    const shop = await newShop()
    for (const body of [undefined, {}, { email: null }, { email: 'nobody' }, { email: 7 }]) {
      expect((await shop.post('/integrations/klaviyo/test', body)).status).toBe(422)
    }
    expect((await shop.post('/integrations/nothing/test', { email })).status).toBe(422)
    expect(server.requests).toEqual([])
  })
})
