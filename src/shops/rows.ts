import type { ColumnType, Generated } from 'kysely'
import type { Language } from '../platform/foundation/languages.ts'

export interface ShopDescription {
  language: Language
  text: string
}

declare module '../platform/foundation/tables.ts' {
  interface Tables {
    audit_log: {
      id: string
      /** Null: the change concerns the installation. */
      shop_id: string | null
      recorded_at: Date
      actor_kind: 'key' | 'person' | 'automation' | 'system'
      actor_id: string | null
      actor_name: string | null
      /** The operation's name. */
      action: string
      area: string
      subject_kind: string
      subject_id: string | null
      subject_name: string | null
      /** Of the type `Changes`. */
      changes: unknown
    }
    /** Counts the changes of everything that decides which offers a shop's customers see. */
    offer_versions: {
      shop_id: string
      version: number
    }
    saved_views: {
      shop_id: string
      /** The key or person that it belongs to; empty: all of the shop. */
      owner: string
      screen: string
      name: string
      query: string
      author: string
      created_at: Date
      updated_at: Date
    }
    images: {
      shop_id: string
      key: string
      image_type: string
      media_type: string
      size_bytes: number
      width: number
      height: number
      created_at: Date
      /** The time it is removed, unless it is used before; null: never. */
      expires_at: Date | null
      /** The order of the claim form that it was uploaded with. */
      order_id: string | null
    }
    shop_settings: {
      shop_id: string
      shipment_updates: Generated<boolean>
      product_recommendations_enabled: Generated<boolean | null>
      brand_palette: Generated<unknown>
      mappings: Generated<unknown>
      carriers: Generated<unknown>
      shop_systems: Generated<unknown>
      /** Only what differs from the defaults. */
      exceptions: Generated<unknown>
      /** Empty until it is set. */
      calendar: Generated<unknown>
      delivery_target: Generated<unknown>
      /** Only what differs from the defaults. */
      withdrawal: Generated<unknown>
      /** Empty until it is set. */
      delivery_promises: Generated<unknown>
      /** The public key and the domains of the shop's own site. */
      embedding: Generated<unknown>
      checklist_dismissed_at: Generated<Date | null>
      /** The secret that shop systems sign their webhooks with; sealed. */
      inbound_secret: Buffer | null
      /** The one before the last rotation, and until when it is accepted. */
      former_inbound_secret: Generated<Buffer | null>
      former_inbound_until: Generated<Date | null>
    }
    trigger_settings: {
      shop_id: string
      integration: string
      status: boolean
      trigger_delivered_all_events: boolean
      stale_event_threshold: number
      segments_enabled: boolean
      extra: Generated<unknown>
    }
    shops: {
      id: string
      slug: string
      name: string
      /** The newest first; written as JSON. */
      descriptions: ColumnType<ShopDescription[], string, string>
      organization: string | null
      language: Language
      contact_email: string | null
      contact_phone: string | null
      industry: string | null
      shop_provider: string | null
      shop_admin_url: string | null
      shop_faq_url: string | null
      shop_service_url: string | null
      shop_url: string | null
      logo_url: string | null
      currency: string
      system_currency: string | null
      created_at: Date
      updated_at: Date
      deleted_at: Date | null
      /** While it is set, nothing is written or sent for the shop. */
      paused_at: ColumnType<Date | null, Date | null | undefined, Date | null>
      /** operator, export, move or copy */
      paused_for: ColumnType<string | null, string | null | undefined, string | null>
    }
  }
}
