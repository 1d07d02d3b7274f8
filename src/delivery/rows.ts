import type { Generated } from 'kysely'

declare module '../platform/foundation/tables.ts' {
  interface Tables {
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
      /** Its sender postponed it until then. */
      postponed_until: Generated<Date | null>
      /** Due time for newer nodes; for older ones it is postponed for good. Null: every node may send it. */
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
    notified_groups: {
      shop_id: string
      /** Or a UUID derived from its number, if the integration identifies shipments by that. */
      shipment_id: string
      integration: string
      event_group: string
      notification_id: string
    }
  }
}
