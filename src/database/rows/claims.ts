export interface ClaimTables {
  claims: {
    shop_id: string
    id: string
    order_id: string
    shipment_id: string
    reason: string
    resolution_preference: string | null
    status: string
    description: string | null
    /** The claim as it is shown, except for what has its own column. */
    details: unknown
    created_at: Date
    updated_at: Date
    deleted_at: Date | null
  }
}
