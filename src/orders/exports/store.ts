import { type RawBuilder, sql } from 'kysely'
import type { ShopContext } from '../../platform/foundation/context.ts'
import type { ExportSelection } from './rules.ts'

/** A row of an export: a shipment with the fields of its order. */
export interface ExportedShipment {
  id: string
  /** The time it is sorted by, to the microsecond. */
  cursor: string
  tracking_number: string | null
  carrier_reference: string | null
  tracking_company: string | null
  tracking_url: string | null
  external_shipment_id: string | null
  direction: string
  phase: string
  flag: string
  current_event_key: string
  current_event_at: Date
  placed_at: Date
  in_transit_at: Date | null
  delivered_at: Date | null
  expected_delivery: { start?: string; end?: string } | null
  created_at: Date
  updated_at: Date
  order_id: string
  order_number: string
  external_id: string
  order_name: string | null
  order_placed_at: Date
  email_id: string | null
  zip_code: string | null
  address: Record<string, string | null> | null
}

export type Cursor = Pick<ExportedShipment, 'cursor' | 'id'>

/** The next shipments of a period, oldest first. Keyset pagination: a call does not read the rows before. */
export async function listShipmentsToExport(
  context: ShopContext,
  period: ExportSelection,
  after: Cursor | undefined,
  limit: number,
): Promise<ExportedShipment[]> {
  const column = sql.ref(period.sortBy)
  // Drafts and fulfilled shipments are two ranges of the same index. The first rows of each are merged.
  const firstRows = (isDraft: boolean) => sql`(
    select id, ${column} as sorted_by from shipments
    where ${sql.join(conditionsOf(context.shop.id, period, isDraft, after), sql` and `)}
    order by ${column}, id
    limit ${sql.lit(limit)}
  )`
  const candidates = period.includeDrafts ? sql`${firstRows(false)} union all ${firstRows(true)}` : firstRows(false)
  const { rows } = await sql<ExportedShipment>`
    select shipments.id, found.sorted_by::text as cursor, shipments.tracking_number, shipments.carrier_reference,
      shipments.tracking_company, shipments.tracking_url, shipments.external_shipment_id, shipments.direction,
      shipments.phase, shipments.flag, shipments.current_event_key, shipments.current_event_at, shipments.placed_at,
      shipments.in_transit_at, shipments.delivered_at, shipments.expected_delivery, shipments.created_at,
      shipments.updated_at, shipments.order_id, orders.order_number, orders.external_id, orders.order_name,
      orders.order_placed_at, orders.email_id, orders.zip_code, orders.details -> 'address' as address
    from (select * from (${candidates}) as candidates order by sorted_by, id limit ${sql.lit(limit)}) as found
    -- The limits make the planner use index look-ups: it does not know how few rows there are.
    cross join lateral (
      select * from shipments where shipments.shop_id = ${context.shop.id} and shipments.id = found.id limit 1
    ) as shipments
    cross join lateral (
      select * from orders where orders.shop_id = ${context.shop.id} and orders.id = shipments.order_id limit 1
    ) as orders
    order by found.sorted_by, found.id`.execute(context.db)
  return rows
}

function conditionsOf(
  shopId: string,
  period: ExportSelection,
  isDraft: boolean,
  after: Cursor | undefined,
): RawBuilder<unknown>[] {
  const bounds = [
    ['created_at', '>=', period.createdFrom],
    ['created_at', '<=', period.createdTo],
    ['updated_at', '>=', period.updatedFrom],
    ['updated_at', '<=', period.updatedTo],
  ] as const
  return [
    sql`shop_id = ${shopId}`,
    sql`is_draft = ${sql.lit(isDraft)}`,
    ...bounds.flatMap(([column, operator, bound]) =>
      bound === undefined ? [] : [sql`${sql.ref(column)} ${sql.raw(operator)} ${bound}`],
    ),
    ...(after ? [sql`(${sql.ref(period.sortBy)}, id) > (${after.cursor}::timestamptz, ${after.id}::uuid)`] : []),
  ]
}
