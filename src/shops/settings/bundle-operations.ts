import type { ShopContext } from '../../platform/foundation/context.ts'
import { invalid } from '../../platform/foundation/errors.ts'
import { operation } from '../../platform/foundation/operation.ts'
import { inTransaction } from '../../platform/foundation/transaction.ts'
import { toBundle } from './bundle.ts'
import { Mappings, MappingsReplacement, SettingsBundle, sourceKinds } from './bundle-schema.ts'
import { recordOf } from './integrations.ts'
import { listAllInternalTriggers } from './internal-trigger-store.ts'
import { getAllTriggerSettings, getSettings, replaceMappings } from './store.ts'

export const getSettingsBundle = operation({
  name: 'getSettingsBundle',
  summary: 'Get all settings of a shop at once',
  description: 'The same objects as the operations for each of them return, in one call.',
  area: 'Settings',
  route: 'GET /v1/shops/{slug}/settings/bundle',
  needs: 'viewer',
  reply: SettingsBundle,
  handle: (context) => readBundle(context),
})

export const getMappings = operation({
  name: 'getMappings',
  summary: 'Get the field mappings of a shop system',
  area: 'Settings',
  route: 'GET /v1/shops/{slug}/settings/mappings',
  needs: 'viewer',
  reply: Mappings,
  async handle(context) {
    const { mappings } = await getSettings(context, context.shop.id)
    return { version: 1 as const, data: mappings }
  },
})

export const setMappings = operation({
  name: 'setMappings',
  summary: 'Set the field mappings of a shop system',
  description:
    'Replaces all mappings and returns the combined settings. A source is a `note_attribute` of Shopify, `meta_data` of WooCommerce, a `custom_field` of Shopware, or a plain `field` of their order. A target is order_name, email_id, external_customer_id, order_status_url, financial_status, user_agent, promise_id, segments or preferred_delivery_date; any other name is stored in order_analytics.',
  area: 'Settings',
  route: 'PUT /v1/shops/{slug}/settings/mappings',
  needs: 'admin',
  body: MappingsReplacement,
  reply: SettingsBundle,
  audit: {
    kind: 'settings',
    id: () => 'mappings',
    async read(context) {
      const { mappings } = await getSettings(context, context.shop.id)
      return recordOf(sourceKinds, (kind) => Object.fromEntries((mappings[kind] ?? []).map(entryOf)))
    },
  },
  handle: (context, { body }) =>
    inTransaction(context, async (context) => {
      for (const kind of Object.keys(body.data)) {
        // A rule for a source that does not exist would never apply, unnoticed.
        if (!known.has(kind)) throw invalid(['body', 'data', kind], `must be one of ${sourceKinds.join(', ')}`)
      }
      await replaceMappings(context, context.shop.id, body.data)
      return readBundle(context)
    }),
})

const known = new Set<string>(sourceKinds)

/** A rule as a field of its own, so that the audit log shows which one changed. */
function entryOf({ source, target }: { source: { type: string; key: string }; target: string }): [string, string] {
  return [`${source.type} ${source.key}`, target]
}

async function readBundle(context: ShopContext): Promise<SettingsBundle> {
  const settings = await getSettings(context, context.shop.id)
  const triggers = await getAllTriggerSettings(context, context.shop.id)
  const internalTriggers = await listAllInternalTriggers(context, context.shop.id)
  return toBundle(settings, triggers, internalTriggers, context.services.isProduction)
}
