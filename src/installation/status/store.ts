import { sql } from 'kysely'
import type { CommitScope } from '../../platform/foundation/transaction.ts'
import { backupJob, failedBackupFact, lastBackupFact } from '../../platform/store/installation.ts'
import { catalogueEdition } from '../../platform/store/older-nodes.ts'

/** A process, as it says of itself. */
export interface NodeRow {
  id: string
  host: string
  pid: number
  role: string
  version: string
  started_at: Date
  seen_at: Date
}

export async function announceNode(scope: CommitScope, node: NodeRow): Promise<void> {
  await sql`
    insert into service_nodes (id, host, pid, role, version, started_at, seen_at, catalogue_edition)
    values (${node.id}, ${node.host}, ${node.pid}, ${node.role}, ${node.version}, ${node.started_at}, ${node.seen_at},
      ${catalogueEdition})
    on conflict (id) do update set seen_at = excluded.seen_at`.execute(scope.db)
}

export async function removeNode(scope: CommitScope, id: string): Promise<void> {
  await sql`delete from service_nodes where id = ${id}`.execute(scope.db)
}

/** Processes that ended without a word. */
export async function removeNodesBefore(scope: CommitScope, before: Date): Promise<void> {
  await sql`delete from service_nodes where seen_at < ${before}`.execute(scope.db)
}

export async function listNodes(scope: CommitScope, since: Date): Promise<NodeRow[]> {
  const { rows } = await sql<NodeRow>`
    select id, host, pid, role, version, started_at, seen_at from service_nodes
    where seen_at >= ${since} order by host, started_at, id limit 200`.execute(scope.db)
  return rows
}

export interface JobRow {
  name: string
  started_at: Date
  every_ms: number | null
  finished_at: Date | null
  failed_at: Date | null
  failure: string | null
}

/** Without backups: their job only starts them, and has no runs any more when they are switched off. */
export async function listJobRuns(scope: CommitScope): Promise<JobRow[]> {
  const { rows } = await sql<JobRow>`
    select name, started_at, every_ms, finished_at, failed_at, failure from job_runs
    where name <> ${backupJob} order by name limit 200`.execute(scope.db)
  return rows
}

export interface StoreFacts {
  version: string
  now: Date
  migrations: string[]
}

export async function readStoreFacts(scope: CommitScope): Promise<StoreFacts> {
  const { rows } = await sql<StoreFacts>`
    select current_setting('server_version') as version, clock_timestamp() as now,
      (select array_agg(name order by name) from schema_migrations) as migrations`.execute(scope.db)
  const [facts] = rows
  if (!facts) throw new Error('the store reports nothing about itself')
  return facts
}

export async function readStoreBytes(scope: CommitScope): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`.execute(scope.db)
  return rows[0]?.bytes ?? 0
}

export interface TableSize {
  name: string
  bytes: number
  /** The planner's estimate; null if it has never looked. */
  rows: number | null
}

/** Sizes come from the file system and numbers of rows from the planner: no table is read. */
export async function listTableSizes(scope: CommitScope, limit: number): Promise<TableSize[]> {
  const { rows } = await sql<TableSize>`
    select relname as name, pg_total_relation_size(pg_class.oid) as bytes,
      case when reltuples < 0 then null else reltuples::bigint end as rows
    from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where nspname = current_schema() and relkind in ('r', 'p')
    order by 2 desc, 1
    limit ${sql.lit(limit)}`.execute(scope.db)
  return rows
}

export interface StatementRow {
  text: string
  count: number
  total_ms: number
  max_ms: number
}

/** Undefined if the server does not count statements, or does not let us read its counts. */
export async function listServerStatements(scope: CommitScope, limit: number): Promise<StatementRow[] | undefined> {
  const { rows } = await sql<{ exists: boolean }>`
    select to_regclass('pg_stat_statements') is not null as exists`.execute(scope.db)
  if (!rows[0]?.exists) return undefined
  try {
    const found = await sql<StatementRow>`
      select left(query, 2000) as text, calls as count, total_exec_time as total_ms, max_exec_time as max_ms
      from pg_stat_statements
      where dbid = (select oid from pg_database where datname = current_database())
      order by total_exec_time desc
      limit ${sql.lit(limit)}`.execute(scope.db)
    return found.rows
  } catch {
    // It is installed, but not loaded by this server.
    return undefined
  }
}

/** The facts that scheduled backups have stored about themselves. */
export async function findBackupFacts(scope: CommitScope): Promise<Map<string, string>> {
  const rows = await scope.db
    .selectFrom('installation')
    .where('name', 'in', [lastBackupFact, failedBackupFact])
    .select(['name', 'value'])
    .execute()
  return new Map(rows.map(({ name, value }) => [name, value]))
}
