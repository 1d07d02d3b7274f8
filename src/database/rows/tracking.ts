import type { Generated } from 'kysely'

export interface TrackingTables {
  tracked_parcels: {
    shop_id: string
    shipment_id: string
    carrier_reference: string
    tracking_number: string
    bare_number: Generated<string>
    fulfilled_at: Date
    /** For a claimed parcel, the end of the lease. */
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
  parcel_enrolments: {
    shop_id: string
    requested_at: Date
    due_at: Date
    walked_until: Date
    walked_id: string
    is_last_walk: boolean
  }
  provider_accounts: {
    shop_id: string
    provider: string
    next_free_at: Date
    gap_until: Date | null
    paused_until: Date | null
    failures: Generated<number>
    last_success_at: Date | null
    last_failure_at: Date | null
    /** 0: there was no response. */
    last_failure_status: number | null
    last_failure_detail: string | null
    failing_since: Date | null
  }
  provider_hours: {
    shop_id: string
    provider: string
    hour: Date
    requests: number
    failures: number
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
