import { describe, expect, it } from 'vitest'
import { theService } from '../harness/service.ts'
import { makeShop } from '../harness/shop.ts'
import { problemsOf, trigger, triggerDefaults } from '../harness/trigger-settings.ts'

describe('trigger settings of an integration', () => {
  it.each(Object.entries(triggerDefaults))('have the defaults and the fields of %s', async (integration, expected) => {
    const { status, body } = await (await makeShop()).as('viewer').get(`/settings/triggers/${integration}`)
    expect({ status, body }).toEqual({ status: 200, body: expected })
  })

  it.each(Object.entries(triggerDefaults))('change only what is given for %s', async (integration, expected) => {
    const admin = (await makeShop()).as('admin')
    const path = `/settings/triggers/${integration}`
    const everything = {
      status: true,
      trigger_delivered_all_events: true,
      stale_event_threshold: 12,
      segments_enabled: true,
      instance_id: 'inx-1',
      rest_endpoint: 'https://rest.braze.example',
      portal_id: '4711',
    }
    const shown = Object.keys(expected).filter((name) => name !== 'internal_triggers')
    const changed = Object.fromEntries(Object.entries(everything).filter(([name]) => shown.includes(name)))
    const all = await admin.patch(path, everything)
    const foreign = Object.keys(everything)
      .filter((name) => !shown.includes(name))
      .map((name) => ({ loc: ['body', name], msg: `ignored: ${integration} has no such field` }))
    // Three systems have no API for a customer's segments; their settings warn while the switch is on.
    const noEffect = { loc: ['segments_enabled'], msg: expect.stringContaining('has no effect') }
    const warned = ['braze', 'emarsys', 'inxmail'].includes(integration) ? { warnings: [noEffect] } : {}
    const after = { ...expected, ...changed, ...warned }
    expect(all.body).toEqual({ ...after, warnings: [...(warned.warnings ?? []), ...foreign] })
    expect((await admin.patch(path, {})).body).toEqual(after)
    expect((await admin.patch(path, { status: false })).body).toEqual({ ...after, status: false })
    expect((await admin.get(path)).body).toEqual({ ...after, status: false })
    // Null leaves switches unchanged, resets the threshold to its default, and empties a text.
    const nulls = Object.fromEntries(Object.keys(everything).map((name) => [name, null]))
    const { stale_event_threshold } = expected as { stale_event_threshold: number }
    const emptied = Object.fromEntries(shown.filter((name) => /_id$|endpoint/.test(name)).map((name) => [name, null]))
    expect((await admin.patch(path, nulls)).body).toEqual({
      ...after,
      status: false,
      stale_event_threshold,
      ...emptied,
      warnings: [...(warned.warnings ?? []), ...foreign],
    })
  })

  it('are separate for each integration and each shop', async () => {
    const [shop, other] = [await makeShop(), await makeShop()]
    await shop.as('admin').patch('/settings/triggers/emarsys', { status: true, stale_event_threshold: 9 })
    expect((await shop.as('viewer').get('/settings/triggers/klaviyo')).body).toEqual(triggerDefaults.klaviyo)
    expect((await other.as('viewer').get('/settings/triggers/emarsys')).body).toEqual(triggerDefaults.emarsys)
  })

  it.each([
    ['klaviyo', { status: 'live' }, ['body.status type_error']],
    ['klaviyo', { segments_enabled: 'yes' }, ['body.segments_enabled type_error']],
    ['webhook', { stale_event_threshold: 1.5 }, ['body.stale_event_threshold type_error']],
    ['shopify', { stale_event_threshold: -1 }, ['body.stale_event_threshold value_error']],
    ['inxmail', { instance_id: 7 }, ['body.instance_id type_error']],
    ['braze', { rest_endpoint: true }, ['body.rest_endpoint type_error']],
    ['hubspot', { portal_id: 24 }, ['body.portal_id type_error']],
    [
      'hubspot',
      { portal_id: 24, trigger_delivered_all_events: 'all' },
      ['body.portal_id type_error', 'body.trigger_delivered_all_events type_error'],
    ],
    ['brevo', 'on', ['body type_error']],
  ])('reject wrong input for %s: %j', async (integration, body, problems) => {
    const shop = await makeShop()
    const reply = await shop.as('admin').patch(`/settings/triggers/${integration}`, body)
    expect(reply).toMatchObject({ status: 422, body: { key: 'invalid_payload' } })
    expect(problemsOf(reply.body)).toEqual(problems)
    expect((await shop.as('viewer').get(`/settings/triggers/${integration}`)).body).toEqual(
      triggerDefaults[integration],
    )
  })

  it('ignore the fields of other integrations, with a warning', async () => {
    const admin = (await makeShop()).as('admin')
    expect((await admin.patch('/settings/triggers/klaviyo', { instance_id: 7 })).body).toEqual({
      ...triggerDefaults.klaviyo,
      warnings: [{ loc: ['body', 'instance_id'], msg: 'ignored: klaviyo has no such field' }],
    })
    const shopify = await admin.patch('/settings/triggers/shopify', { segments_enabled: 'no', status: true })
    expect(shopify.body).toEqual({
      status: true,
      stale_event_threshold: 48,
      warnings: [{ loc: ['body', 'segments_enabled'], msg: 'ignored: shopify has no such field' }],
    })
  })

  it('reject an unknown integration, and name the parameter', async () => {
    const admin = (await makeShop()).as('admin')
    for (const reply of [
      await admin.get('/settings/triggers/mailchimp'),
      await admin.patch('/settings/triggers/mailchimp', {}),
      await admin.get('/settings/triggers/mailchimp/internal-triggers'),
      await admin.post('/settings/triggers/mailchimp/internal-triggers', trigger),
    ]) {
      expect(reply).toMatchObject({ status: 422, body: { key: 'invalid_payload' } })
      expect(problemsOf(reply.body)).toEqual(['path.integration value_error'])
    }
  })
})

describe('internal triggers', () => {
  const path = '/settings/triggers/klaviyo/internal-triggers'

  it('are created, shown, listed and deleted', async () => {
    const shop = await makeShop()
    const admin = shop.as('admin')
    const created = await admin.post(path, trigger)
    expect(created).toMatchObject({ status: 200, body: { ...trigger, id: expect.any(String) } })
    const { id } = created.body
    expect(created.headers.location).toBe(`/v1/shops/${shop.slug}${path}/${id}`)
    expect((await shop.as('viewer').get(`${path}/${id}`)).body).toEqual(created.body)
    const second = await admin.post(path, { ...trigger, name: 'Another' })
    const list = await shop.as('viewer').get(path)
    expect(list.body).toEqual([created.body, second.body])
    expect(list.headers['x-total-count']).toBe('2')
    expect((await admin.get(path, { page: 2, per_page: 1 })).body).toEqual([second.body])
    expect((await admin.get(path, { page: 9 })).headers['x-total-count']).toBe('2')
    expect((await admin.get('/settings/triggers/klaviyo')).body.internal_triggers).toEqual([created.body, second.body])
    expect((await admin.get('/settings/triggers/braze')).body.internal_triggers).toEqual([])
    expect(await admin.delete(`${path}/${id}`)).toMatchObject({ status: 200, text: 'null' })
    expect((await admin.get(path)).body).toEqual([second.body])
    expect(await admin.delete(`${path}/${id}`)).toMatchObject({ status: 404 })
  })

  it('have defaults for their filters', async () => {
    const { name, operator, time_threshold_type, time_threshold_value } = trigger
    const required = { name, operator, time_threshold_type, time_threshold_value }
    const admin = (await makeShop()).as('admin')
    for (const body of [required, { ...required, phase_in: null, event_key_not_in: null, shipment_direction: null }]) {
      expect((await admin.post('/settings/triggers/webhook/internal-triggers', body)).body).toEqual({
        ...required,
        id: expect.any(String),
        phase_in: [],
        phase_not_in: [],
        event_key_in: [],
        event_key_not_in: [],
        shipment_direction: 'merchant_customer',
      })
    }
  })

  it('change only what an update names; null empties a list', async () => {
    const admin = (await makeShop()).as('admin')
    const { body } = await admin.post(path, trigger)
    const changed = await admin.patch(`${path}/${body.id}`, { name: 'Renamed', operator: 'OR', phase_in: null })
    expect(changed.body).toEqual({ ...body, name: 'Renamed', operator: 'OR', phase_in: [] })
    expect((await admin.patch(`${path}/${body.id}`, {})).body).toEqual(changed.body)
    const back = await admin.patch(`${path}/${body.id}`, { shipment_direction: null, event_key_in: ['A', 'B'] })
    expect(back.body).toEqual({ ...changed.body, shipment_direction: 'merchant_customer', event_key_in: ['A', 'B'] })
    expect((await admin.get(`${path}/${body.id}`)).body).toEqual(back.body)
  })

  it('reject wrong input, with the location of each problem', async () => {
    const admin = (await makeShop()).as('admin')
    const empty = await admin.post(path, {})
    expect(empty.status).toBe(422)
    expect(problemsOf(empty.body)).toEqual([
      'body.name missing',
      'body.operator missing',
      'body.time_threshold_type missing',
      'body.time_threshold_value missing',
    ])
    const wrong = {
      name: '',
      phase_in: ['in_transit', 'on_the_moon'],
      event_key_in: [7],
      operator: 'XOR',
      time_threshold_type: 'updated_at',
      time_threshold_value: -1,
      shipment_direction: 'sideways',
    }
    const problems = [
      'body.event_key_in.0 type_error',
      'body.name value_error',
      'body.operator value_error',
      'body.phase_in.1 value_error',
      'body.shipment_direction value_error',
      'body.time_threshold_type value_error',
      'body.time_threshold_value value_error',
    ]
    expect(problemsOf((await admin.post(path, wrong)).body)).toEqual(problems)
    const { body } = await admin.post(path, trigger)
    expect(problemsOf((await admin.patch(`${path}/${body.id}`, wrong)).body)).toEqual(problems)
    expect(problemsOf((await admin.patch(`${path}/${body.id}`, { name: null })).body)).toEqual(['body.name type_error'])
    const unknownId = await admin.get(`${path}/not-an-id`)
    expect(problemsOf(unknownId.body)).toEqual(['path.trigger_id value_error'])
  })

  it('are not found under another integration or in another shop', async () => {
    const [shop, other] = [await makeShop(), await makeShop()]
    const { body } = await shop.as('admin').post(path, trigger)
    const missing = { status: 404, body: { key: 'internal_trigger_not_found' } }
    for (const [caller, address] of [
      [shop.as('admin'), `/settings/triggers/braze/internal-triggers/${body.id}`],
      [other.as('admin'), `${path}/${body.id}`],
    ] as const) {
      expect(await caller.get(address)).toMatchObject(missing)
      expect(await caller.patch(address, { name: 'Taken over' })).toMatchObject(missing)
      expect(await caller.patch(address, {})).toMatchObject(missing)
      expect(await caller.delete(address)).toMatchObject(missing)
    }
    expect((await shop.as('viewer').get(`${path}/${body.id}`)).body).toEqual(body)
    expect((await other.as('viewer').get(path)).body).toEqual([])
  })
})

describe('API description', () => {
  it('offers the exact shape of every integration', async () => {
    const { app } = await theService()
    const description = (await app.inject('/openapi.json')).json()
    const { get, patch } = description.paths['/v1/shops/{slug}/settings/triggers/{integration}']
    const ofSystems = ['Braze', 'Hubspot', 'Inxmail', 'Smtp', 'Shopify']
    const names = (systems: string[], suffix: string) => [
      `TriggerSettings${suffix}`,
      ...systems.map((system) => `${system}TriggerSettings${suffix}`),
    ]
    const refer = (name: string) => ({ $ref: `#/components/schemas/${name}` })
    const warned = (name: string) => ({ allOf: [refer(name), refer('Warned')] })
    const [smtp, shopSystem, ...others] = names(ofSystems, '').reverse()
    expect(get.responses[200].content['application/json'].schema.anyOf).toEqual([
      ...others.reverse().map(refer),
      ...[shopSystem, smtp].map((name = '') => warned(name)),
    ])
    expect(patch.requestBody.content['application/json'].schema.anyOf).toEqual(
      names(['Brevo', ...ofSystems], 'Update').map(refer),
    )
    const shopify = description.components.schemas.ShopifyTriggerSettings
    expect(Object.keys(shopify.properties)).toEqual(['status', 'stale_event_threshold'])
  })
})
