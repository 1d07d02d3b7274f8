import type { GeneratedAlways } from 'kysely'

export interface EventFeedTables {
  event_feeds: {
    shop_id: string
    id: string
    is_on: boolean
    last_position: number
    expired_position: number
    read_at: Date
  }
  feed_arrivals: {
    shop_id: string
    number: GeneratedAlways<number>
    notification_id: string
    ref: string
    triggered_at: Date
  }
  feed_entries: {
    shop_id: string
    position: number
    notification_id: string
    ref: string
    triggered_at: Date
  }
}
