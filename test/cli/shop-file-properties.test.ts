import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Arbitrary,
  array,
  assert,
  asyncProperty,
  boolean,
  constantFrom,
  integer,
  option,
  record,
  string,
  uniqueArray,
} from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import { CaseCounter } from '../harness/cases.ts'
import { runCli } from '../harness/cli.ts'
import { newFolder } from '../harness/new-folder.ts'
import { makeShop } from '../harness/shop.ts'

const text = (maxLength = 30) =>
  string({ unit: 'grapheme', minLength: 1, maxLength }).filter((each) => isStorable(each))
const maybe = <Value>(value: Parameters<typeof option<Value>>[0]) => option(value, { nil: undefined })

/** PostgreSQL has no zero bytes. */
function isStorable(each: string): boolean {
  return !each.includes('\0') && each.trim() === each
}

const discounts = uniqueArray(
  record({
    code: constantFrom('A', 'b', 'Welcome 10', `\${X}`, '😀'),
    type: constantFrom('product', 'order', 'shipping'),
    title: maybe(text()),
    value: maybe(integer({ min: 0, max: 100 })),
  }),
  { maxLength: 4, selector: ({ code }) => code },
)

const campaigns = uniqueArray(
  record({
    name: text(),
    segment: constantFrom('default', 'vip'),
    promotion_type: constantFrom('basic', 'banner'),
    promotion_properties: record({
      title: maybe(text()),
      translations: maybe(
        uniqueArray(record({ language: constantFrom('de', 'fr'), values: record({ title: maybe(text()) }) }), {
          maxLength: 2,
          selector: ({ language }) => language,
        }),
      ),
    }),
    enabled: boolean(),
    start_date: constantFrom('2026-11-01', '2026-11-01T10:00', '2026-11-01T10:00:00+02:00'),
  }),
  // Two enabled ones for one segment and type would be in each other's way.
  {
    maxLength: 4,
    selector: ({ name, segment, promotion_type, enabled }) => (enabled ? segment + promotion_type : name),
  },
)

const automations = uniqueArray(
  record({
    name: text(),
    enabled: boolean(),
    trigger: record({ events: constantFrom(['*'], ['claims/created', 'shipments/delivered']) }),
    conditions: array(
      record({
        field: constantFrom('event_data.event_name', 'context.order.order_number'),
        operator: constantFrom('eq', 'contains'),
        value: text(),
      }),
      { maxLength: 2 },
    ),
    actions: constantFrom(
      [{ type: 'notify', integration: 'klaviyo' }],
      [
        { type: 'create_claim', reason: 'investigation' },
        { type: 'webhook', url: 'https://a.example/b' },
      ],
    ),
  }),
  { maxLength: 3, selector: ({ name }) => name },
)

const shopFile = record({
  settings: record({
    mail: record({ promotion: boolean(), footer: option(text()) }),
    delivery_target: record({ days: option(integer({ min: 1, max: 10 })), unit: constantFrom('business', 'calendar') }),
    exceptions: record({ pickup_days: integer({ min: 1, max: 10 }) }),
  }),
  discounts,
  campaigns: campaigns.filter((all) => new Set(all.map(({ name }) => name)).size === all.length),
  automations,
  announcements: uniqueArray(record({ language: constantFrom('en', 'de'), text: text(200) }), {
    maxLength: 3,
    selector: (each) => JSON.stringify(each),
  }),
})

type ShopFile = typeof shopFile extends Arbitrary<infer Value> ? Value : never

/** Something of everything, with texts that a file or an environment could take for something else. */
const full: ShopFile = {
  settings: {
    mail: { promotion: true, footer: 'yes: no # 1' },
    delivery_target: { days: null, unit: 'business' },
    exceptions: { pickup_days: 4 },
  },
  discounts: [
    { code: `\${X}`, type: 'order', title: '1e3', value: 0 },
    { code: 'b', type: 'product', title: undefined, value: undefined },
  ],
  campaigns: [
    {
      name: '- null',
      segment: 'vip',
      promotion_type: 'banner',
      promotion_properties: {
        title: '2026-11-01',
        translations: [
          { language: 'de', values: { title: 'Größe\n{a: b}' } },
          { language: 'fr', values: { title: undefined } },
        ],
      },
      enabled: true,
      start_date: '2026-11-01T10:00:00+02:00',
    },
    {
      name: 'true',
      segment: 'default',
      promotion_type: 'basic',
      promotion_properties: { title: undefined, translations: undefined },
      enabled: false,
      start_date: '2026-11-01',
    },
  ],
  automations: [
    {
      name: '~',
      enabled: true,
      trigger: { events: ['claims/created', 'shipments/delivered'] },
      conditions: [{ field: 'context.order.order_number', operator: 'eq', value: '007' }],
      actions: [
        { type: 'create_claim', reason: 'investigation' },
        { type: 'webhook', url: 'https://a.example/b' },
      ],
    },
  ],
  announcements: [
    { language: 'de', text: '"Hallo" \\ 😀' },
    { language: 'en', text: '%YAML' },
  ],
}
const empty: ShopFile = {
  ...full,
  settings: { ...full.settings, mail: { promotion: false, footer: null } },
  discounts: [],
  campaigns: [],
  automations: [],
  announcements: [],
}

const cases = new CaseCounter<ShopFile>({
  'several discounts, one without a value': ({ discounts }) =>
    discounts.length > 1 && discounts.some(({ value }) => value === undefined),
  'a campaign in several languages': ({ campaigns }) =>
    campaigns.some(({ promotion_properties }) => (promotion_properties.translations?.length ?? 0) > 1),
  'a campaign that is not enabled': ({ campaigns }) => campaigns.some(({ enabled }) => !enabled),
  'an automation with conditions': ({ automations }) => automations.some(({ conditions }) => conditions.length > 0),
  announcements: ({ announcements }) => announcements.length > 0,
  'a text that was emptied': ({ settings }) => settings.mail.footer === null,
  'no list that has anything': ({ discounts, campaigns, automations, announcements }) =>
    [...discounts, ...campaigns, ...automations, ...announcements].length === 0,
})

describe('shop files', () => {
  it('change nothing the second time, and neither do those that are pulled', async () => {
    const folder = newFolder()
    const file = join(folder, 'shop.yaml')
    const env = { X: 'a value of the environment' }
    await assert(
      asyncProperty(shopFile, async (content) => {
        cases.count(content)
        const shop = await makeShop()
        writeFileSync(file, stringify({ shop: shop.slug, ...content }))
        const first = await runCli(['apply', file, '--yes', '--json'], { env })
        expect(first).toMatchObject({ code: 0, stderr: '' })
        const again = await runCli(['plan', file, '--json'], { env })
        expect(again).toMatchObject({ code: 0, json: { has_changes: false } })
        const pulled = await runCli(['pull', shop.slug])
        writeFileSync(file, pulled.stdout)
        const own = await runCli(['plan', file, '--delete', '--json'])
        expect(own).toMatchObject({ code: 0, stderr: '', json: { has_changes: false } })
        // A file pulled from one shop makes another one the same.
        const copy = await makeShop()
        writeFileSync(file, pulled.stdout.replace(`shop: ${shop.slug}`, `shop: ${copy.slug}`))
        expect(await runCli(['apply', file, '--yes', '--json'])).toMatchObject({ code: 0, stderr: '' })
        const { stdout } = await runCli(['pull', copy.slug])
        expect(stdout.replace(copy.slug, shop.slug)).toBe(pulled.stdout)
      }),
      { numRuns: 5, endOnFailure: true, examples: [[full], [empty]] },
    )
    cases.expectEach()
  })
})
