import type { Import, ImportProblem, ImportSummary } from './schema.ts'
import type { ImportRow } from './store.ts'

export function toImport(row: ImportRow, problems: ImportProblem[]): Import {
  return { ...toSummary(row), problems }
}

export function toSummary(row: ImportRow): ImportSummary {
  return {
    id: row.id,
    filename: row.filename,
    size_bytes: row.size_bytes,
    bytes_read: row.status === 'completed' ? row.size_bytes : row.position_bytes,
    status: row.status as ImportSummary['status'], // one that is being received is not shown
    reason: row.reason,
    dry_run: row.is_dry_run,
    rows: row.row_count,
    created: row.created_count,
    updated: row.updated_count,
    unchanged: row.unchanged_count,
    failed: row.failed_count,
    problem_count: row.problem_count,
    ignored_columns: row.ignored_columns,
    created_at: row.created_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
  }
}
