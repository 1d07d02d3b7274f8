import { type RawBuilder, sql } from 'kysely'
import { after, earliest, hourMs, latest } from '../../foundation/clock.ts'

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
  const order = search.isDescending ? sql`desc` : sql`asc`
  return sql`
    select id, row_number() over (order by sorted_by ${order}, id ${order}) as position
    from (${runsOf(shopId, search)}) as runs
    order by sorted_by ${order}, id ${order}
    limit ${search.limit} offset ${search.offset}`
}

/** Rows among which the page's are, each with what it is sorted by. */
function runsOf(shopId: string, search: ShipmentSearch): RawBuilder<unknown> {
  const column = sql.ref(search.sortBy)
  const order = search.isDescending ? sql`desc` : sql`asc`
  const most = search.offset + search.limit
  const firstRows = sql`order by ${column} ${order}, id ${order} limit ${most}`
  const byClass = (search: ShipmentSearch) =>
    sql`select id, ${column} as sorted_by ${byChangeClass(shopId, search, draftsAnd(search), firstRows)}`
  const byIndex = (condition = sql`true`) => {
    const run = (isDraft: boolean) => sql`(
      select id, ${column} as sorted_by ${shipmentsWhere(shopId, search, [isDraft])} and ${condition} ${firstRows}
    )`
    return sql.join(draftsAnd(search).map(run), sql` union all `)
  }
  if (passesOverNewer(search)) return byClass(search)
  if (!passesOverOlder(search)) return byIndex()
  const { updatedFrom, createdTo, isDescending } = search
  // What was made since then has changed since then. Of what is older few have, and they come last where the newest come
  // first: then nobody looks for them before a page reaches so far.
  return sql`
    with newer as materialized (${byIndex(sql`created_at > ${updatedFrom}`)})
    select * from newer
    union all
    ${byClass({ ...search, createdTo: earliest([createdTo, updatedFrom]) })}
    where ${isDescending ? sql`(select count(*) from newer) < ${most}` : sql`true`}`
}

/** What is counted of a search: `from … where …`. */
export function countedShipments(shopId: string, search: ShipmentSearch): RawBuilder<unknown> {
  if (passesOverNewer(search)) return byChangeClass(shopId, search, draftsAnd(search), sql``)
  return shipmentsWhere(shopId, search, draftsAnd(search))
}

function draftsAnd(search: ShipmentSearch): boolean[] {
  return search.includeDrafts ? [false, true] : [false]
}

/** Of what was made up to a time, the last changed: all that was made since lies before it in the index of changes. */
function passesOverNewer(search: ShipmentSearch): boolean {
  const { trackingNumber, createdTo, sortBy, isDescending } = search
  return trackingNumber === undefined && createdTo !== undefined && sortBy === 'updated_at' && isDescending
}

/** Of what changed since a time, by when it was made: all that is older and has not changed lies between in the index. */
function passesOverOlder(search: ShipmentSearch): boolean {
  const { trackingNumber, createdFrom, updatedFrom, sortBy } = search
  return (
    trackingNumber === undefined && sortBy === 'created_at' && (createdFrom === undefined || createdFrom < updatedFrom)
  )
}

/** Hours within which shipments of a class changed after they were made, as the function change_class has them. */
const changeClassHours = [1, 6, 24, 72, 168, 336, 720, undefined]

/**
 * The shipments by classes of how long after their making they last changed. In each, those made up to a time changed by
 * then and so much later at the latest, so that its run of the index begins where its first row can be.
 */
function byChangeClass(
  shopId: string,
  search: ShipmentSearch,
  isDraft: boolean[],
  firstRows: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const { createdTo = search.updatedFrom, updatedTo } = search
  const classes = changeClassHours.flatMap((hours, number) => {
    const changedBy = earliest([hours === undefined ? undefined : after(createdTo, hours * hourMs), updatedTo])
    return isDraft.map(
      (drafts) => sql`(${sql.lit(drafts)}, ${sql.lit(number)}, ${changedBy ?? 'infinity'}::timestamptz)`,
    )
  })
  return sql`
    from (values ${sql.join(classes)}) as class (is_draft, number, changed_by)
    cross join lateral (
      select id, created_at, updated_at from shipments
      where shop_id = ${shopId} and shipments.is_draft = class.is_draft
        and change_class(created_at, updated_at) = class.number
        and updated_at >= ${latest([search.updatedFrom, search.createdFrom])}
        and updated_at <= class.changed_by
        and created_at <= ${createdTo}
        ${search.createdFrom === undefined ? sql`` : sql`and created_at >= ${search.createdFrom}`}
      ${firstRows}
    ) as shipments`
}

/**
 * `from … where …` of a search, of drafts, of fulfilled ones, or of both. Both are named too: a search that leaves the
 * second column of the index open reads all of the shop's entries.
 */
function shipmentsWhere(shopId: string, search: ShipmentSearch, isDraft: boolean[]): RawBuilder<unknown> {
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
