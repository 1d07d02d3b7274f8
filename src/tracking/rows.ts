import type { Generated } from 'kysely'

declare module '../platform/foundation/tables.ts' {
  interface Tables {
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
    tracked_parcels: {
      shop_id: string
      shipment_id: string
      carrier_reference: string
      tracking_number: string
      bare_number: Generated<string>
      fulfilled_at: Date
      /** For a leased parcel, the end of the lease. */
      next_poll_at: Date
      polls: Generated<number>
      failures: Generated<number>
      registered_with: string | null
      registered_at: Date | null
      is_pushed: Generated<boolean>
      last_polled_at: Date | null
      ended_at: Date | null
      finished_at: Date | null
    }
    unmapped_codes: {
      shop_id: string
      provider: string
      code: string
      text: string | null
      scans: number
      /** Null: mapped before it was seen. */
      first_seen_at: Date | null
      last_seen_at: Date
      event_name: string | null
      is_mapped: Generated<boolean>
    }
    unmapped_scans: {
      shop_id: string
      provider: string
      code: string
      shipment_id: string
      event_time: Date
      event_key: string
      is_recorded: boolean
    }
    code_replays: {
      shop_id: string
      provider: string
      code: string
      event_name: string
      requested_at: Date
      replayed_shipment: string
      replayed_time: Date
    }
  }
}
