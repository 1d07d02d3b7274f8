import { sql } from 'kysely'
import type { Context } from '../foundation/context.ts'

/**
 * Leases the run of a scheduled job: true for one node in each period, the first to lease it. A node that dies during its
 * run delays the job by one period and no more, so jobs are written to continue where the last run ended.
 */
export async function leaseJobRun(
  context: Pick<Context, 'db'>,
  name: string,
  now: Date,
  periodMs: number,
): Promise<boolean> {
  const { rows } = await sql<{ name: string }>`
    insert into job_runs (name, started_at, every_ms) values (${name}, ${now}, ${periodMs})
    on conflict (name) do update set started_at = excluded.started_at, every_ms = excluded.every_ms
      where job_runs.started_at <= ${new Date(now.getTime() - periodMs)}
        -- A node whose clock ran ahead must not delay the job until that time.
        or job_runs.started_at > ${new Date(now.getTime() + periodMs)}
    returning name`.execute(context.db)
  return rows.length > 0
}

/** Notes how a leased run ended; without a failure, it has succeeded. */
export async function recordJobRun(
  context: Pick<Context, 'db'>,
  name: string,
  endedAt: Date,
  failure?: string,
): Promise<void> {
  await (failure === undefined
    ? sql`update job_runs set finished_at = ${endedAt} where name = ${name}`
    : sql`update job_runs set failed_at = ${endedAt}, failure = ${failure} where name = ${name}`
  ).execute(context.db)
}

/** The latest start of a job that is after this time, if there is one: some clock was ahead. */
export async function findClockAhead(context: Pick<Context, 'db'>, limit: Date): Promise<Date | undefined> {
  const row = await context.db
    .selectFrom('job_runs')
    .select('started_at')
    .where('started_at', '>', limit)
    .orderBy('started_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.started_at
}
