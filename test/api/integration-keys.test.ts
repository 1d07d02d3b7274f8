import { describe, expect, it } from 'vitest'
import { findCredentials } from '../../src/credentials/integration-keys/store.ts'
import { call, logLines, theService } from '../harness/service.ts'
import { makeShop, type TestShop } from '../harness/shop.ts'

const unset = {
  klaviyo: null,
  brevo: null,
  braze: null,
  hubspot: null,
  shopify: null,
  emarsys: { client_id: null, client_secret: null },
  shopware: { client_id: null, client_secret: null },
  inxmail: { username: null, password: null },
  aftership: { api_key: null, webhook_secret: null },
  dhl: null,
  ups: { client_id: null, client_secret: null },
  fedex: { client_id: null, client_secret: null },
  easypost: { api_key: null, webhook_secret: null },
}

/** Credentials for each provider, every secret one that occurs nowhere else. */
const credentials = {
  klaviyo: { api_key: 'klaviyo-secret-kq7Zr0aa11' },
  brevo: { api_key: 'brevo-secret-kq7Zr0bb22' },
  braze: { api_key: 'braze-secret-kq7Zr0cc33' },
  hubspot: { api_key: 'hubspot-secret-kq7Zr0dd44' },
  shopify: { api_key: 'shopify-secret-kq7Zr0ee55' },
  emarsys: { client_id: 'emarsys-client-kq7Zr0ff66', client_secret: 'emarsys-secret-kq7Zr0gg77' },
  shopware: { client_id: 'shopware-client-kq7Zr0hh88', client_secret: null },
  inxmail: { username: 'inxmail-user-kq7Zr0ii99', password: 'inxmail-pass-kq7Zr0jj00' },
  aftership: { api_key: 'aftership-secret-kq7Zr0kk11', webhook_secret: 'aftership-hook-kq7Zr0ll22' },
  dhl: { api_key: 'dhl-secret-kq7Zr0mm33' },
  ups: { client_id: 'ups-client-kq7Zr0nn44', client_secret: 'ups-secret-kq7Zr0oo55' },
  fedex: { client_id: 'fedex-client-kq7Zr0pp66', client_secret: 'fedex-secret-kq7Zr0qq77' },
  easypost: { api_key: 'easypost-secret-kq7Zr0rr88', webhook_secret: null },
}
const providers = Object.keys(credentials) as (keyof typeof credentials)[]

async function shopIdOf(shop: TestShop): Promise<string> {
  return (await shop.as('viewer').get('')).body.uuid
}

function problemsOf(body: { errors: { loc: string[]; type: string }[] }): string[] {
  return body.errors.map((error) => `${error.loc.join('.')} ${error.type}`).sort()
}

describe('integration keys', () => {
  it('lists one entry for each provider, null until it is set', async () => {
    const shop = await makeShop()
    expect(await shop.as('admin').get('/keys')).toMatchObject({ status: 200, body: unset })
  })

  it('accepts the credentials of every provider and shows only their endings', async () => {
    const shop = await makeShop()
    const admin = shop.as('admin')
    for (const provider of providers) {
      expect(await admin.put(`/keys/${provider}`, credentials[provider])).toMatchObject({ status: 200, text: 'null' })
    }
    const { body, text } = await admin.get('/keys')
    expect(body).toEqual({
      klaviyo: '****aa11',
      brevo: '****bb22',
      braze: '****cc33',
      hubspot: '****dd44',
      shopify: '****ee55',
      emarsys: { client_id: '****ff66', client_secret: '****gg77' },
      shopware: { client_id: '****hh88', client_secret: null },
      inxmail: { username: '****ii99', password: '****jj00' },
      aftership: { api_key: '****kk11', webhook_secret: '****ll22' },
      dhl: '****mm33',
      ups: { client_id: '****nn44', client_secret: '****oo55' },
      fedex: { client_id: '****pp66', client_secret: '****qq77' },
      easypost: { api_key: '****rr88', webhook_secret: null },
    })
    expect(text).not.toContain('kq7Zr0')
    expect((await (await makeShop()).as('admin').get('/keys')).body).toEqual(unset)
  })

  it('never shows more than a quarter of a short secret', async () => {
    const shop = await makeShop()
    const admin = shop.as('admin')
    await admin.put('/keys/inxmail', { username: 'abc', password: 'eightish' })
    await admin.put('/keys/emarsys', { client_id: 'seven 7', client_secret: 'keys🔑🔑🔑🔑' })
    expect((await admin.get('/keys')).body).toMatchObject({
      inxmail: { username: '****', password: '****sh' },
      emarsys: { client_id: '****7', client_secret: '****🔑🔑' },
    })
  })

  it('stores and logs no readable secret, and decrypts it for its own shop and provider', async () => {
    const shop = await makeShop()
    const shopId = await shopIdOf(shop)
    const admin = shop.as('admin')
    for (const provider of providers) await admin.put(`/keys/${provider}`, credentials[provider])
    await admin.put('/keys/klaviyo', { api_key: 'kq7Zr0-short' })
    const service = await theService()
    const rows = await service.database.db
      .selectFrom('integration_keys')
      .where('shop_id', '=', shopId)
      .selectAll()
      .execute()
    expect(rows.map(({ provider }) => provider).sort()).toEqual([...providers].sort())
    for (const row of rows) {
      expect(row.sealed.includes('kq7Zr0')).toBe(false)
      expect(JSON.stringify(row.masked)).not.toContain('kq7Zr0')
    }
    expect(logLines.length).toBeGreaterThan(0)
    expect(logLines.filter((line) => line.includes('kq7Zr0'))).toEqual([])
    for (const provider of providers) {
      expect(await findCredentials(service.context(), shopId, provider)).toEqual(credentials[provider])
    }
  })

  it('encrypts each row for its shop: moved to another shop it cannot be decrypted', async () => {
    const [shop, other] = [await makeShop(), await makeShop()]
    const [shopId, otherId] = [await shopIdOf(shop), await shopIdOf(other)]
    await shop.as('admin').put('/keys/brevo', credentials.brevo)
    await other.as('admin').put('/keys/brevo', { api_key: 'another key of 16 and more' })
    const service = await theService()
    const { db } = service.database
    const { sealed } = await db
      .selectFrom('integration_keys')
      .where('shop_id', '=', shopId)
      .select('sealed')
      .executeTakeFirstOrThrow()
    await db.updateTable('integration_keys').set({ sealed }).where('shop_id', '=', otherId).execute()
    await expect(findCredentials(service.context(), otherId, 'brevo')).rejects.toThrow()
    expect(await findCredentials(service.context(), shopId, 'klaviyo')).toBeUndefined()
  })

  it('replaces what was set before', async () => {
    const shop = await makeShop()
    const admin = shop.as('admin')
    await admin.put('/keys/emarsys', credentials.emarsys)
    await admin.put('/keys/emarsys', { client_id: 'the second client' })
    expect((await admin.get('/keys')).body.emarsys).toEqual({ client_id: '****ient', client_secret: null })
  })

  it('deletes the access token of the shop system, once', async () => {
    const shop = await makeShop()
    const admin = shop.as('admin')
    const missing = { status: 404, body: { key: 'partner_key_not_found' } }
    expect(await admin.delete('/keys/shopify')).toMatchObject(missing)
    await admin.put('/keys/shopify', credentials.shopify)
    await admin.put('/keys/klaviyo', credentials.klaviyo)
    expect(await (await makeShop()).as('admin').delete('/keys/shopify')).toMatchObject(missing)
    expect(await admin.delete('/keys/shopify')).toMatchObject({ status: 200, text: 'null' })
    expect((await admin.get('/keys')).body).toEqual({ ...unset, klaviyo: '****aa11' })
    expect(await admin.delete('/keys/shopify')).toMatchObject(missing)
  })

  it.each(['aftership', 'dhl', 'ups', 'fedex', 'easypost'] as const)(
    'deletes the credentials for %s, once',
    async (provider) => {
      const admin = (await makeShop()).as('admin')
      const missing = { status: 404, body: { key: 'partner_key_not_found' } }
      expect(await admin.delete(`/keys/${provider}`)).toMatchObject(missing)
      await admin.put(`/keys/${provider}`, credentials[provider])
      expect(await admin.delete(`/keys/${provider}`)).toMatchObject({ status: 200, text: 'null' })
      expect((await admin.get('/keys')).body).toEqual(unset)
      expect(await admin.delete(`/keys/${provider}`)).toMatchObject(missing)
    },
  )

  it.each([
    ['aftership', { webhook_secret: 'without a key' }, ['body.api_key missing']],
    ['easypost', { api_key: 'x'.repeat(20), webhook_secret: 7 }, ['body.webhook_secret type_error']],
    ['dhl', { api_key: 'short' }, ['body.api_key value_error']],
    ['ups', { client_secret: 'alone' }, ['body.client_id missing']],
    ['klaviyo', {}, ['body.api_key missing']],
    ['braze', { api_key: null }, ['body.api_key type_error']],
    ['hubspot', { api_key: 'fifteen letters' }, ['body.api_key value_error']],
    ['shopify', { api_key: 'x'.repeat(129) }, ['body.api_key value_error']],
    ['brevo', { client_id: 'of another kind' }, ['body.api_key missing']],
    ['emarsys', {}, ['body.client_id missing']],
    ['shopware', { client_id: 'ok', client_secret: 7 }, ['body.client_secret type_error']],
    ['inxmail', {}, ['body.password missing', 'body.username missing']],
    ['inxmail', { username: 'ok', password: null }, ['body.password type_error']],
    ['inxmail', 'text', ['body type_error']],
  ])('rejects wrong credentials for %s: %j', async (provider, body, problems) => {
    const shop = await makeShop()
    const reply = await shop.as('admin').put(`/keys/${provider}`, body)
    expect(reply).toMatchObject({ status: 422, body: { key: 'invalid_payload' } })
    expect(problemsOf(reply.body)).toEqual(problems)
    expect((await shop.as('admin').get('/keys')).body).toEqual(unset)
  })

  it('accepts keys of 16 and of 128 characters', async () => {
    const admin = (await makeShop()).as('admin')
    for (const api_key of ['x'.repeat(16), 'x'.repeat(128)]) {
      expect((await admin.put('/keys/klaviyo', { api_key })).status).toBe(200)
    }
  })

  it('is for admins of the shop only, and rejects other providers', async () => {
    const shop = await makeShop()
    const refused = { status: 403, body: { key: 'insufficient_rights' } }
    for (const role of ['viewer', 'editor'] as const) {
      const caller = shop.as(role)
      expect(await caller.get('/keys')).toMatchObject(refused)
      expect(await caller.delete('/keys/shopify')).toMatchObject(refused)
      for (const provider of providers) {
        expect(await caller.put(`/keys/${provider}`, credentials[provider])).toMatchObject(refused)
      }
    }
    const stranger = await (await makeShop()).credentials('admin')
    expect(await call('GET', `/v1/shops/${shop.slug}/keys`, { auth: stranger })).toMatchObject(refused)
    expect((await call('GET', `/v1/shops/${shop.slug}/keys`, { auth: null })).status).toBe(400)
    expect((await shop.as('admin').put('/keys/unknown', credentials.klaviyo)).status).toBe(404)
  })
})
