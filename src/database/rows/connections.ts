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
    /** Why, where the address is the reason. */
    reason: string | null
    http_status: number | null
    facts: unknown
    missing_permissions: string[]
    checked_at: Date
  }
  /** The webhooks of a shop system, as the system itself lists them. */
  connection_webhooks: {
    shop_id: string
    system: string
    /** Topics whose webhooks send, are switched off, or do not exist; null before they were first read. */
    sending: string[] | null
    disabled: string[] | null
    missing: string[] | null
    /** Why they could not be read or repaired the last time. */
    problem: string | null
    /** They were created from here. */
    is_managed: Generated<boolean>
    /** The next run creates what is missing, and gives all of them the current secret. */
    is_wanted: Generated<boolean>
    checked_at: Date | null
    failures: Generated<number>
    due_at: Date
    leased_until: Date | null
  }
  /** A person has begun to connect a WooCommerce store, which is to send a key. */
  woocommerce_grants: {
    shop_id: string
    actor_kind: string
    actor_id: string
    actor_name: string | null
    state_hash: Buffer
    store_url: string
    begun_at: Date
    expires_at: Date
    used_at: Date | null
    /** Why the store's key was not stored. */
    problem: string | null
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
  /** Reading recent orders again, of a connected shop system. */
  shop_system_catch_ups: {
    shop_id: string
    system: string
    began_at: Date
    credentials_at: Date
    /** Null before the end of the first run. */
    caught_up_until: Date | null
    caught_up_at: Date | null
    run: unknown
    open_position: unknown
    read_count: Generated<number>
    created_count: Generated<number>
    updated_count: Generated<number>
    failed_count: Generated<number>
    order_problems: Generated<unknown>
    missed_at: Date | null
    missed_count: Generated<number>
    problem_key: string | null
    problem_message: string | null
    failures: Generated<number>
    due_at: Date
    is_running: Generated<boolean>
    claim: Generated<number>
    attempts: Generated<number>
  }
}
