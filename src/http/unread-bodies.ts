import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/** A body up to this size has mostly arrived with the head, and is cheaper to read than to reject. */
export const smallBodyBytes = 65_536

/** How long, and for how many bytes, a rejected body is dropped before the connection is cut. */
const lingerMs = 2_000
const lingerBytes = 32_000_000

/** Whether the request may have a large body. A chunked one has no length, so it may. */
export function mayHaveLargeBody(request: Pick<FastifyRequest, 'headers'>): boolean {
  return request.headers['transfer-encoding'] !== undefined || announcesLargeBody(request)
}

export function announcesLargeBody({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return Number(headers['content-length'] ?? 0) > smallBodyBytes
}

/**
 * Closes the connection after a response that was sent before the body had arrived: otherwise the rest would be read and
 * dropped, however large or slow it is, to reach the next request.
 */
export function closeOnUnreadBody(app: FastifyInstance): void {
  app.addHook('onSend', ({ raw, headers }, reply, _payload, done) => {
    if (!raw.complete && (mayHaveLargeBody({ headers }) || reply.statusCode === 408)) {
      reply.header('connection', 'close')
      lingerAtClose(raw)
    }
    done()
  })
}

/**
 * Closing a connection with unread bytes resets it, and a client that is still sending (a proxy, say) would never see
 * the response. So only our side is closed at first, and further bytes are dropped, up to a limit.
 */
function lingerAtClose(request: IncomingMessage): void {
  const { socket } = request
  // Node calls this once it has handed over a response with `connection: close`.
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
