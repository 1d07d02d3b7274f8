import type { OwnSetting } from '../../adapters/marketing/integration.ts'
import { mailReceiver } from '../../delivery/queue/delivery.ts'
import { ApiError, type Problem } from '../../platform/foundation/errors.ts'
import type { Static, TSchema } from '../../platform/foundation/schema.ts'
import { createValidator } from '../../platform/foundation/validate.ts'
import { hostWithoutCredentials } from '../../platform/foundation/web-address.ts'
import {
  defaultStaleThreshold,
  descriptionOf,
  isShopSystem,
  recordOf,
  type TriggerReceiver,
  triggerReceivers,
} from './integrations.ts'
import type { TriggerExtra, TriggerRecord } from './store.ts'
import {
  type InternalTrigger,
  type TriggerSettings,
  type TriggerSettingsUpdate,
  triggerUpdates,
} from './trigger-schema.ts'

/** The settings as this integration shows them. */
export function toTriggerSettings(
  receiver: TriggerReceiver,
  record: TriggerRecord,
  internalTriggers: InternalTrigger[],
): Static<typeof TriggerSettings> {
  const { status, stale_event_threshold } = record
  if (isShopSystem(receiver)) return { status, stale_event_threshold }
  const mail = {
    status,
    trigger_delivered_all_events: record.trigger_delivered_all_events,
    stale_event_threshold,
    internal_triggers: internalTriggers,
  }
  if (receiver === mailReceiver) return mail
  const settings = { ...mail, segments_enabled: record.segments_enabled }
  const { setting } = descriptionOf(receiver) ?? {}
  if (setting === undefined) return settings
  const own = ownSettingIn(record.extra, setting)
  return { ...settings, [setting.name]: own && setting.isAddress ? hostWithoutCredentials(own) : own }
}

/** The own setting of an integration; null if it is not set. */
export function ownSettingIn(extra: TriggerExtra, { name }: OwnSetting): string | null {
  const value = extra[name]
  return typeof value === 'string' ? value : null
}

/**
 * The changes of an update. A switch given as null stays as it is, null restores the default of a threshold, and null
 * empties a text. Fields that the integration does not have are ignored like any unknown field.
 */
export function triggerChanges(
  receiver: TriggerReceiver,
  update: Static<typeof TriggerSettingsUpdate>,
): Partial<TriggerRecord> {
  const problems = validators[receiver].problems(update)
  if (problems) throw errorOf(problems)
  const { status, stale_event_threshold, ...others } = update
  const changes: Partial<TriggerRecord> = {}
  if (typeof status === 'boolean') changes.status = status
  if (stale_event_threshold !== undefined) {
    changes.stale_event_threshold = stale_event_threshold ?? defaultStaleThreshold(receiver)
  }
  if (isShopSystem(receiver)) return changes
  const { trigger_delivered_all_events, segments_enabled } = others
  if (typeof trigger_delivered_all_events === 'boolean') {
    changes.trigger_delivered_all_events = trigger_delivered_all_events
  }
  if (typeof segments_enabled === 'boolean' && receiver !== mailReceiver) changes.segments_enabled = segments_enabled
  const extra: TriggerExtra = {}
  const { setting, usesProxy } = descriptionOf(receiver) ?? {}
  if (setting) {
    const own = others[setting.name]
    if (typeof own === 'string') extra[setting.name] = own && hostWithoutCredentials(own)
    if (own === null) extra[setting.name] = null
  }
  if (usesProxy && typeof others.use_proxy === 'boolean') extra.use_proxy = others.use_proxy
  // As for a threshold, null restores the default.
  if (others.shipment_group_key !== undefined) extra.shipment_group_key = others.shipment_group_key ?? 'shipment_id'
  if (Object.keys(extra).length > 0) changes.extra = extra
  return changes
}

/** The fields of other integrations that an update has. */
export function foreignFields(receiver: TriggerReceiver, update: object): string[] {
  const own = fieldsOf(triggerUpdates[receiver])
  const known = new Set(triggerReceivers.flatMap((each) => fieldsOf(triggerUpdates[each])))
  return Object.keys(update).filter((name) => known.has(name) && !own.includes(name))
}

function fieldsOf(schema: TSchema): string[] {
  return Object.keys((schema as { properties?: object }).properties ?? {})
}

// The schema of the request allows the fields of all integrations; here it is checked against the one of the path.
const validators = recordOf(triggerReceivers, (receiver) => createValidator(triggerUpdates[receiver], 'body'))

function errorOf(problems: Problem[]): ApiError {
  const sentence = problems.map(({ loc, msg }) => `${loc.slice(1).join('.')}: ${msg}`).join('; ')
  return new ApiError('invalid_payload', sentence, { problems })
}
