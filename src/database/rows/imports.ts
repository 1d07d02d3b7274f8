import type { Generated } from 'kysely'

export interface ImportTables {
  imports: {
    shop_id: string
    id: string
    filename: string
    size_bytes: Generated<number>
    is_dry_run: Generated<boolean>
    status: string
    row_count: Generated<number>
    created_count: Generated<number>
    updated_count: Generated<number>
    unchanged_count: Generated<number>
    failed_count: Generated<number>
    problem_count: Generated<number>
    ignored_columns: Generated<string[]>
    position_bytes: Generated<number>
    position_row: Generated<number>
    /** Null: nothing remains to be done. */
    due_at: Date | null
    claim: Generated<number>
    attempts: Generated<number>
    created_at: Date
    finished_at: Date | null
    /** Why it ended before the end of its file. */
    reason: string | null
    unreadable_rows: Generated<number>
  }
  import_chunks: {
    shop_id: string
    import_id: string
    number: number
    bytes: Buffer
  }
  import_names: {
    shop_id: string
    import_id: string
    kind: string
    name: string
    row_number: number
  }
  import_problems: {
    shop_id: string
    import_id: string
    number: number
    row_number: number
    column_name: string | null
    value: string | null
    error_key: string
    message: string
  }
}
