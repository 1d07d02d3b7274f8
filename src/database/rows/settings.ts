import type { Generated } from 'kysely'

export interface SettingsTables {
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
  mail_settings: {
    shop_id: string
    quiet_enabled: boolean
    quiet_from: string
    quiet_to: string
    promotion: boolean
    click_counting: boolean
    footer: string | null
    bounce_domain: string | null
    updated_at: Date
  }
  integration_keys: {
    shop_id: string
    provider: string
    sealed: Buffer
    /** What the masked listing shows. */
    masked: unknown
    updated_at: Date
    /** The host they were given for, if the shop sets the system's address; null: not known yet. */
    host: Generated<string | null>
    /** What the provider signed with before, accepted until then; sealed. */
    former_webhook_secret: Generated<Buffer | null>
    former_webhook_until: Generated<Date | null>
    /** The version of the messages that the provider sent last, if it states one. */
    webhook_version: Generated<string | null>
  }
}
