import type { FastifyInstance } from 'fastify'
import type { DestinationStream } from 'pino'
import { createTrackingSite } from '../web/tracking-page/site.ts'
import type { Config, TracingConfig } from './config.ts'
import { openChanges } from './database/changes.ts'
import { type Database, openDatabase } from './database/database.ts'
import { forgetAnswersBefore } from './database/idempotency.ts'
import { repairPrivateFolder } from './database/private-folder.js'
import { answers } from './database/readiness.ts'
import { noDeliveryWorkers } from './deliveries/delivery.ts'
import type { Demo } from './demo/build.ts'
import { createCaches } from './foundation/caches.ts'
import { after, type Clock, dayMs, minuteMs, systemClock } from './foundation/clock.ts'
import type { Context, Log } from './foundation/context.ts'
import type { Principal } from './foundation/roles.ts'
import type { Services } from './foundation/services.ts'
import type { Tracing } from './foundation/tracing.ts'
import { createAuthenticator } from './http/authenticate.ts'
import { createServer, type ServerOptions } from './http/server.ts'
import { operations } from './operations.ts'
import { createOutgoing } from './outgoing/outgoing.ts'
import { createImageStore } from './resources/images/image-store.ts'
import { type Credentials, prepareInstallation } from './setup/installation.ts'
import { startWorkers, type WorkerConfig, type Workers } from './workers/workers.ts'

/** A running service: what main, tests and benchmarks start. */
export interface Service {
  app: FastifyInstance
  database: Database
  /** Where it listens, once it does. */
  url: string
  /** The superadmin's credentials, at the start that made them and never again. */
  madeCredentials: Credentials | undefined
  /** True when this was the store's first start. */
  isFirstStart: boolean
  /** The demo shop, once it is ready, at the start that makes it; it never fails. */
  demo: Promise<Demo | undefined>
  /** What works behind the requests; undefined on a node that only answers. */
  workers: Workers | undefined
  /** A context for work of our own, outside any request. */
  context(): Context
  stop(): Promise<void>
}

export interface ServiceOptions {
  clock?: Clock
  database?: Database
  logDestination?: DestinationStream
  /** Other companies' servers, where they are not at their usual addresses. */
  integrationUrls?: WorkerConfig['integrationUrls']
  providerUrls?: WorkerConfig['providerUrls']
  /** Puts the measurements of several processes together. */
  shareMetrics?: ServerOptions['shareMetrics']
  /** False: routes can be called without a port. */
  listen?: boolean
}

const housekeepingMs = minuteMs
/** What an operation waits for another company's server, and how much of its answer is read. */
const callLimitMs = 10_000
const longestAnswer = 256_000

/** Puts the service together and starts it: store, then routes, then the port. */
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
  const changes = await openChanges(database)
  const installation = await prepareInstallation(config, database, clock)
  const outgoing = createOutgoing({ allowPrivate: config.webhookAllowPrivate, proxyUrl: config.webhookProxyUrl })
  const tracing = config.tracing && (await openTracing(config.tracing, () => app.log))
  let workers: Workers | undefined
  const services: Services = {
    clock,
    vault: installation.vault,
    caches: createCaches(clock, changes),
    announce: changes.announce,
    publicUrl: config.publicUrl ?? `http://localhost:${config.port}`,
    imageStore: createImageStore(config),
    call: (request) => outgoing.call({ ...request, limitMs: callLimitMs, answerBytes: longestAnswer }),
    credentialHosts: [...config.credentialHosts, ...hostsOf(options.integrationUrls), ...hostsOf(options.providerUrls)],
    deliveries: noDeliveryWorkers,
    wakeImports: () => workers?.imports.wake(),
    wakeParcels: (parcels) => workers?.parcels.wake(parcels),
    isProduction: config.isProduction,
    tracing,
  }
  const base = { db: database.db, services }
  const authenticator = createAuthenticator(base)
  const app = await createServer({
    operations: config.role === 'worker' ? [] : operations,
    site: config.role === 'worker' ? undefined : createTrackingSite(),
    authenticator,
    base,
    isReady: () => answers(database),
    config,
    logDestination: options.logDestination,
    shareMetrics: options.shareMetrics,
  })
  // The key, private photos and the store itself: of an older version, others on the machine could read them.
  const open = repairPrivateFolder(config.dataDir)
  if (open.length > 0) {
    app.log.warn(
      { paths: open.slice(0, 5) },
      'others on this machine may read the data folder, and it is not ours to change',
    )
  }
  if (options.listen === false) await app.ready()
  else await app.listen({ port: config.port, host: config.host })
  const port = listeningPort(app) ?? config.port
  if (config.publicUrl === undefined) services.publicUrl = `${config.tls ? 'https' : 'http'}://localhost:${port}`

  const context = (): Context => ({
    ...base,
    now: clock.now(),
    principal: ourselves,
    acceptLanguage: undefined,
    log: app.log,
  })
  if (config.role !== 'api') {
    workers = await startWorkers(database, context, {
      ...config,
      integrationUrls: options.integrationUrls,
      providerUrls: options.providerUrls,
    })
    services.deliveries = workers.deliverer
  }
  const housekeeping = setInterval(() => {
    keepHouse(base, authenticator, clock).catch((err) =>
      app.log.warn({ err }, 'housekeeping failed; it will be tried again'),
    )
  }, housekeepingMs)
  housekeeping.unref()

  // Last, when nothing of the start can fail any more: it goes on by itself.
  const demo = openDemo(config, database, installation.isFirstStart, context())
  let stopping: Promise<void> | undefined
  const stop = async (): Promise<void> => {
    clearInterval(housekeeping)
    await app.close()
    await demo
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
    madeCredentials: installation.madeCredentials,
    isFirstStart: installation.isFirstStart,
    workers,
    demo,
    context,
    stop() {
      stopping ??= stop()
      return stopping
    },
  }
}

/** Who gives other companies' servers another address trusts the hosts there. */
function hostsOf(urls: Partial<Record<string, string>> = {}): string[] {
  return Object.values(urls).flatMap((url) => (url === undefined ? [] : [new URL(url).hostname]))
}

const ourselves: Principal = {
  keyId: 'doorstep',
  username: 'doorstep',
  everywhere: 'superadmin',
  shops: new Map(),
  expiration: 0,
}

/** Nothing of it is loaded where it is not wanted. */
async function openTracing(config: TracingConfig, log: () => Log): Promise<Tracing> {
  const { startTracing } = await import('./telemetry/tracing.ts')
  return startTracing(config, log)
}

/**
 * A cold embedded store takes a second or two for it, so nobody waits: the service runs meanwhile. Without its demo shop
 * it is still a service, so what goes wrong is only told.
 */
async function openDemo(
  config: Config,
  database: Database,
  isFirstStart: boolean,
  context: Context,
): Promise<Demo | undefined> {
  if (!isDemoWanted(config, database.engine, isFirstStart)) return undefined
  try {
    const { buildDemo } = await import('./demo/build.ts')
    return await buildDemo(context)
  } catch (err) {
    context.log.error({ err }, 'the demo shop could not be made')
    return undefined
  }
}

/** Unless the setting says, only a store of one's own that is not in production gets it, and only when it is new. */
function isDemoWanted(config: Config, engine: Database['engine'], isFirstStart: boolean): boolean {
  return config.demo ?? (engine === 'embedded' && isFirstStart && !config.isProduction)
}

async function keepHouse(
  base: Pick<Context, 'db'>,
  authenticator: { flush(): Promise<void> },
  clock: Clock,
): Promise<void> {
  await authenticator.flush()
  await forgetAnswersBefore(base, after(clock.now(), -dayMs))
}

function listeningPort(app: FastifyInstance): number | undefined {
  const address = app.server.address()
  return typeof address === 'object' && address !== null ? address.port : undefined
}
