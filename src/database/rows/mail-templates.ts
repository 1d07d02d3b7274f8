export interface MailTemplateTables {
  /** What merchants changed in the messages to their customers. */
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
}
