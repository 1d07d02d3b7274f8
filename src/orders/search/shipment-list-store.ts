import { type RawBuilder, sql } from 'kysely'
import { latest } from '../../platform/foundation/clock.ts'
import { literals } from '../../platform/store/literals.ts'
import type { ListSource } from './list-store.ts'
import { directionsOfReturns } from './rules.ts'

export interface ShipmentListSearch {
  /** Only these parcels and those of these orders: what the search text matched. */
  found: { orderIds: string[]; shipmentIds: string[] } | undefined
  phases: string[] | undefined
  flags: string[] | undefined
  carrierReference: string | undefined
  countryCode: string | undefined
  isReturn: boolean | undefined
  includeDrafts: boolean
  updatedFrom: Date | undefined
  updatedTo: Date | undefined
  createdFrom: Date | undefined
  createdTo: Date | undefined
  sortBy: 'updated_at' | 'created_at'
  isDescending: boolean
}

export function shipmentListSource(shopId: string, search: ShipmentListSearch, window: number): ListSource {
  const { alternatives, isBy } = rangesOf(search)
  const times = timesOf(search)
  const scope = [sql`shop_id = ${shopId}`, ...times[search.sortBy]]
  const order = search.isDescending ? sql`desc` : sql`asc`
  const column = sql.ref(search.sortBy)
  return {
    ranges: alternatives.map(
      (range) => sql`
        select id, ${column} as sorted_by, phase, flag, carrier_reference, destination_country, direction, is_draft,
          created_at, updated_at
        from shipments
        where ${sql.join([...scope, range], sql` and `)}
        order by ${column} ${order}, id ${order}`,
    ),
    all: sql`from shipments where ${sql.join(scope, sql` and `)} and (${sql.join(alternatives, sql` or `)})`,
    filters: [
      ...(search.phases && isBy !== 'phase' ? [sql`phase in ${literals(search.phases)}`] : []),
      ...(search.flags && isBy !== 'flag' ? [sql`flag in ${literals(search.flags)}`] : []),
      ...(search.carrierReference === undefined ? [] : [sql`carrier_reference = ${search.carrierReference}`]),
      ...(search.countryCode === undefined ? [] : [sql`destination_country = ${search.countryCode}`]),
      ...(search.isReturn === undefined
        ? []
        : [sql`(direction in ${literals(directionsOfReturns)}) = ${sql.lit(search.isReturn)}`]),
      ...(search.includeDrafts || isBy === 'draft' ? [] : [sql`not is_draft`]),
      ...times[search.sortBy === 'updated_at' ? 'created_at' : 'updated_at'],
    ],
    isDescending: search.isDescending,
    window,
  }
}

/**
 * The index to read, as conditions of which each is one range of it: what was found by the text; parcels with a problem,
 * which are few; a phase; else drafts and fulfilled parcels. The indexes of flags and phases are sorted by change only.
 */
function rangesOf(search: ShipmentListSearch): {
  alternatives: RawBuilder<unknown>[]
  isBy: 'found' | 'flag' | 'phase' | 'draft'
} {
  const { found, flags, phases, sortBy } = search
  if (found) {
    const isFound = sql`(order_id = any(${found.orderIds}::uuid[]) or id = any(${found.shipmentIds}::uuid[]))`
    return { isBy: 'found', alternatives: [isFound] }
  }
  if (flags && !flags.includes('normal') && sortBy === 'updated_at') {
    return { isBy: 'flag', alternatives: flags.map((flag) => sql`flag = ${sql.lit(flag)}`) }
  }
  if (phases && sortBy === 'updated_at') {
    return { isBy: 'phase', alternatives: phases.map((phase) => sql`phase = ${sql.lit(phase)}`) }
  }
  const drafts = search.includeDrafts ? [false, true] : [false]
  return { isBy: 'draft', alternatives: drafts.map((isDraft) => sql`is_draft = ${sql.lit(isDraft)}`) }
}

function timesOf(search: ShipmentListSearch): Record<'updated_at' | 'created_at', RawBuilder<unknown>[]> {
  // A parcel is never changed before it is created, which narrows the range.
  const updatedFrom = latest([search.updatedFrom, search.createdFrom])
  return {
    updated_at: [
      ...(updatedFrom === undefined ? [] : [sql`updated_at >= ${updatedFrom}`]),
      ...(search.updatedTo === undefined ? [] : [sql`updated_at <= ${search.updatedTo}`]),
    ],
    created_at: [
      ...(search.createdFrom === undefined ? [] : [sql`created_at >= ${search.createdFrom}`]),
      ...(search.createdTo === undefined ? [] : [sql`created_at <= ${search.createdTo}`]),
    ],
  }
}
