import { sql } from 'kysely'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { createSignInLink } from '../../src/access/sessions/links.ts'
import { dayMs, hourMs, minuteMs } from '../../src/platform/foundation/clock.ts'
import { runJob } from '../harness/deliveries.ts'
import {
  accept,
  anyAddress,
  browserOf,
  cookieOf,
  makeMember,
  openBrowser,
  password,
  roleIn,
  signIn,
  tokenOf,
} from '../harness/people.ts'
import {
  type Call,
  call,
  clock,
  logLines,
  openTestDatabase,
  startNode,
  startTestService,
  superadmin,
  theService,
} from '../harness/service.ts'
import { makeShop } from '../harness/shop.ts'

afterEach(() => clock.reset())

const asKey = (auth: { username: string; apiKey: string }) => ({ username: auth.username, api_key: auth.apiKey })

describe('session of an API key', () => {
  it('is started with the key, and stands for it', async () => {
    const shop = await makeShop()
    const auth = await shop.credentials('editor')
    const started = await signIn(asKey(auth))
    expect(started).toMatchObject({ status: 200, body: { kind: 'key', name: shop.slug } })
    const browser = browserOf(started)
    const { body } = await browser.call('GET', '/v1/session')
    expect(body).toMatchObject({
      kind: 'key',
      username: shop.slug,
      name: shop.slug,
      email: null,
      everywhere: null,
      shops: [{ slug: shop.slug, role: 'editor' }],
      session_uuid: started.body.session_uuid,
      sessions: [{ uuid: started.body.session_uuid, is_current: true }],
      two_factor: false,
      has_password: false,
    })
    expect((await browser.call('GET', `/v1/shops/${shop.slug}/orders`)).status).toBe(200)
    expect((await browser.call('GET', `/v1/shops/${shop.slug}/api-keys`)).status).toBe(403)
  })

  it('has a cookie that scripts cannot read and other sites do not send', async () => {
    const { headers } = await signIn(asKey(superadmin))
    expect(headers['set-cookie']).toMatch(
      /^doorstep_session=[A-Za-z0-9_-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/,
    )
  })

  it.each([
    ['the proxy says HTTPS', { TRUST_PROXY: 'on' }, { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'a.example' }],
    ['the public address is HTTPS', {}, { host: 'doorstep.example' }],
  ])('has a cookie for this host over HTTPS only if %s', async (_when, settings, headers) => {
    const node = await startNode(settings)
    onTestFinished(() => node.stop())
    const from = '10.9.0.1'
    const started = await signIn(asKey(superadmin), { headers, from }, node)
    expect(started.headers['set-cookie']).toMatch(
      /^__Host-doorstep_session=[A-Za-z0-9_-]{43}; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    )
    const token = cookieOf(started).split('=')[1]
    const get = (cookie: string) =>
      call(
        'GET',
        '/v1/session',
        { auth: null, from, headers: { ...headers, 'sec-fetch-site': 'same-origin', cookie } },
        node,
      )
    expect((await get(`__Host-doorstep_session=${token}`)).status).toBe(200)
    // A name that a subdomain could set.
    expect((await get(`doorstep_session=${token}`)).status).toBe(401)
  })

  it('is not started with a wrong key, and guesses are limited', async () => {
    const shop = await makeShop()
    const { username } = await shop.credentials('viewer')
    const from = anyAddress()
    const statuses: number[] = []
    for (let number = 0; number < 22; number += 1) {
      const reply = await signIn({ username, api_key: `guess-${number}` }, { from })
      expect(reply.headers['set-cookie']).toBeUndefined()
      statuses.push(reply.status)
    }
    expect(statuses).toEqual([...Array<number>(20).fill(401), 429, 429])
  })

  it('ends when the key is deleted, changed or expires', async () => {
    const shop = await makeShop()
    const expiration = Math.floor(clock.now().getTime() / 1_000) + 3_600
    const make = async (fields: object) => (await shop.as('superadmin').post('/api-keys', fields)).body
    const open = (key: { username: string; secret: string }) =>
      openBrowser({ username: key.username, api_key: key.secret })
    const [deleted, expiring] = [await make({ role: 'viewer' }), await make({ role: 'viewer', expiration })]
    const [first, second] = [await open(deleted), await open(expiring)]
    const statuses = () =>
      Promise.all([first, second].map(async ({ call }) => (await call('GET', `/v1/shops/${shop.slug}`)).status))
    expect(await statuses()).toEqual([200, 200])
    await shop.as('admin').delete(`/api-keys/${deleted.id}`)
    expect(await statuses()).toEqual([401, 200])
    clock.advance(hourMs + minuteMs)
    expect(await statuses()).toEqual([401, 401])
    expect((await signIn({ username: expiring.username, api_key: expiring.secret })).status).toBe(401)
  })

  it('loses a shop with its key', async () => {
    const [shop, other] = [await makeShop(), await makeShop()]
    const shops = [roleIn(shop, 'viewer'), roleIn(other, 'viewer')]
    const { id, username, secret } = (await shop.as('superadmin').post('/api-keys', { shops })).body
    const browser = await openBrowser({ username, api_key: secret })
    expect((await browser.call('GET', `/v1/shops/${shop.slug}`)).status).toBe(200)
    await shop.as('admin').delete(`/api-keys/${id}`)
    expect((await browser.call('GET', `/v1/shops/${shop.slug}`)).status).toBe(403)
    expect((await browser.call('GET', `/v1/shops/${other.slug}`)).status).toBe(200)
  })

  it('cannot create a key that outlives its own', async () => {
    const shop = await makeShop()
    const expiration = Math.floor(clock.now().getTime() / 1_000) + 3_600
    const { username, secret } = (await shop.as('superadmin').post('/api-keys', { expiration })).body
    const browser = await openBrowser({ username, api_key: secret })
    const make = (body: object) => browser.call('POST', `/v1/shops/${shop.slug}/api-keys`, body)
    expect((await make({ expiration: 0 })).status).toBe(422)
    expect((await make({})).body.expiration).toBe(expiration)
  })
})

describe('session', () => {
  it('needs exactly one way to sign in', async () => {
    for (const body of [{}, { username: 'x' }, { email: 'a@b.example' }, { password: 'x', api_key: 'y' }]) {
      const reply = await signIn(body)
      expect(reply).toMatchObject({ status: 422, body: { errors: [{ loc: ['body'] }] } })
    }
    for (const body of [
      { username: 1, api_key: 'x' },
      { email: 'a@b.example', password: 'x'.repeat(201) },
    ]) {
      expect((await signIn(body)).status).toBe(422)
    }
    expect((await signIn({}, { headers: { 'content-type': 'text/plain' } })).status).toBe(415)
  })

  it('has a new token at every sign-in, whatever cookie the browser sent, and replaces the session of that cookie', async () => {
    const first = await openBrowser(asKey(superadmin))
    const chosen = `doorstep_session=${'A'.repeat(43)}`
    const fixed = await signIn(asKey(superadmin), { headers: { cookie: chosen } })
    expect(cookieOf(fixed)).not.toBe(chosen)
    const headers = { cookie: chosen, 'sec-fetch-site': 'same-origin' }
    expect((await call('GET', '/v1/session', { auth: null, headers })).status).toBe(401)
    const again = await first.call('POST', '/v1/session', asKey(superadmin))
    expect(cookieOf(again)).not.toBe(first.cookie)
    expect((await first.call('GET', '/v1/session')).status).toBe(401)
    expect((await browserOf(again).call('GET', '/v1/session')).status).toBe(200)
  })

  it('is ignored if a key is sent as well', async () => {
    const shop = await makeShop()
    const browser = await openBrowser(asKey(superadmin))
    const headers = { cookie: browser.cookie, 'sec-fetch-site': 'same-origin' }
    const auth = await shop.credentials('viewer')
    const { body } = await call('GET', '/v1/session', { auth, headers })
    expect(body).toMatchObject({ username: shop.slug, session_uuid: null, everywhere: null })
    const wrong = { username: 'admin', apiKey: 'wrong' }
    expect((await call('GET', '/v1/session', { auth: wrong, headers, from: anyAddress() })).status).toBe(401)
  })

  it('ends after twelve hours without a request, and after thirty days at most', async () => {
    const shop = await makeShop()
    const { browser } = await makeMember([roleIn(shop, 'viewer')])
    const tidyUp = async () => {
      await runJob('key use')
      await runJob('sessions')
    }
    const use = async () => (await browser.call('GET', '/v1/session')).status
    expect(await use()).toBe(200)
    clock.advance(11 * hourMs)
    expect(await use()).toBe(200)
    await tidyUp()
    clock.advance(11 * hourMs)
    expect(await use()).toBe(200)
    clock.advance(12 * hourMs)
    expect(await use()).toBe(401)
    const daily = await openBrowser(asKey(await shop.credentials('viewer')))
    for (let hours = 0; hours < 30 * 24 + 12; hours += 6) {
      expect((await daily.call('GET', '/v1/session')).status, `after ${hours} h`).toBe(hours < 30 * 24 ? 200 : 401)
      await tidyUp()
      clock.advance(6 * hourMs)
    }
  })

  it('is neither listed nor counted once it has ended by itself', async () => {
    const shop = await makeShop()
    const { uuid, email, browser } = await makeMember([roleIn(shop, 'viewer')])
    const [idle, old] = [await openBrowser({ email, password }), await openBrowser({ email, password })]
    const { database } = await theService()
    const setTimes = (id: string, times: { last_used_at?: Date; expires_at?: Date }) =>
      database.db.updateTable('sessions').set(times).where('id', '=', id).execute()
    const seen = async () => {
      const { sessions } = (await browser.call('GET', '/v1/session')).body
      const { session_count } = (await call('GET', `/v1/people/${uuid}`)).body
      return { listed: sessions.map((session: { uuid: string }) => session.uuid), session_count }
    }
    expect(await seen()).toEqual({ listed: [old.sessionId, idle.sessionId, browser.sessionId], session_count: 3 })
    await setTimes(idle.sessionId, { last_used_at: new Date(clock.now().getTime() - 12 * hourMs) })
    expect(await seen()).toEqual({ listed: [old.sessionId, browser.sessionId], session_count: 2 })
    await setTimes(old.sessionId, { expires_at: clock.now() })
    expect(await seen()).toEqual({ listed: [browser.sessionId], session_count: 1 })
  })

  it('leaves no rows behind', async () => {
    const { database, context } = await theService()
    const shop = await makeShop()
    const { uuid, browser } = await makeMember([roleIn(shop, 'viewer')])
    await call('POST', `/v1/people/${uuid}/reset`)
    await createSignInLink(context())
    const rows = async () => {
      const sessions = await database.db.selectFrom('sessions').where('person_id', '=', uuid).select('id').execute()
      const links = await database.db
        .selectFrom('sign_in_links')
        .where((of) => of.or([of('person_id', '=', uuid), of('kind', '=', 'sign-in')]))
        .select('kind')
        .execute()
      return [sessions.map(({ id }) => id), links.length]
    }
    expect(await rows()).toEqual([[browser.sessionId], 2])
    clock.advance(dayMs)
    await runJob('sessions')
    expect(await rows()).toEqual([[], 0])
  })

  it('is ended by signing out, which removes the cookie', async () => {
    const browser = await openBrowser(asKey(superadmin))
    const other = await openBrowser(asKey(superadmin))
    const out = await browser.call('DELETE', '/v1/session')
    expect(out).toMatchObject({ status: 200, body: null })
    expect(out.headers['set-cookie']).toBe('doorstep_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax')
    expect((await browser.call('GET', '/v1/session')).status).toBe(401)
    expect((await browser.call('DELETE', '/v1/session')).status).toBe(401)
    expect((await other.call('GET', '/v1/session')).status).toBe(200)
  })

  it('can be ended from another one of the same owner, and of no other', async () => {
    const shop = await makeShop()
    const member = await makeMember([roleIn(shop, 'viewer')])
    const second = await openBrowser({ email: member.email, password })
    const stranger = await makeMember([roleIn(shop, 'admin')])
    const listed = (await second.call('GET', '/v1/session')).body.sessions
    expect(listed.map(({ uuid, is_current }: { uuid: string; is_current: boolean }) => [uuid, is_current])).toEqual([
      [second.sessionId, true],
      [member.browser.sessionId, false],
    ])
    for (const caller of [stranger.browser.call, (method: string, path: string) => call(method, path)]) {
      expect(await caller('DELETE', `/v1/session/${member.browser.sessionId}`)).toMatchObject({
        status: 404,
        body: { key: 'session_not_found' },
      })
    }
    expect((await member.browser.call('GET', '/v1/session')).status).toBe(200)
    expect((await second.call('DELETE', `/v1/session/${member.browser.sessionId}`)).status).toBe(200)
    expect((await member.browser.call('GET', '/v1/session')).status).toBe(401)
    expect((await second.call('DELETE', '/v1/session/not-a-uuid')).status).toBe(422)
  })

  it('shows the browser and the network, however long their names are', async () => {
    const started = await signIn(asKey(superadmin), {
      from: '2001:db8:1:2:3:4:5:6',
      headers: { 'user-agent': `Browser <script> ${'x'.repeat(2_000)}` },
    })
    const { sessions } = (await browserOf(started).call('GET', '/v1/session')).body
    const own = sessions.find(({ uuid }: { uuid: string }) => uuid === started.body.session_uuid)
    expect(own.network).toBe('2001:db8:1:2')
    expect(own.user_agent).toHaveLength(256)
  })

  it('is one of at most fifty: the oldest ends', async () => {
    const shop = await makeShop()
    const credentials = asKey(await shop.credentials('viewer'))
    const first = await openBrowser(credentials)
    const second = await openBrowser(credentials)
    expect((await first.call('GET', '/v1/session')).status).toBe(200)
    for (let count = 0; count < 49; count += 1) await openBrowser(credentials)
    expect((await first.call('GET', '/v1/session')).status).toBe(401)
    const { body } = await second.call('GET', '/v1/session')
    expect(body.sessions).toHaveLength(50)
  })

  it('of a deleted shop sees nothing of it', async () => {
    const shop = await makeShop()
    const { browser } = await makeMember([roleIn(shop, 'admin')])
    expect((await browser.call('GET', '/v1/people')).status).toBe(200)
    await call('DELETE', `/v1/shops/${shop.slug}`)
    expect((await browser.call('GET', `/v1/shops/${shop.slug}`)).status).toBe(404)
    expect((await browser.call('GET', '/v1/session')).body).toMatchObject({ shops: [] })
    expect((await browser.call('GET', '/v1/people')).status).toBe(403)
    expect((await browser.call('GET', '/v1/shops')).status).toBe(403)
  })

  it('is rejected with every other cookie', async () => {
    const browser = await openBrowser(asKey(superadmin))
    const token = browser.cookie.split('=')[1] ?? ''
    const cookies = [
      'doorstep_session=',
      'doorstep_session=%00',
      `doorstep_session=${token.slice(0, -1)}`,
      `doorstep_session=${token}x`,
      `doorstep_session=${token.toLowerCase()}`,
      `other=${token}`,
      `__Host-doorstep_session=${token}`,
      `doorstep_session="'; drop table sessions"`,
      ';;;=;',
    ]
    for (const cookie of cookies) {
      const headers = { cookie, 'sec-fetch-site': 'same-origin' }
      expect((await call('GET', '/v1/session', { auth: null, headers })).status, cookie).toBe(401)
    }
    const among = `a=b; ${browser.cookie}; c=d`
    expect((await call('GET', '/v1/session', { auth: null, headers: { cookie: among } })).status).toBe(200)
  })

  it('does not stand in the way of what needs no credentials', async () => {
    const cookie = `doorstep_session=${'A'.repeat(43)}`
    expect((await call('GET', '/v1/session/options', { auth: null, headers: { cookie } })).status).toBe(200)
    expect((await signIn(asKey(superadmin), { headers: { cookie } })).status).toBe(200)
  })

  it('gets no challenge for which a browser would open its own dialog', async () => {
    const challenge = async (options: Call) =>
      (await call('GET', '/v1/session', { from: anyAddress(), ...options })).headers['www-authenticate']
    const headers = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' }
    expect(await challenge({ auth: null, headers })).toMatch(/^Session /)
    expect(await challenge({ auth: { username: 'nobody', apiKey: 'wrong' } })).toMatch(/^Basic /)
  })

  it('counts for the rate limit of its owner', async () => {
    const node = await startNode({ RATE_LIMIT: '5' })
    onTestFinished(() => node.stop())
    const shop = await makeShop()
    const auth = await shop.credentials('viewer')
    const browser = await openBrowser(asKey(auth), node)
    const statuses: number[] = []
    for (let count = 0; count < 6; count += 1) statuses.push((await browser.call('GET', '/v1/shops')).status)
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
    expect((await call('GET', '/v1/shops', { auth }, node)).status).toBe(429)
  })

  it('repeats responses for its owner', async () => {
    const shop = await makeShop()
    const { browser, email } = await makeMember([roleIn(shop, 'admin')])
    const other = await makeMember([roleIn(shop, 'admin')])
    const headers = { 'idempotency-key': 'one-key' }
    const path = `/v1/shops/${shop.slug}/api-keys`
    const first = await browser.call('POST', path, {}, { headers })
    const second = await openBrowser({ email, password })
    expect((await second.call('POST', path, {}, { headers })).text).toBe(first.text)
    expect((await other.browser.call('POST', path, {}, { headers })).body.id).not.toBe(first.body.id)
  })

  it('is recorded as the last use of its key', async () => {
    const shop = await makeShop()
    const { id, username, secret } = (await shop.as('admin').post('/api-keys', {})).body
    const browser = await openBrowser({ username, api_key: secret })
    await browser.call('GET', '/v1/session')
    clock.advance(minuteMs)
    await runJob('key use')
    const { tokens } = (await shop.as('admin').get('/api-keys')).body
    expect(tokens.find((token: { id: string }) => token.id === id).last_used_at).not.toBeNull()
  })

  it('leaves neither token nor password in the log or the store', async () => {
    const shop = await makeShop()
    const { browser, token } = await makeMember([roleIn(shop, 'viewer')])
    const secrets = [browser.cookie.split('=')[1] ?? '', token, password]
    expect(logLines.filter((line) => secrets.some((secret) => line.includes(secret)))).toEqual([])
    const { database } = await theService()
    const { rows } = await sql<{ text: string }>`
      select t::text as text from sessions as t union all select t::text from people as t
      union all select t::text from sign_in_links as t`.execute(database.db)
    expect(rows.filter(({ text }) => secrets.some((secret) => text.includes(secret)))).toEqual([])
  })
})

describe('sessions on two nodes', () => {
  it('end on both when they are ended on one', async () => {
    const database = await openTestDatabase()
    const first = await startTestService({}, database)
    const second = await startTestService({}, { ...database, close: async () => {} })
    onTestFinished(async () => {
      await second.stop()
      await first.stop()
    })
    const shop = await makeShop({}, first)
    const onSecond = async (browser: { call: Awaited<ReturnType<typeof openBrowser>>['call'] }) =>
      (await browser.call('GET', `/v1/shops/${shop.slug}`, undefined, { service: second })).status
    const ends = async (end: (member: Awaited<ReturnType<typeof makeMember>>) => Promise<unknown>, status = 401) => {
      const member = await makeMember([roleIn(shop, 'editor')], first)
      expect(await onSecond(member.browser)).toBe(200)
      await end(member)
      // The notification reaches the other node a moment after the commit.
      await expect.poll(() => onSecond(member.browser)).toBe(status)
    }
    await ends(({ browser }) => browser.call('DELETE', '/v1/session'))
    await ends(({ uuid }) => call('DELETE', `/v1/people/${uuid}`, {}, first))
    await ends(({ uuid }) => call('PATCH', `/v1/people/${uuid}`, { body: { is_disabled: true } }, first))
    await ends(async ({ uuid }) => {
      const { link } = (await call('POST', `/v1/people/${uuid}/reset`, {}, first)).body
      await accept(tokenOf(link), { password: 'another long password' }, first)
    })
    await ends(async ({ uuid }) => {
      const other = await makeShop({}, first)
      await call('PATCH', `/v1/people/${uuid}`, { body: { shops: [roleIn(other, 'editor')] } }, first)
    }, 403)
  })
})

describe('sign-in link', () => {
  it('signs in as the superadmin, once, within an hour', async () => {
    const { context } = await theService()
    const { url } = await createSignInLink(context(), { shopSlug: 'demo-shop' })
    expect(url).toMatch(/^https:\/\/doorstep\.example\/dashboard\/sign-in#token=[\w-]{43}&shop=demo-shop$/)
    const browser = await openBrowser({ sign_in_token: tokenOf(url) })
    expect((await browser.call('GET', '/v1/session')).body).toMatchObject({
      username: 'admin',
      everywhere: 'superadmin',
    })
    expect(await signIn({ sign_in_token: tokenOf(url) })).toMatchObject({
      status: 401,
      body: { key: 'invalid_merchant_or_key' },
    })
    const late = await createSignInLink(context())
    clock.advance(hourMs)
    expect((await signIn({ sign_in_token: tokenOf(late.url) })).status).toBe(401)
  })

  it('is used by one of many at the same moment', async () => {
    const { context } = await theService()
    const { url } = await createSignInLink(context())
    const replies = await Promise.all(Array.from({ length: 8 }, () => signIn({ sign_in_token: tokenOf(url) })))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(7).fill(401)])
  })

  it('is of no use with the token of an invitation, and the other way round', async () => {
    const { context } = await theService()
    const { url } = await createSignInLink(context())
    expect((await accept(tokenOf(url))).status).toBe(422)
    const shop = await makeShop()
    const { body } = await call('POST', '/v1/people', {
      body: { email: `link-${process.pid}@shop.example`, shops: [roleIn(shop, 'viewer')] },
    })
    expect((await signIn({ sign_in_token: tokenOf(body.link) })).status).toBe(401)
    expect((await accept(tokenOf(body.link))).status).toBe(200)
    expect((await signIn({ sign_in_token: tokenOf(url) })).status).toBe(200)
  })
})
