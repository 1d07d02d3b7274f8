import { type RawBuilder, sql } from 'kysely'
import { earliest, latest } from '../../foundation/clock.ts'
import { claimReasons, claimStatuses, resolutionPreferences } from './schema.ts'

/** The filters, order and page of a claim search. */
export interface ClaimSearch {
  orderId: string | undefined
  shipmentId: string | undefined
  status: string | undefined
  reason: string | undefined
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
 * The ids of one page, in order. The index sorts claims by kind (status, reason, preference), then by time. A search by
 * any of the three reads the first rows of each matching kind and merges them, so that it never reads a whole kind.
 */
export function pageOfClaimIds(shopId: string, search: ClaimSearch): RawBuilder<unknown> {
  const column = sql.ref(search.sortBy)
  const order = search.isDescending ? sql`desc` : sql`asc`
  const firstRows = (...kind: RawBuilder<unknown>[]) => sql`
    select id, ${column} as sorted_by
    from claims where ${sql.join([...scopeOf(shopId, search), ...kind], sql` and `)}
    order by ${column} ${order}, id ${order}
    limit ${search.offset + search.limit}`
  const candidates = isByKind(search)
    ? sql`
      select rows_of_kind.id, rows_of_kind.sorted_by
      from unnest(${statusesOf(search)}::text[]) as wanted_status
      cross join unnest(${reasonsOf(search)}::text[]) as wanted_reason
      cross join unnest(${preferencesOf(search)}::text[]) as wanted_preference
      cross join lateral (${firstRows(
        sql`status = wanted_status and reason = wanted_reason`,
        sql`coalesce(resolution_preference, 'none') = wanted_preference`,
      )}) as rows_of_kind`
    : firstRows(...kindOf(search))
  return sql`
    select id, row_number() over (order by sorted_by ${order}, id ${order}) as position
    from (${candidates}) as candidates
    order by sorted_by ${order}, id ${order}
    limit ${search.limit} offset ${search.offset}`
}

/** `from … where …` of a search, for counting. Lists all values of an open filter: the index needs its leading columns. */
export function claimsWhere(shopId: string, search: ClaimSearch): RawBuilder<unknown> {
  return sql`from claims where ${sql.join([...scopeOf(shopId, search), ...kindOf(search)], sql` and `)}`
}

/** Not if an order or a shipment is given: these have only a few claims. */
function isByKind(search: ClaimSearch): boolean {
  return hasKind(search) && search.orderId === undefined && search.shipmentId === undefined
}

function hasKind(search: ClaimSearch): boolean {
  return search.status !== undefined || search.reason !== undefined || search.resolutionPreference !== undefined
}

function kindOf(search: ClaimSearch): RawBuilder<unknown>[] {
  if (!hasKind(search)) return []
  return [
    sql`status = any(${statusesOf(search)}::text[])`,
    sql`reason = any(${reasonsOf(search)}::text[])`,
    sql`coalesce(resolution_preference, 'none') = any(${preferencesOf(search)}::text[])`,
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
