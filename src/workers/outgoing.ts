import { type LookupAddress, type LookupOptions, lookup as resolve } from 'node:dns'
import { isIP } from 'node:net'
import { Agent, type Dispatcher, ProxyAgent, request } from 'undici'
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
  method: 'GET' | 'POST' | 'PUT'
  url: string
  headers: Record<string, string>
  body?: string
  /** From the first packet to the end of the answer. */
  limitMs: number
  /** Bytes of the answer that are read; the rest is left. */
  answerBytes: number
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

/** Connections an origin may have at once; what is waiting for one counts against its own time limit only. */
const connectionsPerOrigin = 32

/** Shorter than an attempt, so that an address which does not let us in is told apart from an answer that does not come. */
const connectLimitMs = 8_000

export function createOutgoing(options: OutgoingOptions): Outgoing {
  const dispatcher: Dispatcher = options.proxyUrl
    ? new ProxyAgent({ uri: options.proxyUrl, connections: connectionsPerOrigin })
    : new Agent({
        connections: connectionsPerOrigin,
        pipelining: 1,
        keepAliveTimeout: 10_000,
        connect: { timeout: connectLimitMs, ...(options.allowPrivate ? {} : { lookup: guardedLookup }) },
      })
  return {
    async call(wanted) {
      const url = checkUrl(wanted.url, options.allowPrivate)
      const signal = AbortSignal.timeout(wanted.limitMs)
      try {
        const isResolvedHere = options.proxyUrl !== undefined && !options.allowPrivate
        const target = isResolvedHere ? await Promise.race([resolveFor(url), aborted(signal)]) : url
        const headers = { ...wanted.headers, host: url.host }
        // The signal ends an exchange only once it is connected, and connecting may take longer than the limit.
        return await Promise.race([exchange(dispatcher, target, { ...wanted, headers }, signal), aborted(signal)])
      } catch (error) {
        throw toOutgoingError(error, wanted.limitMs)
      }
    },
    // Not `close`, which waits for connections that are still being made to nobody's use any more.
    close: () => dispatcher.destroy(),
  }
}

async function exchange(
  dispatcher: Dispatcher,
  url: URL,
  wanted: OutgoingRequest,
  signal: AbortSignal,
): Promise<OutgoingAnswer> {
  const response = await request(url, {
    method: wanted.method,
    headers: wanted.headers,
    ...(wanted.body === undefined ? {} : { body: wanted.body }),
    dispatcher,
    signal,
    headersTimeout: wanted.limitMs,
    bodyTimeout: wanted.limitMs,
  })
  const body = await readAtMost(response.body, wanted.answerBytes)
  const headers: Record<string, string | undefined> = {}
  for (const [name, value] of Object.entries(response.headers)) headers[name] = Array.isArray(value) ? value[0] : value
  return { status: response.statusCode, headers, body }
}

async function readAtMost(stream: Dispatcher.ResponseData['body'], limit: number): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    size += chunk.length
    // Leaving the loop destroys the stream, and the connection with it.
    if (size >= limit) break
  }
  return Buffer.concat(chunks).subarray(0, limit).toString('utf8').replaceAll('\0', '')
}

function checkUrl(text: string, allowPrivate: boolean): URL {
  if (!URL.canParse(text)) throw new OutgoingError('connect', 'this is no address that can be called')
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new OutgoingError('connect', `${url.protocol} addresses are not called`)
  }
  const host = bareHost(url)
  if (!allowPrivate && isIP(host) !== 0 && isPrivateAddress(host)) throw refusedAddress(host)
  return url
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

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_done, fail) => {
    if (signal.aborted) fail(signal.reason)
    signal.addEventListener('abort', () => fail(signal.reason), { once: true })
  })
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
  const names = found.map((cause) => (cause as Error).name)
  const message = (found.at(-1) as Error | undefined)?.message || String(error)
  if (names.includes('TimeoutError') || codes.some((code) => /UND_ERR_(HEADERS|BODY)_TIMEOUT/.test(code))) {
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
