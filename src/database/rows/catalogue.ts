export interface CatalogueTables {
  discounts: {
    shop_id: string
    id: string
    code: string | null
    target_selection: string | null
    target_type: string | null
    title: string | null
    value_type: string | null
    value: number | null
    type: string
    created_at: Date
    updated_at: Date
  }
  deals: {
    shop_id: string
    id: string
    discount_id: string
    /** 1 to the number of the shop's deals, without gaps. */
    rank: number
    brand_image_url: string | null
    brand_logo_url: string | null
    cta_url: string | null
    title: string | null
    description: string | null
    translations: unknown
    created_at: Date
    updated_at: Date
  }
  announcements: {
    shop_id: string
    id: string
    language: string
    text: string
    created_at: Date
    updated_at: Date
  }
  /** One row for each variant. */
  products: {
    shop_id: string
    product_id: string
    variant_id: string
    title: string
    variant_title: string | null
    price: number | null
    sku: string | null
    product_url: string | null
    image_url: string | null
    category: string | null
    withdrawal_exempt: boolean
    translations: unknown
    created_at: Date
    updated_at: Date
  }
}
