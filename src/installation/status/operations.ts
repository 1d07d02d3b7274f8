import { after } from '../../platform/foundation/clock.ts'
import type { Context } from '../../platform/foundation/context.ts'
import { operation } from '../../platform/foundation/operation.ts'
import { aliveMs } from './heartbeat.ts'
import { countOpenCircuits, findOldestDue, queueNames } from './queue-store.ts'
import type { Readiness } from './readiness.ts'
import { stateOfBackups, stateOfJob } from './rules.ts'
import { Status } from './schema.ts'
import {
  findBackupFacts,
  listJobRuns,
  listNodes,
  listServerStatements,
  listTableSizes,
  readStoreBytes,
  readStoreFacts,
} from './store.ts'

/** The part of the status that this process knows by itself. */
export interface ProcessStatus {
  version: string
  role: Status['role']
  engine: Status['store']['engine']
  startedAt: Date
  imagesIn: Status['images_in']
  /** Undefined: this process has no place for scheduled backups. */
  backupEveryHours: number | undefined
  readiness(): Promise<Readiness>
  slowStatements(limit: number): { text: string; count: number; totalMs: number; maxMs: number }[]
}

declare module '../../platform/foundation/services.ts' {
  interface Services {
    readonly processStatus: ProcessStatus
  }
}

const maxTables = 30
const maxStatements = 20

export const getStatus = operation({
  name: 'getStatus',
  summary: 'Show how the installation does',
  description:
    'For operators: versions, size of the store, age of the queues, slow statements, disk, clock, nodes and scheduled jobs. No table is counted: numbers of rows are estimates.',
  area: 'Status',
  route: 'GET /v1/status',
  needs: 'superadmin',
  reply: Status,
  async handle(context) {
    const { version, role, engine, startedAt, imagesIn, readiness } = context.services.processStatus
    const { checks, skewMs, disk } = await readiness()
    return {
      version,
      node_version: process.version,
      role,
      started_at: startedAt.toISOString(),
      checks,
      store: await describeStore(context, engine),
      queues: await describeQueues(context),
      open_circuits: await countOpenCircuits(context),
      slow_statements: await describeStatements(context),
      disk: disk ? { free_bytes: disk.freeBytes, size_bytes: disk.sizeBytes } : null,
      images_in: imagesIn,
      clock_skew_ms: skewMs === undefined ? null : Math.round(skewMs),
      nodes: await describeNodes(context),
      jobs: await describeJobs(context),
      backups: await describeBackups(context),
    }
  },
})

async function describeStore(context: Context, engine: Status['store']['engine']): Promise<Status['store']> {
  const { version, migrations } = await readStoreFacts(context)
  const tables = await listTableSizes(context, maxTables)
  return {
    engine,
    version,
    schema: migrations.at(-1) ?? '',
    bytes: await readStoreBytes(context),
    tables: tables.map(({ name, bytes, rows }) => ({ name, bytes, rows_estimate: rows })),
  }
}

async function describeQueues(context: Context): Promise<Status['queues']> {
  const oldest = await findOldestDue(context, context.now)
  return queueNames.map((name) => {
    const since = oldest.get(name)
    const ms = since === undefined ? 0 : context.now.getTime() - since.getTime()
    return { name, oldest_due_at: since?.toISOString() ?? null, oldest_seconds: Math.max(0, ms / 1_000) }
  })
}

async function describeStatements(context: Context): Promise<Status['slow_statements']> {
  const counted = await listServerStatements(context, maxStatements)
  if (counted) return { source: 'pg_stat_statements', statements: counted }
  const own = context.services.processStatus.slowStatements(maxStatements)
  return {
    source: 'process',
    statements: own.map(({ text, count, totalMs, maxMs }) => ({ text, count, total_ms: totalMs, max_ms: maxMs })),
  }
}

async function describeBackups(context: Context): Promise<Status['backups']> {
  const { last, failed } = stateOfBackups(await findBackupFacts(context))
  return {
    every_hours: context.services.processStatus.backupEveryHours ?? null,
    last_at: last?.at ?? null,
    last_bytes: last?.bytes ?? null,
    failed_at: failed?.at ?? null,
    failure: failed?.message ?? null,
  }
}

async function describeNodes(context: Context): Promise<Status['nodes']> {
  const nodes = await listNodes(context, after(context.now, -aliveMs))
  return nodes.map(({ host, pid, role, version, started_at, seen_at }) => ({
    host,
    pid,
    role: role as Status['role'], // written by nodes, which have one of these
    version,
    started_at: started_at.toISOString(),
    seen_at: seen_at.toISOString(),
  }))
}

async function describeJobs(context: Context): Promise<Status['jobs']> {
  const jobs = await listJobRuns(context)
  return jobs.map((job) => ({
    name: job.name,
    state: stateOfJob(job, context.now),
    every_seconds: job.every_ms === null ? null : job.every_ms / 1_000,
    started_at: job.started_at.toISOString(),
    finished_at: job.finished_at?.toISOString() ?? null,
    failed_at: job.failed_at?.toISOString() ?? null,
  }))
}
