import { unkeyedPosts } from './unkeyed-posts.ts'
import { backoffMs, wait } from './waiting.ts'

export interface RetryOptions {
  /** The first one included. Default: 4. */
  attempts?: number
  /** The longest wait between two attempts. A service that wants a longer one gets no further attempt. Default: 30,000. */
  longestWaitMs?: number
  /** The function that sends each attempt. Default: the global one. */
  fetch?: (request: Request) => Promise<Response>
  /** How to wait; for tests. It rejects when the signal aborts. */
  wait?: (ms: number, signal: AbortSignal) => Promise<void>
}

/**
 * A fetch that tries again when that is safe and may help: `createClient({ fetch: retrying() })`. It waits as long as
 * `Retry-After` says, or longer after each failure. Every POST gets an Idempotency-Key, so that an attempt whose response was
 * lost is not repeated by the service, but responded to. The signal of a call ends it while it waits, too.
 */
export function retrying(options: RetryOptions = {}): (request: Request) => Promise<Response> {
  const { attempts = 4, longestWaitMs = 30_000, fetch = (request) => globalThis.fetch(request) } = options
  const pause = options.wait ?? wait
  return async (request) => {
    const isRepeatable = makeRepeatable(request)
    for (let attempt = 1; ; attempt += 1) {
      const isLast = attempt >= attempts
      // A body can be sent once only.
      const outcome = await fetch(isLast ? request : request.clone()).catch((error: unknown) => ({ error }))
      const response = outcome instanceof Response ? outcome : undefined
      const isFinal = isLast || request.signal.aborted || !(await isWorthAnother(response, isRepeatable))
      const delayMs = (response && retryAfterMs(response)) ?? backoffMs(attempt, longestWaitMs)
      if (isFinal || delayMs > longestWaitMs) {
        if (outcome instanceof Response) return outcome
        throw outcome.error
      }
      // Otherwise its connection would stay occupied.
      await response?.body?.cancel()
      await pause(delayMs, request.signal)
    }
  }
}

/** Whether sending it twice has the effect of sending it once: operations other than POST set a state. */
function makeRepeatable(request: Request): boolean {
  if (request.method !== 'POST') return true
  const path = new URL(request.url).pathname
  if (unkeyedPosts.some((template) => isAt(path, template))) return false
  if (!request.headers.has('idempotency-key')) request.headers.set('idempotency-key', crypto.randomUUID())
  return true
}

/** Behind a proxy, the path may begin with something else. */
function isAt(path: string, template: string): boolean {
  const parts = path.split('/')
  const wanted = template.split('/')
  const own = parts.slice(1 - wanted.length)
  return wanted.slice(1).every((part, index) => part.startsWith('{') || part === own[index])
}

async function isWorthAnother(response: Response | undefined, isRepeatable: boolean): Promise<boolean> {
  // It was rejected before anything was done.
  if (response?.status === 429) return true
  if (!isRepeatable) return false
  if (response === undefined || [408, 502, 503, 504].includes(response.status)) return true
  return response.status === 409 && isStillRunning(await response.clone().text())
}

/** The only conflict with this key: the first request with the same Idempotency-Key has not finished. */
function isStillRunning(body: string): boolean {
  return body.includes('"invalid_payload"')
}

/** Seconds, or a date: proxies send either. */
function retryAfterMs({ headers }: Response): number | undefined {
  const text = headers.get('retry-after')
  if (text === null) return undefined
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now()
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}
