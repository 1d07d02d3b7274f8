import type { OrderProblem } from '../past-orders/schema.ts'
import type { Backfill } from './schema.ts'
import type { BackfillRow } from './store.ts'

export function toBackfill(row: BackfillRow, problems: OrderProblem[]): Backfill {
  const isWaiting = row.status === 'waiting'
  return {
    id: row.id,
    system: row.system as Backfill['system'], // the schema of its creation allows only these
    days: row.days,
    status: row.status as Backfill['status'], // written by the store only
    since: row.since.toISOString(),
    total: row.total,
    read: row.read_count,
    created: row.created_count,
    updated: row.updated_count,
    unchanged: row.unchanged_count,
    skipped: row.skipped_count,
    failed: row.failed_count,
    problems,
    waiting_until: isWaiting ? (row.waiting_until?.toISOString() ?? null) : null,
    waiting_reason: isWaiting ? (row.waiting_reason as Backfill['waiting_reason']) : null, // the same
    error:
      row.error_key === null || row.error_message === null ? null : { key: row.error_key, message: row.error_message },
    created_at: row.created_at.toISOString(),
    started_at: row.started_at?.toISOString() ?? null,
    finished_at: row.finished_at?.toISOString() ?? null,
    updated_at: row.updated_at.toISOString(),
  }
}
