import type { ColumnType, Generated } from 'kysely'

declare module '../platform/foundation/tables.ts' {
  interface Tables {
    mail_messages: {
      shop_id: string
      delivery_id: string
      order_id: string
      shipment_id: string | null
      is_about_parcels: boolean
      message_id: Generated<string | null>
      started_at: Date
      sent_at: Generated<Date | null>
    }
    mail_figures: {
      shop_id: string
      day: Date
      event_group: string
      kind: string
      count: number
    }
    mail_recipients: {
      shop_id: string
      id: string
      digest: Buffer
      masked: string | null
      suppressed_reason: string | null
      suppressed_at: Date | null
      detail: string | null
      opted_out_at: Date | null
      rejected_on: Date | null
      created_at: Date
    }
    /** Merchants' changes of the messages to their customers. */
    mail_templates: {
      shop_id: string
      event_group: string
      language: string
      subject: string | null
      preheader: string | null
      heading: string | null
      introduction: string | null
      footer: string | null
      blocks: string[] | null
      updated_at: Date
    }
    /** Messages to the merchant's own people that wait to be sent. */
    team_mails: {
      id: string
      shop_id: string | null
      person_id: string | null
      kind: string
      /** See `messages/team-mail/outbox.ts`. */
      sealed: Buffer
      created_at: Date
      due_at: Date
      is_claimed: Generated<boolean>
      claim: Generated<number>
      failures: Generated<number>
    }
    team_mail_subscriptions: {
      shop_id: string
      person_id: string
      digest: string
      alerts: boolean
      language: string | null
    }
    team_mail_settings: {
      shop_id: string
      time_zone: string | null
      /** Written as JSON. */
      addresses: ColumnType<unknown, string | undefined, string>
      next_digest_at: Date | null
      /** A date, as text. */
      last_digest_on: string | null
    }
    /** Failures that the team was alerted about and that have not recovered. */
    team_incidents: {
      shop_id: string
      type: string
      target: string
      failing_since: Date
      alerted_at: Date
    }
  }
}
