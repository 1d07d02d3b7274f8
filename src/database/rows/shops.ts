import type { ColumnType } from 'kysely'
import type { Language } from '../../foundation/languages.ts'

export interface ShopDescription {
  language: Language
  text: string
}

export interface ShopTables {
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
