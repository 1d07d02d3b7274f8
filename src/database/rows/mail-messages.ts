import type { Generated } from 'kysely'

export interface MailMessageTables {
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
}
