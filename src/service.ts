import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import type { DestinationStream } from 'pino'
import type { Registry } from 'prom-client'
import { CredentialCheck } from './access/keys/credential-check.ts'
import { type HashCost, PasswordHasher } from './access/people/passwords.ts'
import { OidcClient } from './access/sign-in/oidc/client.ts'
import { createSignInSite } from './access/sign-in/oidc/pages.ts'
import { createProviders } from './adapters/carriers/registry.ts'
import { createIntegrations } from './adapters/marketing/registry.ts'
import { createShopSystems } from './adapters/shop-systems/registry.ts'
import { createTrackingSite } from './customer-page/site.ts'
import { noDeliveryWorkers } from './delivery/queue/delivery.ts'
import { createAuthenticator } from './http/authenticate.ts'
import { Dashboard } from './http/dashboard/dashboard.ts'
import { localUrl, portOf } from './http/local-address.ts'
import { openMetricsPort } from './http/metrics.ts'
import { addReplicaGauges } from './http/replica-gauges.ts'
import { createServer } from './http/server.ts'
import { StalledOutput } from './http/stalled-output.ts'
import { Widgets } from './http/widgets/widgets.ts'
import { removeUnfinishedRestores } from './installation/backup/restore-journal.ts'
import { ScheduledBackups } from './installation/backup/scheduled-backups.ts'
import type { Demo } from './installation/demo/build.ts'
import { createKeyUseJob, createSigningKeyJob } from './installation/process-jobs.ts'
import { logCautions } from './installation/setup/cautions.ts'
import { keySourceOf } from './installation/setup/encryption-keys.ts'
import {
  type Credentials,
  type Installation,
  prepareInstallation,
  takeBackCredentials,
} from './installation/setup/installation.ts'
import { openDemo } from './installation/setup/open-demo.ts'
import { clearPausesOfExports } from './installation/shop-moves/store.ts'
import { addStoreGauges } from './installation/status/gauges.ts'
import { Heartbeat } from './installation/status/heartbeat.ts'
import { createReadiness } from './installation/status/readiness.ts'
import { createMetrics } from './metrics.ts'
import { operations } from './operations.ts'
import type { TracingConfig } from './platform/config/accounts.ts'
import type { Config } from './platform/config/config.ts'
import { createCaches } from './platform/foundation/caches.ts'
import { type Clock, minuteMs, WatchedClock } from './platform/foundation/clock.ts'
import type { Context, Log } from './platform/foundation/context.ts'
import type { Principal } from './platform/foundation/roles.ts'
import type { Services } from './platform/foundation/services.ts'
import type { Tracing } from './platform/foundation/tracing.ts'
import type { MailAccount } from './platform/mail/account.ts'
import { countingMails } from './platform/mail/metrics.ts'
import { createSmtpMailer } from './platform/mail/smtp-mailer.ts'
import { createOutgoing } from './platform/outgoing/outgoing.ts'
import { AttemptCounter } from './platform/store/attempts.ts'
import { type Changes, openChanges } from './platform/store/changes.ts'
import { type Database, openDatabase } from './platform/store/database.ts'
import { Replicas } from './platform/store/replicas.ts'
import { findMovedKeys, findSigningKeys } from './platform/store/signing-keys.ts'
import { Schedule } from './platform/workers/schedule.ts'
import { ImageDecoder } from './shops/images/image-decoder.ts'
import { createImageStore } from './shops/images/image-store.ts'
import { FeedReaders } from './webhooks/event-feed/feed-readers.ts'
import { payloadBuilder } from './webhooks/payloads/build.ts'
import { createWorkers, type Workers } from './workers.ts'

/** A running service, as main, tests and benchmarks start it. */
export interface Service {
  app: FastifyInstance
  database: Database
  /** The address at which it listens, once it does. */
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
  /** The port of /metrics, if it has one of its own. */
  metricsPort: number | undefined
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
  providerUrls?: Parameters<typeof createProviders>[0]
  /** The installation's mail account, if it is not the one of the settings. */
  mailAccount?: MailAccount | undefined
  /** Joins the metrics of several processes. */
  shareMetrics?: ((registry: Registry) => () => Promise<string>) | undefined
  /** Cost of hashing a password, if tests cannot wait for the usual cost. */
  passwordCost?: HashCost
  /** Cost of trying the passphrase of an exported shop, for the same reason. */
  archiveCost?: number
  /** False: routes can be called without a port. */
  listen?: boolean
  /** False: scheduled jobs run when they are called. If a test moves the clock, all of them would always be due. */
  schedulesJobs?: boolean
}

/** How long an operation waits for another company's server, and how much of the response is read. */
const callLimitMs = 10_000
const maxBodyBytes = 256_000

/** Assembles and starts the service: store, then routes, then the port, then the workers. */
export async function startService(config: Config, options: ServiceOptions = {}): Promise<Service> {
  const clock = options.clock ?? new WatchedClock()
  const database = options.database ?? (await openDatabase(config))
  try {
    await removeUnfinishedRestores(config, database)
    const changes = await openChanges(database)
    const installation = await prepareInstallation(config, database, clock)
    try {
      return await compose(config, { database, clock, changes, installation }, options)
    } catch (error) {
      // The reason of the failed start matters more than why the credentials could not be withdrawn.
      await takeBackCredentials(database, installation).catch(() => {})
      throw error
    }
  } catch (error) {
    await database.close()
    throw error
  }
}

/** The parts that exist before the service is composed. */
interface Prepared {
  database: Database
  clock: Clock
  changes: Changes
  installation: Installation
}

async function compose(config: Config, prepared: Prepared, options: ServiceOptions): Promise<Service> {
  const { database, clock, changes, installation } = prepared
  const { integrationUrls, providerUrls } = options
  const { databaseReplicaUrl } = config
  const replicas = databaseReplicaUrl ? new Replicas({ ...config, databaseReplicaUrl }, database, changes) : undefined
  const { signing, vault } = installation
  const readSigningKeys = async () =>
    signing.use(await findSigningKeys(database, vault), await findMovedKeys(database, vault))
  changes.onChange(({ kind }) => {
    if (kind === 'signingKeys')
      readSigningKeys().catch((err) => app.log.error({ err }, 'the signing keys were not read'))
  })
  const outgoing = createOutgoing({ allowPrivate: config.webhookAllowPrivate, proxyUrl: config.webhookProxyUrl })
  const served = config.role === 'worker' ? [] : operations
  const metrics = createMetrics(served, version)
  const mailer = countingMails(
    createSmtpMailer({ allowPrivate: config.webhookAllowPrivate, messagesPerSecond: config.smtpRate }),
    metrics,
  )
  const integrations = createIntegrations(integrationUrls)
  const providers = createProviders(providerUrls)
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
    config.role === 'api' ? undefined : createWorkers({ database, outgoing, integrations, providers, context, config })
  const feedReaders = new FeedReaders(context, changes)
  const readiness = createReadiness({
    scope: { db: database.db },
    dataDir: config.dataDir,
    role: config.role,
    engine: database.engine,
    stuckWorkers: () => workers?.stuck(stuckAfterMs) ?? [],
  })
  const passwords = new PasswordHasher(signing, options.passwordCost)
  const imageDecoder = new ImageDecoder()
  let publicUrl = config.publicUrl ?? localUrl(config, config.port)
  const services: Services = Object.freeze({
    clock,
    vault,
    signing,
    isAdminKeySet: config.adminApiKey !== undefined,
    encryptionKeys: keySourceOf(config, database.engine),
    brand: config.brand,
    caches: createCaches(clock, changes),
    announce: changes.announce,
    // The system may choose the port, which is known when we listen.
    get publicUrl() {
      return publicUrl
    },
    imageStore: createImageStore(config),
    imageDecoder,
    call: (request) => outgoing.call({ ...request, limitMs: callLimitMs, maxBodyBytes }),
    credentialHosts: [...config.credentialHosts, ...hostsOf(integrationUrls), ...hostsOf(providerUrls)],
    integrations,
    providers,
    shopSystems: createShopSystems(),
    deliveries: workers?.deliveries ?? noDeliveryWorkers,
    wakers: workers?.wakers,
    eventFeed: feedReaders,
    feedReaders,
    payloads: payloadBuilder,
    mailer,
    // The operator's own host may be in a private network.
    defaultMailAccount: options.mailAccount ?? (config.smtp && { ...config.smtp, isOperators: true }),
    isProduction: config.isProduction,
    metrics,
    processStatus: {
      version,
      role: config.role,
      engine: database.engine,
      startedAt: clock.now(),
      imagesIn: config.s3 ? 's3' : 'data_folder',
      backupEveryHours: config.backup.to === undefined ? undefined : config.backup.everyHours,
      readiness,
      slowStatements: (limit) => database.slowStatements.list(limit),
    },
    hasSnapshots: database.engine === 'postgres',
    archiveCost: options.archiveCost,
    attempts: new AttemptCounter(),
    credentials: new CredentialCheck(),
    passwords,
    oidc: config.oidc && new OidcClient(config.oidc),
    replicas,
    tracing,
  } satisfies Services)
  const base = { db: database.db, services }

  const authenticator = createAuthenticator(base)
  const widgets = config.role === 'worker' ? undefined : new Widgets()
  const dashboard = config.role === 'worker' ? undefined : new Dashboard({ log: () => app.log })
  const shareMetrics = options.shareMetrics ?? ((registry) => () => registry.metrics())
  const metricsReader = { contentType: metrics.registry.contentType, read: shareMetrics(metrics.registry) }
  const app = await createServer({
    operations: served,
    sites: config.role === 'worker' ? [] : [createTrackingSite(), createSignInSite()],
    dashboard,
    widgets,
    authenticator,
    base,
    readiness,
    metrics: metricsReader,
    config,
    logDestination: options.logDestination,
  })
  addStoreGauges(metrics, context, { readiness, hasBackups: config.backup.to !== undefined })
  if (replicas) addReplicaGauges(metrics.registry, replicas)
  const heartbeat = new Heartbeat(context, { role: config.role, version, startedAt: clock.now() })
  logCautions(app.log, config, database)

  // Before the first request, which may lease deliveries of its own.
  await workers?.recover()
  if (database.engine === 'embedded') await clearPausesOfExports(database)
  if (options.listen === false) await app.ready()
  else await app.listen({ port: config.port, host: config.host })
  publicUrl = config.publicUrl ?? localUrl(config, portOf(app.server) ?? config.port)
  await workers?.start()
  const backups = new ScheduledBackups(config)
  const schedule = new Schedule(
    [
      ...(workers?.jobs ?? []),
      ...(workers ? backups.jobs : []),
      createKeyUseJob(authenticator),
      createSigningKeyJob(readSigningKeys),
    ],
    context,
  )
  if (options.schedulesJobs !== false) schedule.start()
  heartbeat.start()
  const metricsPort = await openMetricsPort(metricsReader, config.metrics, new StalledOutput(services))

  // Last, when the start can no longer fail: it continues in the background.
  const demo = openDemo(config, database.engine, installation.isFirstStart, context())
  let stopping: Promise<void> | undefined
  const stop = async (): Promise<void> => {
    feedReaders.stop()
    metricsPort?.close()
    await app.close()
    await demo
    await schedule.stop()
    await backups.stop()
    await workers?.stop()
    await heartbeat.stop()
    metrics.registry.clear()
    await mailer.close()
    await outgoing.close()
    await passwords.close()
    await imageDecoder.close()
    await authenticator.flush()
    await replicas?.close()
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
    metricsPort: metricsPort && portOf(metricsPort),
    demo,
    context,
    stop() {
      stopping ??= stop()
      return stopping
    },
  }
}

/** A sweep takes milliseconds; a store that is down for a moment must not make a node restart. */
const stuckAfterMs = 2 * minuteMs

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string } // our own file

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
  const { startTracing } = await import('./platform/telemetry/tracing.ts')
  return startTracing(config, log)
}

/** Credentials may also be sent to the hosts of configured addresses of other companies' servers. */
function hostsOf(urls: Partial<Record<string, string>> = {}): string[] {
  return Object.values(urls).flatMap((url) => (url === undefined ? [] : [new URL(url).hostname]))
}
