import { type KyselyPlugin, sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { insertLink } from '../../src/access/sessions/links-store.ts'
import { safeReturnAddress } from '../../src/access/sign-in/oidc/pages.ts'
import { after, minuteMs } from '../../src/platform/foundation/clock.ts'
import { sha256 } from '../../src/platform/foundation/crypto.ts'
import { readGroupRoles, rolesOfGroups } from '../../src/platform/foundation/group-roles.ts'
import { StoreUnavailable } from '../../src/platform/foundation/store-unavailable.ts'
import type { Service } from '../../src/service.ts'
import {
  type Account,
  type IdentityProvider,
  RedirectFollower,
  startIdentityProvider,
} from '../harness/identity-provider.ts'
import { accept, anyAddress, invite, openBrowser, password, roleIn, signIn } from '../harness/people.ts'
import { call, clock, openTestDatabase, startTestService } from '../harness/service.ts'
import { makeShop, type TestShop } from '../harness/shop.ts'

let provider: IdentityProvider
let service: Service
let origin: string
let shop: TestShop
let accounts = 0

/** Statements about this table find no store. */
let unreachableTable: string | undefined
const unreachable: KyselyPlugin = {
  transformQuery({ node }) {
    if (unreachableTable !== undefined && JSON.stringify(node).includes(unreachableTable)) {
      throw new StoreUnavailable(new Error('connection refused'), false)
    }
    return node
  },
  transformResult: async ({ result }) => result,
}

beforeAll(async () => {
  provider = await startIdentityProvider()
  const settings = {
    PORT: '0',
    HOST: '127.0.0.1',
    PUBLIC_URL: '',
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: provider.client.id,
    OIDC_CLIENT_SECRET: provider.client.secret,
    OIDC_ALLOWED_DOMAINS: 'shop.example, Other.Example',
    OIDC_ROLES: 'ops=superadmin;support=editor@oidc-shop,viewer@*;nowhere=viewer@no-such-shop',
    OIDC_NAME: 'Company account',
  }
  const database = await openTestDatabase()
  service = await startTestService(settings, { ...database, db: database.db.withPlugin(unreachable) })
  origin = service.url
  await call('POST', '/v1/shops', { body: { name: 'OIDC', slug: 'oidc-shop' } }, service)
  shop = await makeShop({}, service)
  provider.register(`${origin}/auth/oidc/callback`)
})
afterEach(() => {
  clock.reset()
  provider.isUp = true
  unreachableTable = undefined
})
afterAll(async () => {
  await service.stop()
  await provider.close()
})

function makeAccount(fields: Partial<Account> = {}): Account {
  accounts += 1
  const sub = `subject-${accounts}`
  return { sub, email: `${sub}@shop.example`, email_verified: true, name: 'Mia Sommer', groups: ['support'], ...fields }
}

/** Signs in as this account, and returns where the browser ends. */
async function goThrough(account: Account | undefined, { to = '', browser = new RedirectFollower() } = {}) {
  provider.account = account
  const start = `${origin}/auth/oidc/start${to === '' ? '' : `?to=${encodeURIComponent(to)}`}`
  const callback = await browser.follow(start, `${origin}/auth/oidc/callback`)
  const { location } = await browser.open(callback)
  return { location: location.replace(origin, ''), callback, browser }
}

/** The session of the browser; undefined if it is not signed in. */
async function whoIs(browser: RedirectFollower) {
  const token = browser.cookie(origin, 'doorstep_session')
  if (token === undefined) return undefined
  const headers = { cookie: `doorstep_session=${token}`, 'sec-fetch-site': 'same-origin' }
  const { status, body } = await call('GET', '/v1/session', { auth: null, headers }, service)
  return status === 200 ? body : undefined
}

describe('sign-in through OIDC', () => {
  it('makes an account with the roles of its groups, and opens the page that was asked for', async () => {
    const account = makeAccount()
    const { location, browser } = await goThrough(account, { to: '/dashboard/oidc-shop/orders?page=2' })
    expect(location).toBe('/dashboard/oidc-shop/orders?page=2')
    expect(await whoIs(browser)).toMatchObject({
      kind: 'person',
      name: 'Mia Sommer',
      email: account.email,
      everywhere: 'viewer',
      has_password: false,
      shops: expect.arrayContaining([
        expect.objectContaining({ slug: 'oidc-shop', role: 'editor' }),
        expect.objectContaining({ slug: shop.slug, role: 'viewer' }),
      ]),
    })
    const { body } = await call('GET', '/v1/people', { query: { q: account.email ?? '' } }, service)
    expect(body).toMatchObject([{ signs_in_with: 'oidc', status: 'active', open_link: null }])
    expect(browser.cookie(origin, 'doorstep_oidc')).toBeUndefined()
  })

  it('sends PKCE, a state and a nonce, and its cookie is encrypted', async () => {
    const browser = new RedirectFollower()
    const { location, headers } = await browser.open(`${origin}/auth/oidc/start`)
    const query = new URL(location).searchParams
    expect(query.get('code_challenge_method')).toBe('S256')
    for (const name of ['code_challenge', 'state', 'nonce']) expect(query.get(name)?.length).toBeGreaterThan(40)
    expect(headers.get('set-cookie')).toMatch(/^doorstep_oidc=[\w-]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/)
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    const cookie = Buffer.from(browser.cookie(origin, 'doorstep_oidc') ?? '', 'base64url').toString('latin1')
    expect(cookie).not.toContain(query.get('state') ?? 'state')
  })

  it('follows the groups at each sign-in, and ends all sessions of those who have left them', async () => {
    const account = makeAccount({ groups: ['ops'] })
    const first = await goThrough(account)
    expect(await whoIs(first.browser)).toMatchObject({ everywhere: 'superadmin' })
    const second = await goThrough({ ...account, groups: ['support'], name: 'Mia Winter' })
    expect(await whoIs(second.browser)).toMatchObject({ everywhere: 'viewer', name: 'Mia Winter' })
    expect(await whoIs(first.browser)).toMatchObject({ everywhere: 'viewer' })
    const third = await goThrough({ ...account, groups: ['other'] })
    expect(third.location).toBe('/dashboard/sign-in?error=oidc-no-access')
    for (const { browser } of [first, second, third]) expect(await whoIs(browser)).toBeUndefined()
    const { body } = await call('GET', '/v1/people', { query: { q: account.email ?? '' } }, service)
    expect(body).toMatchObject([{ shops: [] }])
  })

  it.each<[string, Partial<Account>, string]>([
    ['an address that is not verified', { email_verified: false }, 'unverified'],
    ['no address', { email: undefined as never }, 'unverified'],
    ['another domain', { email: 'mia@evil.example' }, 'domain'],
    ['a domain that ends like an allowed one', { email: 'mia@evil-shop.example' }, 'domain'],
    ['a subdomain of an allowed one', { email: 'mia@evil.shop.example' }, 'domain'],
    ['an allowed domain in the name', { email: '"shop.example"@evil.example' }, 'domain'],
    ['no group', { groups: [] }, 'no-access'],
    ['groups of shops that do not exist', { groups: ['nowhere'] }, 'no-access'],
  ])('rejects %s', async (_what, fields, reason) => {
    const account = makeAccount(fields)
    const { location, browser } = await goThrough(account)
    expect(location).toBe(`/dashboard/sign-in?error=oidc-${reason}`)
    expect(await whoIs(browser)).toBeUndefined()
    const { rows } = await sql`select 1 from people where oidc_subject = ${account.sub}`.execute(service.database.db)
    expect(rows).toEqual([])
  })

  it.each([
    'two words@shop.example',
    'ada:lovelace@shop.example',
    'ada\r\nbcc@shop.example',
    'ada\u0000@shop.example',
    'ada\u0085@shop.example',
    'eve@evil.example@shop.example',
    '@shop.example',
    'shop.example',
    `${'a'.repeat(65)}@shop.example`,
    'ada@shop..example',
  ])('rejects the address %j, as an invitation does, and stores nothing', async (email) => {
    const { db } = service.database
    const stored = async () =>
      (
        await sql<{ people: number; sessions: number }>`
          select (select count(*) from people)::int as people, (select count(*) from sessions)::int as sessions`.execute(
          db,
        )
      ).rows
    const before = await stored()
    const { location, browser } = await goThrough(makeAccount({ email }))
    expect(location).toBe('/dashboard/sign-in?error=oidc-address')
    expect(await whoIs(browser)).toBeUndefined()
    expect(await stored()).toEqual(before)
    const invited = await call('POST', '/v1/people', { body: { email, shops: [roleIn(shop, 'viewer')] } }, service)
    expect(invited.status).toBe(422)
  })

  it('keeps the account of somebody whose address became odd as it was', async () => {
    const account = makeAccount()
    await goThrough(account)
    const odd = { ...account, email: 'two words@shop.example', name: 'Somebody else' }
    expect((await goThrough(odd)).location).toBe('/dashboard/sign-in?error=oidc-address')
    const { body } = await call('GET', '/v1/people', { query: { q: account.email ?? '' } }, service)
    expect(body).toMatchObject([{ email: account.email, name: 'Mia Sommer' }])
  })

  it('writes names in one line of at most 100 characters', async () => {
    const nameOf = async (name: string) => {
      const { browser } = await goThrough(makeAccount({ name }))
      return (await whoIs(browser)).name
    }
    expect(await nameOf('Mia\r\nBcc: all@shop.example\u0007\u0000\u2028Sommer')).toBe(
      'Mia Bcc: all@shop.example Sommer',
    )
    expect(await nameOf(`${'M'.repeat(99)}🚚🚚`)).toBe('M'.repeat(99))
    expect(await nameOf('\u0001\u0002')).toMatch(/^subject-\d+@shop\.example$/)
  })

  it('rejects an id that no provider may give', async () => {
    for (const sub of ['x'.repeat(256), 'mia\nsommer', 'mïa']) {
      expect((await goThrough(makeAccount({ sub, email: `odd-${accounts}@shop.example` }))).location).toBe(
        '/dashboard/sign-in?error=oidc-failed',
      )
    }
  })

  it('accepts a domain in any case', async () => {
    const { browser } = await goThrough(makeAccount({ email: `Other-${process.pid}@OTHER.example` }))
    expect(await whoIs(browser)).toMatchObject({ email: `other-${process.pid}@other.example` })
  })

  it('takes an invited account over, with nothing of what was set up before', async () => {
    const account = makeAccount()
    // Somebody who knows the link chooses a password for an address that is not theirs.
    const { email, token } = await invite(
      [{ shop_slug: shop.slug, role: 'admin' }],
      { email: account.email ?? '' },
      service,
    )
    await accept(token, {}, service)
    const before = await openBrowser({ email, password }, service)
    const { browser } = await goThrough(account)
    expect(await whoIs(browser)).toMatchObject({ email, has_password: false, everywhere: 'viewer' })
    expect((await before.call('GET', '/v1/session')).status).toBe(401)
    expect((await signIn({ email, password }, {}, service)).status).toBe(401)
    const { uuid } = (await call('GET', '/v1/people', { query: { q: email } }, service)).body[0]
    expect((await call('POST', `/v1/people/${uuid}/reset`, {}, service)).status).toBe(422)
  })

  it('leaves no link that sets a password', async () => {
    const account = makeAccount()
    const { email, token } = await invite([roleIn(shop, 'admin')], { email: account.email ?? '' }, service)
    const { browser } = await goThrough(account)
    expect((await accept(token, {}, service)).status).toBe(422)
    // Nor does one work that was stored meanwhile.
    const { uuid } = (await call('GET', '/v1/people', { query: { q: email } }, service)).body[0]
    await insertLink(service.context(), {
      token_hash: sha256(token),
      kind: 'reset',
      person_id: uuid,
      key_id: null,
      created_at: clock.now(),
      expires_at: after(clock.now(), minuteMs),
    })
    expect((await accept(token, {}, service)).status).toBe(422)
    expect(await whoIs(browser)).toMatchObject({ email, has_password: false })
  })

  it('knows a person by the id of the provider: a new address stays theirs, and theirs is not given to another', async () => {
    const account = makeAccount()
    const first = await goThrough(account)
    const { sessions } = await whoIs(first.browser)
    expect(sessions).toHaveLength(1)
    const moved = await goThrough({ ...account, email: `moved-${account.sub}@shop.example` })
    expect((await whoIs(moved.browser)).sessions).toHaveLength(2)
    const heir = await goThrough(makeAccount({ email: `moved-${account.sub}@shop.example` }))
    expect(heir.location).toBe('/dashboard/sign-in?error=oidc-conflict')
    const other = makeAccount()
    await goThrough(other)
    const collision = await goThrough({ ...account, email: other.email ?? '' })
    expect(collision.location).toBe('/dashboard/sign-in?error=oidc-conflict')
  })

  it('rejects a disabled person', async () => {
    const account = makeAccount()
    const { browser } = await goThrough(account)
    const { uuid } = (await call('GET', '/v1/people', { query: { q: account.email ?? '' } }, service)).body[0]
    await call('PATCH', `/v1/people/${uuid}`, { body: { is_disabled: true } }, service)
    expect(await whoIs(browser)).toBeUndefined()
    expect((await goThrough(account)).location).toBe('/dashboard/sign-in?error=oidc-disabled')
  })

  it('shows that the person cancelled', async () => {
    expect((await goThrough(undefined)).location).toBe('/dashboard/sign-in?error=oidc-denied')
  })

  it('is finished only once, in the browser that began it, within ten minutes, with what was sent', async () => {
    const reason = async (browser: RedirectFollower, url: string) =>
      (await browser.open(url)).location.split('oidc-')[1]
    const done = await goThrough(makeAccount())
    expect(await reason(done.browser, done.callback)).toBe('expired')

    provider.account = makeAccount()
    const [victim, attacker] = [new RedirectFollower(), new RedirectFollower()]
    const begin = (browser: RedirectFollower) =>
      browser.follow(`${origin}/auth/oidc/start`, `${origin}/auth/oidc/callback`)
    const [own, foreign] = [await begin(victim), await begin(attacker)]
    expect(await reason(new RedirectFollower(), own)).toBe('expired')
    expect(await reason(victim, foreign)).toBe('failed')
    expect(await whoIs(victim)).toBeUndefined()

    const again = await begin(victim)
    for (const [name, value] of [
      ['state', 'x'],
      ['code', 'x'],
      ['iss', 'https://evil.example'],
    ] as const) {
      const browser = new RedirectFollower()
      const changed = new URL(await begin(browser))
      changed.searchParams.set(name, value)
      expect(await reason(browser, changed.href), name).toBe('failed')
      expect(await whoIs(browser)).toBeUndefined()
    }
    clock.advance(10 * minuteMs)
    expect(await reason(victim, again)).toBe('expired')
  })

  it('rejects a cookie that is not ours', async () => {
    provider.account = makeAccount()
    const browser = new RedirectFollower()
    const callback = await browser.follow(`${origin}/auth/oidc/start`, `${origin}/auth/oidc/callback`)
    const sealed = browser.cookie(origin, 'doorstep_oidc') ?? ''
    for (const cookie of ['', 'x', `${sealed.slice(0, -2)}AA`, Buffer.from('{}').toString('base64url')]) {
      const { location } = await new RedirectFollower().open(callback, { cookie: `doorstep_oidc=${cookie}` })
      expect(location).toBe(`${origin}/dashboard/sign-in?error=oidc-expired`)
    }
  })

  it('says that the provider cannot be reached, and tries again at the next attempt', async () => {
    const { issuer, client } = provider
    const settings = { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: client.id, OIDC_CLIENT_SECRET: client.secret }
    const node = await startTestService(
      { ROLE: 'api', PUBLIC_URL: '', ...settings },
      { ...service.database, close: async () => {} },
    )
    try {
      provider.isUp = false
      const start = () => node.app.inject({ url: '/auth/oidc/start' })
      expect((await start()).headers.location).toBe('/dashboard/sign-in?error=oidc-unavailable')
      provider.isUp = true
      expect((await start()).headers.location).toMatch(issuer)
    } finally {
      await node.stop()
    }
  })

  it.each(['attempt_counts', 'people'])(
    'says that the store cannot be reached, as soon as %s cannot',
    async (table) => {
      provider.account = makeAccount()
      const browser = new RedirectFollower()
      const callback = await browser.follow(`${origin}/auth/oidc/start`, `${origin}/auth/oidc/callback`)
      unreachableTable = table
      expect((await browser.open(callback)).location).toBe(`${origin}/dashboard/sign-in?error=oidc-store-unavailable`)
      expect(await whoIs(browser)).toBeUndefined()
      unreachableTable = undefined
      await goThrough(provider.account, { browser })
      expect(await whoIs(browser)).toMatchObject({ email: provider.account.email })
    },
  )

  it('is limited per network', async () => {
    const statuses: number[] = []
    const browser = new RedirectFollower()
    await browser.open(`${origin}/auth/oidc/start`)
    const cookie = `doorstep_oidc=${browser.cookie(origin, 'doorstep_oidc')}`
    for (let count = 0; count < 102; count += 1) {
      const reply = await service.app.inject({
        url: '/auth/oidc/callback?code=x&state=y',
        remoteAddress: '10.66.0.1',
        headers: { cookie },
      })
      statuses.push(reply.statusCode)
    }
    expect(statuses.slice(0, 100).every((status) => status === 303)).toBe(true)
    expect(statuses.slice(100)).toEqual([429, 429])
  })

  it('begins 300 times in ten minutes per network, and keeps nothing of it but the count', async () => {
    const { db } = service.database
    const counts = async () => {
      const { rows } = await sql<{ count: number }>`
        select (select count(*) from attempt_counts)::int + (select count(*) from people)::int
          + (select count(*) from sessions)::int + (select count(*) from sign_in_links)::int as count`.execute(db)
      return rows[0]?.count ?? 0
    }
    const start = (remoteAddress: string) => service.app.inject({ url: '/auth/oidc/start', remoteAddress })
    const before = await counts()
    const statuses: number[] = []
    for (let count = 0; count < 302; count += 1) {
      statuses.push((await start(`2001:db8:66:1::${count.toString(16)}`)).statusCode)
    }
    expect(statuses.slice(0, 300).every((status) => status === 303)).toBe(true)
    expect(statuses.slice(300)).toEqual([429, 429])
    const limited = await start('2001:db8:66:1::ffff')
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0)
    expect(limited.headers['set-cookie']).toBeUndefined()
    expect((await counts()) - before).toBe(1)
    expect((await start('2001:db8:66:2::1')).statusCode).toBe(303)
    clock.advance(10 * minuteMs + 1)
    expect((await start('2001:db8:66:1::1')).statusCode).toBe(303)
  })

  it('keeps nothing of those who come back without having begun', async () => {
    const { db } = service.database
    const counts = async () =>
      (await sql<{ count: number }>`select count(*)::int as count from attempt_counts`.execute(db)).rows[0]?.count
    const before = await counts()
    for (let count = 0; count < 5; count += 1) {
      const url = '/auth/oidc/callback?code=x&state=y'
      const reply = await service.app.inject({ url, remoteAddress: anyAddress() })
      expect(reply.headers.location).toBe('/dashboard/sign-in?error=oidc-expired')
    }
    expect(await counts()).toBe(before)
  })

  it('counts only sign-ins that fail, so that a whole office can sign in from one network', async () => {
    const { db } = service.database
    const counted = async () =>
      (
        await sql<{
          sum: number
        }>`select sum(count)::int as sum from attempt_counts where ends_at > ${clock.now()}`.execute(db)
      ).rows[0]?.sum ?? 0
    const grown = async (account: Account) => {
      const before = await counted()
      await goThrough(account)
      return (await counted()) - before
    }
    // Each is counted where it begins.
    expect(await grown(makeAccount())).toBe(1)
    expect(await grown(makeAccount({ email_verified: false }))).toBe(2)
  })

  it('says that the store cannot be reached when it begins', async () => {
    unreachableTable = 'attempt_counts'
    const { location } = await new RedirectFollower().open(`${origin}/auth/oidc/start`)
    expect(location).toBe(`${origin}/dashboard/sign-in?error=oidc-store-unavailable`)
  })

  it('is named in the sign-in options, and is not there without its settings', async () => {
    const options = (of?: Service) => call('GET', '/v1/session/options', { auth: null, from: anyAddress() }, of)
    expect((await options(service)).body).toEqual({
      oidc: { name: 'Company account', start_url: '/auth/oidc/start' },
      password_min_length: 10,
      password_reset: false,
    })
    expect((await options()).body.oidc).toBeNull()
    for (const path of ['/auth/oidc/start', '/auth/oidc/callback', '/auth/other']) {
      expect((await call('GET', path, { auth: null })).status).toBe(404)
    }
  })
})

describe('return address', () => {
  it.each([
    ['/dashboard/shop', '/dashboard/shop'],
    ['/dashboard/shop/orders?q=a%20b&page=2', '/dashboard/shop/orders?q=a%20b&page=2'],
    ['/dashboard/a/../b', '/dashboard/b'],
  ])('may be %s', (given, kept) => {
    expect(safeReturnAddress(given)).toBe(kept)
  })

  it.each([
    undefined,
    '',
    '/',
    '/dashboard',
    '/dashboardevil',
    '//evil.example',
    '/\\evil.example',
    'https://evil.example/dashboard/',
    '/dashboard/../../evil',
    '/dashboard/..//evil.example',
    '/dashboard/%2e%2e//evil.example',
    '/dashboard\\..\\..\\evil',
    '/v1/session',
    'javascript:alert(1)',
    `/dashboard/${'x'.repeat(2_000)}`,
  ])('is never %s', (given) => {
    expect(safeReturnAddress(given)).toBe('/dashboard')
  })

  it('cannot break out of its header', () => {
    expect(safeReturnAddress('/dashboard/a\r\nSet-Cookie: x=y')).not.toMatch(/[\r\n]/)
  })
})

describe('OIDC_ROLES', () => {
  const read = (text: string) => {
    const result = readGroupRoles(text)
    return 'groups' in result ? result.groups : undefined
  }

  it('gives the highest role per shop that any of the groups has', () => {
    const groups = read('ops=superadmin; support=editor@demo-shop,viewer@* ;cn=a,dc=b=admin@demo-shop;')
    expect(groups && rolesOfGroups(groups, ['support', 'cn=a,dc=b', 'unknown'])).toEqual(
      new Map([
        ['demo-shop', 'admin'],
        ['*', 'viewer'],
      ]),
    )
    expect(groups && rolesOfGroups(groups, ['ops', 'support']).get('*')).toBe('superadmin')
    expect(groups && rolesOfGroups(groups, ['__proto__', 'constructor'])).toEqual(new Map())
  })

  it.each(['ops', 'ops=', '=viewer', 'ops=owner', 'ops=superadmin@shop', 'ops=viewer@', 'ops=viewer@a@b'])(
    'rejects %s',
    (text) => {
      expect(read(text)).toBeUndefined()
    },
  )
})
