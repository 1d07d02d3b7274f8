import { after, dayMs } from '../../platform/foundation/clock.ts'
import { instant } from '../../platform/foundation/schema.ts'
import type { ExportFilter } from './schema.ts'

/** Filter and order of the exported shipments. */
export interface ExportSelection {
  sortBy: 'created_at' | 'updated_at'
  createdFrom: Date | undefined
  createdTo: Date | undefined
  updatedFrom: Date | undefined
  updatedTo: Date | undefined
  includeDrafts: boolean
}

export const defaultDays = 90

/**
 * The period of a filter. Without a start, it starts 90 days before its end, so that no export reads the whole history by
 * accident. If both times are filtered, the export is sorted by the one with the shorter period.
 */
export function selectionOf(filter: ExportFilter, now: Date): ExportSelection {
  const [createdTo, updatedTo] = [filter.created_to, filter.updated_to].map((text) =>
    text ? instant(text) : undefined,
  )
  const startOf = (text: string | undefined, end: Date | undefined) =>
    text ? instant(text) : end && after(end, -defaultDays * dayMs)
  const updatedFrom = startOf(filter.updated_from, updatedTo)
  const createdFrom = startOf(filter.created_from, createdTo ?? (updatedFrom ? undefined : now))
  const lengthOf = (from: Date | undefined, to: Date | undefined) =>
    from ? (to ?? now).getTime() - from.getTime() : Number.POSITIVE_INFINITY
  return {
    sortBy: lengthOf(updatedFrom, updatedTo) < lengthOf(createdFrom, createdTo) ? 'updated_at' : 'created_at',
    createdFrom,
    createdTo,
    updatedFrom,
    updatedTo,
    includeDrafts: filter.include_drafts ?? true,
  }
}
