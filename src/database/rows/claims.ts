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
    /** The claim as it is shown, but for what has a column of its own. */
    details: unknown
    created_at: Date
    updated_at: Date
    deleted_at: Date | null
  }
}
