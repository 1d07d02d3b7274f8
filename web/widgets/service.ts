/** The settings that components load before they show anything: `getWidgetSettings` of the API. */
export interface Settings {
  language: string
  language_tag: string
  texts: Record<TextName, string>
  colors: Record<'light' | 'dark', Record<string, string>>
}

export type TextName =
  | 'promise'
  | 'days'
  | 'hours'
  | 'minutes'
  | 'title'
  | 'lead'
  | 'number'
  | 'proof'
  | 'submit'
  | 'missing_number'
  | 'missing_proof'
  | 'not_found'
  | 'wait'
  | 'failed'
  | 'loading'
  | 'open_page'
  | 'another'

/** The shop whose components these are, and its public key. */
export interface Caller {
  shop: string
  key: string
}

/** The service that this script came from. */
const service = new URL('..', import.meta.url)
const limitMs = 10_000

/** A reply of the API that is an error; without a status there was none. */
export class Failure extends Error {
  readonly status: number | undefined

  constructor(status?: number) {
    super(`the service replied ${status}`)
    this.status = status
  }
}

interface Request {
  query?: Record<string, string>
  /** Sent as JSON. */
  body?: object
  signal?: AbortSignal
  /** Not a reply that the browser has stored. */
  isFresh?: boolean
}

/** Calls the API with the public key: no cookies are sent or set. */
export async function call<Reply>(caller: Caller, path: string, request: Request = {}): Promise<Reply> {
  const url = new URL(`v1/shops/${encodeURIComponent(caller.shop)}/${path}`, service)
  for (const [name, value] of Object.entries({ ...request.query, key: caller.key })) {
    if (value !== '') url.searchParams.set(name, value)
  }
  const limit = AbortSignal.timeout(limitMs)
  const { body, signal } = request
  const response = await fetch(url, {
    credentials: 'omit',
    cache: request.isFresh ? 'no-cache' : 'default',
    signal: signal ? AbortSignal.any([signal, limit]) : limit,
    ...(body ? { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : {}),
  })
  if (!response.ok) throw new Failure(response.status)
  return response.json()
}

const known = new Map<string, Promise<Settings>>()

/** Once for all components of a page; after an error the next component tries again. */
export function settingsOf(caller: Caller, language: string): Promise<Settings> {
  const name = [caller.shop, caller.key, language].join(' ')
  const asked = known.get(name) ?? call<Settings>(caller, 'embedding/widgets', { query: { language } })
  known.set(name, asked)
  asked.catch(() => known.delete(name))
  return asked
}
