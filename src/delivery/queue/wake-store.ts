import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../platform/foundation/context.ts'
import { onceCommitted } from '../../platform/foundation/transaction.ts'
import type { Receiver } from './delivery.ts'

export const wakeChannel = 'doorstep_deliveries'

/** The limit of a NOTIFY payload. With more receivers than fit, the other nodes sweep their queues instead. */
const announcedBytes = 7_900

/** A receiver as nodes name it to each other; nodes of released versions read the same. */
interface Announced {
  shopId: string
  target: string
}

/** Wakes the workers of this process at commit, and those of other nodes by NOTIFY. */
export async function wake(context: Context, receivers: Receiver[]): Promise<void> {
  if (receivers.length === 0) return
  const announced = receivers.map(({ shopId, receiverId }): Announced => ({ shopId, target: receiverId }))
  await sql`select ${announcement(context, sql`${JSON.stringify(announced)}::text`)}`.execute(context.db)
  onceCommitted(context, () => context.services.deliveries.wake(receivers))
}

/** Names the sending node, which already knows, and the receivers as JSON; an empty list if they do not fit. */
export function announcement(context: Context, receivers: RawBuilder<unknown>): RawBuilder<unknown> {
  const sender = sql`${`${context.services.deliveries.id} `}::text`
  return sql`pg_notify(${wakeChannel},
    ${sender} || case when octet_length(${receivers}) < ${sql.lit(announcedBytes)} then ${receivers} else '[]' end)`
}

/** The receivers of an announcement; undefined if this node sent it. */
export function readAnnouncement(id: string, payload: string): Receiver[] | undefined {
  const space = payload.indexOf(' ')
  if (payload.slice(0, space) === id) return undefined
  const announced = JSON.parse(payload.slice(space + 1)) as Announced[] // nothing else is sent on the channel
  return announced.map(({ shopId, target }) => ({ shopId, receiverId: target }))
}
