import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ApiError } from '../foundation/errors.ts'

/** A body up to this size has mostly arrived with its head, and costs less to read than to refuse. */
export const smallBodyBytes = 65_536

/** Large bodies of strangers that one process receives at a time. */
const mostAnonymousBodies = 16

const retrySeconds = 10

/** Whether a body was announced that has not arrived with the head. A chunked one does not say how long it is. */
export function hasLargeBody({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > smallBodyBytes
}

/**
 * Closes the connection after an answer that came before the body: otherwise the rest would be read and thrown away,
 * however large it is, for the sake of the next request.
 */
export function closeOnUnreadBody(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (!request.raw.complete && hasLargeBody(request)) reply.header('connection', 'close')
    done()
  })
}

/** Counts the large bodies of callers who have not proved who they are, so that they cannot fill memory or disk together. */
export class AnonymousBodies {
  #count = 0

  /** Counts this request until it is answered; rejects it where there are too many. */
  admit(request: FastifyRequest): void {
    if (!hasLargeBody(request)) return
    if (this.#count >= mostAnonymousBodies) {
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
