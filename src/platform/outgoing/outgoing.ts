import { Agent, type Dispatcher, ProxyAgent } from 'undici'
import { TimeoutError, toOutgoingError } from './errors.ts'
import { exchange } from './exchange.ts'
import { checkUrl, guardedLookup, resolveFor } from './guarded-address.ts'
import type { OutgoingRequest, OutgoingResponse } from './outgoing-request.ts'

export interface Outgoing {
  /** Calls an address that a merchant gave. Redirects are not followed. */
  call(request: OutgoingRequest): Promise<OutgoingResponse>
  /** Closes all connections; calls in flight fail. */
  close(): Promise<void>
}

export interface OutgoingOptions {
  allowPrivate: boolean
  proxyUrl: string | undefined
}

/**
 * As many as deliveries in flight: endpoints of many shops may be at one origin, such as an automation service, and those
 * that hang must not use up the connections of the others. Each receiver's own limit is that of its queue.
 */
const connectionsPerOrigin = 2_000

/** Shorter than an attempt, to distinguish an unreachable address from a slow response. */
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
    // Not `close`, which waits for connections that are still being established.
    async close() {
      await direct.destroy()
      await proxy?.destroy()
    },
  }
}

function within<Value>(limitMs: number, work: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_done, fail) => {
    timer = setTimeout(() => fail(new TimeoutError()), limitMs)
  })
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer))
}
