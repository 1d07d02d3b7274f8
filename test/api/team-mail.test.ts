import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { queueTeamMail } from '../../src/messages/team-mail/outbox.ts'
import { leaseTeamMail, releaseLeasedTeamMails } from '../../src/messages/team-mail/outbox-store.ts'
import { hourMs, minuteMs } from '../../src/platform/foundation/clock.ts'
import { accept, anyAddress, anyEmail, invite, makeMember, password, signIn, tokenOf } from '../harness/people.ts'
import { call, clock, logLines, type Reply, superadmin } from '../harness/service.ts'
import { makeShop, type TestShop } from '../harness/shop.ts'
import { linkIn, type Office, openOffice } from '../harness/team-mail.ts'

let office: Office
let shop: TestShop

beforeAll(async () => {
  office = await openOffice()
  shop = await makeShop({}, office.service)
})
beforeEach(async () => {
  office.server.reject = () => undefined
  // Of a test that moved the clock.
  await sql`delete from team_mails`.execute(office.service.database.db)
})
afterEach(() => clock.reset())
afterAll(() => office.close())

const editor = () => [{ shop_slug: shop.slug, role: 'editor' as const }]

async function waiting(): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from team_mails`.execute(
    office.service.database.db,
  )
  return rows[0]?.count ?? -1
}

function queue(to: string, fields: { personId?: string } = {}): Promise<void> {
  return queueTeamMail(office.service.context(), {
    to,
    shopId: null,
    personId: null,
    kind: 'alert',
    subject: 'Hello',
    html: '<p>Hello</p>',
    text: 'Hello',
    ...fields,
  })
}

describe('invitation', () => {
  it('is sent with its link, which works', async () => {
    const email = anyEmail()
    const { body } = await call('POST', '/v1/people', { body: { email, shops: editor() } }, office.service)
    expect(body.mailed).toBe(true)
    const [mail, ...others] = await office.inbox(email)
    expect(others).toEqual([])
    expect(mail).toMatchObject({
      subject: expect.stringMatching(/^Your access to Test shop \d+$/),
      from: { text: expect.stringContaining('Doorstep') },
    })
    expect(linkIn(mail)).toBe(body.link)
    expect(mail?.text).toContain(body.link)
    expect((await accept(tokenOf(linkIn(mail)), {}, office.service)).status).toBe(200)
    expect((await signIn({ email, password }, {}, office.service)).status).toBe(200)
  })

  it('is in the language of the shop', async () => {
    const german = await makeShop({ language: 'de' }, office.service)
    const { email } = await invite([{ shop_slug: german.slug, role: 'viewer' }], {}, office.service)
    const [mail] = await office.inbox(email)
    expect(mail?.subject).toMatch(/^Ihr Zugang zu Test shop \d+$/)
    expect(mail?.html).toContain('<html lang="de">')
  })

  it('is only returned if no mail is configured', async () => {
    const there = await makeShop()
    const { body } = await call('POST', '/v1/people', {
      body: { email: anyEmail(), shops: [{ shop_slug: there.slug, role: 'viewer' }] },
    })
    expect(body).toMatchObject({ mailed: false, link: expect.stringContaining('#token=') })
  })

  it('cannot smuggle in a header through a name', async () => {
    const { email } = await invite(editor(), { email: anyEmail() }, office.service)
    const named = await call(
      'POST',
      '/v1/people',
      { body: { email: anyEmail(), name: 'Eve\r\nBcc: all@shop.example', shops: editor() } },
      office.service,
    )
    const [mail] = named.status === 200 ? await office.inbox(named.body.person.email) : []
    expect(mail?.headers.has('bcc') ?? false).toBe(false)
    await office.inbox(email)
  })
})

describe('reset', () => {
  it('by an admin is sent to the person', async () => {
    const person = await makeMember(editor(), office.service)
    const { body } = await call('POST', `/v1/people/${person.uuid}/reset`, {}, office.service)
    expect(body.mailed).toBe(true)
    const mail = (await office.inbox(person.email)).at(-1)
    expect(mail?.subject).toBe('Set a new password')
    expect(linkIn(mail)).toBe(body.link)
    expect(mail?.text).toContain(superadmin.username)
  })

  const ask = (email: string, options = {}): Promise<Reply> =>
    call('POST', '/v1/session/reset', { auth: null, from: anyAddress(), body: { email }, ...options }, office.service)

  it('can be asked for on the sign-in page, in the language of the browser', async () => {
    const person = await makeMember(editor(), office.service)
    const before = (await office.inbox(person.email)).length
    const { status, body } = await ask(person.email.toUpperCase(), { headers: { 'accept-language': 'de-AT,en;q=0.5' } })
    expect([status, body]).toEqual([200, { is_available: true }])
    const [mail] = (await office.inbox(person.email)).slice(before)
    expect(mail?.subject).toBe('Neues Passwort festlegen')
    const fields = { password: 'eight parcels at dusk' }
    expect((await accept(tokenOf(linkIn(mail)), fields, office.service)).status).toBe(200)
    expect((await signIn({ email: person.email, ...fields }, {}, office.service)).status).toBe(200)
  })

  it('gets the same response for an address without an account, which gets no message', async () => {
    const person = await makeMember(editor(), office.service)
    await office.inbox(person.email)
    const count = office.server.mails.length
    await office.service.workers?.teamMails.idle()
    const responseTo = async (email: string) => {
      const reply = await ask(email)
      return [reply.status, reply.text, Object.keys(reply.headers).sort()]
    }
    expect(await responseTo(anyEmail())).toEqual(await responseTo(person.email))
    await office.inbox(person.email)
    expect(office.server.mails).toHaveLength(count + 1)
    expect(await waiting()).toBe(0)
  })

  it('is not sent to those who are disabled', async () => {
    const person = await makeMember(editor(), office.service)
    await call('PATCH', `/v1/people/${person.uuid}`, { body: { is_disabled: true } }, office.service)
    const before = (await office.inbox(person.email)).length
    await ask(person.email)
    expect(await office.inbox(person.email)).toHaveLength(before)
  })

  it('is limited for each account and for each network', async () => {
    const email = anyEmail()
    const ofAccount = []
    for (let time = 0; time < 4; time += 1) ofAccount.push((await ask(email)).status)
    expect(ofAccount).toEqual([200, 200, 200, 429])
    const from = anyAddress()
    const ofNetwork = []
    for (let time = 0; time < 21; time += 1) ofNetwork.push((await ask(anyEmail(), { from })).status)
    expect(ofNetwork.slice(-2)).toEqual([200, 429])
    clock.advance(2 * hourMs)
    expect((await ask(email, { from })).status).toBe(200)
  })

  it('is rejected from another site and with bad input', async () => {
    const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
    expect((await ask(anyEmail(), { headers })).status).toBe(403)
    for (const email of ['nobody', 'a@b.example\r\nBcc: c@d.example', '', `${'a'.repeat(300)}@b.example`]) {
      expect((await ask(email)).status, email).toBe(422)
    }
  })

  it('is refused politely if no mail is configured', async () => {
    const options = await call('GET', '/v1/session/options', { auth: null })
    expect(options.body.password_reset).toBe(false)
    const reply = await call('POST', '/v1/session/reset', {
      auth: null,
      from: anyAddress(),
      body: { email: anyEmail() },
    })
    expect(reply.body).toEqual({ is_available: false })
    expect((await call('GET', '/v1/session/options', { auth: null }, office.service)).body.password_reset).toBe(true)
  })
})

describe('message to the team', () => {
  it('is stored encrypted, and not at all once it is sent', async () => {
    office.server.reject = () => ({ code: 451, message: 'later' })
    const { email, token } = await invite(editor(), {}, office.service)
    await office.inbox(email)
    const { rows } = await sql<{ row: string }>`
      select row_to_json(team_mails)::text || encode(sealed, 'escape') as row from team_mails`.execute(
      office.service.database.db,
    )
    expect(rows).toHaveLength(1)
    expect(rows[0]?.row).not.toContain(token)
    expect(rows[0]?.row).not.toContain(email)
    office.server.reject = () => undefined
    clock.advance(minuteMs)
    expect(await office.inbox(email)).toHaveLength(1)
    expect(await waiting()).toBe(0)
  })

  it('is tried again with the same Message-ID, and given up after a day', async () => {
    const email = anyEmail()
    const ids: string[] = []
    office.server.reject = ({ raw }) => {
      ids.push(/^Message-ID: (.*)$/im.exec(raw)?.[1] ?? '')
      return { code: 451, message: 'try again later' }
    }
    await queue(email)
    for (let hours = 0; hours < 26; hours += 1) {
      await office.inbox(email)
      clock.advance(hourMs)
    }
    expect(ids.length).toBeGreaterThan(20)
    expect(new Set(ids).size).toBe(1)
    expect(ids[0]).toMatch(/^<[0-9a-f-]{36}@doorstep\.example>$/)
    expect(await waiting()).toBe(0)
    const lost = logLines.findLast((line) => line.includes('could not be sent'))
    expect(lost).toContain('"kind":"alert"')
    expect(logLines.join('\n')).not.toContain(email)
  })

  it('leaves once when several nodes send', async () => {
    const email = anyEmail()
    await office.service.workers?.teamMails.idle()
    await queue(email)
    await Promise.all([1, 2, 3].map(() => office.inbox(email)))
    expect(await office.inbox(email)).toHaveLength(1)
  })

  it('is sent again by the next process if one died while it sent', async () => {
    const email = anyEmail()
    office.server.reject = () => ({ code: 451, message: 'later' })
    await queue(email)
    await office.inbox(email)
    office.server.reject = () => undefined
    clock.advance(minuteMs)
    const context = office.service.context()
    expect(await leaseTeamMail(context, new Date(context.now.getTime() + 5 * minuteMs))).toBeDefined()
    expect(await office.inbox(email)).toHaveLength(0)
    clock.advance(6 * minuteMs)
    expect(await office.inbox(email)).toHaveLength(1)
  })

  it('is released at once when the only process starts again', async () => {
    const email = anyEmail()
    office.server.reject = () => ({ code: 451, message: 'later' })
    await queue(email)
    await office.inbox(email)
    office.server.reject = () => undefined
    clock.advance(minuteMs)
    const context = office.service.context()
    await leaseTeamMail(context, new Date(context.now.getTime() + 5 * minuteMs))
    await releaseLeasedTeamMails(office.service.context())
    expect(await office.inbox(email)).toHaveLength(1)
  })

  it('goes with the person it is for', async () => {
    office.server.reject = () => ({ code: 451, message: 'later' })
    const { uuid, email } = await invite(editor(), {}, office.service)
    await office.inbox(email)
    expect(await waiting()).toBe(1)
    await call('DELETE', `/v1/people/${uuid}`, {}, office.service)
    expect(await waiting()).toBe(0)
  })

  it('is not sent for a shop that is deleted', async () => {
    const gone = await makeShop({}, office.service)
    office.server.reject = () => ({ code: 451, message: 'later' })
    const { email } = await invite([{ shop_slug: gone.slug, role: 'viewer' }], {}, office.service)
    await office.inbox(email)
    office.server.reject = () => undefined
    await call('DELETE', `/v1/shops/${gone.slug}`, {}, office.service)
    clock.advance(minuteMs)
    expect(await office.inbox(email)).toHaveLength(0)
  })

  it('says in its text part what it says in HTML', async () => {
    const { email } = await invite(editor(), {}, office.service)
    const [mail] = await office.inbox(email)
    expect(mail?.text).toMatch(/^You are invited\n\nHello,\n\nadmin has invited you/)
    expect(mail?.text).not.toMatch(/<|&amp;/)
    expect(mail?.headers.get('auto-submitted')).toBe('auto-generated')
    expect(Buffer.byteLength(mail?.html || '')).toBeLessThan(20_000)
  })
})
