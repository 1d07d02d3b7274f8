import type { Dispatcher } from 'undici'
import { TimeoutError, toOutgoingError } from './errors.ts'
import type { OutgoingRequest, OutgoingResponse } from './outgoing-request.ts'

/** One request and its response, with a limit on the whole. */
export function exchange(
  dispatcher: Dispatcher,
  url: URL,
  wanted: OutgoingRequest,
  leftMs = wanted.limitMs,
): Promise<OutgoingResponse> {
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
          // The exchange has its own limit, from beginning to end.
          headersTimeout: 0,
          bodyTimeout: 0,
        },
        new Exchange(leftMs, wanted.maxBodyBytes, done, fail),
      )
    } catch (error) {
      fail(error)
    }
  })
}

/**
 * Reads a response as it arrives. There is no stream and no abort signal, as undici's `request` would create: that makes
 * a delivery cost two thirds of the CPU time.
 */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #maxBodyBytes: number
  readonly #done: (response: OutgoingResponse) => void
  readonly #fail: (error: unknown) => void
  /** Includes connecting, which may take longer than the limit. */
  readonly #timer: NodeJS.Timeout
  #controller: Dispatcher.DispatchController | undefined
  #isOver = false
  #status = 0
  #headers: Record<string, string | undefined> = {}
  readonly #chunks: Buffer[] = []
  #size = 0

  constructor(
    limitMs: number,
    maxBodyBytes: number,
    done: (response: OutgoingResponse) => void,
    fail: (error: unknown) => void,
  ) {
    this.#maxBodyBytes = maxBodyBytes
    this.#done = done
    this.#fail = fail
    this.#timer = setTimeout(() => {
      const timeout = new TimeoutError()
      this.onResponseError(undefined, timeout)
      if (this.#controller) abort(this.#controller, timeout)
    }, limitMs)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#isOver) abort(controller, new TimeoutError())
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
    if (this.#size < this.#maxBodyBytes) return
    this.onResponseEnd()
    // The rest is not read, and the connection is closed.
    abort(controller, new Error('the response is longer than the limit'))
  }

  onResponseEnd(): void {
    if (!this.#end()) return
    this.#done({ status: this.#status, headers: this.#headers, body: this.#size === 0 ? '' : this.#read() })
  }

  onResponseError(_controller: unknown, error: unknown): void {
    if (this.#end()) this.#fail(error)
  }

  #read(): string {
    return Buffer.concat(this.#chunks).subarray(0, this.#maxBodyBytes).toString('utf8').replaceAll('\0', '')
  }

  /** False if it had ended before. */
  #end(): boolean {
    if (this.#isOver) return false
    this.#isOver = true
    clearTimeout(this.#timer)
    return true
  }
}

/**
 * A destroyed socket reads the stack of the error that undici creates for it. The stack is not used, but computing
 * the first one loads our source map, which blocks the process for 100 ms.
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
