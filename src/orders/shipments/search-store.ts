import { type RawBuilder, sql } from 'kysely'
import { after, earliest, hourMs, latest } from '../../platform/foundation/clock.ts'

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
 * The ids of one page, sorted. Drafts and fulfilled shipments are two ranges of the same index. The first rows of each
 * are merged into the page, so that neither range is read as a whole.
 */
export function pageOfIds(shopId: string, search: ShipmentSearch): RawBuilder<unknown> {
  const order = search.isDescending ? sql`desc` : sql`asc`
  return sql`
    select id, row_number() over (order by sorted_by ${order}, id ${order}) as position
    from (${rangesOf(shopId, search)}) as ranges
    order by sorted_by ${order}, id ${order}
    limit ${search.limit} offset ${search.offset}`
}

/** The first rows of each index range, with their sort key. They include those of the page. */
function rangesOf(shopId: string, search: ShipmentSearch): RawBuilder<unknown> {
  const column = sql.ref(search.sortBy)
  const order = search.isDescending ? sql`desc` : sql`asc`
  const rowLimit = search.offset + search.limit
  const firstRows = sql`order by ${column} ${order}, id ${order} limit ${rowLimit}`
  const byClass = (search: ShipmentSearch) =>
    sql`select id, ${column} as sorted_by ${byChangeClass(shopId, search, draftFlags(search), firstRows)}`
  const byIndex = (condition = sql`true`) => {
    const range = (isDraft: boolean) => sql`(
      select id, ${column} as sorted_by ${shipmentsWhere(shopId, search, [isDraft])} and ${condition} ${firstRows}
    )`
    return sql.join(draftFlags(search).map(range), sql` union all `)
  }
  if (wouldScanNewer(search)) return byClass(search)
  if (!wouldScanOlder(search)) return byIndex()
  const { updatedFrom, createdTo, isDescending } = search
  // Shipments created after `updatedFrom` have also changed after it. Few of the older ones have. In descending order
  // those come last, so they are read only if the newer ones do not fill the page.
  return sql`
    with newer as materialized (${byIndex(sql`created_at > ${updatedFrom}`)})
    select * from newer
    union all
    ${byClass({ ...search, createdTo: earliest([createdTo, updatedFrom]) })}
    where ${isDescending ? sql`(select count(*) from newer) < ${rowLimit}` : sql`true`}`
}

/** `from … where …` for counting the matches of a search. */
export function matchesToCount(shopId: string, search: ShipmentSearch): RawBuilder<unknown> {
  if (wouldScanNewer(search)) return byChangeClass(shopId, search, draftFlags(search), sql``)
  return shipmentsWhere(shopId, search, draftFlags(search))
}

function draftFlags(search: ShipmentSearch): boolean[] {
  return search.includeDrafts ? [false, true] : [false]
}

/** "Created before a time, last changed first": in the index of changes, everything created since would come first. */
function wouldScanNewer(search: ShipmentSearch): boolean {
  const { trackingNumber, createdTo, sortBy, isDescending } = search
  return trackingNumber === undefined && createdTo !== undefined && sortBy === 'updated_at' && isDescending
}

/** "Changed since a time, by creation": in the index of creation times, older unchanged shipments lie in between. */
function wouldScanOlder(search: ShipmentSearch): boolean {
  const { trackingNumber, createdFrom, updatedFrom, sortBy } = search
  return (
    trackingNumber === undefined && sortBy === 'created_at' && (createdFrom === undefined || createdFrom < updatedFrom)
  )
}

/** Each class has a maximum of hours from creation to last change. Must equal the SQL function change_class. */
const changeClassHours = [1, 6, 24, 72, 168, 336, 720, undefined]

/**
 * The shipments by class of how long after creation they last changed. The class bounds the last change of shipments
 * created before a time, so that each range of the index starts at the first row that can match.
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
 * `from … where …` of a search among drafts, fulfilled shipments, or both. `is_draft`, the second column of the index,
 * is always constrained; otherwise all of the shop's entries would be read.
 */
function shipmentsWhere(shopId: string, search: ShipmentSearch, isDraft: boolean[]): RawBuilder<unknown> {
  // A shipment is never changed before it is created, so each time bounds the other and narrows the index range.
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
