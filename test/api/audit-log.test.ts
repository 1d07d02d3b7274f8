import { sql } from 'kysely'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { operations } from '../../src/operations.ts'
import { createEventOfShipment } from '../../src/orders/events/operations.ts'
import { updateOrder } from '../../src/orders/orders/operations.ts'
import { updateOrderShipment } from '../../src/orders/shipments/operations.ts'
import { dayMs } from '../../src/platform/foundation/clock.ts'
import type { Context, ShopContext } from '../../src/platform/foundation/context.ts'
import type { Operation } from '../../src/platform/foundation/operation.ts'
import type { Principal } from '../../src/platform/foundation/roles.ts'
import { audited } from '../../src/shops/audit-log/record.ts'
import german from '../../web/dashboard/screens/settings/audit-log/texts.de.json' with { type: 'json' }
import english from '../../web/dashboard/screens/settings/audit-log/texts.en.json' with { type: 'json' }
import { idIn } from '../harness/catalogue.ts'
import { createOrder, uniqueNumber } from '../harness/orders.ts'
import { call, clock, openTestDatabase, startTestService, superadmin, theService } from '../harness/service.ts'
import { makeShop, type ShopCaller, type TestShop } from '../harness/shop.ts'

afterEach(() => clock.reset())

/** Newest first, without the keys that every test shop starts with. */
async function entriesOf(shop: TestShop, query: Record<string, string | number> = {}) {
  const { status, body, text } = await shop.as('superadmin').get('/audit-log', { per_page: 100, ...query })
  if (status !== 200) throw new Error(text)
  return body.filter(({ subject }: { subject: { kind: string } }) => subject.kind !== 'api_key' || query.subject_kind)
}

async function open() {
  const shop = await makeShop()
  return { shop, admin: shop.as('admin') }
}

const announce = async (shop: ShopCaller, text = uniqueNumber('Text ')) =>
  idIn(await shop.post('/announcements', { text, language: 'en' }))

describe('every operation that is not a GET', () => {
  const unsafe = operations.filter(({ method }) => method !== 'GET')

  it.each(unsafe.map((operation) => [operation.name, operation] as const))(
    '%s declares what it leaves in the audit log, or why nothing',
    (_name, { audit }) => {
      if (audit === undefined) throw new Error('declare `audit` in its operation({...})')
      if ('none' in audit) expect(audit.none).toMatch(/^[A-Z].{10,}\.$/)
      else expect(audit.kind).toMatch(/^[a-z_]+$/)
    },
  )

  it('records every one that needs an admin', () => {
    const silent = unsafe.filter(({ audit, needs }) => needs === 'admin' && audit && 'none' in audit)
    expect(silent.map(({ name }) => name)).toEqual(['previewCustomerErasure', 'checkConnection'])
  })
})

describe.each([
  ['English', english],
  ['German', german],
])('dashboard in %s', (_language, { audit }) => {
  const rules = operations.flatMap(({ name, audit }) => (audit && 'kind' in audit ? [{ name, ...audit }] : []))

  it('has words for everything that the log names', () => {
    const kinds = new Set(rules.map(({ kind }) => kind))
    expect([...kinds].filter((kind) => !Object.hasOwn(audit.kind, kind))).toEqual([])
    const verbs = new Set(rules.map(({ name }) => /^[a-z]+/.exec(name)?.[0] ?? ''))
    expect([...verbs].filter((verb) => !Object.hasOwn(audit.verb, verb))).toEqual([])
  })
})

describe('audit log', () => {
  it('has who created, changed and deleted a record, with the values before and after', async () => {
    const { shop, admin } = await open()
    const { username } = await shop.credentials('admin')
    const uuid = await announce(admin, 'Closed on Monday')
    clock.advance(1_000)
    await admin.patch(`/announcements/${uuid}`, { text: 'Closed on Tuesday' })
    clock.advance(1_000)
    await admin.delete(`/announcements/${uuid}`)
    const entries = await entriesOf(shop)
    const actor = { kind: 'key', id: expect.any(String), name: username }
    const subject = { kind: 'announcement', id: uuid }
    expect(entries).toEqual([
      {
        uuid: expect.any(String),
        recorded_at: expect.any(String),
        actor,
        action: 'deleteAnnouncement',
        area: 'Announcements',
        subject: { ...subject, name: 'Closed on Tuesday' },
        changes: {
          text: { before: 'Closed on Tuesday', after: null },
          language: { before: 'en', after: null },
        },
      },
      expect.objectContaining({
        actor,
        action: 'updateAnnouncement',
        subject: { ...subject, name: 'Closed on Tuesday' },
        changes: { text: { before: 'Closed on Monday', after: 'Closed on Tuesday' } },
      }),
      expect.objectContaining({
        actor,
        action: 'createAnnouncement',
        subject: { ...subject, name: 'Closed on Monday' },
        changes: { text: { before: null, after: 'Closed on Monday' }, language: { before: null, after: 'en' } },
      }),
    ])
    const [key] = await entriesOf(shop, { subject_kind: 'api_key' })
    expect(entries[0].actor.id).toBe(key.subject.id)
  })

  it('has nothing about requests that failed or changed nothing', async () => {
    const { shop, admin } = await open()
    const uuid = await announce(admin, 'The same')
    await announce(admin, 'Another')
    expect((await admin.patch(`/announcements/${uuid}`, { text: 'Another' })).status).toBe(409)
    expect((await admin.patch(`/announcements/${uuid}`, { language: 'xx' })).status).toBe(422)
    expect((await shop.as('viewer').patch(`/announcements/${uuid}`, { text: 'x' })).status).toBe(403)
    expect((await admin.patch(`/announcements/${uuid}`, { text: 'The same' })).status).toBe(200)
    expect((await admin.patch('/settings/brand-palette', {})).status).toBe(200)
    expect(await entriesOf(shop)).toHaveLength(2)
  })

  it('has one entry for a request that is repeated with its Idempotency-Key', async () => {
    const { shop, admin } = await open()
    const send = () =>
      admin.post('/webhooks', { url: 'https://receiver.example/' }, { headers: { 'idempotency-key': 'one' } })
    expect((await send()).body).toEqual((await send()).body)
    expect(await entriesOf(shop)).toHaveLength(1)
  })

  it('shows no secret', async () => {
    const { shop, admin } = await open()
    const created = (await admin.post('/webhooks', { url: 'https://ada:pass-word@receiver.example/?token=t0ps3cret' }))
      .body
    const rotated = (await admin.post(`/webhooks/${created.uuid}/rotate-secret`)).body
    const key = (await admin.post('/api-keys', { username: 'warehouse', role: 'viewer' })).body
    await admin.put('/keys/klaviyo', { api_key: 'pk_first-secret-of-klaviyo' })
    await admin.put('/keys/klaviyo', { api_key: 'pk_other-secret-of-klaviyo' })
    await admin.put('/keys/emarsys', { client_id: 'the-id-of-emarsys', client_secret: 'secret-of-emarsys' })
    await admin.put('/shopify/webhook-secret', { webhook_secret: 'secret-of-shopify-app' })
    const automation = (path: string) => ({
      name: 'Tell the warehouse',
      trigger: { events: ['shipments'] },
      actions: [{ type: 'webhook', url: `https://hooks.example/${path}` }],
    })
    const { uuid } = (await admin.post('/automations', automation('path-of-hooks'))).body
    expect((await admin.put(`/automations/${uuid}`, automation('other-path-of-hooks'))).status).toBe(200)
    const [changed] = await entriesOf(shop, { subject_kind: 'automation' })
    expect(changed).toMatchObject({ action: 'updateAutomation' })
    expect(JSON.stringify(changed.changes.actions)).toContain('https://hooks.example/***')
    const { rows } = await sql<{ text: string }>`select audit_log::text as text from audit_log`.execute(
      (await theService()).database.db,
    )
    const stored = rows.map(({ text }) => text).join('\n')
    const secrets = [
      created.secret,
      rotated.secret,
      key.secret,
      'pass-word',
      't0ps3cret',
      'path-of-hooks',
      'klaviyo"',
      'secret-of',
      'the-id',
    ]
    for (const secret of secrets.filter((secret) => secret !== 'klaviyo"')) expect(stored).not.toContain(secret)
    const entries = await entriesOf(shop, { subject_kind: 'webhook' })
    expect(entries[0]).toMatchObject({
      action: 'rotateWebhookSecret',
      changes: { secret: { before: '****', after: '****' } },
    })
    expect(entries[1].subject.name).toBe('https://receiver.example/***')
    const [, keys] = await entriesOf(shop, { subject_kind: 'credentials', subject_id: 'klaviyo' })
    expect(keys.changes).toEqual({ api_key: { before: null, after: '****viyo' } })
    const [made] = await entriesOf(shop, { subject_kind: 'api_key' })
    expect(made).toMatchObject({
      subject: { id: key.id, name: 'warehouse' },
      changes: {
        secret: { before: null, after: `****${key.secret.slice(-4)}` },
        [`shops.${shop.slug}`]: { after: 'viewer' },
      },
    })
  })

  it('is searched by actor, action, area, subject and time, and paged', async () => {
    const { shop, admin } = await open()
    const key = (await admin.post('/api-keys', { username: 'Ada', role: 'editor' })).body
    const ada = { auth: { username: 'Ada', apiKey: key.secret } }
    const start = clock.now()
    clock.advance(1_000)
    const first = await announce(admin)
    clock.advance(1_000)
    const middle = clock.now()
    clock.advance(1_000)
    const second = idIn(await admin.post('/announcements', { text: 'By Ada', language: 'en' }, ada))
    await admin.patch('/settings/brand-palette', { background: '#FFFFEE' })
    const found = async (query: Record<string, string>) =>
      (await entriesOf(shop, { from: start.toISOString(), ...query })).map(
        (entry: { subject: { id: string } }) => entry.subject.id,
      )
    expect(await found({})).toEqual(['brand-palette', second, first])
    expect(await found({ actor: 'ADA' })).toEqual([second])
    expect(await found({ actor_id: key.id })).toEqual([second])
    expect(await found({ actor: 'nobody' })).toEqual([])
    expect(await found({ action: 'updateBrandPalette' })).toEqual(['brand-palette'])
    expect(await found({ area: 'Announcements' })).toEqual([second, first])
    expect(await found({ subject_kind: 'announcement', subject_id: first })).toEqual([first])
    expect(await found({ subject_id: second })).toEqual([second])
    expect(await found({ from: middle.toISOString() })).toEqual(['brand-palette', second])
    expect(await found({ to: middle.toISOString() })).toEqual([first])
    const page = await admin.get('/audit-log', {
      per_page: 2,
      page: 2,
      area: 'Announcements',
      from: start.toISOString(),
    })
    expect(page.body).toEqual([])
    expect((await admin.get('/audit-log', { per_page: 1, area: 'Announcements' })).headers.link).toContain('rel="next"')
    expect((await admin.get('/audit-log', { from: 'yesterday' })).status).toBe(422)
    expect((await admin.get('/audit-log', { subject_kind: '' })).status).toBe(422)
  })

  it('has shops, keys for all shops and their deletion in the log of the installation', async () => {
    const started = new Date(clock.now().getTime() - 1).toISOString()
    const shop = await makeShop({ name: 'Short-lived' })
    const key = (await call('POST', '/v1/api-keys', { body: { username: 'everywhere', role: 'viewer' } })).body
    await call('DELETE', `/v1/api-keys/${key.id}`)
    await shop.as('superadmin').delete('')
    // Other tests may have moved the clock, and written entries of later days.
    const query = { from: started, to: new Date(clock.now().getTime() + 1).toISOString(), actor: superadmin.username }
    const { body } = await call('GET', '/v1/audit-log', { query })
    const mine = body.filter(({ subject }: { subject: { id: string } }) => [shop.slug, key.id].includes(subject.id))
    expect(mine.map(({ action, subject }: never) => [action, (subject as { name: string }).name])).toEqual([
      ['deleteShop', 'Short-lived'],
      ['deleteAnyApiKey', 'everywhere'],
      ['createApiKeyForAllShops', 'everywhere'],
      ['createShop', 'Short-lived'],
    ])
  })

  it('names the automation that created or changed a claim', async () => {
    const { shop, admin } = await open()
    const trackingNumber = uniqueNumber('AUD-')
    await createOrder(admin, {}, [{ tracking_number: trackingNumber }])
    const automation = (
      await admin.post('/automations', {
        name: 'Complain about losses',
        trigger: { events: ['shipments/delivered'] },
        actions: [
          { type: 'create_claim', reason: 'damage' },
          { type: 'update_claim', status: 'accepted' },
        ],
      })
    ).body
    await admin.post('/shipment-events?notify=true', { id: trackingNumber, event_name: 'SUCCESSFULLY_DELIVERED' })
    const { workers } = await theService()
    await workers?.deliveries.sweep()
    workers?.automations.wake()
    await workers?.deliveries.idle()
    await workers?.automations.idle()
    const actor = { kind: 'automation', id: automation.uuid, name: 'Complain about losses' }
    expect(await entriesOf(shop, { subject_kind: 'claim' })).toEqual([
      expect.objectContaining({
        actor,
        action: 'updateClaim',
        changes: { status: { before: 'pending', after: 'accepted' } },
      }),
      expect.objectContaining({ actor, action: 'createClaim', area: 'Claims' }),
    ])
    expect(await entriesOf(shop, { actor: 'complain about losses' })).toHaveLength(2)
  })

  it('records changes of one record at the same time one after another', async () => {
    const { shop, admin } = await open()
    const uuid = await announce(admin, 'Text 0')
    const texts = [1, 2, 3, 4, 5, 6].map((n) => `Text ${n}`)
    await Promise.all(texts.map((text) => admin.patch(`/announcements/${uuid}`, { text })))
    const changes = (await entriesOf(shop, { action: 'updateAnnouncement' })).map(
      (entry: { changes: { text: { before: string; after: string } } }) => entry.changes.text,
    )
    expect(changes).toHaveLength(6)
    // Each entry continues where another one ended: no state is changed twice.
    expect(new Set(changes.map(({ before }: { before: string }) => before)).size).toBe(6)
    expect(new Set(changes.map(({ after }: { after: string }) => after)).size).toBe(6)
  })

  it('compares texts in all languages, whatever language the caller prefers', async () => {
    const { shop, admin } = await open()
    await admin.patch('', { description: 'Warm things' }, { headers: { 'accept-language': 'en' } })
    await admin.patch('', { description: 'Warme Sachen' }, { headers: { 'accept-language': 'de' } })
    const [entry] = await entriesOf(shop, { action: 'updateShop' })
    expect(entry.subject).toMatchObject({ kind: 'shop', id: shop.slug })
    expect(Object.keys(entry.changes)).toEqual(['descriptions'])
    expect(JSON.stringify(entry.changes.descriptions.before)).not.toContain('Warme Sachen')
    expect(JSON.stringify(entry.changes.descriptions.after)).toContain('Warme Sachen')
  })

  it('keeps entries small, however large the records are', async () => {
    const { shop, admin } = await open()
    await announce(admin, `${'🙂'.repeat(600)}`)
    const rules = Array.from({ length: 80 }, (_, n) => ({
      source: { type: 'field', key: `name_${n}` },
      target: 'order_name',
    }))
    expect((await admin.put('/settings/mappings', { data: { 'shopify.order': rules } })).status).toBe(200)
    const [mappings, announcement] = await entriesOf(shop)
    expect(announcement.changes.text.after).toBe(`${'🙂'.repeat(500)}…`)
    expect(Object.keys(mappings.changes)).toHaveLength(61)
  })

  it('is deleted after the days that the operator has set, and never with 0', async () => {
    const database = await openTestDatabase()
    const service = await startTestService({ AUDIT_DAYS: '30' }, database)
    onTestFinished(() => service.stop())
    const shop = await makeShop({}, service)
    const admin = shop.as('superadmin')
    await announce(admin)
    const count = async () => (await admin.get('/audit-log')).body.length
    clock.advance(29 * dayMs)
    await service.schedule.tick()
    expect(await count()).toBe(1)
    clock.advance(2 * dayMs)
    await service.schedule.tick()
    expect(await count()).toBe(0)
  })
})

describe('change by hand', () => {
  /** As the session of a person makes it. */
  async function byHand(shop: TestShop, operation: Operation, input: Record<string, unknown>): Promise<unknown> {
    const context = await contextOf(shop)
    const principal = {
      ...context.principal,
      kind: 'person',
      name: 'Grace',
      keyId: 'person-1',
      sessionId: 's',
    } as Principal
    return audited(operation)({ ...context, principal } as Context, {
      path: {},
      query: {},
      body: undefined,
      upload: undefined,
      ...input,
    })
  }

  async function contextOf(shop: TestShop): Promise<ShopContext> {
    const service = await theService()
    const found = await service.database.db
      .selectFrom('shops')
      .where('slug', '=', shop.slug)
      .selectAll()
      .executeTakeFirstOrThrow()
    return { ...service.context(), shop: found }
  }

  it('of an order, a shipment or an event is recorded, without what is about the customer', async () => {
    const { shop, admin } = await open()
    const order = await createOrder(admin, {}, [{ tracking_number: uniqueNumber('HAND-') }])
    const shipmentId = order.trackings[0].uuid
    const address = { name: 'Joan Clarke', street: 'Secret Lane 7' }
    await byHand(shop, updateOrder, {
      path: { order_id: order.uuid },
      body: { address, expected_number_of_shipments: 2 },
    })
    await byHand(shop, updateOrderShipment, {
      path: { order_id: order.uuid, shipment_id: shipmentId },
      body: { tracking_url: 'https://carrier.example/?zip=10115' },
    })
    await byHand(shop, createEventOfShipment, {
      path: { shipment_id: shipmentId },
      body: { event_name: 'OUT_FOR_DELIVERY' },
    })
    const entries = await entriesOf(shop)
    expect(entries.map(({ actor }: { actor: unknown }) => actor)).toEqual(
      Array(3).fill({ kind: 'person', id: 'person-1', name: 'Grace' }),
    )
    expect(JSON.stringify(entries)).not.toMatch(/Joan|Secret Lane|Ada Example|zip=10115|@example/)
    const [event, shipment, changed] = entries
    expect(event).toMatchObject({
      action: 'createEventOfShipment',
      subject: { kind: 'shipment', id: shipmentId },
      changes: { event_name: { before: null, after: 'OUT_FOR_DELIVERY' } },
    })
    // The number may look like one of a carrier, which has an address of its own.
    expect([null, '[personal data]']).toContain(shipment.changes.tracking_url.before)
    expect(shipment.changes.tracking_url.after).toBe('[personal data]')
    expect(changed).toMatchObject({
      action: 'updateOrder',
      subject: { kind: 'order', id: order.uuid, name: order.order_number },
      changes: {
        'address.name': { before: '[personal data]', after: '[personal data]' },
        expected_number_of_shipments: { before: 1, after: 2 },
      },
    })
  })

  it('is not recorded if a system makes it with its key', async () => {
    const { shop, admin } = await open()
    const order = await createOrder(admin)
    expect((await admin.patch(`/orders/${order.uuid}`, { expected_number_of_shipments: 2 })).status).toBe(200)
    expect(await entriesOf(shop)).toEqual([])
  })
})
