import { secondMs } from '../../platform/foundation/clock.ts'
import type { Context } from '../../platform/foundation/context.ts'
import { aliveMs } from './heartbeat.ts'
import { countOpenCircuits, findOldestDue, type QueueName, queueNames } from './queue-store.ts'
import type { Readiness } from './readiness.ts'
import { stateOfBackups } from './rules.ts'
import { findBackupFacts, listJobRuns, listNodes, readStoreBytes } from './store.ts'

/** The metrics of the store as a whole: every node reports the same. */
interface StoreGauges {
  queueSeconds: Map<QueueName, number>
  openCircuits: number
  jobs: { name: string; overdueSeconds: number }[]
  nodes: number
  bytes: number
  lastBackupSeconds: number | undefined
}

/** The part of a metrics registry that this needs. */
export interface GaugeRegistry {
  addGauge(spec: {
    name: string
    help: string
    labelNames?: readonly string[]
    aggregator: 'max' | 'min'
    collect: (gauge: Gauge) => Promise<void>
  }): unknown
}

interface Gauge {
  reset(): void
  set(labels: Record<string, string>, value: number): void
}

/** However often somebody reads the metrics, the store is queried once in this time. */
const freshMs = 15 * secondMs
/** A store that hangs must not stop the metrics: the last values are then reported. */
const limitMs = 2 * secondMs
const maxJobs = 100

export function addStoreGauges(
  registry: GaugeRegistry,
  context: () => Context,
  options: {
    readiness: () => Promise<Readiness>
    /** Without scheduled backups there is no metric about them, and no alert. */
    hasBackups: boolean
  },
): void {
  const { readiness } = options
  const read = keepFresh(() => readGauges(context()))
  const add = (name: string, help: string, labelNames: readonly string[], collect: (gauge: Gauge) => Promise<void>) =>
    registry.addGauge({ name, help, labelNames, aggregator: 'max', collect })
  add(
    'doorstep_queue_oldest_seconds',
    'How long the oldest due work of a queue has waited; 0 if nothing is due.',
    ['queue'],
    async (gauge) => {
      const { queueSeconds } = (await read()) ?? {}
      for (const queue of queueNames) if (queueSeconds) gauge.set({ queue }, queueSeconds.get(queue) ?? 0)
    },
  )
  add('doorstep_open_circuits', 'Webhook endpoints that keep failing, whose deliveries wait.', [], async (gauge) => {
    const gauges = await read()
    if (gauges) gauge.set({}, gauges.openCircuits)
  })
  add(
    'doorstep_job_overdue_seconds',
    'How long ago a scheduled job should have run again.',
    ['name'],
    async (gauge) => {
      const gauges = await read()
      if (gauges) gauge.reset()
      for (const { name, overdueSeconds } of gauges?.jobs ?? []) gauge.set({ name }, overdueSeconds)
    },
  )
  add('doorstep_nodes_alive', 'Processes of all nodes that run on the store.', [], async (gauge) => {
    const gauges = await read()
    if (gauges) gauge.set({}, gauges.nodes)
  })
  add('doorstep_store_size_bytes', 'Size of the database.', [], async (gauge) => {
    const gauges = await read()
    if (gauges) gauge.set({}, gauges.bytes)
  })
  if (options.hasBackups) {
    const help = 'When the last scheduled backup succeeded; 0 if none has.'
    add('doorstep_backup_last_success_timestamp_seconds', help, [], async (gauge) => {
      const gauges = await read()
      if (gauges) gauge.set({}, gauges.lastBackupSeconds ?? 0)
    })
  }
  registry.addGauge({
    name: 'doorstep_store_up',
    help: 'Whether the store responds: 1 or 0.',
    aggregator: 'min',
    async collect(gauge) {
      const { checks } = await readiness()
      gauge.set({}, checks.some(({ name, state }) => name === 'store' && state === 'ok') ? 1 : 0)
    },
  })
  add('doorstep_clock_skew_seconds', "How far the store's clock is from this machine's.", [], async (gauge) => {
    const { skewMs } = await readiness()
    if (skewMs !== undefined) gauge.set({}, Math.abs(skewMs) / secondMs)
  })
  registry.addGauge({
    name: 'doorstep_disk_free_bytes',
    help: 'Free space on the disk of the data folder.',
    aggregator: 'min',
    async collect(gauge) {
      const { disk } = await readiness()
      if (disk) gauge.set({}, disk.freeBytes)
    },
  })
  add('doorstep_disk_size_bytes', 'Size of the disk of the data folder.', [], async (gauge) => {
    const { disk } = await readiness()
    if (disk) gauge.set({}, disk.sizeBytes)
  })
}

async function readGauges(context: Context): Promise<StoreGauges> {
  const { now } = context
  const ageSeconds = (since: Date) => Math.max(0, (now.getTime() - since.getTime()) / secondMs)
  // One after another: the embedded store has one connection, and others need it too.
  const oldest = await findOldestDue(context, now)
  const openCircuits = await countOpenCircuits(context)
  const jobs = await listJobRuns(context)
  const nodes = await listNodes(context, new Date(now.getTime() - aliveMs))
  const bytes = await readStoreBytes(context)
  const { last } = stateOfBackups(await findBackupFacts(context))
  return {
    queueSeconds: new Map([...oldest].map(([queue, since]) => [queue, ageSeconds(since)])),
    openCircuits,
    jobs: jobs
      .slice(0, maxJobs)
      .flatMap(({ name, started_at, every_ms }) =>
        every_ms === null ? [] : [{ name, overdueSeconds: Math.max(0, ageSeconds(started_at) - every_ms / secondMs) }],
      ),
    nodes: nodes.length,
    bytes,
    lastBackupSeconds: last === undefined ? undefined : Date.parse(last.at) / secondMs,
  }
}

/** Reads one at a time. Returns the last value if a new read fails or takes too long. */
function keepFresh<Value>(read: () => Promise<Value>): () => Promise<Value | undefined> {
  let last: Value | undefined
  let atMs = Number.NEGATIVE_INFINITY
  let running: Promise<void> | undefined
  return async () => {
    if (performance.now() - atMs < freshMs) return last
    running ??= read()
      .then((value) => {
        last = value
        atMs = performance.now()
      })
      .catch(() => {})
      .finally(() => {
        running = undefined
      })
    let timer: NodeJS.Timeout | undefined
    const timeout = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, limitMs)
    })
    await Promise.race([running, timeout])
    clearTimeout(timer)
    return last
  }
}
