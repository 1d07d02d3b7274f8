import { sql } from 'kysely'
import type { ShopDays } from '../../platform/calendars/calendars.ts'
import { after, dayMs } from '../../platform/foundation/clock.ts'
import type { Context } from '../../platform/foundation/context.ts'
import type { FinishedJourney, Journey } from '../promise-model/journeys.ts'

/** Journeys that are learnt from at most: bounded, however long the shop's history is. */
export const maxJourneys = 20_000

/** The shop's last finished journeys to customers, newest first. Nothing in them names a person. */
export async function lastJourneys(context: Context, shopId: string): Promise<FinishedJourney[]> {
  const { rows } = await sql<FinishedJourney>`
    select carrier_reference as carrier, service, origin_country as "originCountry",
      destination_country as "destinationCountry", of_order.zip as "destinationZip", placed_at as "sentAt",
      in_transit_at as "inTransitAt", delivered_at as "deliveredAt"
    from (
      select * from shipments
      where shop_id = ${shopId} and delivered_at is not null and direction = 'merchant_customer'
      order by delivered_at desc
      limit ${sql.lit(maxJourneys)}
    ) as newest
    left join lateral (
      select left(zip_code, 2) as zip from orders
      where orders.shop_id = newest.shop_id and orders.id = newest.order_id limit 1
    ) as of_order on true
    order by delivered_at desc`.execute(context.db)
  return rows
}

const phasesUnderWay = ['order_processed', 'in_transit', 'in_delivery', 'delivery_failed', 'collect']
/** Of each phase at most. */
const maxUnderWay = 5_000
/** A parcel without an update for so long is lost, or was never sent. */
const silentDays = 60

/** The shop's parcels that are still on their way to customers, those with the newest scans first. */
export async function journeysUnderWay(context: Context, shopId: string): Promise<Journey[]> {
  const { rows } = await sql<Journey>`
    select carrier_reference as carrier, service, origin_country as "originCountry",
      destination_country as "destinationCountry", of_order.zip as "destinationZip", placed_at as "sentAt",
      in_transit_at as "inTransitAt", null as "deliveredAt"
    from unnest(${sql.val(phasesUnderWay)}::text[]) as phases (phase)
    cross join lateral (
      select * from shipments
      where shop_id = ${shopId} and phase = phases.phase
        and updated_at >= ${after(context.now, -silentDays * dayMs)}
        and delivered_at is null and direction = 'merchant_customer' and not is_draft
      order by updated_at desc, id desc
      limit ${sql.lit(maxUnderWay)}
    ) as newest
    left join lateral (
      select left(zip_code, 2) as zip from orders
      where orders.shop_id = newest.shop_id and orders.id = newest.order_id limit 1
    ) as of_order on true`.execute(context.db)
  return rows
}

/** The shop's own days, from its calendar. */
export async function daysOfShop(context: Context, shopId: string): Promise<ShopDays> {
  const row = await context.db
    .selectFrom('shop_settings')
    .where('shop_id', '=', shopId)
    .select('calendar')
    .executeTakeFirst()
  const { weekend, closed_days, open_days } = (row?.calendar ?? {}) as StoredCalendar // written by its operation only
  return {
    ...(weekend && { weekend }),
    closed: closed_days?.map(({ date }) => date) ?? [],
    open: open_days?.map(({ date }) => date) ?? [],
  }
}

interface StoredCalendar {
  weekend?: number[]
  closed_days?: { date: string }[]
  open_days?: { date: string }[]
}
