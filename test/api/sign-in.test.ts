import { sql } from 'kysely'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { codeAt } from '../../src/access/people/totp.ts'
import { dayMs, hourMs, minuteMs, secondMs } from '../../src/platform/foundation/clock.ts'
import {
  accept,
  anyAddress,
  anyEmail,
  type Browser,
  invite,
  makeMember,
  openBrowser,
  password,
  roleIn,
  signIn,
  tokenOf,
} from '../harness/people.ts'
import { call, clock, openTestDatabase, startTestService, theService } from '../harness/service.ts'
import { makeShop } from '../harness/shop.ts'

afterEach(() => clock.reset())

const otherPassword = 'nine letters to the sea'
const codeNow = (secret: string, steps = 0) => codeAt(secret, Math.floor(clock.now().getTime() / 30_000) + steps)

describe('invitation', () => {
  it('lets a person choose a password and sign in', async () => {
    const shop = await makeShop({ name: 'River & Pine' })
    const { email, token } = await invite([roleIn(shop, 'editor')])
    const read = await call('POST', '/v1/session/link', { auth: null, from: anyAddress(), body: { token } })
    expect(read.body).toMatchObject({
      kind: 'invitation',
      email,
      name: '',
      shops: [{ name: 'River & Pine', role: 'editor' }],
      expires_at: expect.any(String),
    })
    expect(await accept(token)).toMatchObject({ status: 200, body: { email } })
    const browser = await openBrowser({ email: email.toUpperCase(), password })
    expect((await browser.call('GET', '/v1/session')).body).toMatchObject({
      kind: 'person',
      name: 'Mia Sommer',
      username: email,
      email,
      everywhere: null,
      shops: [{ slug: shop.slug, name: 'River & Pine', role: 'editor' }],
      has_password: true,
      two_factor: false,
    })
  })

  it('works once, and within seven days', async () => {
    const shop = await makeShop()
    const used = await invite([roleIn(shop, 'viewer')])
    expect((await accept(used.token)).status).toBe(200)
    for (const again of [accept(used.token), accept('x'.repeat(43)), accept('')]) expect((await again).status).toBe(422)
    const late = await invite([roleIn(shop, 'viewer')])
    clock.advance(7 * dayMs)
    expect(await accept(late.token)).toMatchObject({ status: 422, body: { errors: [{ loc: ['body', 'token'] }] } })
  })

  it('is accepted by one of many at the same moment', async () => {
    const shop = await makeShop()
    const { email, token } = await invite([roleIn(shop, 'viewer')])
    const tried = Array.from({ length: 6 }, (_, index) => `password number ${index}`)
    const replies = await Promise.all(tried.map((password) => accept(token, { password })))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422, 422, 422])
    const winner = tried[replies.findIndex(({ status }) => status === 200)]
    for (const password of tried) {
      expect((await signIn({ email, password })).status).toBe(password === winner ? 200 : 401)
    }
  })

  it('needs a password that is hard to guess', async () => {
    const shop = await makeShop()
    const { email, token } = await invite([roleIn(shop, 'viewer')])
    const [name = ''] = email.split('@')
    const bad = [
      'short',
      'x'.repeat(201),
      'Password123!',
      '1234567890',
      'aaaaaaaaaaaa',
      email,
      `${name}1`,
      `${name}-2026`,
    ]
    for (const password of bad) {
      expect(await accept(token, { password }), password).toMatchObject({
        status: 422,
        body: { errors: [{ loc: ['body', 'password'] }] },
      })
    }
    expect(await accept(token, { name: undefined })).toMatchObject({ body: { errors: [{ loc: ['body', 'name'] }] } })
    expect((await accept(token, { name: '  ' })).status).toBe(422)
    // Nothing of this has used it up.
    expect((await accept(token, { password: 'p'.repeat(4) + otherPassword })).status).toBe(200)
  })
})

describe('password sign-in', () => {
  it('fails alike for a wrong password, an unknown account, an invited and a disabled person', async () => {
    const shop = await makeShop()
    const member = await makeMember([roleIn(shop, 'viewer')])
    const disabled = await makeMember([roleIn(shop, 'viewer')])
    await call('PATCH', `/v1/people/${disabled.uuid}`, { body: { is_disabled: true } })
    const waiting = await invite([roleIn(shop, 'viewer')])
    const replies = [
      await signIn({ email: member.email, password: otherPassword }),
      await signIn({ email: anyEmail(), password }),
      await signIn({ email: waiting.email, password }),
      await signIn({ email: disabled.email, password }),
      await signIn({ email: 'not an address', password }),
    ]
    const [first] = replies
    expect(first?.status).toBe(401)
    for (const { status, text, headers } of replies) {
      expect({ status, text }).toEqual({ status: first?.status, text: first?.text })
      expect(headers['set-cookie']).toBeUndefined()
    }
  })

  it('hashes for every attempt, whether the account exists or not', async () => {
    const { context } = await theService()
    const { passwords } = context().services
    const shop = await makeShop()
    const waiting = await invite([roleIn(shop, 'viewer')])
    const member = await makeMember([roleIn(shop, 'viewer')])
    const verify = passwords.verify.bind(passwords)
    const verified: (string | null)[] = []
    passwords.verify = (given, stored, caller) => {
      verified.push(stored === null ? null : 'a hash')
      return verify(given, stored, caller)
    }
    onTestFinished(() => {
      passwords.verify = verify
    })
    for (const email of [anyEmail(), waiting.email, member.email]) await signIn({ email, password: otherPassword })
    expect(verified).toEqual([null, null, 'a hash'])
  })

  it('is limited per account and network, and does not lock the owner out elsewhere', async () => {
    const shop = await makeShop()
    const { email } = await makeMember([roleIn(shop, 'viewer')])
    const from = anyAddress()
    const statuses: number[] = []
    for (let count = 0; count < 12; count += 1) {
      statuses.push((await signIn({ email, password: `guess number ${count}` }, { from })).status)
    }
    expect(statuses).toEqual([...Array<number>(10).fill(401), 429, 429])
    const limited = await signIn({ email, password }, { from })
    expect(limited).toMatchObject({ status: 429, body: { key: 'rate_limited' } })
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0)
    expect((await signIn({ email, password })).status).toBe(200)
    clock.advance(15 * minuteMs + secondMs)
    expect((await signIn({ email, password }, { from })).status).toBe(200)
  })

  it('is limited per account over all networks, except where its owner signed in before', async () => {
    const shop = await makeShop()
    const { email } = await makeMember([roleIn(shop, 'viewer')])
    const home = anyAddress()
    expect((await signIn({ email, password }, { from: home })).status).toBe(200)
    const guess = (index: number) =>
      signIn({ email, password: `guess number ${index}` }, { from: `10.77.${index % 250}.${process.pid % 250}` })
    const statuses: number[] = []
    for (let index = 0; index < 52; index += 1) statuses.push((await guess(index)).status)
    expect(statuses).toEqual([...Array<number>(50).fill(401), 429, 429])
    expect((await signIn({ email, password })).status).toBe(429)
    expect((await signIn({ email, password }, { from: home })).status).toBe(200)
  })

  it('knows for weeks where the owner of an account has signed in', async () => {
    const shop = await makeShop()
    const { email } = await makeMember([roleIn(shop, 'viewer')])
    const home = anyAddress()
    expect((await signIn({ email, password }, { from: home })).status).toBe(200)
    clock.advance(45 * dayMs)
    for (let index = 0; index < 50; index += 1) await signIn({ email, password: `guess number ${index}` })
    expect((await signIn({ email, password })).status).toBe(429)
    expect((await signIn({ email, password }, { from: home })).status).toBe(200)
  })

  it('is limited per network over all accounts', async () => {
    const from = anyAddress()
    const statuses = new Set<number>()
    for (let count = 0; count < 100; count += 1) {
      statuses.add((await signIn({ email: anyEmail(), password }, { from })).status)
    }
    expect([...statuses]).toEqual([401])
    expect((await signIn({ email: anyEmail(), password }, { from })).status).toBe(429)
    const read = await call('POST', '/v1/session/link', { auth: null, from, body: { token: 'x' } })
    expect(read.status).toBe(429)
  })

  it('gets no more attempts than the limit at the same moment, on two nodes together', async () => {
    const database = await openTestDatabase()
    const first = await startTestService({}, database)
    const second = await startTestService({}, { ...database, close: async () => {} })
    onTestFinished(async () => {
      await second.stop()
      await first.stop()
    })
    const email = anyEmail()
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        signIn({ email, password: `guess number ${index}` }, { from: '10.8.0.1' }, index % 2 === 0 ? first : second),
      ),
    )
    expect(replies.filter(({ status }) => status === 401)).toHaveLength(10)
  })

  it('rejects more than it can hash, instead of letting them wait for long', async () => {
    const { context } = await theService()
    const { passwords } = context().services
    const caller = { group: 'one network' }
    const many = Array.from({ length: 60 }, () =>
      passwords.verify(password, null, caller).then(String, (error) => error.key),
    )
    const outcomes = await Promise.all(many)
    expect(outcomes.filter((outcome) => outcome === 'false')).toHaveLength(52)
    expect(outcomes.filter((outcome) => outcome === 'rate_limited')).toHaveLength(8)
    expect(await passwords.verify(password, await passwords.hash(password, caller), caller)).toBe(true)
  })

  it('stores a new hash when the cost has changed', async () => {
    const database = await openTestDatabase()
    const service = await startTestService({}, database)
    onTestFinished(() => service.stop())
    const shop = await makeShop({}, service)
    const { uuid, email } = await makeMember([roleIn(shop, 'viewer')], service)
    const stored = async () =>
      (await sql<{ password: string }>`select password from people where id = ${uuid}`.execute(database.db)).rows[0]
        ?.password ?? ''
    const { PasswordHasher } = await import('../../src/access/people/passwords.ts')
    const cheaper = new PasswordHasher(service.context().services.signing, { logN: 3, r: 8, p: 1 })
    onTestFinished(() => cheaper.close())
    await sql`update people set password = ${await cheaper.hash(password, { group: 'test' })} where id = ${uuid}`.execute(
      database.db,
    )
    expect(await stored()).toMatch(/^scrypt:3:8:1:/)
    await openBrowser({ email, password }, service)
    expect(await stored()).toMatch(/^scrypt:4:8:1:/)
    await openBrowser({ email, password }, service)
  })
})

describe('password reset', () => {
  it('replaces the password, ends all sessions, and works once within a day', async () => {
    const shop = await makeShop()
    const { uuid, email, browser } = await makeMember([roleIn(shop, 'viewer')])
    const { body } = await call('POST', `/v1/people/${uuid}/reset`, { auth: await shop.credentials('admin') })
    expect(body).toMatchObject({ person: { uuid, open_link: { kind: 'reset' } } })
    const token = tokenOf(body.link)
    const read = await call('POST', '/v1/session/link', { auth: null, from: anyAddress(), body: { token } })
    expect(read.body).toMatchObject({ kind: 'reset', email, name: 'Mia Sommer' })
    // Until it is used, nothing changes.
    expect((await browser.call('GET', '/v1/session')).status).toBe(200)
    expect((await accept(token, { password: otherPassword, name: undefined })).status).toBe(200)
    expect((await browser.call('GET', '/v1/session')).status).toBe(401)
    expect((await signIn({ email, password })).status).toBe(401)
    expect((await signIn({ email, password: otherPassword })).status).toBe(200)
    expect((await accept(token)).status).toBe(422)
    const late = tokenOf((await call('POST', `/v1/people/${uuid}/reset`)).body.link)
    clock.advance(dayMs)
    expect((await accept(late)).status).toBe(422)
  })

  it('is of no use to a person who is disabled, even if the link is still there', async () => {
    const shop = await makeShop()
    const { uuid, token } = await invite([roleIn(shop, 'viewer')])
    const { database } = await theService()
    const disable = (disabled_at: Date | null) =>
      database.db.updateTable('people').set({ disabled_at }).where('id', '=', uuid).execute()
    const read = () => call('POST', '/v1/session/link', { auth: null, from: anyAddress(), body: { token } })
    await disable(clock.now())
    expect(await read()).toMatchObject({ status: 422, body: { errors: [{ loc: ['body', 'token'] }] } })
    expect((await accept(token)).status).toBe(422)
    await disable(null)
    expect((await read()).status).toBe(200)
    expect((await accept(token)).status).toBe(200)
  })

  it('has one link at a time, which a password change and a disabled account end', async () => {
    const shop = await makeShop()
    const { uuid, browser } = await makeMember([roleIn(shop, 'viewer')])
    const reset = async () => tokenOf((await call('POST', `/v1/people/${uuid}/reset`)).body.link)
    const [first, second] = [await reset(), await reset()]
    expect((await accept(first, { password: otherPassword })).status).toBe(422)
    await browser.call('PUT', '/v1/session/password', { old_password: password, new_password: otherPassword })
    expect((await accept(second)).status).toBe(422)
    const third = await reset()
    await call('PATCH', `/v1/people/${uuid}`, { body: { is_disabled: true } })
    expect((await accept(third)).status).toBe(422)
    expect((await call('POST', `/v1/people/${uuid}/reset`)).status).toBe(422)
  })
})

describe('my account', () => {
  it('changes its password with the old one, and ends the other sessions', async () => {
    const shop = await makeShop()
    const { email, browser } = await makeMember([roleIn(shop, 'viewer')])
    const other = await openBrowser({ email, password })
    const change = (old_password: string, new_password: string) =>
      browser.call('PUT', '/v1/session/password', { old_password, new_password })
    expect(await change(otherPassword, otherPassword)).toMatchObject({
      status: 422,
      body: { errors: [{ loc: ['body', 'old_password'] }] },
    })
    expect(await change(password, '1234567890')).toMatchObject({
      status: 422,
      body: { errors: [{ loc: ['body', 'new_password'] }] },
    })
    expect((await other.call('GET', '/v1/session')).status).toBe(200)
    expect(await change(password, otherPassword)).toMatchObject({ status: 200, body: { sessions_ended: 1 } })
    expect((await other.call('GET', '/v1/session')).status).toBe(401)
    expect((await browser.call('GET', '/v1/session')).status).toBe(200)
    expect((await signIn({ email, password })).status).toBe(401)
    expect((await signIn({ email, password: otherPassword })).status).toBe(200)
  })

  it('limits guesses at the old password, whatever the requests are called', async () => {
    const shop = await makeShop()
    const { browser } = await makeMember([roleIn(shop, 'viewer')])
    const statuses: number[] = []
    for (let count = 0; count < 11; count += 1) {
      const body = { password: `guess number ${count}` }
      const headers = { 'idempotency-key': `guess-${count}` }
      statuses.push((await browser.call('POST', '/v1/session/totp', body, { headers })).status)
    }
    expect(statuses).toEqual([...Array<number>(10).fill(422), 429])
    const change = { old_password: password, new_password: otherPassword }
    expect((await browser.call('PUT', '/v1/session/password', change)).status).toBe(429)
  })

  it('changes its name, at once in every session', async () => {
    const shop = await makeShop()
    const { email, browser } = await makeMember([roleIn(shop, 'viewer')])
    const other = await openBrowser({ email, password })
    await other.call('GET', '/v1/session')
    expect((await browser.call('PATCH', '/v1/session', { name: ' Mia Winter ' })).status).toBe(200)
    expect((await other.call('GET', '/v1/session')).body.name).toBe('Mia Winter')
    for (const name of [' ', '\u0001']) {
      expect((await browser.call('PATCH', '/v1/session', { name })).status).toBe(422)
    }
    await browser.call('PATCH', '/v1/session', { name: 'Mia\r\n\u0007Winter' })
    expect((await other.call('GET', '/v1/session')).body.name).toBe('Mia Winter')
  })

  it('is for people only', async () => {
    const shop = await makeShop()
    const auth = await shop.credentials('admin')
    const browser = await openBrowser({ username: auth.username, api_key: auth.apiKey })
    for (const [method, path, body] of accountCalls) {
      expect(await call(method, path, { auth, body })).toMatchObject({
        status: 403,
        body: { key: 'insufficient_rights' },
      })
      expect(await browser.call(method, path, body)).toMatchObject({ status: 403 })
      expect((await call(method, path, { auth: null, body })).status).toBe(400)
    }
  })
})

const accountCalls = [
  ['PATCH', '/v1/session', { name: 'Mia' }],
  ['PUT', '/v1/session/password', { old_password: 'x', new_password: otherPassword }],
  ['POST', '/v1/session/totp', { password: 'x' }],
  ['POST', '/v1/session/totp/confirm', { code: '123456' }],
  ['POST', '/v1/session/totp/remove', { code: '123456' }],
] as const

describe('second factor', () => {
  async function setUp(browser: Browser): Promise<string> {
    const { body } = await browser.call('POST', '/v1/session/totp', { password })
    expect((await browser.call('POST', '/v1/session/totp/confirm', { code: codeNow(body.secret) })).status).toBe(200)
    return body.secret
  }

  it('is set up with the password and a code, and needed from then on', async () => {
    const shop = await makeShop()
    const { email, browser } = await makeMember([roleIn(shop, 'viewer')])
    expect((await browser.call('POST', '/v1/session/totp', { password: otherPassword })).status).toBe(422)
    const { body } = await browser.call('POST', '/v1/session/totp', { password })
    expect(body.uri).toBe(`otpauth://totp/Doorstep:${encodeURIComponent(email)}?secret=${body.secret}&issuer=Doorstep`)
    expect(body.qr_code).toMatch(/^<svg [\s\S]*<\/svg>$/)
    // Not confirmed: it does not count.
    expect((await signIn({ email, password })).status).toBe(200)
    const wrong = codeNow(body.secret) === '000000' ? '000001' : '000000'
    expect((await browser.call('POST', '/v1/session/totp/confirm', { code: wrong })).status).toBe(422)
    expect((await browser.call('POST', '/v1/session/totp/confirm', { code: codeNow(body.secret) })).status).toBe(200)
    expect((await browser.call('GET', '/v1/session')).body.two_factor).toBe(true)
    expect(await signIn({ email, password })).toMatchObject({
      status: 422,
      body: { errors: [{ loc: ['body', 'totp'], type: 'missing' }] },
    })
    expect((await signIn({ email, password: otherPassword })).status).toBe(401)
    clock.advance(30 * secondMs)
    expect((await signIn({ email, password, totp: codeNow(body.secret) })).status).toBe(200)
  })

  it('accepts a code of the step before and after, and each only once', async () => {
    const shop = await makeShop()
    const { email, browser } = await makeMember([roleIn(shop, 'viewer')])
    const secret = await setUp(browser)
    clock.advance(10 * minuteMs)
    const use = async (code: string) => (await signIn({ email, password, totp: code })).status
    expect(await use(codeNow(secret, -2))).toBe(422)
    expect(await use(codeNow(secret, 2))).toBe(422)
    const [before, current, next] = [codeNow(secret, -1), codeNow(secret), codeNow(secret, 1)]
    expect(await use(before)).toBe(200)
    expect(await use(before)).toBe(422)
    const [first, second] = await Promise.all([use(current), use(current)])
    expect([first, second].sort()).toEqual([200, 422])
    expect(await use(next)).toBe(200)
    expect(await use(current)).toBe(422)
  })

  it('limits guesses at the code, from anywhere and whatever the requests are called', async () => {
    const shop = await makeShop()
    const { email, browser } = await makeMember([roleIn(shop, 'viewer')])
    const secret = await setUp(browser)
    clock.advance(minuteMs)
    const right = codeNow(secret)
    const wrong = ['000001', '000002', '000003', '000004', '000005'].filter(
      (code) => ![-1, 0, 1, 2].some((steps) => codeNow(secret, steps) === code),
    )
    const statuses: number[] = []
    const inSession: number[] = []
    for (let count = 0; count < 11; count += 1) {
      statuses.push((await signIn({ email, password, totp: wrong[count % wrong.length] })).status)
      const headers = { 'idempotency-key': `code-${count}` }
      const body = { code: wrong[count % wrong.length] }
      inSession.push((await browser.call('POST', '/v1/session/totp/remove', body, { headers })).status)
    }
    for (const each of [statuses, inSession]) expect(each).toEqual([...Array<number>(10).fill(422), 429])
    expect((await signIn({ email, password, totp: right })).status).toBe(429)
    clock.advance(hourMs + secondMs)
    expect((await signIn({ email, password, totp: codeNow(secret) })).status).toBe(200)
  })

  it('cannot be replaced while it is on, and is switched off with a code', async () => {
    const shop = await makeShop()
    const { email, browser } = await makeMember([roleIn(shop, 'viewer')])
    expect((await browser.call('POST', '/v1/session/totp/confirm', { code: '123456' })).status).toBe(422)
    expect((await browser.call('POST', '/v1/session/totp/remove', { code: '123456' })).status).toBe(422)
    const secret = await setUp(browser)
    expect((await browser.call('POST', '/v1/session/totp', { password })).status).toBe(422)
    expect((await browser.call('POST', '/v1/session/totp/confirm', { code: codeNow(secret, 1) })).status).toBe(422)
    clock.advance(30 * secondMs)
    expect((await browser.call('POST', '/v1/session/totp/remove', { code: codeNow(secret) })).status).toBe(200)
    expect((await signIn({ email, password })).status).toBe(200)
  })

  it('survives a reset of the password, and is switched off by an admin', async () => {
    const shop = await makeShop()
    const { uuid, email, browser } = await makeMember([roleIn(shop, 'viewer')])
    const secret = await setUp(browser)
    const { link } = (await call('POST', `/v1/people/${uuid}/reset`)).body
    await accept(tokenOf(link), { password: otherPassword })
    expect((await signIn({ email, password: otherPassword })).status).toBe(422)
    const auth = await shop.credentials('admin')
    const patch = (body: object) => call('PATCH', `/v1/people/${uuid}`, { auth, body })
    expect((await patch({ two_factor: true })).status).toBe(422)
    expect((await patch({ two_factor: false })).body.two_factor).toBe(false)
    expect((await signIn({ email, password: otherPassword })).status).toBe(200)
    expect((await signIn({ email, password: otherPassword, totp: codeNow(secret) })).status).toBe(200)
  })

  it('is stored encrypted', async () => {
    const shop = await makeShop()
    const { uuid, browser } = await makeMember([roleIn(shop, 'viewer')])
    const secret = await setUp(browser)
    const { database } = await theService()
    const { rows } = await sql<{ sealed: Buffer }>`
      select totp_secret as sealed from people where id = ${uuid}`.execute(database.db)
    expect(rows[0]?.sealed.includes(secret)).toBe(false)
  })
})
