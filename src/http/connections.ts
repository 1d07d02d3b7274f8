import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { secondMs } from '../foundation/clock.ts'

/** What is under way when a stop begins has this long to end. */
const graceMs = 20 * secondMs

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
