import { sql } from 'kysely'
import type { Context } from '../foundation/context.ts'

/** Name of the one connection on which every process of version 0.2.0 listens. Later versions use another name. */
const olderListener = 'doorstep listener'

/** Whether a node of version 0.2.0 is connected to this database. */
export async function hasOlderNodes({ db }: Pick<Context, 'db'>): Promise<boolean> {
  const { rows } = await sql`
    select 1 from pg_stat_activity
    where datname = current_database() and application_name = ${olderListener} limit 1`.execute(db)
  return rows.length > 0
}

/** Counts the changes of the event catalogue that older versions must not send. 1: customs has a group of its own. */
export const catalogueEdition = 1

/** A process reports four times per minute. */
const aliveMs = 2 * 60_000

/** Whether a node runs whose event catalogue is of an earlier edition than this one. */
export async function hasNodesBefore(context: Pick<Context, 'db' | 'now'>, edition: number): Promise<boolean> {
  const { rows } = await sql`
    select 1 from service_nodes
    where catalogue_edition < ${edition} and seen_at > ${new Date(context.now.getTime() - aliveMs)} limit 1`.execute(
    context.db,
  )
  return rows.length > 0 || hasOlderNodes(context)
}
