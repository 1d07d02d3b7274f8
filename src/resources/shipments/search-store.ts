import { type RawBuilder, sql } from 'kysely'
import { earliest, latest } from '../../foundation/clock.ts'

export interface ShipmentSearch {
  trackingNumber: string | undefined
  updatedFrom: Date
  updatedTo: Date | undefined
  createdFrom: Date | undefined
  createdTo: Date | undefined
  sortBy: 'updated_at' | 'created_at'
  isDescending: boolean
  includeDrafts: boolean
  limit: number
  offset: number
}

/**
 * The ids of one page, in order. Drafts and fulfilled shipments are two runs of the same index; each gives its first
 * rows in order and the page is merged from both, so that neither is ever read as a whole.
 */
export function foundShipments(shopId: string, search: ShipmentSearch): RawBuilder<unknown> {
  const column = sql.ref(search.sortBy)
  const order = search.isDescending ? sql`desc` : sql`asc`
  const run = (isDraft: boolean) => sql`(
    select id, ${column} as sorted_by ${shipmentsWhere(shopId, search, [isDraft])}
    order by ${column} ${order}, id ${order}
    limit ${search.offset + search.limit}
  )`
  const runs = search.includeDrafts ? sql`${run(false)} union all ${run(true)}` : run(false)
  return sql`
    select id, row_number() over (order by sorted_by ${order}, id ${order}) as position
    from (${runs}) as runs
    order by sorted_by ${order}, id ${order}
    limit ${search.limit} offset ${search.offset}`
}

/**
 * `from … where …` of a search, of drafts, of fulfilled ones, or of both. Both are named too: a search that leaves the
 * second column of the index open reads all of the shop's entries.
 */
export function shipmentsWhere(shopId: string, search: ShipmentSearch, isDraft: boolean[]): RawBuilder<unknown> {
  // Nothing is changed before it is made, so each time bounds the other: a run begins where its first row can be.
  const updatedFrom = latest([search.updatedFrom, search.createdFrom])
  const createdTo = search.sortBy === 'created_at' ? earliest([search.createdTo, search.updatedTo]) : search.createdTo
  const conditions = [
    sql`shop_id = ${shopId}`,
    sql`is_draft in (${sql.join(isDraft.map((value) => sql.lit(value)))})`,
    ...(search.trackingNumber === undefined ? [] : [sql`tracking_number = ${search.trackingNumber}`]),
    ...(updatedFrom === undefined ? [] : [sql`updated_at >= ${updatedFrom}`]),
    ...(search.updatedTo === undefined ? [] : [sql`updated_at <= ${search.updatedTo}`]),
    ...(search.createdFrom === undefined ? [] : [sql`created_at >= ${search.createdFrom}`]),
    ...(createdTo === undefined ? [] : [sql`created_at <= ${createdTo}`]),
  ]
  return sql`from shipments where ${sql.join(conditions, sql` and `)}`
}
