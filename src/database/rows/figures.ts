import type { Generated } from 'kysely'

export interface FigureTables {
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
}
