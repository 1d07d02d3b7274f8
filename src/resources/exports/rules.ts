import { after, dayMs } from '../../foundation/clock.ts'
import { instant } from '../../foundation/schema.ts'
import type { ExportFilter } from './schema.ts'

/** Which shipments are exported, and by which of their times they are walked through. */
export interface Period {
  walkBy: 'created_at' | 'updated_at'
  createdFrom: Date | undefined
  createdTo: Date | undefined
  updatedFrom: Date | undefined
  updatedTo: Date | undefined
  includeDrafts: boolean
}

export const defaultDays = 90

/**
 * The period that a filter asks for. One that has no beginning begins 90 days before its end, so that no export reads a
 * shop's whole history unasked. Of two periods the shorter one is walked through: the other is a filter on it.
 */
export function periodOf(filter: ExportFilter, now: Date): Period {
  const [createdTo, updatedTo] = [filter.created_to, filter.updated_to].map((text) =>
    text ? instant(text) : undefined,
  )
  const beginning = (text: string | undefined, end: Date | undefined) =>
    text ? instant(text) : end && after(end, -defaultDays * dayMs)
  const updatedFrom = beginning(filter.updated_from, updatedTo)
  const createdFrom = beginning(filter.created_from, createdTo ?? (updatedFrom ? undefined : now))
  const lengthOf = (from: Date | undefined, to: Date | undefined) =>
    from ? (to ?? now).getTime() - from.getTime() : Number.POSITIVE_INFINITY
  return {
    walkBy: lengthOf(updatedFrom, updatedTo) < lengthOf(createdFrom, createdTo) ? 'updated_at' : 'created_at',
    createdFrom,
    createdTo,
    updatedFrom,
    updatedTo,
    includeDrafts: filter.include_drafts ?? true,
  }
}
