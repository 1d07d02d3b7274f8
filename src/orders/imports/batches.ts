import { isUnreadable, type RowGroup } from './group-rows.ts'
import type { Place } from './read-rows.ts'

/** Orders that are written together, and rows that these may have together. */
const batchOrders = 250
const batchRows = 2_500

/** Bytes that the rows of a batch may occupy in memory before it is written. */
const batchBytes = 4_000_000

/** After so many consecutive rows that cannot be read, the rest is not worth reading. */
export const maxUnreadable = 1_000

/** Rows that are written in one transaction. */
export interface Batch {
  groups: RowGroup[]
  rows: number
  keptBytes: number
  /** Start of the next batch. */
  next: Place
  /** How many consecutive rows before its end could not be read. */
  unreadable: number
  /** Nothing comes after it: the file has ended, or is not worth reading. */
  isLast: boolean
}

/** Batches from a position on, before which so many rows could not be read. */
export async function* inBatches(
  groups: AsyncIterable<RowGroup>,
  next: Place,
  unreadable: number,
): AsyncGenerator<Batch> {
  let batch = emptyBatch(next, unreadable)
  let orders = 0
  for await (const group of groups) {
    batch.groups.push(group)
    batch.rows += group.rows.length
    batch.keptBytes += group.keptBytes
    batch.next = group.next
    batch.unreadable = isUnreadable(group) ? batch.unreadable + 1 : 0
    if (batch.unreadable >= maxUnreadable) {
      yield { ...batch, isLast: true }
      return
    }
    if (group.orderNumber !== undefined) orders += 1
    if (orders < batchOrders && batch.rows < batchRows && batch.keptBytes < batchBytes) continue
    yield batch
    batch = emptyBatch(batch.next, batch.unreadable)
    orders = 0
  }
  yield { ...batch, isLast: true }
}

function emptyBatch(next: Place, unreadable: number): Batch {
  return { groups: [], rows: 0, keptBytes: 0, next, unreadable, isLast: false }
}
