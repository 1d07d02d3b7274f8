import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Allowance } from '../platform/foundation/allowance.ts'
import { wideNetworkOf } from '../platform/foundation/client-network.ts'
import { secondMs } from '../platform/foundation/clock.ts'
import type { Context } from '../platform/foundation/context.ts'
import { ApiError, errorBody, rateLimited } from '../platform/foundation/errors.ts'
import type { Principal } from '../platform/foundation/roles.ts'
import { type ShareLimits, Shares } from '../platform/foundation/shares.ts'
import type { Authenticator } from './authenticate.ts'
import { spend } from './authorize.ts'
import { bearerToBasic } from './basic-credentials.ts'
import { smallBodyBytes } from './unread-bodies.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The API key that an agent uses. */
    agent?: Principal
  }
}

export interface AgentOptions {
  authenticator: Authenticator
  base: Pick<Context, 'db' | 'services'>
  /** Requests per minute per key; undefined: no limit. */
  allowance: Allowance | undefined
  /** Whether agents may change something. */
  allowWrites: boolean
}

const path = '/mcp'

/** Addresses need a host, also where no network is involved. */
const inProcess = 'http://localhost'

/** How long a response may take; the tools themselves give up earlier. */
const responseMs = 60 * secondMs

/** Requests that are handled at once. Agents of many shops may come from the servers of one company. */
export const agentLimits: ShareLimits<'key' | 'shop' | 'network'> = { all: 32, each: { key: 8, shop: 16, network: 24 } }

const retrySeconds = 2

/**
 * The Model Context Protocol over HTTP, without sessions. Tools call the operations of this server in process, with the
 * credentials of the agent: roles, limits, validation and the audit log are those of the API.
 */
export function mountAgents(app: FastifyInstance, options: AgentOptions): void {
  const inFlight = new Shares(agentLimits)
  const { services } = options.base
  app.post(path, {
    bodyLimit: smallBodyBytes,
    async onRequest(request, reply) {
      checkOrigin(request, services.publicUrl)
      const agent = await authenticate(request, options)
      if (options.allowance) spend(options.allowance, agent.keyId)
      admitAgent(inFlight, request, reply, agent)
      request.agent = agent
    },
    handler: (request, reply) => respond(app, request, reply, options),
  })
  // Without sessions there is nothing to listen to or to end; clients expect this status for it.
  app.route({ method: ['GET', 'DELETE'], url: path, handler: rejectMethod })
}

/** Reserves a place until the response ends. */
export function admitAgent(
  inFlight: Shares<'key' | 'shop' | 'network'>,
  request: FastifyRequest,
  reply: FastifyReply,
  { keyId, shops }: Principal,
): void {
  // A key of several shops counts for its first; one of all shops for itself.
  const [shop = keyId] = shops.keys()
  const place = inFlight.take({ key: keyId, shop, network: wideNetworkOf(request.ip ?? '') })
  if (typeof place === 'string') {
    throw rateLimited('Too many requests at once.', retrySeconds)
  }
  reply.raw.once('close', place.giveBack)
}

/** A page that a browser shows must not reach this server through a name that it has pointed at it (DNS rebinding). */
function checkOrigin({ headers: { origin } }: FastifyRequest, publicUrl: string): void {
  if (origin === undefined || origin === new URL(publicUrl).origin) return
  throw new ApiError('insufficient_rights', `Agents do not connect from pages of another origin than ${publicUrl}.`)
}

const credentialsHint =
  'Send the credentials of an API key: Authorization: Basic base64(username:api_key), or Authorization: Bearer username:api_key.'

async function authenticate(request: FastifyRequest, { authenticator, base }: AgentOptions): Promise<Principal> {
  const { headers } = request
  // 401, not the 400 of the API: clients of this protocol then ask for credentials. Cookies do not count.
  if (headers.authorization === undefined) throw new ApiError('invalid_merchant_or_key', credentialsHint)
  headers.authorization = bearerToBasic(headers.authorization)
  const principal = await authenticator.principalOf(request, base.services.clock.now())
  if (principal === undefined) throw new ApiError('invalid_merchant_or_key', credentialsHint)
  return principal
}

async function respond(
  app: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
  { base: { services }, allowWrites }: AgentOptions,
): Promise<FastifyReply> {
  // One message could otherwise contain thousands of calls.
  if (Array.isArray(request.body)) throw new ApiError('invalid_payload', 'Send one message per request, not a list.')
  // Loaded by the first agent: the start of the service does not wait for it.
  const { handleRequest } = await import('doorstep-mcp')
  const ended = new AbortController()
  const timer = setTimeout(() => ended.abort(), responseMs)
  reply.raw.once('close', () => {
    clearTimeout(timer)
    ended.abort()
  })
  const shop = shopIn(request)
  const response = await handleRequest(toWebRequest(request, ended.signal), request.body, {
    baseUrl: inProcess,
    ...(shop === undefined ? {} : { shop }),
    writes: allowWrites,
    fetch: (call) => callOperation(app, request, call),
    confirmationKey: services.signing.fixed('confirmations of agents'),
    caller: request.agent?.keyId ?? '',
    now: () => services.clock.now(),
    report: (error) => request.log.warn({ err: error }, 'a request of an agent failed'),
  })
  return send(reply, response, ended.signal)
}

/** `/mcp?shop=river-and-pine` is for that shop only. */
function shopIn({ query }: FastifyRequest): string | undefined {
  const { shop } = query as { shop?: unknown } // as the address has it
  if (shop === undefined) return undefined
  if (typeof shop === 'string' && shop !== '') return shop
  throw new ApiError('invalid_payload', 'Name one shop: /mcp?shop=its-slug.')
}

/** Headers of a request that the protocol reads. The credentials are not among them. */
const protocolHeaders = /^(accept|content-type|mcp-[a-z-]+)$/

function toWebRequest(request: FastifyRequest, signal: AbortSignal): Request {
  const headers = Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
    protocolHeaders.test(name) && value !== undefined ? [[name, String(value)]] : [],
  )
  return new Request(`${inProcess}${path}`, { method: 'POST', headers, signal })
}

/** Calls an operation in process, as the agent would over the network. */
async function callOperation(app: FastifyInstance, request: FastifyRequest, call: Request): Promise<Response> {
  const { pathname, search } = new URL(call.url)
  const { authorization = '', 'user-agent': userAgent = '' } = request.headers
  const { statusCode, headers, rawPayload } = await app.inject({
    method: call.method as 'GET',
    url: pathname + search,
    headers: {
      ...Object.fromEntries(call.headers),
      authorization,
      'user-agent': userAgent,
      'x-request-id': request.id,
    },
    remoteAddress: request.ip,
    payload: Buffer.from(await call.arrayBuffer()),
    signal: call.signal,
  })
  return new Response(rawPayload.length > 0 ? new Uint8Array(rawPayload) : null, {
    status: statusCode,
    headers: Object.entries(headers).map(([name, value]) => [name, String(value)]),
  })
}

function send(reply: FastifyReply, { status, headers, body }: Response, signal: AbortSignal): FastifyReply {
  reply.code(status)
  for (const [name, value] of headers) reply.header(name, value)
  if (body === null) return reply.send()
  const stream = Readable.fromWeb(body as ReadableStream<Uint8Array>) // the same class, declared twice
  signal.addEventListener('abort', () => stream.destroy(), { once: true })
  return reply.send(stream)
}

async function rejectMethod(_request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const message = 'Agents send POST requests here. The guide at /docs/guide/agents shows how to connect one.'
  return reply
    .code(405)
    .header('allow', 'POST')
    .send(errorBody('route_not_found', 405, message))
}
