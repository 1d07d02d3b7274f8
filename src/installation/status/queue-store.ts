import { type RawBuilder, sql } from 'kysely'
import type { CommitScope } from '../../platform/foundation/transaction.ts'
import { isOfStoppedShop } from '../../platform/store/deleted-shops.ts'

/** Kinds of work that waits in the store. */
export const queueNames = [
  'webhooks',
  'mails',
  'integrations',
  'automation_events',
  'automation_runs',
  'parcels',
  'imports',
  'backfills',
  'catch_ups',
  'team_mails',
  'shopware_orders',
  'woocommerce_orders',
] as const

export type QueueName = (typeof queueNames)[number]

/** Receivers, or carriers of shops, that are examined; with more, an older one among the rest is missed. */
const maxHops = 5_000

/**
 * Since when the oldest due work of each queue waits; a queue without any is missing. Each is one lookup in the index
 * that its worker uses, or one for each receiver that something waits for, however much that is.
 */
export async function findOldestDue(scope: CommitScope, now: Date): Promise<Map<QueueName, Date>> {
  const { rows } = await sql<{ queue: QueueName; oldest: Date | null }>`
    ${oldestDeliveries(now)}
    union all ${oldestParcels(now)}
    union all ${sql.join(
      dueWork.map((work) => oldestOf(work, now)),
      sql` union all `,
    )}`.execute(scope.db)
  return new Map(rows.flatMap(({ queue, oldest }) => (oldest === null ? [] : [[queue, oldest] as const])))
}

/** Nobody works on a row of a stopped shop; unlike other queues, there always is one. */
const isRunnable = sql`not ${isOfStoppedShop('shop_system_catch_ups')}`

/** Work is due when the time in the column has come and the condition holds. */
interface DueWork {
  queue: QueueName
  table: string
  column: string
  condition: RawBuilder<unknown>
}

const dueWork: readonly DueWork[] = [
  { queue: 'automation_runs', table: 'automation_runs', column: 'due_at', condition: sql`status = 'pending'` },
  { queue: 'imports', table: 'imports', column: 'due_at', condition: sql`due_at is not null` },
  { queue: 'backfills', table: 'backfills', column: 'due_at', condition: sql`due_at is not null` },
  { queue: 'catch_ups', table: 'shop_system_catch_ups', column: 'due_at', condition: isRunnable },
  { queue: 'team_mails', table: 'team_mails', column: 'due_at', condition: sql`true` },
  {
    queue: 'shopware_orders',
    table: 'shopware_fetch_queues',
    column: 'fetch_at',
    condition: sql`fetch_at is not null`,
  },
  {
    queue: 'woocommerce_orders',
    table: 'woocommerce_fetch_queues',
    column: 'fetch_at',
    condition: sql`fetch_at is not null`,
  },
]

function oldestOf({ queue, table, column, condition }: DueWork, now: Date): RawBuilder<unknown> {
  return sql`(
    select ${sql.lit(queue)} as queue, ${sql.ref(column)} as oldest from ${sql.table(table)}
    where ${condition} and ${sql.ref(column)} <= ${now}
    order by ${sql.ref(column)}
    limit 1
  )`
}

/**
 * From one receiver to the next in the index of due deliveries. Endpoints whose circuit is open are left out: their
 * deliveries wait on purpose, and open circuits are counted by themselves.
 */
function oldestDeliveries(now: Date): RawBuilder<unknown> {
  const key = sql`(deliveries.shop_id::text || deliveries.target)`
  return sql`(
    with recursive hop as (
      (
        select shop_id, target, next_attempt_at, 1 as number from deliveries
        where finished_at is null order by ${key}, next_attempt_at limit 1
      )
      union all
      select next.shop_id, next.target, next.next_attempt_at, hop.number + 1 from hop
      cross join lateral (
        select deliveries.shop_id, deliveries.target, deliveries.next_attempt_at from deliveries
        where deliveries.finished_at is null and ${key} > (hop.shop_id::text || hop.target)
        order by ${key}, deliveries.next_attempt_at
        limit 1
      ) as next
      where hop.number < ${sql.lit(maxHops)}
    ), held_back as materialized (
      select shop_id, id::text as target from webhook_endpoints where circuit_opened_at is not null
    )
    select case hop.target when 'automations' then 'automation_events' when 'smtp' then 'mails'
      else case when hop.target ~ '^[0-9a-f]{8}-[0-9a-f-]{27}$' or hop.target like '%://%' then 'webhooks' else 'integrations' end
      end as queue, min(hop.next_attempt_at) as oldest
    from hop
    where hop.next_attempt_at <= ${now} and not ${isOfStoppedShop('hop')}
      and (hop.shop_id, hop.target) not in (select shop_id, target from held_back)
    group by 1
  )`
}

/** From one carrier of a shop to the next. Parcels of a shop that does not follow any are not due. */
function oldestParcels(now: Date): RawBuilder<unknown> {
  return sql`(
    with recursive hop as (
      (
        select shop_id, carrier_reference, next_poll_at, 1 as number from tracked_parcels
        where finished_at is null order by shop_id, carrier_reference, next_poll_at limit 1
      )
      union all
      select next.shop_id, next.carrier_reference, next.next_poll_at, hop.number + 1 from hop
      cross join lateral (
        select tracked_parcels.shop_id, tracked_parcels.carrier_reference, tracked_parcels.next_poll_at
        from tracked_parcels
        where finished_at is null
          and (tracked_parcels.shop_id, tracked_parcels.carrier_reference) > (hop.shop_id, hop.carrier_reference)
        order by tracked_parcels.shop_id, tracked_parcels.carrier_reference, tracked_parcels.next_poll_at
        limit 1
      ) as next
      where hop.number < ${sql.lit(maxHops)}
    )
    select 'parcels' as queue, min(hop.next_poll_at) as oldest
    from hop
    join shop_settings on shop_settings.shop_id = hop.shop_id and shop_settings.shipment_updates
    where hop.next_poll_at <= ${now} and not ${isOfStoppedShop('hop')}
      -- Without an account, nobody polls for it.
      and exists (select 1 from integration_keys where integration_keys.shop_id = hop.shop_id offset 0)
  )`
}

/** Endpoints that keep failing: their deliveries wait until a probe succeeds. */
export async function countOpenCircuits(scope: CommitScope): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select 1 from webhook_endpoints where circuit_opened_at is not null limit ${sql.lit(maxHops)}
    ) as open`.execute(scope.db)
  return rows[0]?.count ?? 0
}
