import type { IntegrationDescription } from '../../adapters/marketing/integration.ts'
import { describedIntegrations } from '../../adapters/marketing/registry.ts'
import { operation } from '../../platform/foundation/operation.ts'
import { inTransaction } from '../../platform/foundation/transaction.ts'
import { inWords, segmentWarnings, type TriggerReceiver } from './integrations.ts'
import { listAllInternalTriggers } from './internal-trigger-store.ts'
import { getTriggerSettings, type TriggerRecord, updateTriggerSettings } from './store.ts'
import { foreignFields, toTriggerSettings, triggerChanges } from './trigger-rules.ts'
import { integrationPath, TriggerSettings, TriggerSettingsUpdate } from './trigger-schema.ts'

const own = describedIntegrations.flatMap(({ label, setting }: IntegrationDescription) =>
  setting ? [{ label, name: setting.name }] : [],
)
const settings = own.map(({ label, name }, index) => `${label} ${index === 0 ? 'also has ' : ''}${name}`)
const shopSystems = describedIntegrations.filter(({ kind }) => kind === 'shop_system').map(({ label }) => label)
const shapes = `${inWords(settings)}; ${inWords(shopSystems)} has only status and stale_event_threshold. smtp is e-mail of our own; it has no segments.`

export const getIntegrationTriggers = operation({
  name: 'getTriggerSettings',
  summary: 'Get which events an integration receives, and when',
  description: shapes,
  area: 'Settings',
  route: 'GET /v1/shops/{slug}/settings/triggers/{integration}',
  needs: 'viewer',
  pathSchemas: integrationPath,
  reply: TriggerSettings,
  async handle(context, { path }) {
    const receiver = path.integration as TriggerReceiver // its schema allows only these
    const record = await getTriggerSettings(context, context.shop.id, receiver)
    const triggers = await listAllInternalTriggers(context, context.shop.id)
    return { ...toTriggerSettings(receiver, record, triggers[receiver]), ...warningsOf(receiver, record) }
  },
})

export const updateIntegrationTriggers = operation({
  name: 'updateTriggerSettings',
  summary: 'Change which events an integration receives, and when',
  description: `${shapes}\n\nFields that are absent stay as they are, and so do switches that are null. For a threshold, null restores the default; null empties a text.`,
  area: 'Settings',
  route: 'PATCH /v1/shops/{slug}/settings/triggers/{integration}',
  needs: 'admin',
  pathSchemas: integrationPath,
  body: TriggerSettingsUpdate,
  reply: TriggerSettings,
  audit: {
    kind: 'trigger_settings',
    async read(context, id) {
      const record = await getTriggerSettings(context, context.shop.id, id as TriggerReceiver) // its schema allows only these
      const { status, trigger_delivered_all_events, stale_event_threshold, segments_enabled, extra } = record
      return { status, trigger_delivered_all_events, stale_event_threshold, segments_enabled, ...extra }
    },
  },
  handle: (context, { path, body, warnings }) =>
    inTransaction(context, async (context) => {
      const receiver = path.integration as TriggerReceiver // its schema allows only these
      for (const name of foreignFields(receiver, body))
        warnings?.add(['body', name], () => `ignored: ${receiver} has no such field`)
      await updateTriggerSettings(context, context.shop.id, receiver, triggerChanges(receiver, body))
      const record = await getTriggerSettings(context, context.shop.id, receiver)
      const triggers = await listAllInternalTriggers(context, context.shop.id)
      return { ...toTriggerSettings(receiver, record, triggers[receiver]), ...warningsOf(receiver, record) }
    }),
})

function warningsOf(receiver: TriggerReceiver, record: TriggerRecord) {
  return segmentWarnings(record.segments_enabled ? [receiver] : [], () => ['segments_enabled'])
}
