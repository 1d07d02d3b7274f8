import { type RawBuilder, sql } from 'kysely'
import { earliest, latest } from '../../foundation/clock.ts'
import { claimReasons, claimStatuses, resolutionPreferences } from './schema.ts'

/** What a search of claims looks for, and which part of it. */
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
 * The ids of one page, in order. Claims lie by kind (status, reason, preference) and time: a search by any of the three
 * takes the first rows of each kind that it allows and merges them, so that no kind is ever read as a whole.
 */
export function foundClaims(shopId: string, search: ClaimSearch): RawBuilder<unknown> {
  const column = sql.ref(search.sortBy)
  const order = search.isDescending ? sql`desc` : sql`asc`
  const run = (...kind: RawBuilder<unknown>[]) => sql`
    select id, ${column} as sorted_by
    from claims where ${sql.join([...placeOf(shopId, search), ...kind], sql` and `)}
    order by ${column} ${order}, id ${order}
    limit ${search.offset + search.limit}`
  const runs = isByKind(search)
    ? sql`
      select run.id, run.sorted_by
      from unnest(${statusesOf(search)}::text[]) as wanted_status
      cross join unnest(${reasonsOf(search)}::text[]) as wanted_reason
      cross join unnest(${preferencesOf(search)}::text[]) as wanted_preference
      cross join lateral (${run(
        sql`status = wanted_status and reason = wanted_reason`,
        sql`coalesce(resolution_preference, 'none') = wanted_preference`,
      )}) as run`
    : run(...kindOf(search))
  return sql`
    select id, row_number() over (order by sorted_by ${order}, id ${order}) as position
    from (${runs}) as runs
    order by sorted_by ${order}, id ${order}
    limit ${search.limit} offset ${search.offset}`
}

/** `from … where …` of a search, to be counted. What is left open is named too: an index is read by its first columns. */
export function claimsWhere(shopId: string, search: ClaimSearch): RawBuilder<unknown> {
  return sql`from claims where ${sql.join([...placeOf(shopId, search), ...kindOf(search)], sql` and `)}`
}

/** By kind only where nothing narrower is given: an order and a shipment have a handful of claims. */
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

/** Whose claims, and of what time. */
function placeOf(shopId: string, search: ClaimSearch): RawBuilder<unknown>[] {
  // Nothing is changed before it is made, so each time bounds the other: a run begins where its first row can be.
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
