import type { Generated } from 'kysely'

export interface ConnectionTables {
  /** When a shop system was last heard of; written at most once per minute. */
  shop_system_activity: {
    shop_id: string
    system: string
    last_ping_at: Date | null
    last_received_at: Date | null
  }
  /** The last live check of a connection. */
  connection_checks: {
    shop_id: string
    name: string
    result: string
    http_status: number | null
    facts: unknown
    missing_permissions: string[]
    checked_at: Date
  }
  backfills: {
    shop_id: string
    id: string
    system: string
    days: number
    status: string
    since: Date
    until: Date
    position: unknown
    total: number | null
    read_count: Generated<number>
    created_count: Generated<number>
    updated_count: Generated<number>
    unchanged_count: Generated<number>
    skipped_count: Generated<number>
    failed_count: Generated<number>
    problem_count: Generated<number>
    waiting_until: Date | null
    waiting_reason: string | null
    error_key: string | null
    error_message: string | null
    failures: Generated<number>
    /** Null: nothing remains to be done. */
    due_at: Date | null
    claim: Generated<number>
    attempts: Generated<number>
    created_at: Date
    started_at: Date | null
    finished_at: Date | null
    updated_at: Date
  }
  backfill_problems: {
    shop_id: string
    backfill_id: string
    number: number
    order_reference: string
    error_key: string
    message: string
  }
}
