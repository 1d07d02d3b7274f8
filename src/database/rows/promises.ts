export interface PromiseTables {
  /** The delivery that the customer of an order was promised, and what became of it. Days are YYYY-MM-DD. */
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
}
