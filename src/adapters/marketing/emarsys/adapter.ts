import { createAccessTokens, type Grant, readGrant } from '../../../platform/foundation/access-tokens.ts'
import type { Call, CallRequest, CallResponse } from '../../../platform/foundation/call.ts'
import { systemClock } from '../../../platform/foundation/clock.ts'
import { checkFailure, checkOutcome, missingCredentials } from '../../../platform/foundation/connection-check.ts'
import { readObject } from '../../../platform/foundation/read-json.ts'
import { readResetAt } from '../../../platform/foundation/retry-after.ts'
import { basicOf } from '../../../platform/foundation/secrets.ts'
import { readAccount } from '../check-account.ts'
import { eventLabel } from '../event-name.ts'
import type { Account, AdapterOptions, AdapterWith, IntegrationResult, OutgoingEvent } from '../integration.ts'
import { outcomeOf } from '../response-outcome.ts'
import { hideSecrets } from '../secrets.ts'

/** The system field "E-Mail", which contacts are found by. */
const emailField = 3

/** The reply codes that need special handling; for others the HTTP status decides. */
const replies = {
  ok: 0,
  noContact: 2008,
  severalContacts: 2010,
  noSuchEvent: 5001,
  eventExists: 5003,
  invalidEvent: 5004,
  nothingTriggered: 5005,
  alreadyTriggered: 9003,
}

/** Triggers an external event of SAP Emarsys for the contact with the customer's e-mail address. */
export function create(options: AdapterOptions = {}): AdapterWith<'checkAccount'> {
  const now = options.now ?? (() => systemClock.now().getTime())
  const apiUrl = `${options.baseUrl ?? 'https://api.emarsys.net'}/api/v3`
  const tokens = createEmarsysTokens(`${options.baseUrl ?? 'https://auth.emarsys.net'}/oauth2/token`, now)
  const eventIds = createEventIdCache()

  type Request = Pick<CallRequest, 'method'> & { path: string; body?: unknown }

  /** Sends a request with the shop's token, and once more with a new one if Emarsys rejects it. */
  async function sendRequest(call: Call, account: Account, request: Request): Promise<CallResponse | Failed> {
    const first = await askOnce(call, account, request)
    if ('result' in first || first.response.status !== 401) return 'result' in first ? first : first.response
    tokens.forget(account.shopId, first.token)
    const second = await askOnce(call, account, request)
    return 'result' in second ? second : second.response
  }

  async function askOnce(call: Call, account: Account, { method, path, body }: Request) {
    const access = await tokens.get(call, account)
    if ('result' in access) return access
    const response = await hideSecrets(call, account.credentials, [access.token])({
      method,
      url: `${apiUrl}${path}`,
      headers: {
        authorization: `Bearer ${access.token}`,
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { response, token: access.token }
  }

  /** External events are addressed by id: it is looked up by name, or the event is created. */
  async function getEventId(call: Call, account: Account, name: string): Promise<string | Failed> {
    const cached = eventIds.find(account, name)
    if (cached !== undefined) return cached
    const listed = await findEventId(call, account, name)
    if (listed !== undefined) return listed
    const created = await sendRequest(call, account, { method: 'POST', path: '/event', body: { name } })
    if ('result' in created) return created
    const reply = readReply(created)
    const id = reply?.replyCode === replies.ok ? readEvent(reply.data)?.id : undefined
    if (id !== undefined) return eventIds.set(account, name, id)
    // A concurrent request created it first.
    const found = reply?.replyCode === replies.eventExists ? await findEventId(call, account, name) : undefined
    return found ?? failureOf(created, now)
  }

  async function findEventId(call: Call, account: Account, name: string): Promise<string | Failed | undefined> {
    const response = await sendRequest(call, account, { method: 'GET', path: '/event' })
    if ('result' in response) return response
    const reply = readReply(response)
    if (!isSuccess(response) || reply?.replyCode !== replies.ok || !Array.isArray(reply.data)) {
      return failureOf(response, now)
    }
    const found = reply.data.map(readEvent).find((event) => event?.name === name)
    return found && eventIds.set(account, name, found.id)
  }

  async function trigger(call: Call, account: Account, event: OutgoingEvent, email: string) {
    const name = eventLabel(event.eventGroup)
    const id = await getEventId(call, account, name)
    if (typeof id !== 'string') return id
    const path = `/event/${encodeURIComponent(id)}/trigger`
    const response = await sendRequest(call, account, { method: 'POST', path, body: triggerOf(event, email) })
    if ('result' in response) return response
    return { response, name }
  }

  return {
    async checkAccount(call, account) {
      const response = await sendRequest(call, account, { method: 'GET', path: '/event' })
      if (!('result' in response)) {
        return readAccount(response, undefined, ({ data }) => ({
          external_events: Array.isArray(data) ? String(data.length) : undefined,
        }))
      }
      if (response.result === 'skipped') return checkFailure('unexpected', response.reason)
      const { status, body } = response
      // Without a status nothing was sent. RFC 6749 allows 400 for a client that is not known.
      return status === 0 ? missingCredentials : checkOutcome({ status: status === 400 ? 401 : status, body })
    },
    async send(call, account, event) {
      const { email } = event.customer
      if (email === null || email === '') return { result: 'skipped', reason: 'the customer has no e-mail address' }
      const first = await trigger(call, account, event, email)
      if ('result' in first) return first
      const replyCode = readReply(first.response)?.replyCode
      if (first.response.status >= 500 || (replyCode !== replies.noSuchEvent && replyCode !== replies.invalidEvent)) {
        return triggerOutcomeOf(first.response, now)
      }
      // The external event was deleted after its id was looked up.
      eventIds.forget(account, first.name)
      const second = await trigger(call, account, event, email)
      return 'result' in second ? second : triggerOutcomeOf(second.response, now)
    },
  }
}

/**
 * The variables are sent twice, because templates read them in two ways: scripts read `data`, and plain placeholders
 * are filled from `global`.
 */
function triggerOf(event: OutgoingEvent, email: string): Record<string, unknown> {
  const time = new Date(event.triggeredAt)
  const plain = Object.entries(event.eventData).filter(([, value]) =>
    ['string', 'number', 'boolean'].includes(typeof value),
  )
  return {
    key_id: emailField,
    external_id: email,
    trigger_id: event.id,
    ...(Number.isNaN(time.getTime()) ? {} : { event_time: time.toISOString() }),
    data: { ...event.eventData, global: Object.fromEntries(plain.map(([name, value]) => [name, String(value)])) },
  }
}

/** Emarsys reports some failures with status 200, so the reply code is checked before the status. */
function triggerOutcomeOf(response: CallResponse, now: () => number): IntegrationResult {
  const { status, body } = response
  const replyCode = readReply(response)?.replyCode
  // The same codes have another meaning with a 5xx status.
  if (status < 500) {
    if (replyCode === replies.noContact)
      return { result: 'skipped', reason: 'Emarsys has no contact with this e-mail address' }
    if (replyCode === replies.severalContacts) {
      return { result: 'skipped', reason: 'Emarsys has several contacts with this e-mail address' }
    }
    if (replyCode === replies.nothingTriggered) {
      return { result: 'skipped', reason: 'no e-mail and no program in Emarsys is connected to this external event' }
    }
    if (isSuccess(response) && (replyCode === replies.ok || replyCode === replies.alreadyTriggered)) {
      return { result: 'delivered', status, body }
    }
  }
  return failureOf(response, now)
}

/** The outcome of an unsuccessful reply. */
function failureOf(response: CallResponse, now: () => number): Failed {
  const { status, body } = response
  const outcome = outcomeOf(response)
  if (outcome.result === 'delivered') {
    // An unreadable reply is retried; the trigger id makes that harmless.
    if (readReply(response) === undefined) return { result: 'failed', status, body, key: 'bad_gateway' }
    return { result: 'rejected', status, body, key: 'invalid_payload' }
  }
  if (outcome.result !== 'failed' || outcome.retryAfterMs !== undefined) return outcome
  const retryAfterMs = status === 429 ? readResetAt(response, 'x-ratelimit-reset', now()) : undefined
  return retryAfterMs === undefined ? outcome : { ...outcome, retryAfterMs }
}

function isSuccess({ status }: CallResponse): boolean {
  return status >= 200 && status < 300
}

function readReply({ body }: CallResponse): { replyCode: number; data: unknown } | undefined {
  const { replyCode, data } = readObject(body) ?? {}
  return typeof replyCode === 'number' ? { replyCode, data } : undefined
}

function readEvent(data: unknown): { id: string; name: unknown } | undefined {
  if (typeof data !== 'object' || data === null || !('id' in data)) return undefined
  if (typeof data.id !== 'number' && typeof data.id !== 'string') return undefined
  return { id: String(data.id), name: 'name' in data ? data.name : undefined }
}

/** The ids of external events by name and shop. An id does not change while the event exists. */
interface EventIdCache {
  find(account: Account, name: string): string | undefined
  set(account: Account, name: string, id: string): string
  forget(account: Account, name: string): void
}

function createEventIdCache(): EventIdCache {
  const shops = new Map<string, { client: string; ids: Map<string, string> }>()

  function idsOf(account: Account): Map<string, string> {
    // Another client may belong to another Emarsys account, which has other ids.
    const client = 'client_id' in account.credentials ? account.credentials.client_id : ''
    const found = shops.get(account.shopId)
    if (found?.client === client) return found.ids
    const ids = new Map<string, string>()
    shops.set(account.shopId, { client, ids })
    return ids
  }

  return {
    find: (account, name) => idsOf(account).get(name),
    set(account, name, id) {
      idsOf(account).set(name, id)
      return id
    },
    forget(account, name) {
      idsOf(account).delete(name)
    },
  }
}

type Failed = Exclude<IntegrationResult, { result: 'delivered' }>

/** The access tokens of all shops. */
interface EmarsysTokens {
  get(call: Call, account: Account): Promise<{ token: string } | Failed>
  forget(shopId: string, token: string): void
}

function createEmarsysTokens(tokenUrl: string, now: () => number): EmarsysTokens {
  const tokens = createAccessTokens<Failed>(now)

  async function grant(call: Call, account: Account, basic: string): Promise<Grant | Failed> {
    const response = await hideSecrets(
      call,
      account.credentials,
    )({
      method: 'POST',
      url: tokenUrl,
      headers: {
        authorization: `Basic ${basic}`,
        'content-type': 'application/x-www-form-urlencoded',
        accept: 'application/json',
      },
      body: 'grant_type=client_credentials',
    })
    if (response.status < 200 || response.status >= 300) return errorOf(response)
    // The body may contain part of a token, so it is not quoted.
    return readGrant(response.body) ?? { result: 'failed', status: response.status, body: '', key: 'bad_gateway' }
  }

  return {
    async get(call, account) {
      const { credentials } = account
      if (!('client_id' in credentials) || !credentials.client_secret) {
        return { result: 'rejected', status: 0, body: '', key: 'partner_key_not_found' }
      }
      const basic = basicOf(credentials.client_id, credentials.client_secret)
      return tokens.get({ id: account.shopId, credentials: basic }, () => grant(call, account, basic))
    },
    forget: tokens.forget,
  }
}

/** RFC 6749 allows 400 as well as 401 for an unknown client. */
function errorOf(response: CallResponse): Failed {
  const { status, body } = response
  if (status === 400) return { result: 'rejected', status, body, key: 'partner_key_missing_permissions' }
  const outcome = outcomeOf(response)
  return outcome.result === 'delivered' ? { result: 'failed', status, body: '', key: 'bad_gateway' } : outcome
}
