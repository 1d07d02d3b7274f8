import type { Updateable } from 'kysely'
import { conditionProblems, toStoredConditions } from '../../delivery/receivers/conditions.ts'
import { isEventFilter } from '../../delivery/receivers/filters.ts'
import { type CustomHeader, openHeaders, sealHeaders } from '../../delivery/sending/custom-headers.ts'
import { plainHeaders } from '../../delivery/sending/signature.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { ApiError, invalid, type Problem } from '../../platform/foundation/errors.ts'
import { given } from '../../platform/foundation/given.ts'
import type { Tables } from '../../platform/foundation/tables.ts'
import { addressOf, toStoredAddress } from './address.ts'
import type { EndpointUpdate, HeaderInput } from './schema.ts'
import type { EndpointRow } from './store.ts'

export type EndpointChanges = Updateable<Tables['webhook_endpoints']>

/** Checks what the schema cannot, and reports all problems at once. */
export function checkEndpoint({ enabled_events, conditions, headers }: EndpointUpdate): void {
  const found: Problem[] = [
    ...(enabled_events ?? []).flatMap((filter, index) =>
      isEventFilter(filter) ? [] : [wrong(['enabled_events', index], `"${filter}" is not a known event`)],
    ),
    ...conditionProblems(conditions ?? []),
    ...headerProblems(headers ?? []),
  ]
  const problems = found.map((problem) => ({ ...problem, loc: ['body', ...problem.loc] }))
  const [first] = problems
  if (first === undefined) return
  throw new ApiError('invalid_payload', `${first.loc.slice(1).join('.')}: ${first.msg}`, { problems })
}

/** The changes of an update. Absent fields stay; null clears a description, conditions and headers. */
export async function changesOf(
  context: ShopContext,
  known: EndpointRow,
  body: EndpointUpdate,
): Promise<EndpointChanges> {
  const { description, conditions } = body
  const others = Object.entries(given(body, ['status', 'enabled_events'])).filter(([, value]) => value !== null)
  return {
    ...Object.fromEntries(others),
    ...(await addressChanges(context, known, body)),
    ...(description === undefined ? {} : { description }),
    ...(conditions === undefined ? {} : { conditions: conditions?.length ? toStoredConditions(conditions) : null }),
    ...headerChanges(context, known, body),
  }
}

async function addressChanges(
  context: ShopContext,
  known: EndpointRow,
  { url }: EndpointUpdate,
): Promise<EndpointChanges> {
  if (typeof url !== 'string' || url === addressOf(context, known)) return {}
  return { ...(await toStoredAddress(context, known.id, url)), url_since: context.now }
}

function headerChanges(context: ShopContext, known: EndpointRow, body: EndpointUpdate): EndpointChanges {
  const sealed = { shopId: known.shop_id, id: known.id, headers: known.headers }
  const stored = openHeaders(context, sealed)
  const wanted = body.headers === undefined ? stored.map(({ name }) => ({ name })) : (body.headers ?? [])
  // Otherwise the secrets of one server could be sent to another by somebody who never knew them.
  const isMoved = typeof body.url === 'string' && originOf(body.url) !== originOf(addressOf(context, known))
  const headers = mergeHeaders(wanted, isMoved ? [] : stored)
  if (JSON.stringify(headers) === JSON.stringify(stored)) return {}
  return { headers: sealHeaders(context, sealed, headers), headers_since: context.now }
}

/** Headers with their values: those that have none keep the stored one of the same name. */
export function mergeHeaders(wanted: HeaderInput[], stored: CustomHeader[]): CustomHeader[] {
  const known = new Map(stored.map(({ name, value }) => [name.toLowerCase(), value]))
  return wanted.map(({ name, value: given }, index) => {
    const value = given ?? known.get(name.toLowerCase())
    if (value !== undefined) return { name, value }
    throw invalid(['body', 'headers', index, 'value'], `the value of ${name} is needed: none is stored for this host`)
  })
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url
}

const namePattern = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
/** Printable ASCII, and no space at either end: servers would cut it off. */
const valuePattern = /^[!-~](?:[ -~\t]*[!-~])?$/

/** Those that we set ourselves, those about one connection, and those that say how the body is sent. */
const reservedNames = new Set([
  ...Object.keys(plainHeaders),
  'connection',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'te',
  'trailer',
  'traceparent',
  'tracestate',
  'transfer-encoding',
  'upgrade',
])
const reservedPrefixes = ['content-', 'proxy-', 'webhook-']

function isReserved(name: string): boolean {
  const lower = name.toLowerCase()
  if (reservedNames.has(lower) || lower.endsWith('-signature')) return true
  return reservedPrefixes.some((prefix) => lower.startsWith(prefix))
}

function headerProblems(headers: readonly HeaderInput[]): Problem[] {
  const names = headers.map(({ name }) => name.toLowerCase())
  return headers.flatMap(({ name, value }, index) => [
    ...nameProblems(name, names.indexOf(name.toLowerCase()) < index, index),
    ...(typeof value === 'string' && !valuePattern.test(value)
      ? [wrong(['headers', index, 'value'], 'must be printable ASCII on one line, without spaces around it')]
      : []),
  ])
}

function nameProblems(name: string, isRepeated: boolean, index: number): Problem[] {
  const loc = ['headers', index, 'name']
  if (!namePattern.test(name)) return [wrong(loc, 'may have letters, digits and hyphens only, such as X-Api-Key')]
  if (isReserved(name)) return [wrong(loc, `${name} is set by the service and cannot be chosen`)]
  return isRepeated ? [wrong(loc, `${name} is in the list twice`)] : []
}

function wrong(loc: (string | number)[], msg: string): Problem {
  return { loc, msg, type: 'value_error' }
}
