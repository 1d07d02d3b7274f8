import type { Call, CallResponse } from '../../../platform/foundation/call.ts'
import { type CheckOutcome, missingCredentials } from '../../../platform/foundation/connection-check.ts'
import { asList, asObject, readObject } from '../../../platform/foundation/read-json.ts'
import { queryAccount, textAt } from '../check-account.ts'
import { eventKey } from '../event-name.ts'
import type {
  Account,
  AdapterOptions,
  AdapterWith,
  Customer,
  IntegrationResult,
  OutgoingEvent,
  SegmentsResult,
} from '../integration.ts'
import { noIdentifier, noKey, type Problem, problemOf, withPause } from '../outcomes.ts'
import { isE164 } from '../phone.ts'
import { withoutNulls } from '../properties.ts'
import { outcomeOf } from '../response-outcome.ts'
import { hideSecrets } from '../secrets.ts'

/** The maximum page size of Brevo's lists endpoint. */
const pageSize = 50
/** A thousand lists; the names of further ones are not looked up. */
const maxPages = 20

export function create(options: AdapterOptions = {}): AdapterWith<'checkAccount' | 'fetchSegments'> {
  const baseUrl = options.baseUrl ?? 'https://api.brevo.com'
  return {
    send: (call, account, event) => send(baseUrl, call, account, event),
    checkAccount: (call, account) => checkAccount(baseUrl, call, account),
    fetchSegments: (call, account, customer) => fetchSegments(baseUrl, call, account, customer),
  }
}

async function send(baseUrl: string, call: Call, account: Account, event: OutgoingEvent): Promise<IntegrationResult> {
  const headers = headersOf(account)
  if (headers === undefined) return noKey
  const identifier = identifierOf(event.customer)
  if (identifier === undefined) return noIdentifier
  const { first_name, last_name } = event.customer
  const response = await hideSecrets(
    call,
    account.credentials,
  )({
    method: 'POST',
    url: `${baseUrl}/v3/events`,
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({
      event_name: eventKey(event.eventGroup),
      event_date: event.triggeredAt,
      identifiers: { [identifier.type]: identifier.value },
      contact_properties: withoutNulls({ FIRSTNAME: first_name, LASTNAME: last_name }),
      // Brevo has no deduplication key.
      event_properties: { ...withoutNulls(event.eventData), event_id: event.id },
    }),
  })
  return toOutcome(response)
}

async function checkAccount(baseUrl: string, call: Call, account: Account): Promise<CheckOutcome> {
  const headers = headersOf(account)
  if (headers === undefined) return missingCredentials
  return queryAccount(call, account.credentials, {
    url: `${baseUrl}/v3/account`,
    headers,
    facts: (content) => ({
      account_name: textAt(content, 'companyName'),
      email: textAt(content, 'email'),
      plan: textAt(asList(content.plan)?.[0], 'type'),
    }),
  })
}

async function fetchSegments(
  baseUrl: string,
  call: Call,
  account: Account,
  customer: Customer,
): Promise<SegmentsResult> {
  const headers = headersOf(account)
  if (headers === undefined) return noKey
  const identifier = identifierOf(customer)
  if (identifier === undefined) return noIdentifier
  const get = (path: string) =>
    hideSecrets(call, account.credentials)({ method: 'GET', url: `${baseUrl}${path}`, headers })
  const path = `/v3/contacts/${encodeURIComponent(identifier.value)}?identifierType=${identifier.type}`
  const response = await get(path)
  if (response.status === 404) return { result: 'found', segments: [] }
  const listIds = response.status === 200 ? asList(readObject(response.body)?.listIds) : undefined
  if (listIds === undefined) return problemOf(response, toOutcome(response))
  return findNames(get, listIds.map(Number))
}

/** A contact has only the ids of its lists; the names come from the lists endpoint, page by page. */
async function findNames(
  get: (path: string) => Promise<CallResponse>,
  listIds: number[],
): Promise<{ result: 'found'; segments: string[] } | Problem> {
  const names = new Map<number, string>()
  for (let page = 0; names.size < listIds.length && page < maxPages; page += 1) {
    const response = await get(`/v3/contacts/lists?limit=${pageSize}&offset=${page * pageSize}`)
    const content = response.status === 200 ? readObject(response.body) : undefined
    if (content === undefined) return problemOf(response, toOutcome(response))
    const lists = asList(content.lists) ?? []
    for (const list of lists.map(asObject)) {
      if (typeof list?.id !== 'number' || typeof list.name !== 'string') continue
      if (listIds.includes(list.id)) names.set(list.id, list.name)
    }
    if (lists.length < pageSize) break
  }
  const segments = listIds.map((id) => names.get(id)).filter((name) => name !== undefined)
  return { result: 'found', segments: [...new Set(segments)] }
}

function headersOf({ credentials }: Account): Record<string, string> | undefined {
  return 'api_key' in credentials ? { 'api-key': credentials.api_key, accept: 'application/json' } : undefined
}

/** Only one: two identifiers of different contacts would conflict. */
function identifierOf({ email, external_id, phone }: Customer): { type: string; value: string } | undefined {
  if (email) return { type: 'email_id', value: email }
  if (external_id) return { type: 'ext_id', value: external_id }
  return isE164(phone) ? { type: 'phone_id', value: phone } : undefined
}

function toOutcome(response: CallResponse): IntegrationResult {
  return withPause(outcomeOf(response), Number(response.headers['x-sib-ratelimit-reset']) * 1_000)
}
