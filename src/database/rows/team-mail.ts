import type { ColumnType, Generated } from 'kysely'

export interface TeamMailTables {
  /** Messages to the merchant's own people that wait to be sent. */
  team_mails: {
    id: string
    shop_id: string | null
    person_id: string | null
    kind: string
    /** See `resources/team-mail/outbox.ts`. */
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
  /** What the team was alerted about and has not recovered. */
  team_incidents: {
    shop_id: string
    type: string
    target: string
    failing_since: Date
    alerted_at: Date
  }
}
