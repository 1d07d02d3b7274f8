import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { dayMs } from '../../src/platform/foundation/clock.ts'
import { runJob } from '../harness/deliveries.ts'
import {
  accept,
  anyEmail,
  invite,
  makeMember,
  openBrowser,
  password,
  roleIn,
  signIn,
  tokenOf,
} from '../harness/people.ts'
import { type Call, call, clock, openTestDatabase, startTestService } from '../harness/service.ts'
import { makeShop, type TestShop } from '../harness/shop.ts'

afterEach(() => clock.reset())

type Auth = NonNullable<Call['auth']>

const list = async (auth?: Auth, query: Record<string, string | number> = {}) =>
  call('GET', '/v1/people', { ...(auth ? { auth } : {}), query: { per_page: 100, ...query } })
const emailsOf = (body: { email: string }[]) => body.map(({ email }) => email)

describe('people', () => {
  it('are in the audit log of each of their shops, without the other shops', async () => {
    const [shop, other] = [await makeShop(), await makeShop()]
    const shops = [roleIn(shop, 'viewer'), roleIn(other, 'admin')]
    const { person } = (await call('POST', '/v1/people', { body: { email: anyEmail(), shops } })).body
    await call('PATCH', `/v1/people/${person.uuid}`, {
      body: { shops: [roleIn(shop, 'editor'), roleIn(other, 'admin')] },
    })
    await call('DELETE', `/v1/people/${person.uuid}`)
    const entriesOf = async (of: TestShop) =>
      (await of.as('admin').get('/audit-log', { subject_kind: 'person', subject_id: person.uuid })).body
    const [removed, changed, invited] = await entriesOf(shop)
    expect(removed.changes.role).toEqual({ before: 'editor', after: null })
    expect(changed.changes).toEqual({ role: { before: 'viewer', after: 'editor' } })
    expect(invited.changes).toMatchObject({ email: { before: null, after: person.email }, role: { after: 'viewer' } })
    expect(JSON.stringify([removed, changed, invited])).not.toContain(other.slug)
    expect((await entriesOf(other)).map(({ action }: { action: string }) => action)).toEqual([
      'deletePerson',
      'invitePerson',
    ])
  })

  it('are invited with a link that is shown once, and listed by name', async () => {
    const shop = await makeShop()
    const auth = await shop.credentials('admin')
    const email = anyEmail()
    const { body, headers } = await call('POST', '/v1/people', {
      auth,
      body: { email: email.toUpperCase(), name: ' Zoe ', shops: [roleIn(shop, 'editor')] },
    })
    expect(headers.location).toBe(`/v1/people/${body.person.uuid}`)
    expect(body.link).toMatch(/^https:\/\/doorstep\.example\/dashboard\/invitation#token=[\w-]{43}$/)
    expect(body.person).toMatchObject({
      email,
      name: 'Zoe',
      shops: [{ shop_slug: shop.slug, role: 'editor' }],
      status: 'invited',
      signs_in_with: 'password',
      two_factor: false,
      last_sign_in_at: null,
      open_link: { kind: 'invitation', expires_at: body.expires_at },
      session_count: 0,
      can_manage: true,
    })
    await accept(tokenOf(body.link), { name: 'Anna' })
    const second = await makeMember([roleIn(shop, 'viewer')])
    await openBrowser({ email, password })
    const listed = await list(auth, { shop_slug: shop.slug })
    expect(listed.text).not.toContain(tokenOf(body.link))
    expect(emailsOf(listed.body)).toEqual([email, second.email])
    expect(listed.body[0]).toMatchObject({ status: 'active', open_link: null, session_count: 1 })
    expect(listed.body[0].last_sign_in_at).not.toBeNull()
    expect(emailsOf((await list(auth, { q: 'ANNA' })).body)).toEqual([email])
    expect(emailsOf((await list(auth, { q: second.email.slice(3, 20) })).body)).toContain(second.email)
    expect(emailsOf((await list(auth, { q: '%' })).body)).toEqual([])
  })

  it('are one per e-mail address, however it is written', async () => {
    const shop = await makeShop()
    const { email } = await invite([roleIn(shop, 'viewer')])
    for (const again of [email, email.toUpperCase(), ` ${email}`.trim()]) {
      expect(
        await call('POST', '/v1/people', { body: { email: again, shops: [roleIn(shop, 'viewer')] } }),
      ).toMatchObject({ status: 409, body: { key: 'user_exists' } })
    }
    const bad = ['', 'x', 'a b@c.example', 'a:b@c.example', `${'a'.repeat(250)}@c.example`, null]
    for (const email of bad) {
      expect((await call('POST', '/v1/people', { body: { email, shops: [roleIn(shop, 'viewer')] } })).status).toBe(422)
    }
    expect((await call('POST', '/v1/people', { body: { email: anyEmail(), shops: [] } })).status).toBe(422)
  })

  it('are seen by admins of their shops only', async () => {
    const [shop, other] = [await makeShop(), await makeShop()]
    const [here, there] = [await invite([roleIn(shop, 'viewer')]), await invite([roleIn(other, 'viewer')])]
    const both = await invite([roleIn(shop, 'viewer'), roleIn(other, 'admin')])
    const auth = await shop.credentials('admin')
    const seen = (await list(auth)).body
    expect(emailsOf(seen)).toEqual(expect.arrayContaining([here.email, both.email]))
    expect(emailsOf(seen)).not.toContain(there.email)
    const shared = seen.find(({ uuid }: { uuid: string }) => uuid === both.uuid)
    expect(shared).toMatchObject({ shops: [{ shop_slug: shop.slug, role: 'viewer' }], can_manage: false })
    expect((await call('GET', `/v1/people/${both.uuid}`, { auth })).body).toEqual(shared)
    expect(await list(auth, { shop_slug: other.slug })).toMatchObject({ status: 403 })
    expect(await list(auth, { shop_slug: 'no-such-shop' })).toMatchObject({ status: 404 })
    for (const [method, path, body] of [
      ['GET', `/v1/people/${there.uuid}`, undefined],
      ['PATCH', `/v1/people/${there.uuid}`, { name: 'X' }],
      ['DELETE', `/v1/people/${there.uuid}`, undefined],
      ['POST', `/v1/people/${there.uuid}/reset`, undefined],
    ] as const) {
      expect(await call(method, path, { auth, body })).toMatchObject({ status: 404, body: { key: 'user_not_found' } })
    }
    const missing = '0192f3c4-7b1e-7cc0-9d3a-2f6f7a1b4c5d'
    expect((await call('DELETE', `/v1/people/${missing}`)).body.key).toBe('user_not_found')
  })

  it('get no more than the one who invites them has', async () => {
    const [shop, other] = [await makeShop(), await makeShop()]
    const auth = await shop.credentials('admin')
    const tryWith = async (shops: object[], as: Auth = auth) =>
      (await call('POST', '/v1/people', { auth: as, body: { email: anyEmail(), shops } })).status
    expect(await tryWith([roleIn(other, 'viewer')])).toBe(422)
    expect(await tryWith([{ shop_slug: '*', role: 'viewer' }])).toBe(403)
    expect(await tryWith([{ shop_slug: '*', role: 'superadmin' }])).toBe(403)
    expect(await tryWith([roleIn(shop, 'superadmin')])).toBe(422)
    expect(await tryWith([roleIn(shop, 'admin')])).toBe(200)
    expect(await tryWith([roleIn(shop, 'viewer')], await shop.credentials('editor'))).toBe(403)
    // A key for all shops that is no superadmin's.
    const { username, secret } = (await call('POST', '/v1/api-keys')).body
    const everywhere = { username, apiKey: secret }
    expect(await tryWith([{ shop_slug: '*', role: 'viewer' }], everywhere)).toBe(403)
    expect(await tryWith([roleIn(other, 'admin')], everywhere)).toBe(200)
  })

  it('get more by no change that they, or an admin of one of their shops, could make', async () => {
    const [shop, other] = [await makeShop(), await makeShop()]
    const auth = await shop.credentials('admin')
    const { uuid } = await invite([roleIn(shop, 'viewer')])
    const patch = async (shops: object[], id = uuid, as: Auth = auth) =>
      (await call('PATCH', `/v1/people/${id}`, { auth: as, body: { shops } })).status
    expect(await patch([roleIn(other, 'viewer')])).toBe(422)
    expect(await patch([{ shop_slug: '*', role: 'admin' }])).toBe(403)
    expect(await patch([roleIn(shop, 'superadmin')])).toBe(422)
    expect(await patch([roleIn(shop, 'admin')])).toBe(200)
    const both = await invite([roleIn(shop, 'viewer'), roleIn(other, 'viewer')])
    expect(await patch([roleIn(shop, 'admin')], both.uuid)).toBe(403)
    const member = await makeMember([roleIn(shop, 'admin')])
    for (const body of [{ shops: [{ shop_slug: '*', role: 'superadmin' }] }, { shops: [roleIn(shop, 'viewer')] }]) {
      expect((await member.browser.call('PATCH', `/v1/people/${member.uuid}`, body)).status).toBe(403)
    }
    expect((await member.browser.call('PATCH', `/v1/people/${member.uuid}`, { is_disabled: true })).status).toBe(403)
    expect((await member.browser.call('DELETE', `/v1/people/${member.uuid}`)).status).toBe(403)
    const superadmin = await makeMember([{ shop_slug: '*', role: 'superadmin' }])
    for (const [method, path, body] of [
      ['PATCH', `/v1/people/${superadmin.uuid}`, { name: 'X' }],
      ['POST', `/v1/people/${superadmin.uuid}/reset`, undefined],
      ['DELETE', `/v1/people/${superadmin.uuid}`, undefined],
    ] as const) {
      expect((await member.browser.call(method, path, body)).status).toBe(404)
    }
    expect(emailsOf((await list(auth)).body)).not.toContain(superadmin.email)
  })

  it('with rights elsewhere cannot be taken over by a link or changed, only removed from the shop', async () => {
    const [shop, other] = [await makeShop(), await makeShop()]
    const auth = await shop.credentials('admin')
    const member = await makeMember([roleIn(shop, 'viewer'), roleIn(other, 'viewer')])
    expect((await call('POST', `/v1/people/${member.uuid}/reset`, { auth })).status).toBe(403)
    for (const body of [{ name: 'X' }, { is_disabled: true }, { two_factor: false }]) {
      expect((await call('PATCH', `/v1/people/${member.uuid}`, { auth, body })).status).toBe(403)
    }
    expect((await call('DELETE', `/v1/people/${member.uuid}`, { auth })).body).toEqual({
      uuid: member.uuid,
      is_deleted: false,
      shops: [shop.slug],
      sessions_ended: 0,
    })
    expect((await member.browser.call('GET', `/v1/shops/${shop.slug}`)).status).toBe(403)
    expect((await member.browser.call('GET', `/v1/shops/${other.slug}`)).status).toBe(200)
    expect((await call('DELETE', `/v1/people/${member.uuid}`, { auth })).status).toBe(404)
    const everywhere = await invite([{ shop_slug: '*', role: 'viewer' }])
    expect((await call('DELETE', `/v1/people/${everywhere.uuid}`, { auth })).status).toBe(403)
  })

  it('with more rights than before have no link that was created before', async () => {
    const [shop, other] = [await makeShop(), await makeShop()]
    const auth = await shop.credentials('admin')
    // An admin invites somebody, keeps the link, and waits for a superadmin to add a shop.
    const kept = await invite([roleIn(shop, 'viewer')], { auth })
    const less = await call('PATCH', `/v1/people/${kept.uuid}`, { body: { shops: [roleIn(shop, 'viewer')] } })
    expect(less.body.open_link).not.toBeNull()
    const more = await call('PATCH', `/v1/people/${kept.uuid}`, {
      body: { shops: [roleIn(shop, 'viewer'), roleIn(other, 'admin')] },
    })
    expect(more.body.open_link).toBeNull()
    expect((await accept(kept.token)).status).toBe(422)
    const anew = tokenOf((await call('POST', `/v1/people/${kept.uuid}/reset`)).body.link)
    expect((await accept(anew)).status).toBe(200)
  })

  it('are deleted with their sessions and links', async () => {
    const shop = await makeShop()
    const member = await makeMember([roleIn(shop, 'editor')])
    await openBrowser({ email: member.email, password })
    const link = tokenOf((await call('POST', `/v1/people/${member.uuid}/reset`)).body.link)
    const removed = await call('DELETE', `/v1/people/${member.uuid}`, { auth: await shop.credentials('admin') })
    expect(removed.body).toEqual({ uuid: member.uuid, is_deleted: true, shops: [shop.slug], sessions_ended: 2 })
    expect((await member.browser.call('GET', '/v1/session')).status).toBe(401)
    expect((await signIn({ email: member.email, password })).status).toBe(401)
    expect((await accept(link)).status).toBe(422)
    // The address is free again, and nothing of the old account comes back.
    const again = await invite([roleIn(shop, 'viewer')], { email: member.email })
    expect(again.uuid).not.toBe(member.uuid)
    expect((await signIn({ email: member.email, password })).status).toBe(401)
  })

  it('are disabled at once, and can be enabled again', async () => {
    const shop = await makeShop()
    const member = await makeMember([roleIn(shop, 'editor')])
    const auth = await shop.credentials('admin')
    const patch = (body: object) => call('PATCH', `/v1/people/${member.uuid}`, { auth, body })
    expect((await patch({ is_disabled: true })).body).toMatchObject({ status: 'disabled', session_count: 0 })
    expect((await member.browser.call('GET', '/v1/session')).status).toBe(401)
    expect((await signIn({ email: member.email, password })).status).toBe(401)
    expect((await patch({ is_disabled: false })).body.status).toBe('active')
    expect((await member.browser.call('GET', '/v1/session')).status).toBe(401)
    expect((await signIn({ email: member.email, password })).status).toBe(200)
  })

  it('get changed roles at once, in the session that is open', async () => {
    const shop = await makeShop()
    const { uuid, browser } = await makeMember([roleIn(shop, 'viewer')])
    const patchShop = async () => (await browser.call('PATCH', `/v1/shops/${shop.slug}`, {})).status
    const give = (role: 'admin' | 'viewer') =>
      call('PATCH', `/v1/people/${uuid}`, { body: { shops: [roleIn(shop, role)] } })
    expect(await patchShop()).toBe(403)
    await give('admin')
    expect(await patchShop()).toBe(200)
    await give('viewer')
    expect(await patchShop()).toBe(403)
  })

  it('who are superadmins manage everyone, and invite others', async () => {
    const shop = await makeShop()
    const { browser } = await makeMember([{ shop_slug: '*', role: 'superadmin' }])
    const other = await invite([{ shop_slug: '*', role: 'superadmin' }])
    expect((await browser.call('GET', '/v1/session')).body.everywhere).toBe('superadmin')
    const body = { email: anyEmail(), shops: [{ shop_slug: '*', role: 'superadmin' }] }
    expect((await browser.call('POST', '/v1/people', body)).status).toBe(200)
    expect((await browser.call('POST', '/v1/shops', { name: 'New', slug: `new-${process.pid}` })).status).toBe(200)
    const changed = { shops: [roleIn(shop, 'viewer')] }
    expect((await browser.call('PATCH', `/v1/people/${other.uuid}`, changed)).body.shops).toEqual(changed.shops)
    expect(emailsOf((await browser.call('GET', '/v1/people?q=person')).body)).toContain(other.email)
  })

  it('who are superadmins are listed for superadmins only, not for admins of all shops', async () => {
    const hidden = await invite([{ shop_slug: '*', role: 'superadmin' }])
    const seen = await invite([{ shop_slug: '*', role: 'viewer' }])
    const key = (await call('POST', '/v1/api-keys', { body: { role: 'admin' } })).body
    const auth = { username: key.username, apiKey: key.secret }
    const found = async (by?: Auth) =>
      Promise.all([hidden, seen].map(async ({ email }) => (await list(by, { q: email })).body.length))
    expect(await found(auth)).toEqual([0, 1])
    expect(await found()).toEqual([1, 1])
    expect((await call('GET', `/v1/people/${hidden.uuid}`, { auth })).status).toBe(404)
  })

  it('are paged', async () => {
    const shop = await makeShop()
    for (let count = 0; count < 5; count += 1) await invite([roleIn(shop, 'viewer')])
    const auth = await shop.credentials('admin')
    const page = await list(auth, { per_page: 2, page: 2, shop_slug: shop.slug })
    expect(page.body).toHaveLength(2)
    // Others with a role for all shops are listed as well.
    expect(Number(page.headers['x-total-count'])).toBeGreaterThanOrEqual(5)
    expect(page.headers.link).toContain('rel="next"')
  })

  it('of a deleted shop are removed with it, unless they have other rights', async () => {
    const [shop, other] = [await makeShop(), await makeShop()]
    const alone = await invite([roleIn(shop, 'viewer')])
    const both = await invite([roleIn(shop, 'viewer'), roleIn(other, 'viewer')])
    const everywhere = await invite([roleIn(shop, 'viewer'), { shop_slug: '*', role: 'viewer' }])
    await call('DELETE', `/v1/shops/${shop.slug}`)
    const left = async () => {
      const { body } = await list(undefined, { q: `person-${process.pid}` })
      return [alone, both, everywhere].filter(({ email }) => emailsOf(body).includes(email))
    }
    expect(await left()).toHaveLength(3)
    clock.advance(31 * dayMs)
    for (let run = 0; run < 5; run += 1) {
      clock.advance(60_000)
      await runJob('deleted shops')
    }
    expect(await left()).toEqual([both, everywhere])
  })
})

describe('colleagues', () => {
  it('are the people and keys of the shop, and the caller', async () => {
    const service = await startTestService({}, await openTestDatabase())
    onTestFinished(() => service.stop())
    const [shop, other] = [await makeShop({}, service), await makeShop({}, service)]
    const names = async (of: TestShop, query = {}) =>
      (await of.as('viewer').get('/colleagues', { per_page: 100, ...query })).body
    const member = await makeMember([roleIn(shop, 'viewer')], service)
    await member.browser.call('PATCH', '/v1/session', { name: `Colleague ${shop.slug}` })
    await invite([roleIn(shop, 'viewer')], {}, service)
    const disabled = await makeMember([roleIn(shop, 'viewer')], service)
    await disabled.browser.call('PATCH', '/v1/session', { name: `Gone ${shop.slug}` })
    await call('PATCH', `/v1/people/${disabled.uuid}`, { body: { is_disabled: true } }, service)
    const left = await makeMember([{ shop_slug: '*', role: 'viewer' }], service)
    await left.browser.call('PATCH', '/v1/session', { name: `Left ${shop.slug}` })
    expect((await names(shop)).map(({ name }: { name: string }) => name)).toContain(`Left ${shop.slug}`)
    await call('PATCH', `/v1/people/${left.uuid}`, { body: { is_disabled: true } }, service)
    await shop.as('admin').post('/api-keys', { username: `warehouse-${shop.slug}` })
    const expiration = Math.floor(clock.now().getTime() / 1_000) - 60
    await shop.as('admin').post('/api-keys', { username: `expired-${shop.slug}`, expiration })
    const listed = await names(shop)
    expect(listed).toEqual(
      expect.arrayContaining([
        { name: `Colleague ${shop.slug}`, kind: 'person' },
        { name: `warehouse-${shop.slug}`, kind: 'key' },
        { name: shop.slug, kind: 'key' },
      ]),
    )
    const shown = listed.map(({ name }: { name: string }) => name)
    expect(shown).not.toContain(`Gone ${shop.slug}`)
    expect(shown).not.toContain(`Left ${shop.slug}`)
    expect(shown).not.toContain(`expired-${shop.slug}`)
    expect(shown).not.toContain('')
    expect(JSON.stringify(await names(other))).not.toContain(shop.slug)
    // The superadmin's own name is shown to the superadmin only.
    expect(shown).not.toContain('admin')
    expect((await shop.as('superadmin').get('/colleagues', { per_page: 100 })).body).toContainEqual({
      name: 'admin',
      kind: 'key',
    })
    expect(await names(shop, { per_page: 1 })).toHaveLength(1)
  })
})
