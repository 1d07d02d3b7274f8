import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { FastifyInstance } from 'fastify'
import { isSame } from '../platform/foundation/crypto.ts'
import { errorBody } from '../platform/foundation/errors.ts'
import { isLoopbackHost } from '../platform/foundation/loopback.ts'
import type { StalledOutput } from './stalled-output.ts'

export interface MetricsAccess {
  /** Its own port, so that /metrics is not on the public one. */
  port: number | undefined
  host: string
  /** Readers of the metrics have to send it as a bearer token. */
  token: string | undefined
}

/** The metrics as text, with their media type. */
export interface MetricsReader {
  contentType: string
  read(): Promise<string>
}

const path = '/metrics'

/**
 * Puts /metrics beside everything else, unless it has a port of its own. This port is usually public, so without a token only
 * this machine may read them.
 */
export function mountMetrics(app: FastifyInstance, { contentType, read }: MetricsReader, access: MetricsAccess): void {
  if (access.port !== undefined) return
  app.get(path, async (request, reply) => {
    const isAllowed = access.token === undefined ? isFromHere(request.raw) : hasToken(request.headers, access.token)
    if (!isAllowed) {
      return reply.code(401).header('www-authenticate', 'Bearer').send(rejection)
    }
    return reply.type(contentType).send(await read())
  })
}

/** Serves nothing but /metrics, on the port of its own; undefined if there is none. */
export async function openMetricsPort(
  reader: MetricsReader,
  access: MetricsAccess,
  stalled: StalledOutput,
): Promise<Server | undefined> {
  if (access.port === undefined) return undefined
  const server = createServer((request, response) => {
    respond(request, response, reader, access).catch(() => response.destroy())
  })
  stalled.watch(server)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(access.port, access.host, resolve)
  })
  return server
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  { contentType, read }: MetricsReader,
  access: MetricsAccess,
): Promise<void> {
  request.resume()
  const isKnown = request.url?.split('?')[0] === path && (request.method === 'GET' || request.method === 'HEAD')
  if (!isKnown) {
    response.writeHead(404).end()
  } else if (access.token !== undefined && !hasToken(request.headers, access.token)) {
    response.writeHead(401, { 'www-authenticate': 'Bearer' }).end()
  } else {
    const text = await read()
    response.writeHead(200, { 'content-type': contentType, 'cache-control': 'no-store' }).end(text)
  }
}

const rejection = errorBody(
  'invalid_merchant_or_key',
  401,
  'Send METRICS_TOKEN as a bearer token. Where it is not set, only the machine of the service reads the metrics.',
)

function hasToken({ authorization = '' }: IncomingHttpHeaders, token: string): boolean {
  const [, given] = /^Bearer +(\S+)$/i.exec(authorization) ?? []
  return given !== undefined && isSame(given, token)
}

/**
 * Whether a program on this machine sent the request for itself. A proxy on this machine is a neighbour as well, so every
 * header in which proxies name their client counts, whether TRUST_PROXY trusts it or not.
 */
function isFromHere({ socket, headers }: IncomingMessage): boolean {
  return isLoopbackHost(socket.remoteAddress ?? '') && !Object.keys(headers).some(isOfProxy)
}

function isOfProxy(name: string): boolean {
  return ofProxies.has(name) || name.startsWith('x-forwarded-') || name.endsWith('-client-ip')
}

const ofProxies = new Set([
  'forwarded',
  'via',
  'x-forwarded',
  'forwarded-for',
  'x-real-ip',
  'x-real-port',
  'x-original-forwarded-for',
  'x-original-for',
  'x-original-host',
  'x-proxyuser-ip',
  'x-envoy-external-address',
  'x-azure-clientip',
  'x-amzn-trace-id',
  'x-cloud-trace-context',
  'cdn-loop',
  'cf-connecting-ip',
  'cf-connecting-ipv6',
  'cf-ray',
])
