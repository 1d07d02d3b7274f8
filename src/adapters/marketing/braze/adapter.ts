import type { Call, CallResponse } from '../../../platform/foundation/call.ts'
import { type CheckOutcome, checkFailure, missingCredentials } from '../../../platform/foundation/connection-check.ts'
import { asList, readObject } from '../../../platform/foundation/read-json.ts'
import { queryAccount } from '../check-account.ts'
import { eventLabel } from '../event-name.ts'
import type {
  Account,
  AdapterOptions,
  AdapterWith,
  Customer,
  IntegrationResult,
  OutgoingEvent,
} from '../integration.ts'
import { noIdentifier, noKey, withPause } from '../outcomes.ts'
import { isE164 } from '../phone.ts'
import { limitTexts, withoutNulls } from '../properties.ts'
import { outcomeOf } from '../response-outcome.ts'
import { hideSecrets } from '../secrets.ts'
import { originOf } from './address.ts'

const maxTextLength = 255

export function create(options: AdapterOptions = {}): AdapterWith<'checkAccount'> {
  return {
    send: (call, account, event) => send(options.baseUrl, call, account, event),
    checkAccount: (call, account) => checkAccount(options.baseUrl, call, account),
  }
}

async function send(
  baseUrl: string | undefined,
  call: Call,
  account: Account,
  event: OutgoingEvent,
): Promise<IntegrationResult> {
  const { credentials, settings } = account
  if (!('api_key' in credentials)) return noKey
  const endpoint = baseUrl ?? originOf(settings.rest_endpoint)
  if (endpoint === undefined) return { result: 'skipped', reason: 'rest_endpoint is not set, or is no address' }
  const identifier = identifierOf(event.customer)
  if (identifier === undefined) return noIdentifier
  const properties = {
    ...limitTexts(withoutNulls(event.eventData), maxTextLength),
    // Braze does not deduplicate events; campaigns and exports can, by this property.
    event_id: event.id,
  }
  const response = await hideSecrets(
    call,
    credentials,
  )({
    method: 'POST',
    url: `${endpoint}/users/track`,
    headers: {
      authorization: `Bearer ${credentials.api_key}`,
      'content-type': 'application/json',
      accept: 'application/json',
    },
    body: JSON.stringify({
      events: [{ ...identifier, name: eventLabel(event.eventGroup), time: event.triggeredAt, properties }],
    }),
  })
  return toOutcome(response)
}

async function checkAccount(baseUrl: string | undefined, call: Call, account: Account): Promise<CheckOutcome> {
  const { credentials, settings } = account
  if (!('api_key' in credentials)) return missingCredentials
  const endpoint = baseUrl ?? originOf(settings.rest_endpoint)
  if (endpoint === undefined) return checkFailure('missing_credentials', 'rest_endpoint is not set, or is no address')
  const outcome = await queryAccount(call, credentials, {
    url: `${endpoint}/events/list?page=0`,
    headers: { authorization: `Bearer ${credentials.api_key}`, accept: 'application/json' },
    permission: 'events.list',
    facts: ({ events }) => ({ events: Array.isArray(events) ? String(events.length) : undefined }),
  })
  // As in toOutcome: the key belongs to another instance.
  return outcome.result === 'not_found' ? { ...outcome, result: 'unauthorised' } : outcome
}

function toOutcome(response: CallResponse): IntegrationResult {
  const { status, body } = response
  const outcome = withPause(outcomeOf(response), pauseOf(response))
  // "Unknown REST API Key": the endpoint exists, but the key belongs to another instance.
  if (status === 404) return { result: 'rejected', status, body, key: 'partner_key_not_found' }
  // A success with errors accepts all objects except those named, and we send only one.
  const errors = outcome.result === 'delivered' ? asList(readObject(body)?.errors) : undefined
  if (errors !== undefined && errors.length > 0) return { result: 'rejected', status, body, key: 'invalid_payload' }
  return outcome
}

/** The reset is in seconds since 1970, relative to the reply's own date header. */
function pauseOf({ headers }: CallResponse): number | undefined {
  const resetMs = Number(headers['x-ratelimit-reset']) * 1_000
  const sentMs = Date.parse(headers.date ?? '')
  return Number.isFinite(resetMs - sentMs) ? resetMs - sentMs : undefined
}

function identifierOf({ external_id, email, phone }: Customer): Record<string, string> | undefined {
  if (external_id) return { external_id }
  if (email) return { email }
  return isE164(phone) ? { phone } : undefined
}
