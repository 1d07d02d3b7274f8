import type { GeneratedAlways } from 'kysely'

declare module '../platform/foundation/tables.ts' {
  interface Tables {
    event_feeds: {
      shop_id: string
      id: string
      is_on: boolean
      last_position: number
      expired_position: number
      read_at: Date
    }
    feed_arrivals: {
      shop_id: string
      number: GeneratedAlways<number>
      notification_id: string
      ref: string
      triggered_at: Date
    }
    feed_entries: {
      shop_id: string
      position: number
      notification_id: string
      ref: string
      triggered_at: Date
    }
    webhook_endpoints: {
      shop_id: string
      id: string
      /** The address, or what stands for it if it is sealed. */
      url: string
      sealed_url: Buffer | null
      enabled_events: string[]
      secret: Buffer
      former_secret: Buffer | null
      former_secret_until: Date | null
      description: string | null
      status: string
      /** As in its `receiver_health`. */
      failing_since: Date | null
      url_since: Date
      secret_since: Date
      conditions: unknown
      /** Names and values, sealed. */
      headers: Buffer | null
      headers_since: Date | null
      /** While its circuit is open. */
      circuit_opened_at: Date | null
      probe_at: Date | null
      probes: number
      created_at: Date
      updated_at: Date
    }
  }
}
