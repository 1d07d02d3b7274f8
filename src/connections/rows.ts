import type { Generated } from 'kysely'

declare module '../platform/foundation/tables.ts' {
  interface Tables {
    /** The times of a shop system's last ping and last message; a message is written at most once per minute. */
    shop_system_activity: {
      shop_id: string
      system: string
      last_ping_at: Date | null
      last_received_at: Date | null
    }
    /** The last live check of a connection. */
    connection_checks: {
      shop_id: string
      name: string
      result: string
      /** The reason, if it is the address. */
      reason: string | null
      http_status: number | null
      facts: unknown
      missing_permissions: string[]
      checked_at: Date
    }
    /** The webhooks of a shop system, as the system itself lists them. */
    connection_webhooks: {
      shop_id: string
      system: string
      /** Topics whose webhooks send, are switched off, or do not exist; null before they were first read. */
      sending: string[] | null
      disabled: string[] | null
      missing: string[] | null
      /** The reason why they could not be read or repaired the last time. */
      problem: string | null
      /** They were created from here. */
      is_managed: Generated<boolean>
      /** The next run creates what is missing, and gives all of them the current secret. */
      is_wanted: Generated<boolean>
      checked_at: Date | null
      failures: Generated<number>
      due_at: Date
      leased_until: Date | null
    }
    /** A person has begun to connect a WooCommerce store, which is to send a key. */
    woocommerce_grants: {
      shop_id: string
      actor_kind: string
      actor_id: string
      actor_name: string | null
      state_hash: Buffer
      store_url: string
      begun_at: Date
      expires_at: Date
      used_at: Date | null
      /** The reason why the store's key was not stored. */
      problem: string | null
    }
    backfills: {
      shop_id: string
      id: string
      system: string
      days: number
      status: string
      since: Date
      until: Date
      position: unknown
      total: number | null
      read_count: Generated<number>
      created_count: Generated<number>
      updated_count: Generated<number>
      unchanged_count: Generated<number>
      skipped_count: Generated<number>
      failed_count: Generated<number>
      problem_count: Generated<number>
      waiting_until: Date | null
      waiting_reason: string | null
      error_key: string | null
      error_message: string | null
      failures: Generated<number>
      /** Null: nothing remains to be done. */
      due_at: Date | null
      claim: Generated<number>
      attempts: Generated<number>
      created_at: Date
      started_at: Date | null
      finished_at: Date | null
      updated_at: Date
    }
    backfill_problems: {
      shop_id: string
      backfill_id: string
      number: number
      order_reference: string
      error_key: string
      message: string
    }
    /** Reading recent orders again, of a connected shop system. */
    shop_system_catch_ups: {
      shop_id: string
      system: string
      began_at: Date
      credentials_at: Date
      /** Null before the end of the first run. */
      caught_up_until: Date | null
      caught_up_at: Date | null
      run: unknown
      open_position: unknown
      read_count: Generated<number>
      created_count: Generated<number>
      updated_count: Generated<number>
      failed_count: Generated<number>
      order_problems: Generated<unknown>
      missed_at: Date | null
      missed_count: Generated<number>
      problem_key: string | null
      problem_message: string | null
      failures: Generated<number>
      due_at: Date
      is_running: Generated<boolean>
      claim: Generated<number>
      attempts: Generated<number>
    }
    /** The state of each order, as a shop system has reported it. */
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
    woocommerce_fetches: Tables['shopware_fetches']
    woocommerce_fetch_queues: Tables['shopware_fetch_queues']
  }
}
