import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { findCredentials } from '../../src/credentials/integration-keys/store.ts'
import { findMailAccount } from '../../src/credentials/mail-account/account.ts'
import { findClosedPort } from '../harness/loopback.ts'
import { type MailServer, startMailServer } from '../harness/mail-server.ts'
import { accountAt, signedInAt } from '../harness/mail-shop.ts'
import { call, logLines, openTestDatabase, startTestService, theService } from '../harness/service.ts'
import { makeShop, type TestShop } from '../harness/shop.ts'

const servers: MailServer[] = []
afterAll(async () => {
  for (const server of servers) await server.close()
})

async function serve(): Promise<MailServer> {
  const server = await startMailServer({ allowInsecureAuth: true })
  servers.push(server)
  return server
}

const somewhere = { host: 'smtp.shop.example', port: 587 }
const account = accountAt(somewhere, {
  security: 'starttls',
  username: 'orders@river-and-pine.example',
  password: 'smtp-password-kq7Zr0ss99',
})

const shopIdOf = async (shop: TestShop): Promise<string> => (await shop.as('viewer').get('')).body.uuid

describe('the mail account of a shop', () => {
  it('is sealed, and listed with its secrets masked once it is set', async () => {
    const shop = await makeShop()
    const admin = shop.as('admin')
    expect((await admin.get('/keys')).body).not.toHaveProperty('smtp')
    expect(await admin.put('/keys/smtp', account)).toMatchObject({ status: 200, text: 'null' })
    const { body, text } = await admin.get('/keys')
    expect(body.smtp).toEqual({ ...account, username: '****mple', password: '****ss99' })
    expect(text).not.toContain(account.password)
    const { context, database } = await theService()
    expect(await findCredentials(context(), await shopIdOf(shop), 'smtp')).toEqual(account)
    const { rows } = await sql<{ row: string }>`
      select encode(sealed, 'escape') || masked::text as row from integration_keys`.execute(database.db)
    expect(JSON.stringify(rows)).not.toContain(account.password)
    expect(logLines.join('\n')).not.toContain(account.password)
    const { body: log } = await admin.get('/audit-log')
    expect(JSON.stringify(log)).not.toContain(account.password)
    expect(JSON.stringify(log)).toContain('credentials')
  })

  it('is what messages are sent with, until it is replaced or deleted', async () => {
    const shop = await makeShop()
    const admin = shop.as('admin')
    const { context } = await theService()
    const id = await shopIdOf(shop)
    const found = async () => findMailAccount(context(), id)
    expect(await found()).toBeUndefined()
    await admin.put('/keys/smtp', account)
    expect(await found()).toEqual({
      source: 'shop',
      account: {
        ...somewhere,
        security: 'starttls',
        username: account.username,
        password: account.password,
        fromName: 'River & Pine',
        fromAddress: 'orders@river-and-pine.example',
        replyTo: 'help@river-and-pine.example',
      },
    })
    await admin.put('/keys/smtp', { ...account, host: 'other.shop.example' })
    expect((await found())?.account.host).toBe('other.shop.example')
    expect(await admin.delete('/keys/smtp')).toMatchObject({ status: 200 })
    expect(await found()).toBeUndefined()
    expect(await admin.delete('/keys/smtp')).toMatchObject({ status: 404, body: { key: 'partner_key_not_found' } })
  })

  it.each([
    ['host', 'smtp.shop.example/x'],
    ['host', 'a b'],
    ['host', ''],
    ['port', 0],
    ['port', 65_536],
    ['security', 'ssl'],
    ['from_name', 'Shop\r\nBcc: victim@other.example'],
    ['from_name', ''],
    ['from_address', 'not an address'],
    ['from_address', 'a@b.example\r\nDATA'],
    ['reply_to', 'a@b.example, c@d.example'],
    ['username', 'a\nb'],
    ['password', null],
    ['username', null],
  ])('rejects a wrong %s: %j', async (field, value) => {
    const admin = (await makeShop()).as('admin')
    const reply = await admin.put('/keys/smtp', { ...account, [field]: value })
    expect(reply).toMatchObject({ status: 422, body: { key: 'invalid_payload' } })
    expect(JSON.stringify(reply.body.errors)).toContain(field === 'username' && value === null ? 'username' : field)
  })

  it('is for admins of the shop', async () => {
    const shop = await makeShop()
    const other = await (await makeShop()).credentials('admin')
    for (const role of ['viewer', 'editor'] as const) {
      expect((await shop.as(role).put('/keys/smtp', account)).status).toBe(403)
      expect((await shop.as(role).patch('/settings/mail', { promotion: true })).status).toBe(403)
      expect((await shop.as(role).post('/connections/smtp/check')).status).toBe(403)
    }
    const path = `/v1/shops/${shop.slug}`
    expect((await call('PUT', `${path}/keys/smtp`, { auth: null, body: account })).status).toBe(400)
    expect((await call('PUT', `${path}/keys/smtp`, { auth: other, body: account })).status).toBe(403)
    expect((await call('GET', `${path}/settings/mail`, { auth: null })).status).toBe(400)
    expect((await call('GET', `${path}/settings/mail`, { auth: other })).status).toBe(403)
  })
})

describe('the settings of mail', () => {
  const defaults = {
    source: null,
    is_on: false,
    quiet_hours: { enabled: true, from: '21:00', to: '07:00' },
    promotion: false,
    click_counting: false,
    footer: null,
    bounce_domain: null,
  }

  it('have defaults, and change field by field', async () => {
    const shop = await makeShop()
    const admin = shop.as('admin')
    expect((await shop.as('viewer').get('/settings/mail')).body).toEqual(defaults)
    expect((await admin.patch('/settings/mail', {})).body).toEqual(defaults)
    const changed = await admin.patch('/settings/mail', {
      quiet_hours: { from: '22:30' },
      promotion: true,
      footer: ' River & Pine GmbH\nBerlin ',
      bounce_domain: 'bounces.river-and-pine.example',
    })
    const expected = {
      ...defaults,
      quiet_hours: { enabled: true, from: '22:30', to: '07:00' },
      promotion: true,
      footer: 'River & Pine GmbH\nBerlin',
      bounce_domain: 'bounces.river-and-pine.example',
    }
    expect(changed.body).toEqual(expected)
    const next = { promotion: null, click_counting: true, quiet_hours: { enabled: false, from: null }, footer: null }
    const { body } = await admin.patch('/settings/mail', next)
    expect(body).toEqual({
      ...expected,
      quiet_hours: { enabled: false, from: '22:30', to: '07:00' },
      click_counting: true,
      footer: null,
    })
    const { body: log } = await admin.get('/audit-log', { subject_kind: 'settings' })
    expect(JSON.stringify(log)).toContain('quiet_enabled')
  })

  it('say whose mail server is used, and whether mail is on', async () => {
    const admin = (await makeShop()).as('admin')
    await admin.put('/keys/smtp', account)
    await admin.patch('/settings/triggers/smtp', { status: true })
    expect((await admin.get('/settings/mail')).body).toMatchObject({ source: 'shop', is_on: true })
  })

  it.each([
    { quiet_hours: { from: '24:00' } },
    { quiet_hours: { to: '7:00' } },
    { bounce_domain: 'no domain' },
    { bounce_domain: 'a@b.example' },
    { footer: 'x'.repeat(2_001) },
    { promotion: 'yes' },
  ])('reject %j', async (body) => {
    const admin = (await makeShop()).as('admin')
    expect(await admin.patch('/settings/mail', body)).toMatchObject({ status: 422, body: { key: 'invalid_payload' } })
  })
})

describe('the trigger smtp', () => {
  it('is off, and in no list until it was set', async () => {
    const admin = (await makeShop()).as('admin')
    const settings = { status: false, trigger_delivered_all_events: false, stale_event_threshold: 4 }
    expect((await admin.get('/settings/triggers/smtp')).body).toEqual({ ...settings, internal_triggers: [] })
    const lists = async () => ({
      settings: (await admin.get('/settings')).body.triggers,
      segments: (await admin.get('/settings')).body.segments,
      bundle: (await admin.get('/settings/bundle')).body.triggers.data,
      integrations: (await admin.get('/integrations')).body.integrations.map(
        ({ integration }: { integration: string }) => integration,
      ),
    })
    const before = await lists()
    expect(before.settings).not.toHaveProperty('smtp')
    expect(before.bundle).not.toHaveProperty('smtp')
    expect(before.integrations).not.toContain('smtp')
    const { body } = await admin.patch('/settings/triggers/smtp', { status: true, stale_event_threshold: 12 })
    expect(body).toEqual({ ...settings, status: true, stale_event_threshold: 12, internal_triggers: [] })
    const after = await lists()
    expect(after.settings).toEqual({ ...before.settings, smtp: true })
    expect(after.segments).toEqual(before.segments)
    expect(after.bundle).toMatchObject({ ...before.bundle, smtp: { status: 'live', stale_event_threshold: 12 } })
    expect(after.integrations).toContain('smtp')
    expect((await admin.patch('/settings/triggers', { smtp: false })).body).toEqual({ ...before.settings, smtp: false })
  })

  it('can be switched with the others the first time too', async () => {
    const admin = (await makeShop()).as('admin')
    expect((await admin.patch('/settings/triggers', { smtp: true })).body).toMatchObject({ smtp: true, klaviyo: false })
    expect((await admin.get('/settings/mail')).body).toMatchObject({ is_on: true, source: null })
  })

  it('is listed with credentials while there is an account to send from', async () => {
    const admin = (await makeShop()).as('admin')
    const listed = async () =>
      (await admin.get('/integrations')).body.integrations.find(
        ({ integration }: { integration: string }) => integration === 'smtp',
      )
    await admin.patch('/settings/triggers/smtp', { status: true })
    expect(await listed()).toMatchObject({ is_on: true, has_credentials: false })
    await admin.put('/keys/smtp', account)
    expect(await listed()).toMatchObject({ is_on: true, has_credentials: true })
    await admin.delete('/keys/smtp')
    expect(await listed()).toMatchObject({ is_on: true, has_credentials: false })
  })
})

describe('the check of the connection', () => {
  it('says what the mail server thinks of the account, in words', async () => {
    const admin = (await makeShop()).as('admin')
    const check = async () => (await admin.post('/connections/smtp/check')).body
    const state = async () => (await admin.get('/connections')).body.mail
    expect(await state()).toMatchObject({ name: 'smtp', source: null, has_credentials: false, state: 'none' })
    expect(await check()).toMatchObject({ name: 'smtp', result: 'missing_credentials' })

    const server = await serve()
    await admin.put('/keys/smtp', signedInAt(server))
    expect(await state()).toMatchObject({ source: 'shop', has_credentials: true, state: 'incomplete', problem: null })
    expect(await check()).toMatchObject({
      result: 'ok',
      facts: { host: '127.0.0.1', from: 'River & Pine <orders@river-and-pine.example>', security: 'none' },
    })
    expect(await state()).toMatchObject({ state: 'connected', checked_at: expect.any(String) })

    await admin.put('/keys/smtp', { ...signedInAt(server), password: 'wrong' })
    expect(await state()).toMatchObject({ state: 'incomplete' })
    expect(await check()).toMatchObject({ result: 'unauthorised', status: 535, detail: expect.stringContaining('535') })
    expect(await state()).toMatchObject({
      state: 'failing',
      problem: { key: 'unauthorised', message: 'The mail server rejects the credentials.' },
    })

    await admin.put('/keys/smtp', accountAt({ host: '127.0.0.1', port: await findClosedPort() }))
    expect(await check()).toMatchObject({ result: 'unreachable', status: null })
    await admin.put('/keys/smtp', { ...signedInAt(server), security: 'starttls' })
    expect(await check()).toMatchObject({ result: 'unexpected', detail: expect.stringContaining('certificate') })
    expect(server.mails).toHaveLength(0)
  })

  it('sends a test message to the given address', async () => {
    const admin = (await makeShop()).as('admin')
    expect(await admin.post('/integrations/smtp/test')).toMatchObject({ status: 422 })
    const test = async () => (await admin.post('/integrations/smtp/test', { email: 'me@shop.example' })).body
    expect(await test()).toMatchObject({ ok: false, reason: 'no_credentials' })
    const server = await serve()
    await admin.put('/keys/smtp', signedInAt(server))
    expect(await test()).toMatchObject({ ok: true, test: 'message', status_code: 250 })
    expect(server.mails[0]?.envelope.to).toEqual(['me@shop.example'])
    server.reject = () => ({ code: 554, message: 'spam from orders@river-and-pine.example' })
    expect(await test()).toMatchObject({ ok: false, reason: 'rejected', status_code: 554 })
  })
})

describe("the installation's account", () => {
  it('is for shops without one of their own, and may be in a private network', async () => {
    const server = await serve()
    const settings = {
      SMTP_HOST: server.host,
      SMTP_PORT: String(server.port),
      SMTP_SECURITY: 'none',
      SMTP_FROM_ADDRESS: 'mail@doorstep.example',
      WEBHOOK_ALLOW_PRIVATE: 'off',
    }
    const service = await startTestService(settings, await openTestDatabase())
    try {
      const shop = await makeShop({}, service)
      const admin = shop.as('admin')
      expect((await admin.get('/settings/mail')).body).toMatchObject({ source: 'installation', is_on: false })
      expect((await admin.post('/connections/smtp/check')).body).toMatchObject({ result: 'ok' })
      expect((await admin.get('/keys')).body).not.toHaveProperty('smtp')
      // Messages can be sent; the credentials are not the shop's.
      const { body: connections } = await admin.get('/connections')
      expect(connections.mail).toMatchObject({ source: 'installation', has_credentials: false })
      await admin.patch('/settings/triggers/smtp', { status: true })
      const { integrations } = (await admin.get('/integrations')).body
      expect(integrations.at(-1)).toMatchObject({ integration: 'smtp', has_credentials: true })
      await admin.put('/keys/smtp', accountAt(server))
      expect((await admin.post('/connections/smtp/check')).body).toMatchObject({
        result: 'unexpected',
        detail: expect.stringContaining('is a private address'),
      })
    } finally {
      await service.stop()
    }
  })
})
