import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type CliOptions, runCli } from './cli.ts'
import { newFolder } from './new-folder.ts'

/** The folder for the files of the tests. */
export const shopFiles = newFolder()
let written = 0

/** Writes a file and returns its path. */
export function writeShopFile(text: string, name = `shop-${++written}.yaml`): string {
  const file = join(shopFiles, name)
  writeFileSync(file, text)
  return file
}

export async function applyFile(text: string, options: CliOptions = {}, ...more: string[]) {
  return runCli(['apply', writeShopFile(text), '--yes', '--json', ...more], options)
}

export async function planFile(text: string, options: CliOptions = {}, ...more: string[]) {
  return runCli(['plan', writeShopFile(text), '--json', ...more], options)
}

/** A file with every section. */
export const wholeShopFile = (slug: string) => `
shop: ${slug}
profile: { contact_email: hello@shop.example }
settings:
  mail: { promotion: false, quiet_hours: { from: "22:00" } }
  calendar: { weekend: [7, 6], closed_days: [{ date: 2026-12-31, name: End }, { date: 2026-12-24, name: Eve }] }
  mappings:
    shopify.order: [{ source: { type: note_attribute, key: Market }, target: market }]
  team_mail: { addresses: [{ email: Ops@Shop.example, digest: daily, alerts: true, language: null }] }
  tracking_providers: { dhl: { status: live, enabled_carriers: [dhl] } }
integrations:
  klaviyo:
    status: true
    credentials: { api_key: "\${KLAVIYO_KEY}" }
    internal_triggers:
      - { name: Stuck, operator: AND, time_threshold_type: latest_event_time, time_threshold_value: 72, phase_in: [in_transit] }
  smtp: { stale_event_threshold: 9 }
discounts:
  - { code: WELCOME10, type: order, value: 10, value_type: percentage }
campaigns:
  - name: Socks
    segment: default
    promotion_type: basic
    promotion_properties: { title: Warm feet, translations: [{ language: de, values: { title: Warme Füße } }] }
    enabled: true
    start_date: 2026-11-01
    discount: welcome10
deals:
  - { discount: WELCOME10, title: Second }
  - { discount: WELCOME10, title: First, translations: [{ language: de, data: { title: Erstes } }] }
announcements:
  - { language: en, text: Parcels take a day longer. }
webhooks:
  - { url: "https://warehouse.example/hook", enabled_events: [shipments/delivered], secret: "\${HOOK_SECRET}" }
automations:
  - name: Ask after it
    trigger: { events: [shipments/delivery_failed] }
    conditions: [{ field: context.order.total_order_price, operator: gte, value: 100 }]
    actions: [{ type: add_segment, segment: had-trouble }]
`
/** The secrets that it refers to. */
export const fileSecrets = { KLAVIYO_KEY: 'pk_very_secret_0123456789', HOOK_SECRET: 'hook_secret_0123456789' }
