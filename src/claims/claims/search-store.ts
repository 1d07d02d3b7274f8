import { type RawBuilder, sql } from 'kysely'
import { earliest, latest } from '../../platform/foundation/clock.ts'
import { type ClaimKind, claimKinds, claimReasons, claimStatuses, resolutionPreferences } from './schema.ts'

/** The filters, order and page of a claim search. */
export interface ClaimSearch {
  orderId: string | undefined
  /** Only of these orders: what the search text matched. */
  foundOrderIds: string[] | undefined
  shipmentId: string | undefined
  status: string | undefined
  reason: string | undefined
  kind: ClaimKind | undefined
  resolutionPreference: string | undefined
  createdFrom: Date | undefined
  createdTo: Date | undefined
  updatedFrom: Date | undefined
  updatedTo: Date | undefined
  sortBy: 'created_at' | 'updated_at'
  isDescending: boolean
  limit: number
  offset: number
}

/**
 * The ids of one page, in order. The index sorts claims by kind (status, reason, preference, kind), then by time. A search by
 * any of the four reads the first rows of each matching kind and merges them, so that it never reads a whole kind.
 */
export function pageOfClaimIds(shopId: string, search: ClaimSearch): RawBuilder<unknown> {
  const column = sql.ref(search.sortBy)
  const order = search.isDescending ? sql`desc` : sql`asc`
  const firstRows = (...kind: RawBuilder<unknown>[]) => sql`
    select id, ${column} as sorted_by
    from ${sourceOf(shopId, search)} where ${sql.join([...scopeOf(shopId, search), ...kind], sql` and `)}
    order by ${column} ${order}, id ${order}
    limit ${search.offset + search.limit}`
  const candidates = isByKind(search)
    ? sql`
      select rows_of_kind.id, rows_of_kind.sorted_by
      from unnest(${statusesOf(search)}::text[]) as wanted_status
      cross join unnest(${reasonsOf(search)}::text[]) as wanted_reason
      cross join unnest(${preferencesOf(search)}::text[]) as wanted_preference
      cross join unnest(${kindsOf(search)}::text[]) as wanted_kind
      cross join lateral (${firstRows(
        sql`status = wanted_status and reason = wanted_reason`,
        sql`coalesce(resolution_preference, 'none') = wanted_preference and kind = wanted_kind`,
      )}) as rows_of_kind
      -- A customer who withdraws returns the goods.
      where wanted_kind = 'claim' or wanted_reason = 'return'`
    : firstRows(...kindOf(search))
  return sql`
    select id, row_number() over (order by sorted_by ${order}, id ${order}) as position
    from (${candidates}) as candidates
    order by sorted_by ${order}, id ${order}
    limit ${search.limit} offset ${search.offset}`
}

/** `from … where …` of a search, for counting. Lists all values of an open filter: the index needs its leading columns. */
export function claimsWhere(shopId: string, search: ClaimSearch): RawBuilder<unknown> {
  const conditions = sql.join([...scopeOf(shopId, search), ...kindOf(search)], sql` and `)
  return sql`from ${sourceOf(shopId, search)} where ${conditions}`
}

/** More claims than an order ever has. */
const claimsPerOrder = 1_000

/** All claims, or those of the orders that were found: looked up for each, before any other filter can suggest an index. */
function sourceOf(shopId: string, { foundOrderIds }: ClaimSearch): RawBuilder<unknown> {
  if (foundOrderIds === undefined) return sql`claims`
  return sql`(
    select of_order.* from unnest(${foundOrderIds}::uuid[]) as found (id)
    cross join lateral (
      select * from claims where claims.shop_id = ${shopId} and claims.order_id = found.id
      limit ${sql.lit(claimsPerOrder)}
    ) as of_order
  ) as claims`
}

/** Not if orders or a shipment are given: these have only a few claims. */
function isByKind(search: ClaimSearch): boolean {
  const { orderId, foundOrderIds, shipmentId } = search
  return hasKind(search) && orderId === undefined && foundOrderIds === undefined && shipmentId === undefined
}

function hasKind(search: ClaimSearch): boolean {
  const { status, reason, resolutionPreference, kind } = search
  return [status, reason, resolutionPreference, kind].some((value) => value !== undefined)
}

function kindOf(search: ClaimSearch): RawBuilder<unknown>[] {
  if (!hasKind(search)) return []
  return [
    sql`status = any(${statusesOf(search)}::text[])`,
    sql`reason = any(${reasonsOf(search)}::text[])`,
    sql`coalesce(resolution_preference, 'none') = any(${preferencesOf(search)}::text[])`,
    sql`kind = any(${kindsOf(search)}::text[])`,
  ]
}

function statusesOf({ status }: ClaimSearch): readonly string[] {
  return status === undefined ? claimStatuses : [status]
}

function reasonsOf({ reason }: ClaimSearch): readonly string[] {
  return reason === undefined ? claimReasons : [reason]
}

function preferencesOf({ resolutionPreference }: ClaimSearch): readonly string[] {
  return resolutionPreference === undefined ? [...resolutionPreferences, 'none'] : [resolutionPreference]
}

function kindsOf({ kind }: ClaimSearch): readonly string[] {
  return kind === undefined ? claimKinds : [kind]
}

/** The conditions on shop, order, shipment and time. */
function scopeOf(shopId: string, search: ClaimSearch): RawBuilder<unknown>[] {
  // updated_at is never before created_at, so each bound narrows the other and the index scan starts later.
  const updatedFrom = latest([search.updatedFrom, search.createdFrom])
  const createdTo = search.sortBy === 'created_at' ? earliest([search.createdTo, search.updatedTo]) : search.createdTo
  return [
    sql`shop_id = ${shopId} and deleted_at is null`,
    ...(search.orderId === undefined ? [] : [sql`order_id = ${search.orderId}`]),
    ...(search.shipmentId === undefined ? [] : [sql`shipment_id = ${search.shipmentId}`]),
    ...(updatedFrom === undefined ? [] : [sql`updated_at >= ${updatedFrom}`]),
    ...(search.updatedTo === undefined ? [] : [sql`updated_at <= ${search.updatedTo}`]),
    ...(search.createdFrom === undefined ? [] : [sql`created_at >= ${search.createdFrom}`]),
    ...(createdTo === undefined ? [] : [sql`created_at <= ${createdTo}`]),
  ]
}
