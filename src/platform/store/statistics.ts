import { sql } from 'kysely'
import type { Context } from '../foundation/context.ts'

/**
 * Analyzes tables that are being filled. Plans are cached, even those of foreign key checks, and one that was made while a
 * table was nearly empty reads all of it for each row. PostgreSQL analyzes after a minute; the embedded engine never does.
 */
export async function refreshStatistics(
  context: Pick<Context, 'db'>,
  tables: ('orders' | 'shipments' | 'shipment_events' | 'notifications')[],
): Promise<void> {
  await sql`analyze ${sql.join(tables.map((table) => sql.table(table)))}`.execute(context.db)
}

/** Larger tables change so slowly, for their size, that PostgreSQL's own analyze a minute later is soon enough. */
const smallTable = 100_000

/**
 * Analyzes small tables soon after they have grown to twice their size at the last analyze. To a plan made while a table is
 * nearly empty, any index is as good as another, and prepared statements and foreign key checks keep such plans. Recording
 * 3 attempts took 6 ms at 5,000 deliveries, and takes 0.2. Updated rows are left to the server: an analyze for them every
 * ten seconds, and the planning after it, took a seventh of its time for an event.
 */
export async function analyzeGrownTables(context: Pick<Context, 'db'>): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select changed.relname as name
    from pg_stat_user_tables as changed
    join pg_class on pg_class.oid = changed.relid
    where changed.schemaname = 'public' and reltuples < ${sql.lit(smallTable)}
      and n_live_tup > 50 + 2 * greatest(reltuples, 0)`.execute(context.db)
  for (const { name } of rows) await sql`analyze ${sql.table(name)}`.execute(context.db)
}

/**
 * Does the work of autovacuum, by its thresholds, for the embedded engine, which has none: removes dead rows and analyzes
 * tables that have changed.
 */
export async function vacuumChangedTables(context: Pick<Context, 'db'>): Promise<void> {
  // The counters are written by a process that this engine does not have either.
  await sql`select pg_stat_force_next_flush()`.execute(context.db)
  const { rows } = await sql<{ name: string; isBloated: boolean }>`
    select changed.relname as name, n_dead_tup > 50 + 0.2 * greatest(reltuples, 0) as "isBloated"
    from pg_stat_user_tables as changed
    join pg_class on pg_class.oid = changed.relid
    where changed.schemaname = 'public' and (
      n_dead_tup > 50 + 0.2 * greatest(reltuples, 0) or n_mod_since_analyze > 50 + 0.1 * greatest(reltuples, 0)
    )`.execute(context.db)
  for (const { name, isBloated } of rows) {
    await sql`${sql.raw(isBloated ? 'vacuum (analyze)' : 'analyze')} ${sql.table(name)}`.execute(context.db)
  }
}
