export interface ShopSystemTables {
  /** What was heard of each order of a shop system. */
  shop_system_orders: {
    shop_id: string
    system: string
    external_id: string
    changed_at: Date | null
    sent_at: Date | null
    cancelled_at: Date | null
    deleted_at: Date | null
    quantity: number | null
    expected_shipments: number
    is_applied: boolean
    fulfilments: unknown
  }
  shop_system_products: {
    shop_id: string
    system: string
    external_id: string
    product_id: string | null
    changed_at: Date | null
    sent_at: Date | null
    deleted_at: Date | null
  }
  shop_system_secrets: {
    shop_id: string
    system: string
    sealed: Buffer
    updated_at: Date
  }
  shopify_registrations: {
    shop_id: string
    id: string
    webhook_type: string
    shopify_id: string
    topic: string
    hook_url: string
    fields: string[]
    created_at: Date
    updated_at: Date
  }
}
