import { type LookupAddress, type LookupOptions, lookup as resolve } from 'node:dns'
import { isIP } from 'node:net'
import { Agent, type Dispatcher, ProxyAgent } from 'undici'
import { isPrivateAddress } from './private-addresses.ts'

/** Where an exchange failed, in the words of the delivery log. */
export type Stage = 'resolve' | 'connect' | 'tls' | 'send' | 'timeout' | 'status'

/** There was no answer. */
export class OutgoingError extends Error {
  readonly stage: Stage

  constructor(stage: Stage, message: string) {
    super(message)
    this.name = 'OutgoingError'
    this.stage = stage
  }
}

export interface OutgoingRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  url: string
  headers: Record<string, string>
  body?: string | Uint8Array
  /** From the first packet to the end of the answer. */
  limitMs: number
  /** Bytes of the answer that are read; the rest is left. */
  answerBytes: number
  /** Past the proxy, where there is one. */
  isDirect?: boolean | undefined
}

export interface OutgoingAnswer {
  status: number
  headers: Record<string, string | undefined>
  body: string
}

export interface Outgoing {
  /** Calls an address that a merchant gave. Redirects are answers like any other: none is followed. */
  call(request: OutgoingRequest): Promise<OutgoingAnswer>
  /** Ends what is left; whoever waits for an answer must have it before. */
  close(): Promise<void>
}

export interface OutgoingOptions {
  allowPrivate: boolean
  proxyUrl: string | undefined
}

/**
 * As many as deliveries may be under way: endpoints of many shops lie at one origin (an automation service, say), and those
 * that hang must not hold the connections of the others. How many each may have is its lane's business.
 */
const connectionsPerOrigin = 2_000

/** Shorter than an attempt, so that an address which does not let us in is told apart from an answer that does not come. */
const connectLimitMs = 8_000

export function createOutgoing(options: OutgoingOptions): Outgoing {
  const direct: Dispatcher = new Agent({
    connections: connectionsPerOrigin,
    pipelining: 1,
    keepAliveTimeout: 10_000,
    connect: { timeout: connectLimitMs, ...(options.allowPrivate ? {} : { lookup: guardedLookup }) },
  })
  const proxy = options.proxyUrl
    ? new ProxyAgent({ uri: options.proxyUrl, connections: connectionsPerOrigin })
    : undefined
  return {
    async call(wanted) {
      const url = checkUrl(wanted.url, options.allowPrivate)
      if (proxy === undefined || wanted.isDirect) return exchange(direct, url, wanted)
      if (options.allowPrivate) return exchange(proxy, url, wanted)
      const startMs = performance.now()
      const target = await within(wanted.limitMs, resolveFor(url)).catch((error) => {
        throw toOutgoingError(error, wanted.limitMs)
      })
      const headers = { ...wanted.headers, host: url.host }
      return exchange(proxy, target, { ...wanted, headers }, wanted.limitMs - (performance.now() - startMs))
    },
    // Not `close`, which waits for connections that are still being made to nobody's use any more.
    async close() {
      await direct.destroy()
      await proxy?.destroy()
    },
  }
}

/** The answer is not whole in time. */
class Overdue extends Error {}

function exchange(
  dispatcher: Dispatcher,
  url: URL,
  wanted: OutgoingRequest,
  leftMs = wanted.limitMs,
): Promise<OutgoingAnswer> {
  return new Promise((done, reject) => {
    const fail = (error: unknown) => reject(toOutgoingError(error, wanted.limitMs))
    try {
      dispatcher.dispatch(
        {
          origin: url.origin,
          path: url.pathname + url.search,
          method: wanted.method,
          headers: wanted.headers,
          body: wanted.body ?? null,
          // The exchange has a limit of its own, from its beginning to its end.
          headersTimeout: 0,
          bodyTimeout: 0,
        },
        new Exchange(leftMs, wanted.answerBytes, done, fail),
      )
    } catch (error) {
      fail(error)
    }
  })
}

/**
 * Reads an answer as it comes in. Nothing here is a stream or has a signal, as undici's `request` would give it: a
 * delivery costs two thirds of the processor time this way.
 */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #answerBytes: number
  readonly #done: (answer: OutgoingAnswer) => void
  readonly #fail: (error: unknown) => void
  /** Connecting counts, and may take longer than the limit. */
  readonly #timer: NodeJS.Timeout
  #controller: Dispatcher.DispatchController | undefined
  #isOver = false
  #status = 0
  #headers: Record<string, string | undefined> = {}
  readonly #chunks: Buffer[] = []
  #size = 0

  constructor(
    limitMs: number,
    answerBytes: number,
    done: (answer: OutgoingAnswer) => void,
    fail: (error: unknown) => void,
  ) {
    this.#answerBytes = answerBytes
    this.#done = done
    this.#fail = fail
    this.#timer = setTimeout(() => {
      const overdue = new Overdue()
      this.onResponseError(undefined, overdue)
      if (this.#controller) abort(this.#controller, overdue)
    }, limitMs)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#isOver) abort(controller, new Overdue())
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    this.#status = status
    this.#headers = {}
    for (const [name, value] of Object.entries(headers)) this.#headers[name] = Array.isArray(value) ? value[0] : value
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#size += chunk.length
    if (this.#size < this.#answerBytes) return
    this.onResponseEnd()
    // The rest is left, and the connection with it.
    abort(controller, new Error('this is enough of the answer'))
  }

  onResponseEnd(): void {
    if (!this.#end()) return
    this.#done({ status: this.#status, headers: this.#headers, body: this.#size === 0 ? '' : this.#read() })
  }

  onResponseError(_controller: unknown, error: unknown): void {
    if (this.#end()) this.#fail(error)
  }

  #read(): string {
    return Buffer.concat(this.#chunks).subarray(0, this.#answerBytes).toString('utf8').replaceAll('\0', '')
  }

  /** False where it was over before. */
  #end(): boolean {
    if (this.#isOver) return false
    this.#isOver = true
    clearTimeout(this.#timer)
    return true
  }
}

/**
 * A socket that is destroyed asks for the stack of the error that undici makes for it. Nobody reads it, and what would be
 * worked out for it the first time, from the map of all our sources, holds up everybody for a tenth of a second.
 */
function abort(controller: Dispatcher.DispatchController, reason: Error): void {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    controller.abort(reason)
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

function checkUrl(text: string, allowPrivate: boolean): URL {
  const url = readUrl(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new OutgoingError('connect', `${url.protocol} addresses are not called`)
  }
  const host = bareHost(url)
  if (!allowPrivate && isIP(host) !== 0 && isPrivateAddress(host)) throw refusedAddress(host)
  return url
}

function readUrl(text: string): URL {
  try {
    return new URL(text)
  } catch {
    throw new OutgoingError('connect', 'this is no address that can be called')
  }
}

function refusedAddress(address: string): OutgoingError {
  return new OutgoingError('connect', `${address} is a private address, which is not called`)
}

/**
 * A proxy would resolve the name a second time, and may be answered differently: it is asked for the very address that
 * was judged here. The name stays in the Host header, by which certificates are checked too.
 */
function resolveFor(url: URL): Promise<URL> {
  return new Promise((done, fail) => {
    if (isIP(bareHost(url)) !== 0) return done(url)
    guardedLookup(url.hostname, { all: false }, (error, address, family) => {
      if (error) return fail(error)
      const resolved = new URL(url)
      resolved.hostname = family === 6 ? `[${address}]` : String(address)
      return done(resolved)
    })
  })
}

function within<Value>(limitMs: number, work: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined
  const overdue = new Promise<never>((_done, fail) => {
    timer = setTimeout(() => fail(new Overdue()), limitMs)
  })
  return Promise.race([work, overdue]).finally(() => clearTimeout(timer))
}

function bareHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '')
}

type LookupCallback = (error: Error | null, address: string | LookupAddress[], family?: number) => void

/**
 * Resolves a name for the very connection that is being made, so that a name which answers differently the second time
 * gains nothing: the address that was judged is the address that is called.
 */
function guardedLookup(hostname: string, options: LookupOptions, done: LookupCallback): void {
  resolve(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return done(error, [])
    const refused = addresses.find(({ address }) => isPrivateAddress(address))
    if (refused) return done(refusedAddress(refused.address), [])
    if (options.all) return done(null, addresses)
    const [first] = addresses
    return done(null, first?.address ?? '', first?.family)
  })
}

function toOutgoingError(error: unknown, limitMs: number): OutgoingError {
  const found = causes(error)
  const own = found.find((cause) => cause instanceof OutgoingError)
  if (own instanceof OutgoingError) return own
  const codes = found.map((cause) => (cause as { code?: string }).code ?? '')
  const message = (found.at(-1) as Error | undefined)?.message || String(error)
  if (found.some((cause) => cause instanceof Overdue)) {
    return new OutgoingError('timeout', `no complete answer within ${limitMs / 1_000} s`)
  }
  if (codes.some((code) => /^(ENOTFOUND|EAI_|ENODATA)/.test(code))) return new OutgoingError('resolve', message)
  const isHandshake = found.some((cause) => /before secure TLS connection/.test((cause as Error).message))
  if (isHandshake || codes.some((code) => /CERT|TLS|SSL|SELF_SIGNED|VERIFY|EPROTO/.test(code))) {
    return new OutgoingError('tls', message)
  }
  const isRefusedByProxy = found.some((cause) => /^Proxy response/.test((cause as Error).message))
  if (
    isRefusedByProxy ||
    codes.some((code) => /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|ETIMEDOUT|UND_ERR_CONNECT)/.test(code))
  ) {
    return new OutgoingError('connect', message)
  }
  return new OutgoingError('send', message)
}

function causes(error: unknown): unknown[] {
  const found: unknown[] = []
  for (let current = error; current !== undefined && current !== null && found.length < 5; ) {
    found.push(current)
    const inner = current as { cause?: unknown; errors?: unknown[] }
    current = inner.cause ?? inner.errors?.[0]
  }
  return found
}
