import { sql } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import { hourMs, minuteMs } from '../../src/platform/foundation/clock.ts'
import { runJob } from '../harness/deliveries.ts'
import { anyEmail, makeMember, openBrowser, roleIn } from '../harness/people.ts'
import { call, clock, openTestDatabase, startTestService, theService } from '../harness/service.ts'
import { makeShop } from '../harness/shop.ts'

afterEach(() => clock.reset())

const authOf = (body: { username: string; secret: string }) => ({ username: body.username, apiKey: body.secret })

describe('API keys', () => {
  it('are created for this shop as admin by default', async () => {
    const shop = await makeShop()
    const { body } = await shop.as('admin').post('/api-keys', {})
    expect(body).toEqual({
      id: expect.stringMatching(/^\w{1,16}$/),
      secret: expect.stringMatching(/^dsk_\w{40}$/),
      username: shop.slug,
      shops: [{ shop_slug: shop.slug, role: 'admin' }],
      expiration: 0,
    })
    expect((await call('PATCH', `/v1/shops/${shop.slug}`, { auth: authOf(body), body: {} })).status).toBe(200)
  })

  it('log in with the user name they were given, and no other', async () => {
    const shop = await makeShop()
    const { body } = await shop.as('admin').post('/api-keys', { username: 'warehouse', role: null, expiration: null })
    expect(body.username).toBe('warehouse')
    const get = (username: string) =>
      call('GET', `/v1/shops/${shop.slug}`, { auth: { username, apiKey: body.secret }, from: '10.2.0.1' })
    expect((await get('warehouse')).status).toBe(200)
    expect((await get(shop.slug)).status).toBe(401)
  })

  it('are rejected if wrong, whatever characters the header has', async () => {
    const auth = { username: 'ünïcode', apiKey: 'a:b:c 💥' }
    expect((await call('GET', '/v1/shops', { auth, from: '10.2.0.2' })).status).toBe(401)
  })

  it('are listed with masked secrets, oldest first', async () => {
    const shop = await makeShop()
    const viewer = (await shop.as('superadmin').post('/api-keys', { role: 'viewer', username: 'first' })).body
    const admin = (await shop.as('superadmin').post('/api-keys', { username: 'second' })).body
    const { body, text } = await call('GET', `/v1/shops/${shop.slug}/api-keys`, { auth: authOf(admin) })
    expect(body.username).toBe('second')
    const own = body.tokens.filter(({ shops }: { shops: { shop_slug: string }[] }) => shops[0]?.shop_slug === shop.slug)
    expect(own.map(({ id }: { id: string }) => id)).toEqual([viewer.id, admin.id])
    expect(own[0]).toEqual({
      id: viewer.id,
      secret: `****${viewer.secret.slice(-4)}`,
      username: 'first',
      shops: [{ shop_slug: shop.slug, role: 'viewer' }],
      expiration: 0,
      last_used_at: null,
    })
    expect(text).not.toContain(viewer.secret)
  })

  it('stop working when they are deleted, also while they are in use', async () => {
    const shop = await makeShop()
    const { body } = await shop.as('admin').post('/api-keys', { role: 'viewer' })
    const get = () => call('GET', `/v1/shops/${shop.slug}`, { auth: authOf(body), from: '10.2.0.3' })
    expect((await get()).status).toBe(200)
    expect(await shop.as('admin').delete(`/api-keys/${body.id}`)).toMatchObject({
      status: 200,
      body: { token_id: body.id },
    })
    expect(await get()).toMatchObject({ status: 401, body: { key: 'invalid_merchant_or_key' } })
    expect(await shop.as('admin').delete(`/api-keys/${body.id}`)).toMatchObject({
      status: 404,
      body: { key: 'api_key_not_found' },
    })
  })

  it('stop working when they expire', async () => {
    const shop = await makeShop()
    const expiration = Math.floor(clock.now().getTime() / 1_000) + 3_600
    const { body } = await shop.as('admin').post('/api-keys', { role: 'viewer', expiration })
    const get = () => call('GET', `/v1/shops/${shop.slug}`, { auth: authOf(body) })
    expect((await get()).status).toBe(200)
    clock.advance(hourMs - minuteMs)
    expect((await get()).status).toBe(200)
    clock.advance(2 * minuteMs)
    expect(await get()).toMatchObject({ status: 401, body: { key: 'invalid_merchant_or_key' } })
  })

  it('belong to the shop they were created for', async () => {
    const shop = await makeShop()
    const other = await makeShop()
    const { id } = (await shop.as('admin').post('/api-keys', {})).body
    expect((await other.as('admin').delete(`/api-keys/${id}`)).status).toBe(404)
    const { tokens } = (await other.as('admin').get('/api-keys')).body
    expect(tokens.map((token: { id: string }) => token.id)).not.toContain(id)
  })

  it('may have a different role in each of several shops', async () => {
    const first = await makeShop()
    const second = await makeShop()
    const shops = [
      { shop_slug: first.slug, role: 'viewer' },
      { shop_slug: second.slug, role: 'admin' },
    ]
    const { body } = await first.as('superadmin').post('/api-keys', { shops })
    expect(body.shops).toEqual(shops)
    const patch = (slug: string) => call('PATCH', `/v1/shops/${slug}`, { auth: authOf(body), body: {} })
    expect((await patch(first.slug)).status).toBe(403)
    expect((await patch(second.slug)).status).toBe(200)
    const seen = (await call('GET', '/v1/shops', { auth: authOf(body) })).body
    expect(seen.map(({ slug }: { slug: string }) => slug).sort()).toEqual([first.slug, second.slug].sort())
  })

  it('cannot exceed the shops and roles of the key that creates them', async () => {
    const shop = await makeShop()
    const other = await makeShop()
    const make = (slug: string) => shop.as('admin').post('/api-keys', { shops: [{ shop_slug: slug, role: 'viewer' }] })
    const unseen = await make(other.slug)
    const missing = await make('no-such-shop')
    expect(unseen.status).toBe(422)
    expect(unseen.body.errors[0].loc).toEqual(['body', 'shops', 0, 'shop_slug'])
    // This must not reveal which shops exist.
    expect(unseen.body.errors[0].msg.replace(other.slug, '')).toBe(
      missing.body.errors[0].msg.replace('no-such-shop', ''),
    )
    const mixed = await shop.as('superadmin').post('/api-keys', {
      shops: [
        { shop_slug: shop.slug, role: 'admin' },
        { shop_slug: other.slug, role: 'editor' },
      ],
    })
    const reaching = await call('POST', `/v1/shops/${shop.slug}/api-keys`, {
      auth: authOf(mixed.body),
      body: { shops: [{ shop_slug: other.slug, role: 'viewer' }] },
    })
    expect(reaching).toMatchObject({ status: 403, body: { key: 'insufficient_rights' } })
    expect((await shop.as('admin').post('/api-keys', { role: 'superadmin' })).status).toBe(422)
  })

  it('for all shops are created by the superadmin only', async () => {
    const shop = await makeShop()
    const body = { shops: [{ shop_slug: '*', role: 'viewer' }] }
    expect(await shop.as('admin').post('/api-keys', body)).toMatchObject({
      status: 403,
      body: { key: 'insufficient_rights' },
    })
    const made = (await shop.as('superadmin').post('/api-keys', body)).body
    const other = await makeShop()
    expect((await call('GET', `/v1/shops/${other.slug}`, { auth: authOf(made) })).status).toBe(200)
    expect((await call('PATCH', `/v1/shops/${other.slug}`, { auth: authOf(made), body: {} })).status).toBe(403)
  })

  it('of several shops lose only the shop whose admin deletes them', async () => {
    const shop = await makeShop()
    const other = await makeShop()
    const shops = [shop, other].map(({ slug }) => ({ shop_slug: slug, role: 'viewer' }))
    const { body } = await shop.as('superadmin').post('/api-keys', { shops })
    const listed = (await shop.as('admin').get('/api-keys')).body.tokens.find(
      ({ id }: { id: string }) => id === body.id,
    )
    expect(listed.shops).toEqual([{ shop_slug: shop.slug, role: 'viewer' }])
    expect((await shop.as('admin').delete(`/api-keys/${body.id}`)).status).toBe(200)
    const get = (slug: string) => call('GET', `/v1/shops/${slug}`, { auth: authOf(body) })
    expect((await get(shop.slug)).status).toBe(403)
    expect((await get(other.slug)).status).toBe(200)
  })

  it('show when they were last used', async () => {
    const database = await openTestDatabase()
    const kept = { ...database, close: async () => {} }
    const first = await startTestService({}, kept)
    await call('POST', '/v1/shops', { body: { name: 'Used', slug: 'used' } }, first)
    const { body } = await call('POST', '/v1/shops/used/api-keys', { body: { role: 'viewer' } }, first)
    await call('GET', '/v1/shops/used', { auth: authOf(body) }, first)
    await first.stop()
    const second = await startTestService({}, database)
    try {
      const { tokens } = (await call('GET', '/v1/shops/used/api-keys', {}, second)).body
      expect(Math.abs(Date.parse(tokens[0].last_used_at) - clock.now().getTime())).toBeLessThan(minuteMs)
    } finally {
      await second.stop()
    }
  })
})

describe('failed log-ins', () => {
  it('are limited per address, and block neither a key in use nor other addresses', async () => {
    const shop = await makeShop()
    const from = '10.2.9.9'
    const warm = await shop.credentials('viewer')
    const cold = await shop.credentials('editor')
    const get = (auth: { username: string; apiKey: string }, address = from) =>
      call('GET', `/v1/shops/${shop.slug}`, { auth, from: address })
    expect((await get(warm)).status).toBe(200)
    const statuses: number[] = []
    for (let number = 0; number < 22; number += 1) {
      statuses.push((await get({ username: shop.slug, apiKey: `guess-${number}` })).status)
    }
    expect(statuses).toEqual([...Array<number>(20).fill(401), 429, 429])
    const refused = await get(cold)
    expect(refused).toMatchObject({ status: 429, body: { key: 'rate_limited' } })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect((await get(warm)).status).toBe(200)
    expect((await get(cold, '10.2.9.8')).status).toBe(200)
  })
})

describe('API keys of the whole installation', () => {
  const listed = (tokens: { id: string }[], id: string) => tokens.find((token) => token.id === id)

  it('are listed for the superadmin, with all their shops and true roles, and deleted at once', async () => {
    const shop = await makeShop()
    const shops = [
      { shop_slug: '*', role: 'admin' },
      { shop_slug: shop.slug, role: 'viewer' },
    ]
    const mixed = (await call('POST', '/v1/api-keys', { body: { shops, username: 'mixed' } })).body
    const get = () => call('GET', `/v1/shops/${shop.slug}`, { auth: authOf(mixed), from: '10.3.0.1' })
    expect((await get()).status).toBe(200)
    const { body } = await call('GET', '/v1/api-keys')
    expect(body.username).toBe('admin')
    expect(listed(body.tokens, mixed.id)).toMatchObject({
      username: 'mixed',
      shops,
      secret: expect.stringMatching(/^\*{4}/),
    })
    expect(listed(body.tokens, 'superadmin')).toMatchObject({ shops: [{ shop_slug: '*', role: 'superadmin' }] })
    const deleted = await call('DELETE', `/v1/api-keys/${mixed.id}`)
    expect(deleted).toMatchObject({ status: 200, body: { token_id: mixed.id } })
    expect((await get()).status).toBe(401)
    expect(await call('DELETE', `/v1/api-keys/${mixed.id}`)).toMatchObject({
      status: 404,
      body: { key: 'api_key_not_found' },
    })
  })

  it("are shown in each shop's list, and only the superadmin can delete them there", async () => {
    const [shop, other] = [await makeShop(), await makeShop()]
    const shops = [
      { shop_slug: '*', role: 'editor' },
      { shop_slug: other.slug, role: 'admin' },
    ]
    const { id } = (await call('POST', '/v1/api-keys', { body: { shops } })).body
    const tokens = async (of: typeof shop) => (await of.as('admin').get('/api-keys')).body.tokens
    // An admin of one shop does not see the other.
    expect(listed(await tokens(shop), id)).toMatchObject({ shops: [{ shop_slug: '*', role: 'editor' }] })
    expect(listed(await tokens(other), id)).toMatchObject({ shops })
    expect(listed(await tokens(shop), 'superadmin')).toBeUndefined()
    for (const each of [shop, other]) {
      expect(await each.as('admin').delete(`/api-keys/${id}`)).toMatchObject({
        status: 403,
        body: { key: 'insufficient_rights' },
      })
    }
    expect(listed(await tokens(other), id)).toMatchObject({ shops })
    expect((await shop.as('superadmin').delete(`/api-keys/${id}`)).status).toBe(200)
    expect(listed(await tokens(shop), id)).toBeUndefined()
  })

  it('have the higher of their role for all shops and that for one shop', async () => {
    // A session shows the first hundred shops by name.
    const [shop, other] = [await makeShop({ name: '0 first' }), await makeShop({ name: '0 second' })]
    const rights = async (everywhere: string, here: string) => {
      const shops = [
        { shop_slug: '*', role: everywhere },
        { shop_slug: shop.slug, role: here },
      ]
      const auth = authOf((await call('POST', '/v1/api-keys', { body: { shops } })).body)
      const statuses = [shop, other].map(
        async ({ slug }) => (await call('GET', `/v1/shops/${slug}/api-keys`, { auth })).status,
      )
      const { body } = await call('GET', '/v1/session', { auth })
      const roleAt = ({ slug }: { slug: string }) =>
        body.shops.find((entry: { slug: string }) => entry.slug === slug)?.role
      return { statuses: await Promise.all(statuses), roles: [roleAt(shop), roleAt(other)] }
    }
    expect(await rights('admin', 'viewer')).toEqual({ statuses: [200, 200], roles: ['admin', 'admin'] })
    expect(await rights('viewer', 'admin')).toEqual({ statuses: [200, 403], roles: ['admin', 'viewer'] })
  })

  it('are for the superadmin only, whose own key cannot be deleted', async () => {
    const shop = await makeShop()
    const everywhere = authOf((await call('POST', '/v1/api-keys')).body)
    for (const auth of [await shop.credentials('admin'), everywhere]) {
      for (const [method, path] of [
        ['GET', '/v1/api-keys'],
        ['POST', '/v1/api-keys'],
        ['DELETE', '/v1/api-keys/some'],
      ] as const) {
        expect(await call(method, path, { auth })).toMatchObject({ status: 403, body: { key: 'insufficient_rights' } })
      }
    }
    expect((await call('DELETE', '/v1/api-keys/superadmin')).status).toBe(403)
    expect((await call('GET', '/v1/shops')).status).toBe(200)
  })

  it('are created without a body: for all shops as admin, or for the shop of the path', async () => {
    const { body } = await call('POST', '/v1/api-keys')
    expect(body).toMatchObject({ username: 'admin', shops: [{ shop_slug: '*', role: 'admin' }], expiration: 0 })
    const shop = await makeShop()
    const named: Record<string, string> = { 'content-type': 'application/json' }
    for (const headers of [{}, named]) {
      const made = await shop.as('admin').post('/api-keys', undefined, { headers })
      expect(made.body).toMatchObject({ shops: [{ shop_slug: shop.slug, role: 'admin' }], expiration: 0 })
    }
    expect((await shop.as('admin').post('/api-keys', null)).status).toBe(422)
  })

  it('have one role per shop: the last, if a shop is named twice', async () => {
    const shop = await makeShop()
    const shops = ['admin', 'viewer'].map((role) => ({ shop_slug: shop.slug, role }))
    const { body } = await shop.as('admin').post('/api-keys', { shops })
    expect(body.shops).toEqual([{ shop_slug: shop.slug, role: 'viewer' }])
    const { tokens } = (await shop.as('admin').get('/api-keys')).body
    expect(listed(tokens, body.id)).toMatchObject({ shops: body.shops })
  })
})

describe('API key that expires', () => {
  it('cannot create a key that outlives it', async () => {
    const shop = await makeShop()
    const own = Math.floor(clock.now().getTime() / 1_000) + 3_600
    const maker = authOf((await shop.as('admin').post('/api-keys', { expiration: own })).body)
    const make = (body: Record<string, unknown>) =>
      call('POST', `/v1/shops/${shop.slug}/api-keys`, { auth: maker, body })
    for (const expiration of [0, own + 1]) {
      const { status, body } = await make({ expiration })
      expect({ status, loc: body.errors[0].loc }).toEqual({ status: 422, loc: ['body', 'expiration'] })
    }
    for (const [given, kept] of [
      [{}, own],
      [{ expiration: null }, own],
      [{ expiration: own }, own],
      [{ expiration: own - 60 }, own - 60],
    ] as const) {
      expect((await make(given)).body.expiration).toBe(kept)
    }
    expect((await call('POST', `/v1/shops/${shop.slug}/api-keys`, { auth: maker })).body.expiration).toBe(own)
  })

  it('gives people nothing that outlives it, with the key itself and in its session', async () => {
    const shop = await makeShop()
    const expiration = Math.floor(clock.now().getTime() / 1_000) + 3_600
    const auth = authOf((await shop.as('admin').post('/api-keys', { expiration })).body)
    const browser = await openBrowser({ username: auth.username, api_key: auth.apiKey })
    const [member, disabled] = [await makeMember([roleIn(shop, 'editor')]), await makeMember([roleIn(shop, 'editor')])]
    const { database } = await theService()
    await sql`update people set totp_confirmed_at = ${clock.now()} where id = ${member.uuid}`.execute(database.db)
    await call('PATCH', `/v1/people/${disabled.uuid}`, { body: { is_disabled: true } })
    const people = async () => (await call('GET', '/v1/people', { query: { shop_slug: shop.slug } })).body
    const before = await people()
    const forbidden = [
      ['POST', '/v1/people', { email: anyEmail(), shops: [roleIn(shop, 'viewer')] }],
      ['PATCH', `/v1/people/${member.uuid}`, { shops: [roleIn(shop, 'admin')] }],
      ['PATCH', `/v1/people/${member.uuid}`, { two_factor: false }],
      ['PATCH', `/v1/people/${disabled.uuid}`, { is_disabled: false }],
      ['POST', `/v1/people/${member.uuid}/reset`, undefined],
    ] as const
    for (const [method, path, body] of forbidden) {
      const replies = [await call(method, path, { auth, body }), await browser.call(method, path, body)]
      for (const { status, body } of replies) {
        expect({ status, ...body }, path).toMatchObject({ status: 403, key: 'insufficient_rights' })
        expect(JSON.stringify(body)).toContain('expires at')
      }
    }
    expect(await people()).toEqual(before)
    // The same with a key that does not expire.
    const lasting = await shop.credentials('admin')
    for (const [method, path, body] of forbidden) {
      expect((await call(method, path, { auth: lasting, body })).status, path).toBe(200)
    }
  })

  it('takes rights away, and renames', async () => {
    const shop = await makeShop()
    const expiration = Math.floor(clock.now().getTime() / 1_000) + 3_600
    const auth = authOf((await shop.as('admin').post('/api-keys', { expiration })).body)
    const { uuid } = await makeMember([roleIn(shop, 'admin')])
    const change = async (body: object) => (await call('PATCH', `/v1/people/${uuid}`, { auth, body })).status
    expect(await change({ name: 'Mia Winter', is_disabled: false })).toBe(200)
    expect(await change({ shops: [roleIn(shop, 'admin')] })).toBe(200)
    expect(await change({ shops: [roleIn(shop, 'viewer')] })).toBe(200)
    expect(await change({ is_disabled: true })).toBe(200)
    expect((await call('DELETE', `/v1/people/${uuid}`, { auth })).status).toBe(200)
  })
})

describe('failed log-ins at the same time', () => {
  it('get no more attempts than the limit, on two nodes together', async () => {
    const database = await openTestDatabase()
    const first = await startTestService({}, { ...database, close: async () => {} })
    const second = await startTestService({}, database)
    try {
      const guess = (index: number) =>
        call(
          'GET',
          '/v1/shops',
          { auth: { username: 'admin', apiKey: `guess-${index}-of-many` }, from: '10.4.0.1' },
          index % 2 === 0 ? first : second,
        )
      const replies = await Promise.all(Array.from({ length: 300 }, (_, index) => guess(index)))
      const counts = (status: number) => replies.filter((reply) => reply.status === status).length
      expect({ tried: counts(401), refused: counts(429) }).toEqual({ tried: 20, refused: 280 })
      clock.advance(minuteMs + 1)
      expect((await guess(300)).status).toBe(401)
    } finally {
      await first.stop()
      await second.stop()
    }
  })

  it('block neither another user name nor a key that worked from that address, on any node', async () => {
    const database = await openTestDatabase()
    const first = await startTestService({}, { ...database, close: async () => {} })
    const second = await startTestService({}, database)
    try {
      const from = '10.4.0.2'
      const make = async (username: string) =>
        authOf((await call('POST', '/v1/api-keys', { body: { username } }, first)).body)
      const [known, cold, other] = [await make('worker'), await make('worker'), await make('other')]
      const get = (auth: { username: string; apiKey: string }, service: typeof first, address = from) =>
        call('GET', '/v1/shops', { auth, from: address }, service)
      expect((await get(known, first)).status).toBe(200)
      // Cached on that node, but from another address.
      expect((await get(cold, first, '10.4.0.3')).status).toBe(200)
      for (let index = 0; index < 25; index += 1) {
        await get({ username: 'worker', apiKey: `guess-${index}` }, first)
      }
      expect((await get(known, first)).status).toBe(200)
      expect((await get(known, second)).status).toBe(200)
      expect((await get(other, first)).status).toBe(200)
      expect((await get(cold, first)).status).toBe(429)
      expect((await get(cold, second)).status).toBe(429)
      expect((await get(cold, first, '10.4.0.3')).status).toBe(200)
    } finally {
      await first.stop()
      await second.stop()
    }
  })

  it('do not include concurrent requests with a valid key', async () => {
    const shop = await makeShop()
    const auth = authOf((await shop.as('superadmin').post('/api-keys', { role: 'viewer' })).body)
    const replies = await Promise.all(
      Array.from({ length: 60 }, () => call('GET', `/v1/shops/${shop.slug}`, { auth, from: '10.4.0.4' })),
    )
    expect(replies.filter(({ status }) => status !== 200)).toEqual([])
  })

  it('are forgotten when their window is over', async () => {
    const { database } = await theService()
    const ended = () =>
      database.db.selectFrom('attempt_counts').where('ends_at', '<=', clock.now()).selectAll().execute()
    await call('GET', '/v1/shops', { auth: { username: 'x', apiKey: 'wrong' }, from: '10.4.0.5' })
    clock.advance(2 * 24 * hourMs)
    expect(await ended()).not.toEqual([])
    await runJob('attempt counts')
    expect(await ended()).toEqual([])
  })
})
