import type { Generated } from 'kysely'

export interface ExceptionTables {
  exceptions: {
    shop_id: string
    shipment_id: string
    order_id: string
    kind: string
    severity: number
    other_kinds: string[]
    since: Date
    /** The newest event that makes it an exception; null if only a date has passed. */
    caused_at: Date | null
    stuck_after_days: number | null
    usual_scan_hours: number | null
    carrier_reference: string | null
    destination_country: string | null
    state: string
    assigned_to: string | null
    snoozed_until: Date | null
    resolved_at: Date | null
    resolved_by: string | null
    dismissed_severity: number | null
    dismissed_caused_at: Date | null
    created_at: Date
    updated_at: Date
  }
  exception_checks: {
    shop_id: string
    shipment_id: string
    check_at: Date
  }
  exception_progress: {
    shop_id: string
    changed_until: Date
    changed_id: string
    walk_before: Date | null
    walk_before_id: string | null
    learnt: Generated<unknown>
    learnt_at: Date | null
  }
  notes: {
    shop_id: string
    id: string
    order_id: string
    shipment_id: string | null
    text: string
    author: string
    author_id: string
    created_at: Date
  }
  saved_views: {
    shop_id: string
    /** The key or person that it belongs to; empty: all of the shop. */
    owner: string
    screen: string
    name: string
    query: string
    author: string
    created_at: Date
    updated_at: Date
  }
}
