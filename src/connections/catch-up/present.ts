import type { OrderProblem } from '../past-orders/schema.ts'
import type { CatchUp } from './schema.ts'
import type { CatchUpRow } from './store.ts'

export function toCatchUp(row: CatchUpRow): CatchUp {
  return {
    caught_up_at: row.caught_up_at?.toISOString() ?? null,
    next_at: row.due_at.toISOString(),
    read: row.read_count,
    created: row.created_count,
    updated: row.updated_count,
    failed: row.failed_count,
    problems: row.order_problems as OrderProblem[], // written by releaseCatchUp
    missed_at: row.missed_at?.toISOString() ?? null,
    missed: row.missed_count,
    problem:
      row.problem_key === null || row.problem_message === null
        ? null
        : { key: row.problem_key, message: row.problem_message },
  }
}
