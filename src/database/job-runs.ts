import { sql } from 'kysely'
import type { Context } from '../foundation/context.ts'

/**
 * Takes the turn of a scheduled job: true for one node in each period, whichever asks first. A node that dies in its turn
 * delays the job by one period and no more, so jobs are written to go on where the last one ended.
 */
export async function claimJobRun(
  context: Pick<Context, 'db'>,
  name: string,
  now: Date,
  periodMs: number,
): Promise<boolean> {
  const { rows } = await sql<{ name: string }>`
    insert into job_turns (name, started_at) values (${name}, ${now})
    on conflict (name) do update set started_at = excluded.started_at
      where job_turns.started_at <= ${new Date(now.getTime() - periodMs)}
        -- A node whose clock ran ahead must not hold the job up until its time has come.
        or job_turns.started_at > ${new Date(now.getTime() + periodMs)}
    returning name`.execute(context.db)
  return rows.length > 0
}
