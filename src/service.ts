import type { FastifyInstance } from 'fastify'
import type { DestinationStream } from 'pino'
import { renderPagePreview } from '../web/tracking-page/preview.ts'
import { createTrackingSite } from '../web/tracking-page/site.ts'
import type { Config, TracingConfig } from './config.ts'
import { createDashboard, type Dashboard } from './dashboard/dashboard.ts'
import { AttemptCounter } from './database/attempts.ts'
import { openChanges } from './database/changes.ts'
import { type Database, openDatabase } from './database/database.ts'
import { repairPrivateFolder } from './database/private-folder.js'
import { isAvailable } from './database/readiness.ts'
import { noDeliveryWorkers } from './deliveries/delivery.ts'
import type { Demo } from './demo/build.ts'
import { createCaches } from './foundation/caches.ts'
import { type Clock, minuteMs, systemClock } from './foundation/clock.ts'
import type { Context, Log } from './foundation/context.ts'
import type { Principal } from './foundation/roles.ts'
import type { Services } from './foundation/services.ts'
import type { Tracing } from './foundation/tracing.ts'
import { type Authenticator, createAuthenticator } from './http/authenticate.ts'
import { createServer, type ServerOptions } from './http/server.ts'
import { noParcelWorkers } from './journey/shipments/parcel-workers.ts'
import { createIntegrations } from './marketing/registry.ts'
import { operations } from './operations.ts'
import { createOutgoing } from './outgoing/outgoing.ts'
import { createImageStore } from './resources/images/image-store.ts'
import { noImportWorkers } from './resources/imports/import-workers.ts'
import { CredentialCheck } from './resources/keys/credential-check.ts'
import { payloadBuilder } from './resources/payloads/build.ts'
import { type HashCost, PasswordHasher } from './resources/people/passwords.ts'
import { OidcClient } from './resources/sign-in/oidc/client.ts'
import { createSignInSite } from './resources/sign-in/oidc/pages.ts'
import { type Credentials, prepareInstallation } from './setup/installation.ts'
import { openDemo } from './setup/open-demo.ts'
import { type Job, Schedule } from './workers/schedule.ts'
import { createWorkers, type WorkerConfig, type Workers } from './workers/workers.ts'

/** A running service: what main, tests and benchmarks start. */
export interface Service {
  app: FastifyInstance
  database: Database
  /** Where it listens, once it does. */
  url: string
  /** The superadmin's credentials, only at the start that created them. */
  newCredentials: Credentials | undefined
  /** True when this was the store's first start. */
  isFirstStart: boolean
  /** The demo shop, if this start creates it; never rejects. */
  demo: Promise<Demo | undefined>
  /** The merchants' dashboard, which opens at its first request at the latest; undefined on a node with the role worker. */
  dashboard: Dashboard | undefined
  /** The background workers; undefined on a node that only serves requests. */
  workers: Workers | undefined
  /** The jobs of this node. */
  schedule: Schedule
  /** A context for work outside any request. */
  context(): Context
  stop(): Promise<void>
}

export interface ServiceOptions {
  clock?: Clock
  database?: Database
  logDestination?: DestinationStream
  /** Other companies' servers, if they are not at their usual addresses. */
  integrationUrls?: Parameters<typeof createIntegrations>[0]
  providerUrls?: WorkerConfig['providerUrls']
  /** Joins the metrics of several processes. */
  shareMetrics?: ServerOptions['shareMetrics']
  /** What hashing a password costs, if tests cannot wait for the usual cost. */
  passwordCost?: HashCost
  /** False: routes can be called without a port. */
  listen?: boolean
}

/** How long an operation waits for another company's server, and how much of the response is read. */
const callLimitMs = 10_000
const maxBodyBytes = 256_000

/** Assembles and starts the service: store, then routes, then the port, then the workers. */
export async function startService(config: Config, options: ServiceOptions = {}): Promise<Service> {
  const clock = options.clock ?? systemClock
  const database = options.database ?? (await openDatabase(config))
  try {
    return await compose(config, database, clock, options)
  } catch (error) {
    await database.close()
    throw error
  }
}

async function compose(config: Config, database: Database, clock: Clock, options: ServiceOptions): Promise<Service> {
  const { integrationUrls, providerUrls } = options
  const changes = await openChanges(database)
  const installation = await prepareInstallation(config, database, clock)
  const outgoing = createOutgoing({ allowPrivate: config.webhookAllowPrivate, proxyUrl: config.webhookProxyUrl })
  const integrations = createIntegrations(integrationUrls)
  const tracing = config.tracing && (await openTracing(config.tracing, () => app.log))

  // Workers are part of the services and use them too: they get a context only when they begin to work, further below.
  const context = (): Context => ({
    ...base,
    now: clock.now(),
    principal: ourselves,
    acceptLanguage: undefined,
    log: app.log,
  })
  const workers =
    config.role === 'api'
      ? undefined
      : createWorkers({ database, outgoing, integrations, context, config: { ...config, providerUrls } })
  let publicUrl = config.publicUrl ?? localUrl(config, config.port)
  const services: Services = Object.freeze({
    clock,
    vault: installation.vault,
    brand: config.brand,
    caches: createCaches(clock, changes),
    announce: changes.announce,
    // The system may choose the port, which is known when we listen.
    get publicUrl() {
      return publicUrl
    },
    imageStore: createImageStore(config),
    call: (request) => outgoing.call({ ...request, limitMs: callLimitMs, maxBodyBytes }),
    credentialHosts: [...config.credentialHosts, ...hostsOf(integrationUrls), ...hostsOf(providerUrls)],
    integrations,
    deliveries: workers?.deliveries ?? noDeliveryWorkers,
    payloads: payloadBuilder,
    renderPagePreview,
    imports: workers?.imports ?? noImportWorkers,
    parcels: workers?.parcels ?? noParcelWorkers,
    isProduction: config.isProduction,
    attempts: new AttemptCounter(),
    credentials: new CredentialCheck(),
    passwords: new PasswordHasher(installation.vault, options.passwordCost),
    oidc: config.oidc && new OidcClient(config.oidc),
    tracing,
  } satisfies Services)
  const base = { db: database.db, services }

  const authenticator = createAuthenticator(base)
  const dashboard =
    config.role === 'worker' ? undefined : createDashboard({ dataDir: config.dataDir, log: () => app.log })
  const app = await createServer({
    operations: config.role === 'worker' ? [] : operations,
    sites: config.role === 'worker' ? [] : [createTrackingSite(), createSignInSite()],
    dashboard,
    authenticator,
    base,
    isReady: () => isAvailable(database),
    config,
    logDestination: options.logDestination,
    shareMetrics: options.shareMetrics,
  })
  warnOfReadableFiles(app, config)

  // Before the first request, which may claim deliveries of its own.
  await workers?.recover()
  if (options.listen === false) await app.ready()
  else await app.listen({ port: config.port, host: config.host })
  publicUrl = config.publicUrl ?? localUrl(config, listeningPort(app) ?? config.port)
  await workers?.start()
  const schedule = new Schedule([...(workers?.jobs ?? []), createKeyUseJob(authenticator)], context)
  schedule.start()

  // Last, when the start can no longer fail: it continues in the background.
  const demo = openDemo(config, database.engine, installation.isFirstStart, context())
  let stopping: Promise<void> | undefined
  const stop = async (): Promise<void> => {
    await app.close()
    await demo
    await dashboard?.stop()
    await schedule.stop()
    await workers?.stop()
    await outgoing.close()
    await authenticator.flush()
    await database.close()
    await tracing?.stop()
  }
  return {
    app,
    database,
    url: services.publicUrl,
    newCredentials: installation.newCredentials,
    isFirstStart: installation.isFirstStart,
    dashboard,
    workers,
    schedule,
    demo,
    context,
    stop() {
      stopping ??= stop()
      return stopping
    },
  }
}

/** The principal of the service's own work. */
const ourselves: Principal = {
  kind: 'system',
  keyId: 'doorstep',
  username: 'doorstep',
  name: 'Doorstep',
  everywhere: 'superadmin',
  shops: new Map(),
  expiration: 0,
}

/** Loaded only if tracing is configured. */
async function openTracing(config: TracingConfig, log: () => Log): Promise<Tracing> {
  const { startTracing } = await import('./telemetry/tracing.ts')
  return startTracing(config, log)
}

/** Credentials may also be sent to the hosts of configured addresses of other companies' servers. */
function hostsOf(urls: Partial<Record<string, string>> = {}): string[] {
  return Object.values(urls).flatMap((url) => (url === undefined ? [] : [new URL(url).hostname]))
}

/** The address on this machine, if there is no public one. */
function localUrl({ tls }: Pick<Config, 'tls'>, port: number): string {
  return `${tls ? 'https' : 'http'}://localhost:${port}`
}

function listeningPort(app: FastifyInstance): number | undefined {
  const address = app.server.address()
  return typeof address === 'object' && address !== null ? address.port : undefined
}

/** The key, private photos and the embedded store: an older version left them readable to others on the machine. */
function warnOfReadableFiles(app: FastifyInstance, config: Config): void {
  const readable = repairPrivateFolder(config.dataDir)
  if (readable.length === 0) return
  app.log.warn(
    { paths: readable.slice(0, 5) },
    'other users of this machine can read the data folder, and its permissions cannot be changed',
  )
}

/** Each process records the use of keys in memory, and stores it once per minute. */
function createKeyUseJob(authenticator: Authenticator): Job {
  return { name: 'key use', everyMs: minuteMs, runsOn: 'every process', run: () => authenticator.flush() }
}
