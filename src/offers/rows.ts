export type {}

declare module '../platform/foundation/tables.ts' {
  interface Tables {
    campaigns: {
      shop_id: string
      id: string
      name: string
      segment: string
      promotion_type: string
      promotion_properties: unknown
      enabled: boolean
      start_date: Date
      end_date: Date | null
      discount_id: string | null
      created_at: Date
      updated_at: Date
      deleted_at: Date | null
    }
    ab_tests: {
      shop_id: string
      id: string
      name: string
      segment: string
      campaign_type: string
      has_holdout: boolean
      holdout_percentage: number | null
      start_date: Date
      end_date: Date | null
      ended_at: Date | null
      created_at: Date
      updated_at: Date
    }
    ab_test_campaigns: {
      shop_id: string
      test_id: string
      campaign_id: string
      position: number
      allocation: number
    }
    ab_test_assignments: {
      shop_id: string
      customer: Buffer
      test_id: string
      /** Null: the customer is in the holdout. */
      campaign_id: string | null
      assigned_at: Date
    }
    campaign_views: {
      shop_id: string
      /** The campaign; of a customer in the holdout, the test. */
      subject_id: string
      action: string
      customer: Buffer
      day: string
      order_id: string
      test_id: string | null
      recorded_at: Date
    }
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
  }
}
