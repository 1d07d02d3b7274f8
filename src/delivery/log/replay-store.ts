import { sql } from 'kysely'
import { after } from '../../platform/foundation/clock.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { earliestId } from '../../platform/foundation/ids.ts'
import { runsOfLog } from '../queue/queue-store.ts'

/** Deliveries to a receiver that were created in a period. */
export interface ReplayRange {
  receiverId: string
  from: Date
  to: Date
}

export interface PastDelivery {
  id: string
  ref: string
  createdAt: Date
  /** The payload; null if it is not wanted. */
  body: string | null
}

/** The finished deliveries of a range after the given one, oldest first. Their ids begin with their time. */
export async function listFinishedDeliveries(
  context: ShopContext,
  { receiverId, from, to }: ReplayRange,
  afterId: string | undefined,
  { limit, withBodies }: { limit: number; withBodies: boolean },
): Promise<PastDelivery[]> {
  const isBehind = afterId === undefined ? sql`>= ${earliestId(from)}` : sql`> ${afterId}`
  const { rows } = await sql<PastDelivery>`
    select page.id, notifications.ref, deliveries.created_at as "createdAt",
      ${withBodies ? sql`notifications.body` : sql`null::text as body`}
    from (
      select oldest.id
      from ${runsOfLog(sql`${context.shop.id}`, sql`${receiverId}`)} as runs
      cross join lateral (
        select deliveries.id from deliveries
        where deliveries.shop_id = ${context.shop.id} and deliveries.target = ${receiverId}
          and deliveries.status = runs.status and deliveries.event_name = runs.event_name
          and deliveries.id ${isBehind} and deliveries.id < ${earliestId(after(to, 1))}
        order by deliveries.id
        limit ${sql.lit(limit)}
      ) as oldest
      where runs.status <> 'pending'
      order by oldest.id
      limit ${sql.lit(limit)}
    ) as page
    cross join lateral (
      select * from deliveries where deliveries.shop_id = ${context.shop.id} and deliveries.id = page.id offset 0
    ) as deliveries
    join notifications on notifications.shop_id = deliveries.shop_id and notifications.id = deliveries.notification_id
    order by page.id`.execute(context.db)
  return rows
}
