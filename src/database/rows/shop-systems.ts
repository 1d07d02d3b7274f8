import type { Generated } from 'kysely'

export interface ShopSystemTables {
  /** What a shop system has reported of each order. */
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
    /** The one before, accepted until then. */
    former_sealed: Generated<Buffer | null>
    former_until: Generated<Date | null>
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
  /** The app that a shop's Shopware installs, and the Shopware that did. */
  shopware_apps: {
    shop_id: string
    name: string
    app_secret: Buffer
    created_at: Date
    shopware_id: string | null
    shop_url: string | null
    shopware_version: string | null
    connection: Buffer | null
    connected_at: Date | null
    previous_secret: Buffer | null
    previous_until: Date | null
    pending_shopware_id: string | null
    pending_shop_url: string | null
    pending_secret: Buffer | null
    pending_until: Date | null
    registered_at: Date | null
  }
  shopware_fetches: {
    shop_id: string
    order_id: string
    requests: Generated<number>
    is_deleted: Generated<boolean>
    due_at: Date
    attempts: Generated<number>
  }
  shopware_fetch_queues: {
    shop_id: string
    fetch_at: Date | null
    blocked_until: Date
    failures: Generated<number>
    last_error: string | null
    fetched_at: Date | null
  }
  woocommerce_fetches: ShopSystemTables['shopware_fetches']
  woocommerce_fetch_queues: ShopSystemTables['shopware_fetch_queues']
}
