import { describe, expect, it } from 'vitest'
import { call } from '../harness/service.ts'
import { makeShop } from '../harness/shop.ts'
import { problemsOf, trigger, triggerDefaults } from '../harness/trigger-settings.ts'

const allOff = {
  klaviyo: false,
  brevo: false,
  braze: false,
  hubspot: false,
  emarsys: false,
  inxmail: false,
  shopify: false,
}
const colors = ['primary_dark', 'primary_light', 'secondary_dark', 'secondary_light', 'background', 'surface']
describe('settings', () => {
  it('show every default of a new shop, and what was switched on at its creation', async () => {
    const { body } = await (await makeShop()).as('viewer').get('/settings')
    expect(body).toEqual({
      carriers: { shipment_updates: false },
      triggers: allOff,
      segments: allOff,
      brand_palette: Object.fromEntries(colors.map((color) => [color, expect.stringMatching(/^#[0-9A-F]{6}$/)])),
    })
    const wishes = { klaviyo_enabled: true, shopify_enabled: true, carriers_enabled: true }
    const wished = await (await makeShop({ settings: wishes })).as('viewer').get('/settings')
    expect(wished.body).toMatchObject({
      carriers: { shipment_updates: true },
      triggers: { ...allOff, klaviyo: true, shopify: true },
    })
  })

  it('switch carrier updates; null and absent change nothing', async () => {
    const admin = (await makeShop()).as('admin')
    for (const [body, expected] of [
      [{ shipment_updates: true }, true],
      [{ shipment_updates: null }, true],
      [{}, true],
      [{ shipment_updates: false }, false],
    ] as const) {
      expect((await admin.patch('/settings/carriers', body)).body).toEqual({ shipment_updates: expected })
      expect((await admin.get('/settings')).body.carriers).toEqual({ shipment_updates: expected })
    }
  })

  it('switch some triggers and not the others; the status of an integration is the same switch', async () => {
    const admin = (await makeShop()).as('admin')
    const first = await admin.patch('/settings/triggers', { klaviyo: true, shopify: true, braze: null, unknown: true })
    const ignored = { loc: ['body', 'unknown'], msg: 'ignored: unknown field' }
    expect(first.body).toEqual({ ...allOff, klaviyo: true, shopify: true, warnings: [ignored] })
    const second = await admin.patch('/settings/triggers', { klaviyo: false, brevo: true })
    expect(second.body).toEqual({ ...allOff, brevo: true, shopify: true })
    expect((await admin.patch('/settings/triggers', {})).body).toEqual(second.body)
    expect((await admin.get('/settings/triggers/brevo')).body.status).toBe(true)
    await admin.patch('/settings/triggers/shopify', { status: false })
    expect((await admin.get('/settings')).body.triggers).toEqual({ ...allOff, brevo: true })
  })

  it('switch the segments of six integrations and return all seven', async () => {
    const admin = (await makeShop()).as('admin')
    const first = await admin.patch('/settings/segments', {
      hubspot: true,
      inxmail: true,
      emarsys: null,
      shopify: true,
    })
    const warnings = [{ loc: ['inxmail'], msg: expect.stringContaining('has no effect') }]
    expect(first.body).toEqual({ ...allOff, hubspot: true, inxmail: true, warnings })
    expect((await admin.get('/settings/triggers/hubspot')).body.segments_enabled).toBe(true)
    await admin.patch('/settings/triggers/hubspot', { segments_enabled: false })
    expect((await admin.get('/settings')).body.segments).toEqual({ ...allOff, inxmail: true })
  })

  it('switch integrations and segments of their own shop only', async () => {
    const [shop, other] = [await makeShop(), await makeShop()]
    const before = (await other.as('viewer').get('/settings')).body
    const all = { klaviyo: true, brevo: true, braze: true, hubspot: true, emarsys: true }
    for (const kind of ['triggers', 'segments']) {
      expect((await shop.as('admin').patch(`/settings/${kind}`, all)).body).toMatchObject(all)
    }
    expect((await other.as('viewer').get('/settings')).body).toEqual(before)
  })

  it('store campaign settings as on, off or undecided', async () => {
    const admin = (await makeShop()).as('admin')
    for (const [body, expected] of [
      [{}, false],
      [{ product_recommendations_enabled: true }, true],
      [{}, true],
      [{ product_recommendations_enabled: null }, null],
    ] as const) {
      const reply = await admin.patch('/settings/campaigns', body)
      expect(reply.body).toEqual({ product_recommendations_enabled: expected })
    }
    expect((await admin.get('/settings/bundle')).body.campaigns).toEqual({ product_recommendations_enabled: null })
  })

  it.each([
    ['/settings/carriers', { shipment_updates: 'yes' }, ['body.shipment_updates type_error']],
    ['/settings/triggers', { klaviyo: 1, braze: 'on' }, ['body.braze type_error', 'body.klaviyo type_error']],
    ['/settings/segments', { inxmail: {} }, ['body.inxmail type_error']],
    [
      '/settings/campaigns',
      { product_recommendations_enabled: 0 },
      ['body.product_recommendations_enabled type_error'],
    ],
    ['/settings/carriers', [], ['body type_error']],
  ])('reject wrong input of %s: %j', async (path, body, problems) => {
    const reply = await (await makeShop()).as('admin').patch(path, body)
    expect(reply).toMatchObject({ status: 422, body: { key: 'invalid_payload' } })
    expect(problemsOf(reply.body)).toEqual(problems)
  })

  it('are read by viewers, written by admins, and inaccessible to other shops', async () => {
    const shop = await makeShop()
    const refused = { status: 403, body: { key: 'insufficient_rights' } }
    const id = '0192f3c4-7b1e-7cc0-9d3a-2f6f7a1b4c5d'
    const readable = ['', '/triggers/webhook', '/triggers/braze/internal-triggers', '/brand-palette', '/mappings']
    const stranger = await (await makeShop()).credentials('admin')
    for (const path of [...readable, '/bundle']) {
      expect((await shop.as('viewer').get(`/settings${path}`)).status).toBe(200)
      const foreign = await call('GET', `/v1/shops/${shop.slug}/settings${path}`, { auth: stranger })
      expect(foreign).toMatchObject(refused)
    }
    const editor = shop.as('editor')
    for (const path of ['carriers', 'triggers', 'segments', 'campaigns', 'triggers/klaviyo', 'brand-palette']) {
      expect(await editor.patch(`/settings/${path}`, {})).toMatchObject(refused)
    }
    expect(await editor.put('/settings/mappings', { data: {} })).toMatchObject(refused)
    const path = '/settings/triggers/klaviyo/internal-triggers'
    expect(await editor.post(path, trigger)).toMatchObject(refused)
    expect(await editor.patch(`${path}/${id}`, {})).toMatchObject(refused)
    expect(await editor.delete(`${path}/${id}`)).toMatchObject(refused)
    expect((await call('GET', `/v1/shops/${shop.slug}/settings`, { auth: null })).status).toBe(400)
  })
})

describe('brand palette', () => {
  it('is readable by default: every dark colour on every light one', async () => {
    const { body } = await (await makeShop()).as('viewer').get('/settings/brand-palette')
    expect(Object.keys(body)).toEqual(colors)
    for (const dark of [body.primary_dark, body.secondary_dark]) {
      for (const light of [body.primary_light, body.secondary_light, body.background, body.surface]) {
        expect(contrast(dark, light)).toBeGreaterThan(7)
      }
    }
  })

  it('changes only the given colours; null restores the default', async () => {
    const admin = (await makeShop()).as('admin')
    const { body: initial } = await admin.get('/settings/brand-palette')
    const changed = await admin.patch('/settings/brand-palette', { primary_dark: '#abcdef', surface: '#012345' })
    expect(changed.body).toEqual({ ...initial, primary_dark: '#abcdef', surface: '#012345' })
    const reset = await admin.patch('/settings/brand-palette', { primary_dark: null, background: null })
    expect(reset.body).toEqual({ ...initial, surface: '#012345' })
    expect((await admin.patch('/settings/brand-palette', {})).body).toEqual(reset.body)
    expect((await admin.get('/settings/brand-palette')).body).toEqual(reset.body)
    expect((await admin.get('/settings')).body.brand_palette).toEqual(reset.body)
  })

  it('rejects what is not a colour', async () => {
    const admin = (await makeShop()).as('admin')
    const body = { primary_dark: '#fff', primary_light: 'red', secondary_dark: '#12345G', surface: 7 }
    const reply = await admin.patch('/settings/brand-palette', body)
    expect(reply.status).toBe(422)
    expect(problemsOf(reply.body)).toEqual([
      'body.primary_dark value_error',
      'body.primary_light value_error',
      'body.secondary_dark value_error',
      'body.surface type_error',
    ])
  })
})

describe('mappings and the settings bundle', () => {
  const rule = { source: { key: 'Marketplace order', type: 'note_attribute' }, target: 'marketplace_order_number' }

  it('shows all settings in one response, with the defaults', async () => {
    const { body } = await (await makeShop()).as('viewer').get('/settings/bundle')
    const entries = Object.entries(triggerDefaults).map(([integration, entry]) => [
      integration,
      { ...entry, status: integration === 'webhook' ? 'live' : 'disabled', shipment_group_key: 'shipment_id' },
    ])
    const { brevo, ...others } = Object.fromEntries(entries)
    const providers = ['pp', 'aftership', 'hc'].flatMap((provider) => [
      [`${provider}_status`, 'disabled'],
      [`${provider}_enabled_carriers`, []],
      [`${provider}_disabled_carriers`, []],
      [`override_${provider}_tracking_config_for_segments`, false],
    ])
    const ours = ['dhl', 'ups', 'fedex', 'easypost', 'sandbox'].flatMap((provider) => [
      [`${provider}_status`, provider === 'sandbox' ? 'live' : 'disabled'],
      [`${provider}_enabled_carriers`, []],
      [`${provider}_disabled_carriers`, []],
    ])
    expect(body).toEqual({
      triggers: { version: 1, data: { ...others, brevo: { ...brevo, use_proxy: false } } },
      carriers: { version: 1, data: Object.fromEntries([...providers, ...ours]) },
      mappings: { version: 1, data: {} },
      segments: allOff,
      campaigns: { product_recommendations_enabled: false },
      brand_palette: Object.fromEntries(colors.map((color) => [color, expect.any(String)])),
    })
  })

  it('reflects settings that are changed elsewhere', async () => {
    const admin = (await makeShop()).as('admin')
    await admin.patch('/settings/triggers/inxmail', { status: true, instance_id: 'inx-1', segments_enabled: true })
    const { body: made } = await admin.post('/settings/triggers/inxmail/internal-triggers', trigger)
    await admin.patch('/settings/brand-palette', { surface: '#FEFEFE' })
    expect((await admin.get('/settings/bundle')).body).toMatchObject({
      triggers: { data: { inxmail: { status: 'live', instance_id: 'inx-1', internal_triggers: [made] } } },
      segments: { ...allOff, inxmail: true },
      brand_palette: { surface: '#FEFEFE' },
    })
  })

  it('replaces the mappings and returns the bundle', async () => {
    const admin = (await makeShop()).as('admin')
    expect((await admin.get('/settings/mappings')).body).toEqual({ version: 1, data: {} })
    const first = await admin.put('/settings/mappings', { version: 1, data: { 'shopify.order': [rule] } })
    expect(first.status).toBe(200)
    expect(first.body).toEqual((await admin.get('/settings/bundle')).body)
    expect(first.body.mappings).toEqual({ version: 1, data: { 'shopify.order': [rule] } })
    await admin.put('/settings/mappings', { data: { 'shopware.order': [rule, rule], 'woocommerce.order': [] } })
    expect((await admin.get('/settings/mappings')).body).toEqual({
      version: 1,
      data: { 'shopware.order': [rule, rule], 'woocommerce.order': [] },
    })
  })

  it.each([
    [{}, ['body.data missing']],
    [{ version: 2, data: {} }, ['body.version value_error']],
    [{ data: { 'magento.order': [rule] } }, ['body.data.magento.order value_error']],
    [{ data: { 'shopify.order': rule } }, ['body.data.shopify.order type_error']],
    [
      { data: { 'shopify.order': [rule, { source: { key: 7 } }] } },
      [
        'body.data.shopify.order.1.source.key type_error',
        'body.data.shopify.order.1.source.type missing',
        'body.data.shopify.order.1.target missing',
      ],
    ],
  ])('rejects wrong mappings: %j', async (body, problems) => {
    const admin = (await makeShop()).as('admin')
    const reply = await admin.put('/settings/mappings', body)
    expect(reply).toMatchObject({ status: 422, body: { key: 'invalid_payload' } })
    expect(problemsOf(reply.body)).toEqual(problems)
    expect((await admin.get('/settings/mappings')).body.data).toEqual({})
  })
})

/** The contrast of two colours as WCAG 2.2 defines it. */
function contrast(first: string, second: string): number {
  const [darker = 0, lighter = 0] = [luminance(first), luminance(second)].sort((left, right) => left - right)
  return (lighter + 0.05) / (darker + 0.05)
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const share = Number.parseInt(color.slice(start, start + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
