import type { Generated } from 'kysely'

export interface OrderTables {
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
    /** When the customer's data in it were erased. */
    erased_at: Generated<Date | null>
    /** What the address of its page is derived from; null: the derivation from before addresses could be revoked. */
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
    /** Who took the parcel, when and where; of its latest delivery. */
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
  page_views: {
    shop_id: string
    order_id: string
    hour: Date
    views: number
    first_viewed_at: Date
    last_viewed_at: Date
  }
}
