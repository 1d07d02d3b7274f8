import createFetchClient, { type Client as FetchClient, type FetchOptions } from 'openapi-fetch'
import type { components, operations, paths } from './schema.ts'

/** The named schemas of the API: `Schemas['Order']`. */
export type Schemas = components['schemas']

export type ErrorKey = Schemas['Error']['key']
/** One problem of a request, at a place in it: `['body', 'products', 0, 'price']`. */
export type Problem = Schemas['Error']['errors'][number]

/** The result of an operation, by its name: `Result<'searchOrders'>`. */
export type Result<Name extends keyof operations> = Success<operations[Name]>

/** A part of a request that was left out or is ignored, and why. */
export type Warning = Schemas['Warning']

export interface ClientOptions {
  /** The address of the service. Default in a browser: the origin of the page. */
  baseUrl?: string
  /** Of an API key. Without them a browser sends its session. */
  credentials?: { username: string; apiKey: string }
  /** Returns the language of texts, before each call. Default: the browser's. */
  language?: () => string | undefined
  fetch?: (request: Request) => Promise<Response>
  /** Called with what the service left out of a request or ignored. Of a response that names nothing, there is only the count. */
  onWarnings?: (warnings: readonly Warning[], count: number) => void
}

/** The API. Each method returns the result of the operation, or throws an ApiError. */
export interface Client {
  get: Call<'get'>
  post: Call<'post'>
  put: Call<'put'>
  patch: Call<'patch'>
  delete: Call<'delete'>
  /** A page of an operation that returns a list. */
  list: List
  /** With the response, for whatever else is needed of it. Throws an ApiError, too. */
  raw: FetchClient<paths>
}

/** One page of a list. */
export interface Page<Item> {
  items: Item[]
  /** All items; undefined if there are more than 10,000. */
  total: number | undefined
  hasNext: boolean
}

/** A key of the API, or `unreachable`: there was no response, because the network or the service is down. */
export type FailureKey = ErrorKey | 'unreachable'

/** Every failure of a call. */
export class ApiError extends Error {
  readonly key: FailureKey
  /** 0: there was no response. */
  readonly status: number
  /** The mistakes in the request, if it failed because of them. */
  readonly errors: readonly Problem[]
  /** The id by which the operator finds the call in the log. */
  readonly requestId: string | undefined
  /** Seconds after which the service accepts another call, if it named a time. */
  readonly retryAfterSeconds: number | undefined

  constructor(
    message: string,
    detail: {
      key: FailureKey
      status: number
      errors?: readonly Problem[]
      requestId?: string
      retryAfterSeconds?: number
    },
    options?: ErrorOptions,
  ) {
    super(message, options)
    this.name = 'ApiError'
    this.key = detail.key
    this.status = detail.status
    this.errors = detail.errors ?? []
    this.requestId = detail.requestId
    this.retryAfterSeconds = detail.retryAfterSeconds
  }
}

/** Whether a call failed for one of these reasons: `isApiError(error, 'order_not_found')`. Without keys: for any. */
export function isApiError<Key extends FailureKey = FailureKey>(
  error: unknown,
  ...keys: Key[]
): error is ApiError & { readonly key: Key } {
  return error instanceof ApiError && (keys.length === 0 || (keys as FailureKey[]).includes(error.key))
}

export function createClient(options: ClientOptions = {}): Client {
  const raw = createFetchClient<paths>({
    baseUrl: options.baseUrl ?? '',
    fetch: (request) => send(request, options),
    bodySerializer: serialize,
  })
  const call = async (method: Method, path: string, init?: object) => {
    const { data } = await raw.request(method, path as never, init as never) // checked by the types of Call
    return data as never // which says what the operation returns
  }
  return {
    get: (path, ...[init]) => call('get', path, init),
    post: (path, ...[init]) => call('post', path, init),
    put: (path, ...[init]) => call('put', path, init),
    patch: (path, ...[init]) => call('patch', path, init),
    delete: (path, ...[init]) => call('delete', path, init),
    list: async (path, ...[init]) => {
      const { data, response } = await raw.request('get', path as never, init as never) // checked by the types of List
      const total = response.headers.get('x-total-count')
      return {
        items: data as never, // which says what the items are
        total: total === null ? undefined : Number(total),
        hasNext: (response.headers.get('link') ?? '').includes('rel="next"'),
      }
    },
    raw,
  }
}

async function send(request: Request, { credentials, language, onWarnings, fetch = globalThis.fetch }: ClientOptions) {
  if (credentials) {
    const bytes = new TextEncoder().encode(`${credentials.username}:${credentials.apiKey}`)
    request.headers.set('authorization', `Basic ${btoa(String.fromCharCode(...bytes))}`)
  }
  const preferred = language?.()
  // A call may name another one, such as that of the text it sends.
  if (preferred !== undefined && !request.headers.has('accept-language')) {
    request.headers.set('accept-language', preferred)
  }
  const response = await fetch(request).catch((cause: unknown) => {
    // The caller gave up: that is no failure of the service.
    if (request.signal.aborted) throw cause
    throw new ApiError('The service cannot be reached.', { key: 'unreachable', status: 0 }, { cause })
  })
  if (!response.ok) throw await readError(response)
  if (onWarnings) await reportWarnings(response, onWarnings)
  return response
}

/** Warnings about what the reply says, such as a setting without effect, are in the reply only. */
async function reportWarnings(response: Response, report: NonNullable<ClientOptions['onWarnings']>) {
  // The header is named by the installation.
  const [, counted] = [...response.headers].find(([name]) => name.endsWith('-warnings')) ?? []
  if (counted !== undefined) return report([], Number(counted))
  if (!response.headers.get('content-type')?.startsWith('application/json')) return
  const text = await response.clone().text()
  if (!text.startsWith('{') || !text.includes('"warnings":')) return
  const { warnings = [] } = JSON.parse(text) as { warnings?: Warning[] } // as the service declares it
  const found = warnings.filter(({ loc: [part] }) => part === 'body' || part === 'query')
  if (found.length > 0) report(found, found.length)
}

async function readError(response: Response): Promise<ApiError> {
  const { status, statusText, headers } = response
  const detail = { status, requestId: headers.get('x-request-id') ?? undefined, retryAfterSeconds: retryAfter(headers) }
  const body: unknown = await response.json().catch(() => undefined)
  if (isErrorBody(body)) return new ApiError(body.message, { ...body, ...detail })
  // A proxy in between has responded.
  return new ApiError(`The response was ${status} ${statusText}.`, { key: 'unexpected', ...detail })
}

/** The service sends seconds. */
function retryAfter(headers: Headers): number | undefined {
  const seconds = Number.parseInt(headers.get('retry-after') ?? '', 10)
  return seconds >= 0 ? seconds : undefined
}

function isErrorBody(body: unknown): body is Schemas['Error'] {
  return typeof body === 'object' && body !== null && 'key' in body && 'message' in body
}

/** A body that has a file is a form; any other is JSON. */
function serialize(body: unknown): string | FormData {
  const fields = typeof body === 'object' && body !== null ? Object.entries(body) : []
  if (!fields.some(([, value]) => value instanceof Blob)) return JSON.stringify(body)
  const form = new FormData()
  for (const [name, value] of fields) {
    if (value instanceof Blob) form.append(name, value)
    else if (value !== undefined) form.append(name, String(value))
  }
  return form
}

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** The paths that have an operation with this method. */
export type PathsWith<Verb extends Method> = {
  [Path in keyof paths]: paths[Path] extends Record<Verb, unknown> ? Path : never
}[keyof paths]

export type OperationAt<Path extends keyof paths, Verb extends Method> =
  paths[Path] extends Record<Verb, infer Operation> ? Operation : never

/** The parameters, the body and whatever fetch takes; all optional if nothing is required. */
export type Init<Operation> =
  object extends FetchOptions<Operation> ? [init?: FetchOptions<Operation>] : [init: FetchOptions<Operation>]

type Call<Verb extends Method> = <Path extends PathsWith<Verb>>(
  path: Path,
  ...init: Init<OperationAt<Path, Verb>>
) => Promise<Success<OperationAt<Path, Verb>>>

type List = <Path extends PathsWith<'get'>>(
  path: ListAt<Path>,
  ...init: Init<OperationAt<Path, 'get'>>
) => Promise<Page<ItemAt<Path>>>

/** The path itself, if its operation returns a list. */
export type ListAt<Path extends PathsWith<'get'>> =
  Success<OperationAt<Path, 'get'>> extends readonly unknown[] ? Path : never

/** One item of the list at a path. */
export type ItemAt<Path extends PathsWith<'get'>> =
  Success<OperationAt<Path, 'get'>> extends readonly (infer Item)[] ? Item : never

/** The JSON body of an operation's success; undefined if it has none. */
export type Success<Operation> = Operation extends { responses: infer Responses }
  ? { [Status in keyof Responses]: Status extends 'default' ? never : JsonOf<Responses[Status]> }[keyof Responses]
  : never

type JsonOf<Response> = Response extends { content: { 'application/json': infer Body } } ? Body : undefined
