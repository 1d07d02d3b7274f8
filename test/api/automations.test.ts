import { beforeAll, describe, expect, it } from 'vitest'
import { idIn, placesOf } from '../harness/catalogue.ts'
import { makeShop, type ShopCaller, type TestShop } from '../harness/shop.ts'

const unknownId = '0192f3c4-7b1e-7cc0-9d3a-2f6f7a1b4c5d'

const whole = {
  name: 'Ask after a lost parcel',
  description: 'Before the customer has to.',
  enabled: false,
  trigger: { events: ['shipments/delivery_failed', 'claims/created'] },
  conditions: [
    { field: 'context.order.total_order_price', operator: 'gte', value: 50 },
    { field: 'event_data.reason', operator: 'in', value: ['damage', 'investigation'] },
    { field: 'context.claims', operator: 'exists' },
  ],
  delay_minutes: 90,
  actions: [
    { type: 'notify', integration: 'klaviyo', event_group: 'shipment_investigated' },
    { type: 'notify', integration: 'brevo' },
    { type: 'webhook', url: 'https://shop.example/hook' },
    { type: 'add_segment', segment: 'had-trouble' },
    { type: 'update_claim', status: 'accepted' },
    { type: 'create_claim', reason: 'investigation', resolution_preference: 'reorder' },
  ],
}

const small = (name: string, fields: Record<string, unknown> = {}) => ({
  name,
  trigger: { events: ['*'] },
  actions: [{ type: 'add_segment', segment: 'seen' }],
  ...fields,
})

describe('automations', () => {
  let shop: TestShop
  let editor: ShopCaller
  let admin: ShopCaller

  beforeAll(async () => {
    shop = await makeShop()
    editor = shop.as('editor')
    admin = shop.as('admin')
  })

  it('are stored as created, and the Location names them', async () => {
    const created = await admin.post('/automations', { ...whole, unknown_field: 1 })
    const uuid = idIn(created)
    expect(created.headers.location).toBe(`/v1/shops/${shop.slug}/automations/${uuid}`)
    const { warnings, ...stored } = created.body
    expect(warnings).toEqual([{ loc: ['body', 'unknown_field'], msg: 'ignored: unknown field' }])
    expect(stored).toEqual({
      uuid,
      shop_slug: shop.slug,
      ...whole,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
    expect((await admin.get(`/automations/${uuid}`)).body).toEqual(stored)
  })

  describe('with an action webhook', () => {
    const webhook = { type: 'webhook', url: 'https://hooks.example/services/T0/secret-part?key=hidden' }
    const forbidden = { status: 403, body: { key: 'insufficient_rights' } }

    it('are created by admins only, as endpoints are', async () => {
      const wanted = small('By an editor', { actions: [{ type: 'add_segment', segment: 'seen' }, webhook] })
      expect(await editor.post('/automations', wanted)).toMatchObject(forbidden)
      expect((await admin.post('/automations', wanted)).status).toBe(200)
    })

    it('are changed, switched on and deleted by admins only', async () => {
      const uuid = idIn(await admin.post('/automations', small('Hooked', { enabled: false, actions: [webhook] })))
      const plain = idIn(await editor.post('/automations', small('Plain')))
      for (const fields of [{ enabled: true, actions: [webhook] }, { enabled: true }, {}]) {
        expect(await editor.put(`/automations/${uuid}`, small('Hooked', fields))).toMatchObject(forbidden)
      }
      expect(await editor.put(`/automations/${plain}`, small('Plain', { actions: [webhook] }))).toMatchObject(forbidden)
      expect(await editor.delete(`/automations/${uuid}`)).toMatchObject(forbidden)
      expect((await admin.get(`/automations/${uuid}`)).body).toMatchObject({ enabled: false, actions: [webhook] })
      expect((await admin.put(`/automations/${uuid}`, small('Hooked'))).status).toBe(200)
      expect((await editor.delete(`/automations/${uuid}`)).status).toBe(204)
    })

    it('show the address to admins, and only its host to others', async () => {
      const uuid = idIn(await admin.post('/automations', small('Shown', { actions: [webhook] })))
      expect((await admin.get(`/automations/${uuid}`)).body.actions).toEqual([webhook])
      const viewer = shop.as('viewer')
      const shown = [
        await viewer.get(`/automations/${uuid}`),
        await viewer.get('/automations', { per_page: 100 }),
        await editor.post(`/automations/${uuid}/dry-run`, {}),
      ]
      expect(shown[0]?.body.actions).toEqual([{ type: 'webhook', url: 'https://hooks.example/***' }])
      for (const { text } of shown) expect(text).not.toMatch(/secret-part|hidden/)
    })
  })

  it('need a name, a trigger and an action', async () => {
    const { body } = await editor.post('/automations', small('Least'))
    expect(body).toMatchObject({ description: null, enabled: true, conditions: [], delay_minutes: 0 })
    expect(placesOf((await editor.post('/automations', {})).body)).toEqual([
      'body.actions missing',
      'body.name missing',
      'body.trigger missing',
    ])
    const empty = { name: '', trigger: { events: [] }, actions: [] }
    expect(placesOf((await editor.post('/automations', empty)).body)).toEqual([
      'body.actions value_error',
      'body.name value_error',
      'body.trigger.events value_error',
    ])
  })

  it('are rejected with the location of every problem', async () => {
    const { status, body } = await admin.post('/automations', {
      name: 'Wrong',
      trigger: { events: ['*', 'orders', 'shipments/moon'] },
      conditions: [
        { field: 'order.total', operator: 'eq', value: 1 },
        { field: 'event_data', operator: 'eq', value: 1 },
        { field: 'event_data.a b', operator: 'eq', value: 1 },
        { field: 'event_data.a', operator: 'eq' },
        { field: 'event_data.a', operator: 'eq', value: ['x'] },
        { field: 'event_data.a', operator: 'in', value: 'x' },
        { field: 'event_data.a', operator: 'not_in', value: [] },
        { field: 'event_data.a', operator: 'gt', value: 'soon' },
        { field: 'event_data.a', operator: 'lte', value: true },
        { field: 'event_data.a', operator: 'exists', value: 'yes' },
        { field: 'event_data.a', operator: 'gt', value: '2026-11-01' },
      ],
      actions: [
        { type: 'notify' },
        { type: 'webhook', segment: 'x' },
        { type: 'add_segment', segment: null },
        { type: 'update_claim', reason: 'damage' },
        { type: 'create_claim', status: 'closed' },
        { type: 'webhook', url: `https://shop.example/${'ü'.repeat(1_000)}` },
      ],
    })
    expect(status).toBe(422)
    expect(placesOf(body)).toEqual(
      [
        'body.trigger.events.1 value_error',
        'body.trigger.events.2 value_error',
        'body.conditions.0.field value_error',
        'body.conditions.1.field value_error',
        'body.conditions.2.field value_error',
        'body.conditions.3.value missing',
        'body.conditions.4.value value_error',
        'body.conditions.5.value value_error',
        'body.conditions.6.value value_error',
        'body.conditions.7.value value_error',
        'body.conditions.8.value value_error',
        'body.conditions.9.value value_error',
        'body.actions.0.integration missing',
        'body.actions.1.url missing',
        'body.actions.2.segment missing',
        'body.actions.3.status missing',
        'body.actions.4.reason missing',
        'body.actions.5.url value_error',
      ].sort(),
    )
    const badly = small('Badly', {
      delay_minutes: 129_601,
      conditions: [{ field: 'event_data.a', operator: 'like', value: { a: 1 } }],
      actions: [{ type: 'mail' }, { type: 'notify', integration: 'webhook' }, { type: 'webhook', url: 'ftp://x' }],
    })
    expect(placesOf((await editor.post('/automations', badly)).body)).toEqual([
      'body.actions.0.type value_error',
      'body.actions.1.integration value_error',
      'body.actions.2.url value_error',
      'body.conditions.0.operator value_error',
      'body.conditions.0.value type_error',
      'body.delay_minutes value_error',
    ])
  })

  it('have a name that is unique in the shop, also under concurrency, and free again after deletion', async () => {
    const replies = await Promise.all(Array.from({ length: 8 }, () => editor.post('/automations', small('Once'))))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(409)])
    expect(replies.find(({ status }) => status === 409)?.body.key).toBe('automation_exists')
    const other = (await makeShop()).as('editor')
    expect((await other.post('/automations', small('Once'))).status).toBe(200)
    const first = replies.find(({ status }) => status === 200)?.body
    expect((await editor.delete(`/automations/${first.uuid}`)).status).toBe(204)
    expect((await editor.post('/automations', small('Once'))).status).toBe(200)
  })

  it('are updated: required fields are replaced, absent ones stay, and null empties a field', async () => {
    const withoutWebhook = whole.actions.filter(({ type }) => type !== 'webhook')
    const uuid = idIn(await editor.post('/automations', { ...whole, name: 'Before', actions: withoutWebhook }))
    await editor.post('/automations', small('Taken'))
    const changed = await editor.put(`/automations/${uuid}`, small('After', { enabled: true }))
    expect(changed.body).toMatchObject({
      name: 'After',
      enabled: true,
      description: whole.description,
      conditions: whole.conditions,
      delay_minutes: 90,
      trigger: { events: ['*'] },
      actions: [{ type: 'add_segment', segment: 'seen' }],
    })
    const emptied = small('After', { description: null, conditions: null, delay_minutes: null, enabled: null })
    expect((await editor.put(`/automations/${uuid}`, emptied)).body).toMatchObject({
      description: null,
      conditions: [],
      delay_minutes: 0,
      enabled: true,
    })
    expect((await editor.put(`/automations/${uuid}`, small('Taken'))).body.key).toBe('automation_exists')
    expect((await editor.put(`/automations/${unknownId}`, small('New'))).body.key).toBe('automation_not_found')
    expect((await editor.put(`/automations/${uuid}`, small('After', { actions: [] }))).status).toBe(422)
  })

  it('are hidden once deleted, while their runs stay readable', async () => {
    const uuid = idIn(await editor.post('/automations', small('Gone')))
    const deleted = await editor.delete(`/automations/${uuid}`)
    expect(deleted).toMatchObject({ status: 204, text: '' })
    for (const { status, body } of [
      await editor.get(`/automations/${uuid}`),
      await editor.put(`/automations/${uuid}`, small('Gone')),
      await editor.delete(`/automations/${uuid}`),
      await editor.post(`/automations/${uuid}/dry-run`, {}),
      await editor.get(`/automations/${unknownId}/runs`),
    ]) {
      expect(`${status} ${body.key}`).toBe('404 automation_not_found')
    }
    expect((await editor.get(`/automations/${uuid}/runs`)).body).toEqual([])
    const { body } = await editor.get('/automations', { per_page: 100 })
    expect(body.map(({ name }: { name: string }) => name)).not.toContain('Gone')
  })

  it('are listed in pages, of this shop alone', async () => {
    const own = (await makeShop()).as('editor')
    for (const name of ['One', 'Two', 'Three']) await own.post('/automations', small(name))
    const first = await own.get('/automations', { per_page: 2 })
    expect(first.body.map(({ name }: { name: string }) => name)).toEqual(['One', 'Two'])
    expect(first.headers['x-total-count']).toBe('3')
    expect(first.headers.link).toContain('rel="next"')
    const second = await own.get('/automations', { per_page: 2, page: 2 })
    expect(second.body.map(({ name }: { name: string }) => name)).toEqual(['Three'])
    expect((await editor.get(`/automations/${second.body[0].uuid}`)).status).toBe(404)
    expect((await editor.get(`/automations/${second.body[0].uuid}/runs`)).status).toBe(404)
    expect((await editor.delete(`/automations/${second.body[0].uuid}`)).status).toBe(404)
  })

  it('look back 1 to 90 days in a dry run', async () => {
    const uuid = idIn(await editor.post('/automations', small('Dry')))
    for (const days of [0, 91, 1.5]) {
      expect((await editor.post(`/automations/${uuid}/dry-run`, { days })).status).toBe(422)
    }
    expect((await shop.as('viewer').post(`/automations/${uuid}/dry-run`, {})).status).toBe(403)
    expect((await editor.post(`/automations/${uuid}/dry-run`, {})).body).toMatchObject({ matched: 0, runs: [] })
  })
})
