import type { Generated } from 'kysely'

declare module '../platform/foundation/tables.ts' {
  interface Tables {
    daily_figures: {
      shop_id: string
      day: string
      figures: unknown
      delivery_times: Generated<unknown>
      size: number
      is_open: boolean
      counted_at: Date
    }
    changed_days: {
      shop_id: string
      day: string
      id: Generated<string>
    }
    figures_progress: {
      is_only: Generated<boolean>
      marked_until: Date
    }
    page_views: {
      shop_id: string
      order_id: string
      hour: Date
      views: number
      first_viewed_at: Date
      last_viewed_at: Date
    }
  }
}
