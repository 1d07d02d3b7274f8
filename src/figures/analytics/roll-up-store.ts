import { type RawBuilder, sql } from 'kysely'
import type { Context, ShopContext } from '../../platform/foundation/context.ts'
import { earliestId } from '../../platform/foundation/ids.ts'
import type { ShopDay } from './count-store.ts'
import type { CountedTimes } from './count-times-store.ts'
import { type CountedDay, type DayFigures, isOpen, sizeOf } from './day-figures.ts'
import type { DayTimes } from './day-times.ts'
import { datesOf, dayOf, endOfDay, type ReportPeriod, startOfDay } from './period.ts'

type Scope = Pick<Context, 'db' | 'now'>

/** Changes before this moment are marked or counted; undefined if nothing was counted yet. */
export async function findMarkedUntil(context: Scope): Promise<Date | undefined> {
  const row = await context.db.selectFrom('figures_progress').select('marked_until').executeTakeFirst()
  return row?.marked_until
}

/** As `findMarkedUntil`, and keeps other nodes from counting until the end of the transaction. */
export async function lockProgress(context: Scope): Promise<Date | undefined> {
  const row = await context.db.selectFrom('figures_progress').select('marked_until').forUpdate().executeTakeFirst()
  return row?.marked_until
}

export async function saveProgress(context: Scope): Promise<void> {
  await context.db
    .insertInto('figures_progress')
    .values({ marked_until: context.now })
    .onConflict((conflict) => conflict.column('is_only').doUpdateSet({ marked_until: context.now }))
    .execute()
}

/** Marks the days of all shops that changed since then. */
export async function markChangedDays(context: Scope, since: Date): Promise<void> {
  await markDays(context, changesOf(sql`shops.id`, { since, now: context.now }))
}

/** Marks every day of all shops that has anything to count. */
export async function markEveryDay(context: Scope): Promise<void> {
  await markDays(context, everyDayOf(sql`shops.id`))
}

async function markDays(context: Scope, days: RawBuilder<unknown>): Promise<void> {
  await sql`
    insert into changed_days (shop_id, day)
    select distinct shops.id, found.day
    from shops
    cross join lateral (${days}) as found
    where shops.deleted_at is null`.execute(context.db)
}

/**
 * Removes the marks of some days, which the caller counts in the same transaction. Days that no period can have, because an
 * order may be dated anyhow, are left out.
 */
export async function leaseChangedDays(context: Scope, limit: number): Promise<{ leased: number; days: ShopDay[] }> {
  const { rows } = await sql<ShopDay & { isCounted: boolean }>`
    with due as (
      select shop_id, day from changed_days
      where not exists (select 1 from shops where shops.id = changed_days.shop_id and shops.paused_at is not null)
      group by shop_id, day order by shop_id, day limit ${sql.lit(limit)}
    ), taken as (
      delete from changed_days using due
      where changed_days.shop_id = due.shop_id and changed_days.day = due.day
    )
    select due.shop_id as "shopId", to_char(due.day, 'YYYY-MM-DD') as date,
      day between '1970-01-01' and '9999-12-31'
        and exists (select 1 from shops where shops.id = due.shop_id and shops.deleted_at is null) as "isCounted"
    from due`.execute(context.db)
  return { leased: rows.length, days: rows.filter(({ isCounted }) => isCounted) }
}

export async function saveDays(context: Scope, days: CountedDay[], times: CountedTimes[]): Promise<void> {
  if (days.length === 0) return
  const timesOf = new Map(times.map((day) => [`${day.shopId} ${day.date}`, day.times]))
  const rows = days.map(({ shopId, date, figures }) => ({
    shop_id: shopId,
    day: date,
    figures,
    delivery_times: timesOf.get(`${shopId} ${date}`) ?? [],
    size: sizeOf(figures),
    is_open: isOpen(figures),
  }))
  await sql`
    insert into daily_figures (shop_id, day, figures, delivery_times, size, is_open, counted_at)
    select shop_id, day, figures, delivery_times, size, is_open, ${context.now}
    from json_to_recordset(${JSON.stringify(rows)}::json) as given
      (shop_id uuid, day date, figures jsonb, delivery_times json, size int, is_open boolean)
    order by shop_id, day
    on conflict (shop_id, day) do update set figures = excluded.figures,
      delivery_times = excluded.delivery_times, size = excluded.size, is_open = excluded.is_open,
      counted_at = excluded.counted_at`.execute(context.db)
}

/** The stored figures of a day. */
export interface DayContents {
  figures: DayFigures
  delivery_times: DayTimes
}

/** A day that was counted, that changed since, or both. */
export interface KnownDay<Contents> {
  date: string
  /** Null if it was not counted. */
  contents: Contents | null
  size: number
  countedAt: Date | null
  /** Changes since it was counted; a change may be found more than once. */
  changes: number
}

/** The days of a period that were counted or changed. At most `limit` changes of a kind are examined, newest first. */
export async function findKnownDays<Kind extends keyof DayContents>(
  context: ShopContext,
  kind: Kind,
  { firstDay, lastDay }: ReportPeriod,
  { since, limit }: { since: Date; limit: number },
): Promise<KnownDay<DayContents[Kind]>[]> {
  const { rows } = await sql<KnownDay<DayContents[Kind]>>`
    select to_char(day, 'YYYY-MM-DD') as date, counted.contents, coalesce(counted.size, 0) as size,
      counted.counted_at as "countedAt", coalesce(changed.changes, 0) as changes
    from (
      select day, ${sql.ref(kind)} as contents, size, counted_at from daily_figures
      where shop_id = ${context.shop.id} and day between ${firstDay}::date and ${lastDay}::date
    ) as counted
    full join (
      select day, count(*) as changes
      from (
        select day from changed_days
        where shop_id = ${context.shop.id} and day between ${firstDay}::date and ${lastDay}::date
        union all
        ${changesOf(sql`${context.shop.id}::uuid`, { since, now: context.now, limit })}
      ) as change
      where day between ${firstDay}::date and ${lastDay}::date
      group by day
    ) as changed using (day)`.execute(context.db)
  return rows
}

interface Range {
  since: Date
  now: Date
  limit?: number
}

/**
 * The days of what changed in a shop since then and is not marked by a trigger, found by index: shipments by their last
 * change, new orders and deliveries by their ids, which begin with a timestamp, and days with unfinished deliveries.
 */
function changesOf(shopId: RawBuilder<unknown>, { since, now, limit }: Range): RawBuilder<unknown> {
  const atMost = limit === undefined ? sql`` : sql`limit ${sql.lit(limit)}`
  const changed = (isDraft: boolean) => sql`
    select created_at, delivered_at from shipments
    where shipments.shop_id = ${shopId} and is_draft = ${sql.lit(isDraft)} and updated_at >= ${since}
    order by updated_at desc ${atMost}`
  const recent = datesOf({ firstDay: dayOf(since), lastDay: dayOf(now) }).map((date) => ({
    day: date,
    first_id: earliestId(startOfDay(date) < since ? since : startOfDay(date)),
    end_id: earliestId(endOfDay(date)),
  }))
  return sql`
    select utc_day(instant) as day
    from ((${changed(false)}) union all (${changed(true)})) as shipment
    cross join unnest(array[shipment.created_at, shipment.delivered_at]) as instant
    where instant is not null
    union all
    select utc_day(order_placed_at) from (
      select order_placed_at from orders
      where orders.shop_id = ${shopId} and orders.id >= ${earliestId(since)} order by orders.id desc ${atMost}
    ) as new_order
    union all
    select recent.day
    from json_to_recordset(${JSON.stringify(recent)}::json) as recent (day date, first_id uuid, end_id uuid)
    where exists (
      select 1 from deliveries
      where deliveries.shop_id = ${shopId} and deliveries.id >= recent.first_id and deliveries.id < recent.end_id
    ) or exists (
      select 1 from campaign_views
      where campaign_views.shop_id = ${shopId} and campaign_views.day = recent.day
        and campaign_views.recorded_at >= ${since}
    )
    union all
    select daily_figures.day from daily_figures where daily_figures.shop_id = ${shopId} and is_open`
}

/** Every day of a shop with anything to count, from a few index lookups per day. */
function everyDayOf(shopId: RawBuilder<unknown>): RawBuilder<unknown> {
  const days = [
    hop(sql`orders`, sql`order_placed_at`, sql`orders.shop_id = ${shopId}`),
    hop(sql`shipments`, sql`created_at`, sql`shipments.shop_id = ${shopId} and is_draft = false`),
    hop(sql`shipments`, sql`created_at`, sql`shipments.shop_id = ${shopId} and is_draft = true`),
    hop(sql`shipments`, sql`delivered_at`, sql`shipments.shop_id = ${shopId} and delivered_at is not null`),
    hop(
      sql`shipment_events`,
      sql`event_time`,
      sql`shipment_events.shop_id = ${shopId}
        and (event_key like 'DELIVERY_ATTEMPTED%' or event_key = 'ATTEMPTED_DELIVERY_UNDELIVERABLE')`,
    ),
    hop(sql`claims`, sql`created_at`, sql`claims.shop_id = ${shopId} and deleted_at is null`),
    hopDates(sql`campaign_views`, sql`campaign_views.shop_id = ${shopId}`),
  ]
  return sql`
    ${sql.join(days, sql` union all `)}
    union all
    select generate_series(utc_day(instant_of_id(first.id)), utc_day(instant_of_id(last.id)), interval '1 day')::date as day
    from (select id from deliveries where deliveries.shop_id = ${shopId} order by id limit 1) as first
    cross join lateral (
      select id from deliveries where deliveries.shop_id = ${shopId} order by id desc limit 1
    ) as last`
}

/** The distinct days of a time, from one index lookup each. */
function hop(
  table: RawBuilder<unknown>,
  time: RawBuilder<unknown>,
  condition: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`(
    with recursive hop as (
      (select utc_day(${time}) as day from ${table} where ${condition} order by ${time} limit 1)
      union all
      select next.day from hop
      cross join lateral (
        select utc_day(${time}) as day from ${table}
        where ${condition} and ${time} >= (hop.day + 1)::timestamp at time zone 'UTC'
        order by ${time} limit 1
      ) as next
    )
    select day from hop
  )`
}

/** As `hop`, for a table with a column `day`. */
function hopDates(table: RawBuilder<unknown>, condition: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
    with recursive hop as (
      (select ${table}.day from ${table} where ${condition} order by ${table}.day limit 1)
      union all
      select next.day from hop
      cross join lateral (
        select ${table}.day from ${table} where ${condition} and ${table}.day > hop.day order by ${table}.day limit 1
      ) as next
    )
    select day from hop
  )`
}
