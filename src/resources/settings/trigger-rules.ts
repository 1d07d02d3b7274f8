import { ApiError, type Problem } from '../../foundation/errors.ts'
import type { Static, TSchema } from '../../foundation/schema.ts'
import { createValidator } from '../../foundation/validate.ts'
import { hostWithoutCredentials } from '../../foundation/web-address.ts'
import { defaultStaleThreshold, recordOf, type TriggerParty, triggerParties } from './integrations.ts'
import type { TriggerExtra, TriggerRecord } from './store.ts'
import {
  type InternalTrigger,
  type TriggerSettings,
  type TriggerSettingsUpdate,
  triggerUpdates,
} from './trigger-schema.ts'

/** The settings as this integration shows them. */
export function toTriggerSettings(
  party: TriggerParty,
  record: TriggerRecord,
  internalTriggers: InternalTrigger[],
): Static<typeof TriggerSettings> {
  const { status, stale_event_threshold } = record
  if (party === 'shopify') return { status, stale_event_threshold }
  const mail = {
    status,
    trigger_delivered_all_events: record.trigger_delivered_all_events,
    stale_event_threshold,
    internal_triggers: internalTriggers,
  }
  if (party === 'smtp') return mail
  const settings = { ...mail, segments_enabled: record.segments_enabled }
  switch (party) {
    case 'braze':
      return {
        ...settings,
        rest_endpoint: record.extra.rest_endpoint ? hostWithoutCredentials(record.extra.rest_endpoint) : null,
      }
    case 'hubspot':
      return { ...settings, portal_id: record.extra.portal_id ?? null }
    case 'inxmail':
      return { ...settings, instance_id: record.extra.instance_id ?? null }
    default:
      return settings
  }
}

/** Every field that any integration has. */
interface AnyTriggerUpdate {
  status?: boolean | null
  trigger_delivered_all_events?: boolean | null
  stale_event_threshold?: number | null
  segments_enabled?: boolean | null
  instance_id?: string | null
  rest_endpoint?: string | null
  portal_id?: string | null
  use_proxy?: boolean | null
  shipment_group_key?: TriggerExtra['shipment_group_key'] | null
}

/**
 * What an update changes. A switch given as null stays as it is, null restores the default of a threshold,
 * and null empties a text. Fields that the integration does not have are ignored like any unknown field.
 */
export function triggerChanges(
  party: TriggerParty,
  update: Static<typeof TriggerSettingsUpdate>,
): Partial<TriggerRecord> {
  const problems = validators[party].problems(update)
  if (problems) throw errorOf(problems)
  const { status, stale_event_threshold, ...others }: AnyTriggerUpdate = update
  const changes: Partial<TriggerRecord> = {}
  if (typeof status === 'boolean') changes.status = status
  if (stale_event_threshold !== undefined) {
    changes.stale_event_threshold = stale_event_threshold ?? defaultStaleThreshold(party)
  }
  if (party === 'shopify') return changes
  const { trigger_delivered_all_events, segments_enabled } = others
  if (typeof trigger_delivered_all_events === 'boolean') {
    changes.trigger_delivered_all_events = trigger_delivered_all_events
  }
  if (typeof segments_enabled === 'boolean' && party !== 'smtp') changes.segments_enabled = segments_enabled
  const extra: TriggerExtra = {}
  const name = ownField[party]
  const own = name && others[name]
  if (name !== undefined && own !== undefined) extra[name] = own && hostWithoutCredentials(own)
  if (party === 'brevo' && typeof others.use_proxy === 'boolean') extra.use_proxy = others.use_proxy
  // As for a threshold, null restores the default.
  if (others.shipment_group_key !== undefined) extra.shipment_group_key = others.shipment_group_key ?? 'shipment_id'
  if (Object.keys(extra).length > 0) changes.extra = extra
  return changes
}

/** The fields of other integrations that an update has. */
export function foreignFields(party: TriggerParty, update: object): string[] {
  const own = fieldsOf(triggerUpdates[party])
  const known = new Set(triggerParties.flatMap((each) => fieldsOf(triggerUpdates[each])))
  return Object.keys(update).filter((name) => known.has(name) && !own.includes(name))
}

function fieldsOf(schema: TSchema): string[] {
  return Object.keys((schema as { properties?: object }).properties ?? {})
}

const ownField: Partial<Record<TriggerParty, 'instance_id' | 'rest_endpoint' | 'portal_id'>> = {
  braze: 'rest_endpoint',
  hubspot: 'portal_id',
  inxmail: 'instance_id',
}

// The schema of the request allows the fields of all integrations; here it is checked against the one of the path.
const validators = recordOf(triggerParties, (party) => createValidator(triggerUpdates[party], 'body'))

function errorOf(problems: Problem[]): ApiError {
  const sentence = problems.map(({ loc, msg }) => `${loc.slice(1).join('.')}: ${msg}`).join('; ')
  return new ApiError('invalid_payload', sentence, { problems })
}
