import { join } from 'node:path'
import multipart from '@fastify/multipart'
import {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
  fastify,
  LogController,
} from 'fastify'
import type { DestinationStream } from 'pino'
import { Allowance } from '../platform/foundation/allowance.ts'
import { minuteMs } from '../platform/foundation/clock.ts'
import type { Context } from '../platform/foundation/context.ts'
import { errorBody } from '../platform/foundation/errors.ts'
import { newId } from '../platform/foundation/ids.ts'
import type { Operation } from '../platform/foundation/operation.ts'
import type { Site } from '../platform/foundation/page-route.ts'
import { type TrustedProxies, trustOf } from '../platform/foundation/trusted-proxies.ts'
import type { Authenticator } from './authenticate.ts'
import { boundReceiving, boundStopping, maxUploadMs } from './connections.ts'
import type { Dashboard } from './dashboard/dashboard.ts'
import { mountDashboard } from './dashboard.ts'
import { mountDescription } from './docs.ts'
import { mountGuide } from './guide.ts'
import { IncomingBodies } from './incoming-bodies.ts'
import { readJson } from './json-body.ts'
import { logOptions } from './log.ts'
import { createTextLog } from './log-text.ts'
import { mountAgents } from './mcp.ts'
import { type MetricsAccess, type MetricsReader, mountMetrics } from './metrics.ts'
import { mountOperations } from './mount.ts'
import { observe } from './observe.ts'
import { isPageAddress, mountPages, showError } from './pages.ts'
import { PieceTurns } from './piece-turns.ts'
import { reportError } from './report-error.ts'
import { sendDocument } from './send-document.ts'
import { StalledOutput } from './stalled-output.ts'
import { createHttpsRedirect, createServerFactory, type TlsFiles } from './tls.ts'
import { traceRequests } from './trace.ts'
import { closeOnUnreadBody } from './unread-bodies.ts'
import { boundUnread, UnreadOutput } from './unread-output.ts'
import { fileName, type Widgets } from './widgets/widgets.ts'

/** Dated versions of the API, oldest first. */
const versions = ['2026-11-01'] as const
const latestVersion = versions.at(-1) ?? ''

export interface ServerOptions {
  operations: readonly Operation[]
  /** The pages for people; none on a node with the role worker. */
  sites: readonly Site[]
  /** The merchants' dashboard; none on a node with the role worker. */
  dashboard: Dashboard | undefined
  /** The components for shops' own sites; none on a node with the role worker. */
  widgets: Widgets | undefined
  authenticator: Authenticator
  base: Pick<Context, 'db' | 'services'>
  /** Whether this node can work, and what is wrong. */
  readiness: () => Promise<{ isReady: boolean; checks: readonly { name: string; state: string; message: string }[] }>
  metrics: MetricsReader
  config: {
    brand: string
    dataDir: string
    logLevel: string
    logFormat: 'json' | 'text' | 'coloured text'
    bodyLimitBytes: number
    imageLimitBytes: number
    importLimitBytes: number
    rateLimit: number
    mcpWrites: boolean
    trustProxy: TrustedProxies | undefined
    publicUrl: string | undefined
    tls: TlsFiles | undefined
    metrics: MetricsAccess
  }
  logDestination?: DestinationStream
}

/** The HTTP server with everything that all operations share; it does not listen yet. */
export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const { config, sites, authenticator, base } = options
  const bodies = new IncomingBodies(base.services)
  const pageOptions = {
    authenticator,
    base,
    imageLimitBytes: config.imageLimitBytes,
    uploadFolder: join(config.dataDir, 'uploads'),
    bodies,
  }
  const versionHeader = `${config.brand}-Version`
  const setHeaders = (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
    reply.headers(securityHeaders).header('x-request-id', request.id).header(versionHeader, latestVersion)
  const isTrusted = config.trustProxy && trustOf(config.trustProxy)
  const serverFactory = config.tls ? createServerFactory(config.tls, config.publicUrl) : undefined
  const logDestination = options.logDestination ?? textLogFor(config.logFormat)
  const app = fastify({
    logger: { ...logOptions(config.logLevel), ...(logDestination ? { stream: logDestination } : {}) },
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: config.bodyLimitBytes,
    trustProxy: isTrusted ?? false,
    requestIdHeader: false,
    genReqId: (request) => readRequestId(request.headers['x-request-id']) ?? newId(options.base.services.clock.now()),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 512 },
    // A malformed address passes no hook on its way here.
    frameworkErrors: (error, request, reply) => {
      setHeaders(request, reply)
      const site = sites.find((site) => isPageAddress(site, request.url))
      if (site === undefined) return void reportError(error, request, reply)
      showError(site, pageOptions, error, reply).catch((failure) => reportError(failure, request, reply))
    },
    // Idle connections must not delay a stop.
    forceCloseConnections: 'idle',
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    requestTimeout: maxUploadMs,
    ...(serverFactory ? { serverFactory } : {}),
  } as FastifyServerOptions) as unknown as FastifyInstance // the factory's server is an http.Server in type and behaviour

  if (base.services.tracing) traceRequests(app, base.services.tracing)
  app.addHook('onRequest', (request, reply, done) => {
    setHeaders(request, reply)
    done()
  })
  if (isTrusted) app.addHook('onRequest', createHttpsRedirect(isTrusted, config.publicUrl))
  boundStopping(app)
  boundReceiving(app)
  app.decorate('pieceTurns', new PieceTurns())
  const stalled = new StalledOutput(base.services)
  stalled.watch(app.server)
  boundUnread(app, new UnreadOutput({ stalled, metrics: base.services.metrics }))
  bodies.watch(app.server)
  closeOnUnreadBody(app)
  app.setErrorHandler(reportError)
  readJson(app, config.bodyLimitBytes)
  await app.register(multipart, {
    limits: { fileSize: config.imageLimitBytes, files: 1, fields: 20, parts: 21, fieldSize: 10_000, headerPairs: 20 },
  })
  observe(app, options.operations, base.services.metrics)
  mountMetrics(app, options.metrics, config.metrics)

  const allowance = config.rateLimit > 0 ? new Allowance(config.rateLimit, minuteMs) : undefined
  mountHealth(app, options.readiness)
  mountOperations(app, options.operations, {
    authenticator: options.authenticator,
    base: options.base,
    allowance,
    importLimitBytes: config.importLimitBytes,
    bodies,
    publicUrl: () => options.base.services.publicUrl,
    brand: config.brand,
  })
  if (options.operations.length > 0) mountAgents(app, { authenticator, base, allowance, allowWrites: config.mcpWrites })
  for (const site of sites) mountPages(app, site, pageOptions)
  if (options.dashboard) mountDashboard(app, options.dashboard)
  if (options.widgets) mountWidgets(app, options.widgets)
  mountDescription(app, options.operations, config.brand, () => options.base.services.publicUrl)
  mountGuide(app, () => options.base.services.publicUrl)
  mountFallbacks(app)
  return app
}

/** Routes have no schemas: operations check their own. Fastify's compilers are 7 percent of a start, so they are not loaded. */
function noSchemas(): never {
  throw new Error('A route has no schema here; an operation does.')
}

const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-site',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'cache-control': 'no-store',
}

/** Undefined: pino writes JSON to stdout by itself, in the fastest way. */
function textLogFor(format: ServerOptions['config']['logFormat']): DestinationStream | undefined {
  return format === 'json' ? undefined : createTextLog(process.stdout, format === 'coloured text')
}

function readRequestId(given: string | string[] | undefined): string | undefined {
  return typeof given === 'string' && /^[\w.:-]{1,128}$/.test(given) ? given : undefined
}

function mountHealth(app: FastifyInstance, readiness: ServerOptions['readiness']): void {
  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    const { isReady, checks } = await readiness()
    return reply.code(isReady ? 200 : 503).send({ status: isReady ? 'ready' : 'not ready', checks })
  })
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** OPTIONS for every path that exists, and a clear error for those that do not. */
function mountFallbacks(app: FastifyInstance): void {
  const allowed = (url: string): string[] => {
    const path = url.split('?')[0] ?? ''
    return methods.filter((method) => app.findRoute({ method, url: path }) !== null)
  }
  const reject = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const allow = allowed(request.url)
    if (allow.length > 0) reply.header('allow', ['OPTIONS', ...allow].join(', '))
    if (allow.length > 0 && request.method === 'OPTIONS') return reply.code(204).send()
    const hint = allow.length > 0 ? ` This address takes ${allow.join(', ')}.` : ' The reference is at /docs.'
    return reply
      .code(404)
      .send(errorBody('route_not_found', 404, `There is no ${request.method} ${request.url.split('?')[0]}.${hint}`))
  }
  app.setNotFoundHandler(reject)
  // Before a byte of the body is read: errors in the body do not matter here.
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404) reject(request, reply)
    else done()
  })
}

/**
 * Serves the script with the components. It is the same for every shop and contains no shop's data, so pages of all
 * origins may load it: browsers load modules of other origins only if that is allowed.
 */
function mountWidgets(app: FastifyInstance, widgets: Widgets): void {
  app.get(`/widgets/${fileName}`, { config: { operationName: 'widgets' } }, async (request, reply) => {
    const script = widgets.script()
    reply.headers({
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      // The address stays the same, so a new version is seen within minutes; meanwhile the old one works.
      'cache-control': 'public, max-age=300, stale-while-revalidate=86400',
    })
    return sendDocument(request, reply, script)
  })
}
