import type { Generated } from 'kysely'

export interface NotificationTables {
  webhook_endpoints: {
    shop_id: string
    id: string
    /** The address, or what stands for it if it is sealed. */
    url: string
    sealed_url: Buffer | null
    enabled_events: string[]
    secret: Buffer
    former_secret: Buffer | null
    former_secret_until: Date | null
    description: string | null
    status: string
    /** As in its `receiver_health`. */
    failing_since: Date | null
    url_since: Date
    secret_since: Date
    conditions: unknown
    /** Names and values, sealed. */
    headers: Buffer | null
    headers_since: Date | null
    /** While its circuit is open. */
    circuit_opened_at: Date | null
    probe_at: Date | null
    probes: number
    created_at: Date
    updated_at: Date
  }
  notifications: {
    shop_id: string
    id: string
    source: string
    ref: string
    event_name: string
    event_group: string
    shipment_id: string | null
    order_id: string | null
    body: string
    triggered_at: Date
    /** The automations whose actions led here, first one first. */
    caused_by: Generated<string[]>
  }
  deliveries: {
    shop_id: string
    id: string
    notification_id: string
    target: string
    shipment_id: string | null
    event_name: string
    event_group: string
    status: string
    attempts: Generated<number>
    attempts_before: Generated<number>
    next_attempt_at: Date
    /** Its sender said that it may not leave before. */
    postponed_until: Generated<Date | null>
    /** When it is due for newer nodes; for older ones it is postponed for good. Null: for every node alike. */
    reserved_due_at: Generated<Date | null>
    created_at: Date
    finished_at: Date | null
    attempt_log: Generated<unknown>
    is_erased: Generated<boolean>
  }
  receiver_leases: {
    shop_id: string
    target: string
    worker: string
    leased_until: Date
  }
  receiver_health: {
    shop_id: string
    target: string
    last_success_at: Date | null
    failing_since: Date | null
    consecutive_failures: number
    last_failure_at: Date | null
    last_failure_reason: string | null
    last_failure_status: number | null
    last_failure_delivery: string | null
  }
  receiver_hours: {
    shop_id: string
    target: string
    hour: Date
    delivered: number
    failed: number
    dead: number
  }
  internal_trigger_firings: {
    shop_id: string
    trigger_id: string
    shipment_id: string
    fired_at: Date
  }
  segment_fetches: {
    shop_id: string
    order_id: string
    integration: string
    attempts: Generated<number>
    due_at: Date
  }
  job_runs: {
    name: string
    started_at: Date
    every_ms: number | null
    finished_at: Date | null
    failed_at: Date | null
    failure: string | null
  }
  notified_groups: {
    shop_id: string
    /** Or a UUID derived from its number, if the integration identifies shipments by that. */
    shipment_id: string
    integration: string
    event_group: string
    notification_id: string
  }
}
