import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { hourMs, minuteMs, secondMs } from '../platform/foundation/clock.ts'

/** How long requests in flight may take to end when the service stops. */
const graceMs = 20 * secondMs

/** A request that arrives for longer than this is an attack or a dead connection. */
const receivingMs = 2 * minuteMs

/** The limit for a large file over a slow connection. */
export const maxUploadMs = hourMs

/**
 * Ensures that a stop ends. Fastify closes connections that are idle after a request. A connection that has sent nothing
 * (browsers open some ahead) is closed here at once, and one whose request does not end after a grace period.
 */
export function boundStopping(app: FastifyInstance): void {
  const sockets = new Set<Socket>()
  app.server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  let isStopping = false
  app.addHook('onSend', (_request, reply, _payload, done) => {
    // Otherwise the connection of a request in flight would wait for the next one.
    if (isStopping) reply.header('connection', 'close')
    done()
  })
  app.addHook('preClose', async () => {
    isStopping = true
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
    setTimeout(() => {
      for (const socket of sockets) socket.destroy()
    }, graceMs).unref()
  })
}

/** Ends a request whose body does not end: the server's own limit is that of uploads. */
export function boundReceiving(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { 'content-length': length = '0', 'transfer-encoding': encoding } = request.headers
    if ((length !== '0' || encoding !== undefined) && !request.routeOptions.config.isUpload) {
      const timer = setTimeout(() => {
        if (!request.raw.complete) request.raw.destroy()
      }, receivingMs)
      timer.unref()
      request.raw.once('close', () => clearTimeout(timer))
    }
    done()
  })
}
