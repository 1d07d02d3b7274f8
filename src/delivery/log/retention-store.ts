import { sql } from 'kysely'
import type { Context } from '../../platform/foundation/context.ts'

/** Deletes old notices with their deliveries and runs, unless one is unfinished or a feed has them; returns how many. */
export async function deleteNotificationsBefore(
  context: Pick<Context, 'db'>,
  before: Date,
  limit: number,
): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    delete from notifications using (
      select shop_id, id from notifications as old
      where triggered_at < ${before} and not exists (
        select 1 from deliveries
        where deliveries.shop_id = old.shop_id and deliveries.notification_id = old.id and deliveries.finished_at is null
      ) and not exists (
        select 1 from automation_runs
        where automation_runs.shop_id = old.shop_id and automation_runs.notification_id = old.id
          and automation_runs.status = 'pending'
      ) and not exists (
        select 1 from feed_entries
        where feed_entries.shop_id = old.shop_id and feed_entries.notification_id = old.id
        -- Evaluated per row: as a join it would read all feeds.
        offset 0
      )
      order by triggered_at
      limit ${sql.lit(limit)}
    ) as old
    where notifications.shop_id = old.shop_id and notifications.id = old.id
    returning notifications.id`.execute(context.db)
  return rows.length
}
