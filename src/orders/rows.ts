import type { Generated } from 'kysely'

declare module '../platform/foundation/tables.ts' {
  interface Tables {
    /** One row for each variant. */
    products: {
      shop_id: string
      product_id: string
      variant_id: string
      title: string
      variant_title: string | null
      price: number | null
      sku: string | null
      product_url: string | null
      image_url: string | null
      category: string | null
      withdrawal_exempt: boolean
      translations: unknown
      created_at: Date
      updated_at: Date
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
      /** Reason why it ended before the end of its file. */
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
    moved_page_links: {
      shop_id: string
      order_id: string
      proof_hash: Buffer
      nonce: string | null
    }
    orders: {
      shop_id: string
      id: string
      order_number: string
      external_id: string
      order_name: string | null
      email_id: string | null
      zip_code: string | null
      order_placed_at: Date
      expected_number_of_shipments: number
      nothing_to_send: Generated<boolean>
      handed_over_without_tracking: Generated<boolean>
      /** The order as it is shown, except for what has its own column. */
      details: unknown
      order_analytics: unknown
      created_at: Date
      updated_at: Date
      /** The time at which the customer's data in it were erased. */
      erased_at: Generated<Date | null>
      /** The address of its page is derived from it; null: the derivation from before addresses could be revoked. */
      page_nonce: Generated<string | null>
      /** The customer's name as it is searched by, and with the last word first. */
      name_key: Generated<string | null>
      reversed_name_key: Generated<string | null>
    }
    shipments: {
      shop_id: string
      id: string
      order_id: string
      tracking_number: string | null
      is_draft: Generated<boolean>
      carrier_reference: string | null
      is_carrier_given: Generated<boolean>
      tracking_company: string | null
      /** The carrier's product, or else the order's shipping method. */
      service: Generated<string | null>
      tracking_url: string | null
      external_shipment_id: string | null
      direction: string
      phase: string
      flag: string
      current_event_key: string
      current_event_at: Date
      latest_event_at: Date
      is_scanned: Generated<boolean>
      is_cancelled: Generated<boolean>
      products: unknown
      expected_delivery: unknown
      predicted_from: Date | null
      predicted_to: Date | null
      origin_country: string | null
      destination_country: string | null
      pickup: unknown
      /** Proof of its latest delivery: who received the parcel, when and where. */
      proof_of_delivery: Generated<unknown>
      placed_at: Date
      in_transit_at: Date | null
      delivered_at: Date | null
      /** Scans up to this time are recorded without notifications. */
      quiet_until: Generated<Date | null>
      created_at: Date
      updated_at: Date
    }
    shipment_events: {
      shop_id: string
      shipment_id: string
      event_time: Date
      event_key: string
      id: string
      timezone: string | null
      location: unknown
      additional_info: unknown
      external_id: string | null
      source: string
      is_notified: boolean
      recorded_at: Date
    }
    /** The delivery that the customer of an order was promised, and its outcome. Days are YYYY-MM-DD. */
    order_promises: {
      shop_id: string
      order_id: string
      source: string
      earliest: string | null
      likeliest: string | null
      latest: string
      method: string | null
      carrier_reference: string | null
      service: string | null
      destination_country: string | null
      percentile: number | null
      share_by_latest: number | null
      sample_size: number | null
      basis: string | null
      promised_at: Date
      due_at: Date
      state: string
      chance: number | null
      delivered_on: string | null
      decided_at: Date | null
      check_at: Date | null
    }
    at_risk_parcels: {
      shop_id: string
      shipment_id: string
      since: Date
      promised: string | null
      chance: number
    }
    internal_triggers: {
      shop_id: string
      id: string
      integration: string
      name: string
      phase_in: string[]
      phase_not_in: string[]
      event_key_in: string[]
      event_key_not_in: string[]
      operator: string
      time_threshold_type: string
      time_threshold_value: number
      shipment_direction: string
      created_at: Date
      evaluated_until: Generated<Date | null>
      existing_before: Generated<Date | null>
      existing_before_id: Generated<string | null>
    }
    parcel_enrolments: {
      shop_id: string
      requested_at: Date
      due_at: Date
      walked_until: Date
      walked_id: string
      is_last_walk: boolean
    }
  }
}
