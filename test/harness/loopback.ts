import { randomInt } from 'node:crypto'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

export interface LoopbackServer {
  host: string
  port: number
  /** Connections so far. */
  connections: number
  close(): Promise<void>
}

/** A bare server on 127.0.0.1 that calls `handle` for every connection; closed after the test. */
export async function startLoopback(handle: (socket: Socket) => void): Promise<LoopbackServer> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    loopback.connections += 1
    sockets.add(socket.on('error', () => {}))
    socket.once('close', () => sockets.delete(socket))
    handle(socket)
  })
  const loopback: LoopbackServer = {
    host: '127.0.0.1',
    port: await listen(server),
    connections: 0,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  onTestFinished(() => loopback.close())
  return loopback
}

/** Passes everything on in both directions, beginning with what has been read already. */
export function passOn(socket: Socket, first: Buffer, target: Socket): void {
  target.on('error', () => socket.destroy())
  socket.on('close', () => target.destroy())
  target.write(first)
  socket.pipe(target).pipe(socket)
}

/**
 * A port where nobody listens. It is below those that the system gives to a process that asks for any: otherwise a client or server of
 * another test may have it by the time it is used, or while the server that has it is down.
 */
export async function findClosedPort(): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const port = randomInt(15_000, 32_000)
    const server = createServer()
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false))
      server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
    })
    if (isFree) return port
  }
  throw new Error('No free port was found.')
}

export interface ConnectProxy extends LoopbackServer {
  /** The requested targets, in the form host:port. */
  targets: string[]
}

/** A proxy for CONNECT that connects to the given port, whatever target was requested. */
export async function startProxy(reply: { port: number } | { rejection: string }): Promise<ConnectProxy> {
  const targets: string[] = []
  const server = await startLoopback((socket) => {
    socket.once('data', (head) => {
      targets.push(/^CONNECT (\S+) HTTP/.exec(String(head))?.[1] ?? String(head))
      if ('rejection' in reply) return socket.end(`HTTP/1.1 ${reply.rejection}\r\n\r\n`)
      const target = connect(reply.port, '127.0.0.1')
      target.on('error', () => socket.destroy())
      socket.on('close', () => target.destroy())
      return target.once('connect', () => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
        socket.pipe(target).pipe(socket)
      })
    })
  })
  return Object.assign(server, { targets })
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port)) // it listens on a port
  })
}
