import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { hourMs, minuteMs, secondMs } from '../foundation/clock.ts'

/** What is under way when a stop begins has this long to end. */
const graceMs = 20 * secondMs

/** A request that trickles in for longer than this is an attack or a dead line. */
const receivingMs = 2 * minuteMs

/** A large file over a slow line takes its time; more than this is none. */
export const longestUploadMs = hourMs

/**
 * Sees to it that a stop comes to an end. Fastify closes connections that wait for a next request; one that never asked
 * anything (browsers open some ahead) is cut here at once, and one that does not end its request after a while.
 */
export function boundStopping(app: FastifyInstance): void {
  const sockets = new Set<Socket>()
  app.server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  let isStopping = false
  app.addHook('onSend', (_request, reply, _payload, done) => {
    // Otherwise the connection of a request that is just being finished would wait for a next one.
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

/** Cuts off a request whose body does not end: the server itself has one limit for all, which is that of uploads. */
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
