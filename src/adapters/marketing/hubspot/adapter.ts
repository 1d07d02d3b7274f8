import type { Call, CallResponse } from '../../../platform/foundation/call.ts'
import { type CheckOutcome, missingCredentials } from '../../../platform/foundation/connection-check.ts'
import { asList, asObject, readObject } from '../../../platform/foundation/read-json.ts'
import { readRetryAfter } from '../../../platform/foundation/retry-after.ts'
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
import { flatVariables, limitTexts } from '../properties.ts'
import { outcomeOf } from '../response-outcome.ts'
import { hideSecrets } from '../secrets.ts'

/** Of the events API, by date. The other calls are those of version 3, which HubSpot supports as legacy. */
const eventsVersion = '2026-03'
const maxProperties = 50
const maxTextLength = 256
const contactTypeId = '0-1'
/** Lists per request for names, which bounds the length of the URL. */
const namesAtOnce = 100
const maxPages = 20
/** The documented duration of a lock. */
const lockMs = 2_000

type Get = (path: string) => Promise<CallResponse>

export function create(options: AdapterOptions = {}): AdapterWith<'checkAccount' | 'fetchSegments'> {
  const baseUrl = options.baseUrl ?? 'https://api.hubapi.com'
  return {
    send: (call, account, event) => send(baseUrl, call, account, event),
    checkAccount: (call, account) => checkAccount(baseUrl, call, account),
    fetchSegments: (call, account, customer) => fetchSegments(baseUrl, call, account, customer),
  }
}

async function send(baseUrl: string, call: Call, account: Account, event: OutgoingEvent): Promise<IntegrationResult> {
  const headers = headersOf(account)
  if (headers === undefined) return noKey
  const portalId = account.settings.portal_id?.trim() ?? ''
  if (!/^\d+$/.test(portalId)) return { result: 'skipped', reason: 'portal_id is not set, or is no number' }
  const { email } = event.customer
  if (!email) return noIdentifier
  const response = await hideSecrets(
    call,
    account.credentials,
  )({
    method: 'POST',
    url: `${baseUrl}/events/${eventsVersion}/send`,
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({
      eventName: `pe${portalId}_${eventKey(event.eventGroup)}`,
      uuid: event.id,
      email,
      occurredAt: event.triggeredAt,
      properties: propertiesOf(event.eventData),
    }),
  })
  // Within a year HubSpot rejects a uuid that it has accepted: an earlier attempt has arrived, and its reply was lost.
  if (response.status === 409) return { result: 'delivered', status: 409, body: response.body }
  return toOutcome(response)
}

/** Also compares the account with the `portal_id` that events are named by. */
async function checkAccount(baseUrl: string, call: Call, account: Account): Promise<CheckOutcome> {
  const headers = headersOf(account)
  if (headers === undefined) return missingCredentials
  const outcome = await queryAccount(call, account.credentials, {
    url: `${baseUrl}/account-info/v3/details`,
    headers,
    facts: (content) => ({
      portal_id: textAt(content, 'portalId'),
      account_type: textAt(content, 'accountType'),
      currency: textAt(content, 'companyCurrency'),
      timezone: textAt(content, 'timeZone'),
    }),
  })
  const wanted = account.settings.portal_id?.trim() ?? ''
  const found = outcome.facts.portal_id
  if (outcome.result !== 'ok' || wanted === '' || found === undefined || found === wanted) return outcome
  const detail = `The token belongs to the account ${found}, but portal_id is ${wanted}.`
  return { ...outcome, result: 'unexpected', detail }
}

async function fetchSegments(
  baseUrl: string,
  call: Call,
  account: Account,
  customer: Customer,
): Promise<SegmentsResult> {
  const headers = headersOf(account)
  if (headers === undefined) return noKey
  if (!customer.email) return noIdentifier
  const get: Get = (path) =>
    hideSecrets(call, account.credentials)({ method: 'GET', url: `${baseUrl}${path}`, headers })
  const contact = await get(
    `/crm/v3/objects/contacts/${encodeURIComponent(customer.email)}?idProperty=email&properties=email`,
  )
  if (contact.status === 404) return { result: 'found', segments: [] }
  const id = contact.status === 200 ? readObject(contact.body)?.id : undefined
  if (typeof id !== 'string') return problemOf(contact, toOutcome(contact))
  const listIds = await readMemberships(get, id)
  if (!Array.isArray(listIds)) return listIds
  const names = await readNames(get, listIds)
  if (!(names instanceof Map)) return names
  const segments = listIds.map((listId) => names.get(listId)).filter((name) => name !== undefined)
  return { result: 'found', segments: [...new Set(segments)] }
}

async function readMemberships(get: Get, contactId: string): Promise<string[] | Problem> {
  const listIds: string[] = []
  const path = `/crm/v3/lists/records/${contactTypeId}/${encodeURIComponent(contactId)}/memberships`
  let query: string | undefined = ''
  for (let page = 0; query !== undefined && page < maxPages; page += 1) {
    const response: CallResponse = await get(path + query)
    const content = response.status === 200 ? readObject(response.body) : undefined
    const results = asList(content?.results)
    if (results === undefined) return problemOf(response, toOutcome(response))
    listIds.push(...results.map((result) => asObject(result)?.listId).filter((listId) => typeof listId === 'string'))
    const after = asObject(asObject(content?.paging)?.next)?.after
    query = typeof after === 'string' && after !== '' ? `?after=${encodeURIComponent(after)}` : undefined
  }
  return listIds
}

async function readNames(get: Get, listIds: string[]): Promise<Map<string, string> | Problem> {
  const names = new Map<string, string>()
  for (let start = 0; start < listIds.length; start += namesAtOnce) {
    const wanted = listIds.slice(start, start + namesAtOnce).map((listId) => `listIds=${encodeURIComponent(listId)}`)
    const response = await get(`/crm/v3/lists/?${wanted.join('&')}`)
    const lists = response.status === 200 ? asList(readObject(response.body)?.lists) : undefined
    if (lists === undefined) return problemOf(response, toOutcome(response))
    for (const list of lists.map(asObject)) {
      if (typeof list?.listId === 'string' && typeof list.name === 'string') names.set(list.listId, list.name)
    }
  }
  return names
}

function headersOf({ credentials }: Account): Record<string, string> | undefined {
  if (!('api_key' in credentials)) return undefined
  return { authorization: `Bearer ${credentials.api_key}`, accept: 'application/json' }
}

/**
 * Each property must be defined with the event in HubSpot, so only names known in advance are sent: a list of records,
 * whose names would be numbered, is left out. The endpoint takes all values as text.
 */
function propertiesOf(eventData: Record<string, unknown>): Record<string, string> {
  const known = Object.entries(eventData).filter(
    ([, value]) => !(Array.isArray(value) && value.some((item) => asObject(item) !== undefined)),
  )
  const texts = Object.entries(flatVariables(Object.fromEntries(known)))
    .filter(([name]) => /^[a-z][a-z0-9_]{0,49}$/.test(name))
    .map(([name, value]): [string, string] => [name, String(value)])
  return Object.fromEntries(
    Object.entries(limitTexts(Object.fromEntries(texts), maxTextLength)).slice(0, maxProperties),
  )
}

function toOutcome(response: CallResponse): IntegrationResult {
  const { status, body } = response
  // 423 during a large sync, and 477 while the account moves to another data centre: both are temporary.
  const isPassing = status === 423 || status === 477
  const outcome: IntegrationResult = isPassing
    ? { result: 'failed', status, body, key: 'bad_gateway' }
    : outcomeOf(response)
  return withPause(outcome, pauseOf(response))
}

function pauseOf(response: CallResponse): number | undefined {
  const pauseMs = readRetryAfter(response)
  if (pauseMs === undefined && response.status === 423) return lockMs
  if (pauseMs !== undefined || response.status !== 429) return pauseMs
  // The daily limit resets at midnight in the account's time zone, which is unknown, so retry hourly.
  if (readObject(response.body)?.policyName === 'DAILY') return 3_600_000
  const windowMs = Number(response.headers['x-hubspot-ratelimit-interval-milliseconds'])
  return Number.isFinite(windowMs) ? windowMs : undefined
}
