import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { codeAt } from '../../src/access/people/totp.ts'
import { dayMs, hourMs, minuteMs, secondMs } from '../../src/platform/foundation/clock.ts'
import { accept, anyAddress, browserOf, makeMember, password, roleIn, signIn, tokenOf } from '../harness/people.ts'
import { call, clock, type Reply } from '../harness/service.ts'
import { makeShop, type TestShop } from '../harness/shop.ts'
import { type Office, openOffice } from '../harness/team-mail.ts'

let office: Office
let shop: TestShop

beforeAll(async () => {
  office = await openOffice()
  shop = await makeShop({}, office.service)
})
afterEach(() => clock.reset())
afterAll(() => office.close())

const otherPassword = 'nine letters to the sea'
const subject = 'Somebody has your password'

/** Somebody with a second factor, who has signed in from home. */
async function makeOwner(ofShop = shop) {
  const { service } = office
  const home = anyAddress()
  const member = await makeMember([roleIn(ofShop, 'admin')], service)
  const { email, browser } = member
  const { body } = await browser.call('POST', '/v1/session/totp', { password })
  const code = (steps = 0) => codeAt(body.secret, Math.floor(clock.now().getTime() / 30_000) + steps)
  const wrongCode = () => ['000001', '000002', '000003', '000004'].find((wrong) => !near().includes(wrong))
  const near = () => [-2, -1, 0, 1, 2].map(code)
  expect((await browser.call('POST', '/v1/session/totp/confirm', { code: code() })).status).toBe(200)
  clock.advance(minuteMs)
  const enter = (totp: string | undefined, from = anyAddress()): Promise<Reply> =>
    signIn({ email, password, totp }, { from }, service)
  expect((await enter(code(), home)).status).toBe(200)
  clock.advance(minuteMs)
  return {
    ...member,
    home,
    code,
    enter,
    wrongCode,
    /** Wrong codes, each from another network unless one is given. */
    async guess(count: number, from?: string): Promise<number[]> {
      const statuses: number[] = []
      for (let done = 0; done < count; done += 1) statuses.push((await enter(wrongCode(), from)).status)
      return statuses
    },
    async warning() {
      return (await browser.call('GET', '/v1/session')).body.password_warning
    },
    async mails() {
      return (await office.inbox(email)).filter((mail) => !/access|Zugang/.test(mail.subject ?? ''))
    },
  }
}

describe('codes', () => {
  it('that strangers try do not keep the owner out at home', async () => {
    const owner = await makeOwner()
    expect(await owner.guess(12)).toEqual([...Array<number>(10).fill(422), 429, 429])
    expect((await owner.enter(owner.code())).status).toBe(429)
    expect((await owner.enter(owner.code(), owner.home)).status).toBe(200)
  })

  it('that strangers try do not keep the owner from switching the second factor off', async () => {
    const owner = await makeOwner()
    await owner.guess(11)
    const removed = await owner.browser.call('POST', '/v1/session/totp/remove', { code: owner.code() })
    expect(removed.status).toBe(200)
  })

  it('are limited in each known network, and in all of them together', async () => {
    const owner = await makeOwner()
    expect(await owner.guess(11, owner.home)).toEqual([...Array<number>(10).fill(422), 429])
    const others = [anyAddress(), anyAddress(), anyAddress()]
    for (const from of others) {
      expect((await owner.enter(owner.code(), from)).status).toBe(200)
      clock.advance(minuteMs)
    }
    const statuses = []
    for (const from of others) statuses.push(...(await owner.guess(10, from)))
    expect(statuses).toEqual([...Array<number>(20).fill(422), ...Array<number>(10).fill(429)])
    clock.advance(hourMs)
    expect((await owner.enter(owner.code(), owner.home)).status).toBe(200)
  })
})

describe('password warning', () => {
  it('is shown to the person alone, from the third wrong code on', async () => {
    const owner = await makeOwner()
    const from = '2001:db8:7:9::1'
    await owner.guess(2, from)
    expect(await owner.warning()).toBeNull()
    await owner.guess(1, from)
    const first = await owner.warning()
    expect(first).toEqual({ at: expect.any(String), network: '2001:db8:7:9' })
    clock.advance(hourMs)
    const later = anyAddress()
    await owner.guess(1, later)
    const second = await owner.warning()
    expect(second).toEqual({ at: expect.any(String), network: later })
    expect(Date.parse(second.at) - Date.parse(first.at)).toBeGreaterThanOrEqual(hourMs)
    const others = [
      await call('GET', `/v1/people/${owner.uuid}`, {}, office.service),
      await call('GET', '/v1/people', {}, office.service),
      await call('GET', '/v1/session', {}, office.service),
    ]
    for (const { text } of others) expect(text).not.toContain(later)
    expect(others[2]?.body.password_warning).toBeNull()
  })

  it('is not given for wrong passwords, a missing code, or wrong codes at home and in a session', async () => {
    const owner = await makeOwner()
    for (let time = 0; time < 4; time += 1) {
      await signIn({ email: owner.email, password: otherPassword, totp: owner.wrongCode() }, {}, office.service)
      await owner.enter(undefined)
      await owner.browser.call('POST', '/v1/session/totp/remove', { code: owner.wrongCode() })
    }
    await owner.guess(4, owner.home)
    expect(await owner.warning()).toBeNull()
    expect(await owner.mails()).toEqual([])
  })

  it('is not given for single wrong codes on different days', async () => {
    const owner = await makeOwner()
    for (let day = 0; day < 2; day += 1) {
      await owner.guess(2)
      clock.advance(dayMs + secondMs)
    }
    await owner.guess(2)
    expect((await owner.enter(owner.code())).body).toMatchObject({ kind: 'person' })
    const { rows } = await sql<{ at: Date | null }>`
      select password_warning_at as at from people where id = ${owner.uuid}`.execute(office.service.database.db)
    expect(rows).toEqual([{ at: null }])
  })

  it('is sent to the person once a day, with the network and the way to the account', async () => {
    const owner = await makeOwner()
    await owner.guess(5, '2001:db8:7:a::1')
    const [mail, ...more] = await owner.mails()
    expect(more).toEqual([])
    expect(mail).toMatchObject({ subject })
    expect(mail?.text).toContain('2001:db8:7:a')
    expect(mail?.text).toContain(' UTC')
    expect(mail?.html).toMatch(/href="[^"]*\/dashboard\/account"/)
    // Dismissed, it is shown again, and not sent again on the same day.
    await owner.browser.call('DELETE', '/v1/session/password-warning')
    await owner.guess(1)
    expect(await owner.warning()).not.toBeNull()
    expect(await owner.mails()).toHaveLength(1)
    clock.advance(dayMs + secondMs)
    await owner.guess(3)
    expect(await owner.mails()).toHaveLength(2)
  })

  it('is sent in the language of the person or their shop, whatever the browser says', async () => {
    const german = await makeShop({ language: 'de' }, office.service)
    const owner = await makeOwner(german)
    const body = { email: owner.email, password, totp: owner.wrongCode() }
    for (let time = 0; time < 3; time += 1) {
      await signIn(body, { headers: { 'accept-language': 'en' } }, office.service)
    }
    expect((await owner.mails())[0]).toMatchObject({ subject: 'Jemand kennt Ihr Passwort' })
  })

  it('is dismissed by the person, and by nobody else', async () => {
    const owner = await makeOwner()
    await owner.guess(3)
    const path = '/v1/session/password-warning'
    expect((await call('DELETE', path, {}, office.service)).status).toBe(200)
    expect((await call('DELETE', path, { auth: null }, office.service)).status).toBe(400)
    const other = await makeOwner()
    expect((await other.browser.call('DELETE', path)).status).toBe(200)
    expect(await owner.warning()).not.toBeNull()
    expect((await owner.browser.call('DELETE', path)).status).toBe(200)
    expect(await owner.warning()).toBeNull()
    expect((await owner.browser.call('DELETE', path)).status).toBe(200)
  })

  it('ends with the password', async () => {
    const owner = await makeOwner()
    await owner.guess(3)
    const change = { old_password: password, new_password: otherPassword }
    expect((await owner.browser.call('PUT', '/v1/session/password', change)).status).toBe(200)
    expect(await owner.warning()).toBeNull()

    const forgetful = await makeOwner()
    await forgetful.guess(3)
    const { body } = await call('POST', `/v1/people/${forgetful.uuid}/reset`, {}, office.service)
    expect((await accept(tokenOf(body.link), { password: otherPassword }, office.service)).status).toBe(200)
    const back = await signIn(
      { email: forgetful.email, password: otherPassword, totp: forgetful.code() },
      { from: forgetful.home },
      office.service,
    )
    expect(back.status).toBe(200)
    const session = await browserOf(back, office.service).call('GET', '/v1/session')
    expect(session.body.password_warning).toBeNull()
  })

  it('is in the audit log of the installation once a day, without the network', async () => {
    const owner = await makeOwner()
    const from = anyAddress()
    await owner.guess(5, from)
    const log = await call('GET', `/v1/audit-log?subject_kind=person&subject_id=${owner.uuid}`, {}, office.service)
    const warned = log.body.filter(({ action }: { action: string }) => action === 'warnOfPassword')
    expect(warned).toEqual([
      expect.objectContaining({
        actor: { kind: 'system', id: null, name: null },
        subject: { kind: 'person', id: owner.uuid, name: 'Mia Sommer' },
      }),
    ])
    expect(log.text).not.toContain(from)
    await owner.browser.call('DELETE', '/v1/session/password-warning')
    const after = await call('GET', `/v1/audit-log?subject_kind=person&subject_id=${owner.uuid}`, {}, office.service)
    expect(after.body[0]).toMatchObject({
      action: 'dismissPasswordWarning',
      actor: { kind: 'person', id: owner.uuid },
      changes: { password_warning: { before: expect.any(String), after: null } },
    })
  })

  it('goes with the person', async () => {
    const owner = await makeOwner()
    const from = anyAddress()
    await owner.guess(3, from)
    const places = async () => {
      const { rows } = await sql<{ count: number }>`
        select (select count(*) from people where password_warning_network = ${from})::int
          + (select count(*) from team_mails where person_id = ${owner.uuid} and kind = 'password_warning')::int as count`.execute(
        office.service.database.db,
      )
      return rows[0]?.count
    }
    expect(await places()).toBe(2)
    expect((await call('DELETE', `/v1/people/${owner.uuid}`, {}, office.service)).status).toBe(200)
    expect(await places()).toBe(0)
  })
})
