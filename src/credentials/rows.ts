import type { Generated } from 'kysely'

declare module '../platform/foundation/tables.ts' {
  interface Tables {
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
      /** The credentials as the listing shows them. */
      masked: unknown
      updated_at: Date
      /** The host they were given for, if the shop sets the system's address; null: not known yet. */
      host: Generated<string | null>
      /** The provider's former secret, accepted until then; sealed. */
      former_webhook_secret: Generated<Buffer | null>
      former_webhook_until: Generated<Date | null>
      /** The version of the messages that the provider sent last, if it states one. */
      webhook_version: Generated<string | null>
    }
    provider_accounts: {
      shop_id: string
      provider: string
      next_free_at: Date
      gap_until: Date | null
      paused_until: Date | null
      failures: Generated<number>
      last_success_at: Date | null
      last_failure_at: Date | null
      /** 0: there was no response. */
      last_failure_status: number | null
      last_failure_detail: string | null
      failing_since: Date | null
    }
    provider_hours: {
      shop_id: string
      provider: string
      hour: Date
      requests: number
      failures: number
    }
  }
}
