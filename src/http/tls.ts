import { readFileSync } from 'node:fs'
import { createServer as createHttpServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { createServer as createNetServer, type Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { minuteMs } from '../platform/foundation/clock.ts'
import type { IsTrustedProxy } from '../platform/foundation/trusted-proxies.ts'

export interface TlsFiles {
  certificateFile: string
  keyFile: string
}

/** The settings that Fastify passes to a factory. */
export interface ServerLimits {
  keepAliveTimeout?: number
  requestTimeout?: number
}

/** How long a connection may be silent before or during its handshake, or before the end of a request's head. */
const maxSilenceMs = minuteMs

/** A TLS handshake begins with this byte; no HTTP method does. */
const handshakeByte = 22

/**
 * Serves HTTPS, and on the same port sends plain HTTP there: the first byte of a connection
 * shows which it is, so no second port has to be configured or opened.
 */
export function createServerFactory(
  files: TlsFiles,
  publicUrl?: string,
  silenceMs = maxSilenceMs,
): (handler: RequestListener, limits: ServerLimits) => Server {
  return (handler, limits) => {
    const secure = createHttpsServer(
      {
        cert: readFileSync(files.certificateFile),
        key: readFileSync(files.keyFile),
        handshakeTimeout: silenceMs,
      },
      handler,
    )
    const plain = createHttpServer((request, response) => {
      const location = httpsAddress(publicUrl, request)
      if (location === undefined) response.writeHead(400, { 'content-length': '0' }).end()
      else response.writeHead(308, { location, 'content-length': '0' }).end()
    })
    // Fastify sets these for servers that it creates itself.
    for (const server of [secure, plain]) {
      server.headersTimeout = silenceMs
      server.keepAliveTimeout = limits.keepAliveTimeout ?? server.keepAliveTimeout
      server.requestTimeout = limits.requestTimeout ?? server.requestTimeout
    }
    const front = createNetServer((socket) => route(socket, secure, plain, silenceMs))
    // The servers behind track their connections, and end slow ones, once they emit `listening`.
    front.once('listening', () => {
      secure.emit('listening')
      plain.emit('listening')
    })
    // Fastify closes connections through the server it listens with; they belong to the servers behind.
    return Object.assign(front, {
      closeIdleConnections() {
        secure.closeIdleConnections()
        plain.closeIdleConnections()
      },
      closeAllConnections() {
        secure.closeAllConnections()
        plain.closeAllConnections()
      },
      setTimeout: () => front,
    }) as unknown as Server
  }
}

function route(socket: Socket, secure: Server, plain: Server, silenceMs: number): void {
  socket.on('error', () => socket.destroy())
  // Before its first byte a connection belongs to neither server, and neither would end it.
  const end = () => socket.destroy()
  socket.setTimeout(silenceMs, end)
  socket.once('readable', () => {
    socket.setTimeout(0).removeListener('timeout', end)
    const first = socket.read(1) as Buffer | null
    if (first === null) return
    socket.unshift(first)
    const target = first[0] === handshakeByte ? secure : plain
    target.emit('connection', socket)
  })
}

/** A host name or an address, with a port or without: nothing else belongs into a redirect. */
const hostPattern = /^(?:[a-z0-9._-]{1,253}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i

/**
 * The https address for a request that was not encrypted: at the host of PUBLIC_URL, else at the one that the request
 * names. X-Forwarded-Host is not read, because most proxies pass on what a client sends there. Undefined if there is no
 * such host.
 */
function httpsAddress(publicUrl: string | undefined, { headers, url }: Pick<IncomingMessage, 'headers' | 'url'>) {
  const host = publicUrl === undefined ? (headers.host ?? '') : publicHost(new URL(publicUrl))
  return hostPattern.test(host) ? `https://${host}${url ?? '/'}` : undefined
}

/** The port of an address without encryption is not that of the encrypted one. */
function publicHost({ protocol, host, hostname }: URL): string {
  return protocol === 'https:' ? host : hostname
}

/** Behind a trusted proxy that ends TLS: redirects requests that reached the proxy unencrypted to https. */
export function createHttpsRedirect(isTrusted: IsTrustedProxy, publicUrl: string | undefined) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (request.headers['x-forwarded-proto'] === undefined || request.protocol !== 'http') return
    // From any other peer the header is ignored, and the protocol is that of the connection.
    if (!isTrusted(request.socket.remoteAddress ?? '', 0)) return
    const location = httpsAddress(publicUrl, request)
    if (location !== undefined) return reply.code(308).header('location', location).send()
  }
}
