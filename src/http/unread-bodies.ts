import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ApiError } from '../foundation/errors.ts'

/** A body up to this size has mostly arrived with the head, and is cheaper to read than to reject. */
export const smallBodyBytes = 65_536

/** Large bodies of anonymous callers that one process receives at a time. */
const maxAnonymousBodies = 16

const retrySeconds = 10

/** How long, and for how many bytes, a rejected body is dropped before the connection is cut. */
const lingerMs = 2_000
const lingerBytes = 32_000_000

/** Whether the request has a body that has not arrived with the head. A chunked one has no length. */
export function hasLargeBody({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > smallBodyBytes
}

/**
 * Closes the connection after a response that was sent before the body had arrived: otherwise the rest would be read and
 * dropped, however large it is, to reach the next request.
 */
export function closeOnUnreadBody(app: FastifyInstance): void {
  app.addHook('onSend', ({ raw, headers }, reply, _payload, done) => {
    if (!raw.complete && hasLargeBody({ headers })) {
      reply.header('connection', 'close')
      lingerAtClose(raw)
    }
    done()
  })
}

/**
 * Closing a connection with unread bytes resets it, and who is still sending (a proxy, say) would never see the
 * response. So only our side is closed at first, and what arrives is dropped, up to a limit.
 */
function lingerAtClose(request: IncomingMessage): void {
  const { socket } = request
  // What Node calls once it has handed over a response with `connection: close`.
  socket.destroySoon = () => {
    const startedAt = performance.now()
    const maxBytesRead = socket.bytesRead + lingerBytes
    const timer = setInterval(() => {
      const isOver = performance.now() - startedAt > lingerMs || socket.bytesRead > maxBytesRead
      if (isOver || request.complete) socket.destroy()
    }, 20)
    socket.once('close', () => clearInterval(timer))
    socket.end()
  }
}

/** Limits the large bodies of anonymous callers, so that they cannot fill memory or disk together. */
export class AnonymousBodies {
  #count = 0

  /** Counts this request until it ends; rejects it if there are too many. */
  admit(request: FastifyRequest): void {
    if (!hasLargeBody(request)) return
    if (this.#count >= maxAnonymousBodies) {
      throw new ApiError('rate_limited', `Too much is being sent at once. Try again in ${retrySeconds} s.`, {
        headers: { 'retry-after': String(retrySeconds) },
      })
    }
    this.#count += 1
    request.raw.once('close', () => {
      this.#count -= 1
    })
  }
}
