import type { Call, CallResponse } from '../../../platform/foundation/call.ts'
import { type CheckOutcome, missingCredentials } from '../../../platform/foundation/connection-check.ts'
import { asList, asObject, readObject } from '../../../platform/foundation/read-json.ts'
import { queryAccount, textAt } from '../check-account.ts'
import { eventLabel } from '../event-name.ts'
import type {
  Account,
  AdapterOptions,
  AdapterWith,
  Customer,
  IntegrationResult,
  OutgoingEvent,
  SegmentsResult,
} from '../integration.ts'
import { noIdentifier, noKey, type Problem, problemOf } from '../outcomes.ts'
import { isE164 } from '../phone.ts'
import { withoutNulls } from '../properties.ts'
import { outcomeOf } from '../response-outcome.ts'
import { hideSecrets } from '../secrets.ts'

const revision = '2026-07-15'
const mediaType = 'application/vnd.api+json'
/** More pages than any profile has; a reply that links to itself must not keep a worker busy forever. */
const maxPages = 20

export function create(options: AdapterOptions = {}): AdapterWith<'checkAccount' | 'fetchSegments'> {
  const baseUrl = options.baseUrl ?? 'https://a.klaviyo.com'
  return {
    send: (call, account, event) => send(baseUrl, call, account, event),
    checkAccount: (call, account) => checkAccount(baseUrl, call, account),
    fetchSegments: (call, account, customer) => fetchSegments(baseUrl, call, account, customer),
  }
}

async function send(baseUrl: string, call: Call, account: Account, event: OutgoingEvent): Promise<IntegrationResult> {
  const headers = headersOf(account)
  if (headers === undefined) return noKey
  const identifiers = identifiersOf(event.customer)
  if (Object.keys(identifiers).length === 0) return noIdentifier
  const { first_name, last_name } = event.customer
  const attributes = {
    unique_id: event.id,
    time: event.triggeredAt,
    properties: withoutNulls(event.eventData),
    metric: { data: { type: 'metric', attributes: { name: eventLabel(event.eventGroup) } } },
    profile: {
      data: { type: 'profile', attributes: { ...identifiers, ...withoutNulls({ first_name, last_name }) } },
    },
  }
  const response = await hideSecrets(
    call,
    account.credentials,
  )({
    method: 'POST',
    url: `${baseUrl}/api/events`,
    headers: { ...headers, 'content-type': mediaType },
    body: JSON.stringify({ data: { type: 'event', attributes } }),
  })
  return outcomeOf(response)
}

async function checkAccount(baseUrl: string, call: Call, account: Account): Promise<CheckOutcome> {
  const headers = headersOf(account)
  if (headers === undefined) return missingCredentials
  return queryAccount(call, account.credentials, {
    url: `${baseUrl}/api/accounts`,
    headers,
    permission: 'accounts:read',
    facts({ data }) {
      const attributes = asObject(asObject(asList(data)?.[0])?.attributes)
      return {
        account_name: textAt(attributes, 'contact_information', 'organization_name'),
        currency: textAt(attributes, 'preferred_currency'),
        timezone: textAt(attributes, 'timezone'),
      }
    },
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
  const filter = filterOf(customer)
  if (filter === undefined) return noIdentifier
  const get = (kind: string) => (url: string) =>
    hideSecrets(call, account.credentials)({ method: 'GET', url, headers, kind })
  const search = query({ filter, 'fields[profile]': 'email' })
  const profiles = await readPages(get('profiles'), baseUrl, `/api/profiles?${search}`)
  if (!('items' in profiles)) return profiles
  const id = profiles.items[0]?.id
  if (typeof id !== 'string') return { result: 'found', segments: [] }
  const segments: string[] = []
  for (const kind of ['segment', 'list']) {
    const path = `/api/profiles/${encodeURIComponent(id)}/${kind}s?${query({ [`fields[${kind}]`]: 'name' })}`
    const found = await readPages(get(`${kind}s`), baseUrl, path)
    if (!('items' in found)) return found
    segments.push(...found.items.map(nameOf).filter((name) => name !== undefined))
  }
  return { result: 'found', segments: [...new Set(segments)] }
}

function headersOf({ credentials }: Account): Record<string, string> | undefined {
  if (!('api_key' in credentials)) return undefined
  return { authorization: `Klaviyo-API-Key ${credentials.api_key}`, revision, accept: mediaType }
}

/**
 * The phone number only if there is nothing else: Klaviyo rejects the whole event if the number is invalid, and nearly
 * every profile has an e-mail address.
 */
function identifiersOf({ email, external_id, phone }: Customer): Record<string, string> {
  if (email || external_id) return { ...(email ? { email } : {}), ...(external_id ? { external_id } : {}) }
  return isE164(phone) ? { phone_number: phone } : {}
}

function filterOf({ email, external_id, phone }: Customer): string | undefined {
  if (email) return `equals(email,${JSON.stringify(email)})`
  if (external_id) return `equals(external_id,${JSON.stringify(external_id)})`
  return isE164(phone) ? `equals(phone_number,${JSON.stringify(phone)})` : undefined
}

async function readPages(
  get: (url: string) => Promise<CallResponse>,
  baseUrl: string,
  path: string,
): Promise<{ items: Record<string, unknown>[] } | Problem> {
  const items: Record<string, unknown>[] = []
  let url: string | undefined = `${baseUrl}${path}`
  for (let page = 0; url !== undefined && page < maxPages; page += 1) {
    const response = await get(url)
    const content = response.status === 200 ? readObject(response.body) : undefined
    const data = asList(content?.data)
    if (data === undefined) return problemOf(response)
    items.push(...data.map(asObject).filter((item) => item !== undefined))
    const next = asObject(content?.links)?.next
    // The key is sent only to Klaviyo, whatever the link says.
    url = typeof next === 'string' && next.startsWith(`${baseUrl}/`) ? next : undefined
  }
  return { items }
}

function nameOf(item: Record<string, unknown>): string | undefined {
  const name = asObject(item.attributes)?.name
  return typeof name === 'string' && name !== '' ? name : undefined
}

function query(parameters: Record<string, string>): string {
  return new URLSearchParams(parameters).toString()
}
