import type { StoredPageViews } from '../../figures/page-views/store.ts'
import { getMeaning, groupOf } from '../../platform/catalogue/catalogue.ts'
import type { Timeline } from './schema.ts'
import type { TimelineEvent, TimelineNotification } from './store.ts'

/** A notification is written in the transaction of its event, at the same instant. */
export function isCausedBy(notification: TimelineNotification, event: TimelineEvent): boolean {
  return (
    notification.event_name === event.event_key &&
    notification.event_group === groupOf(getMeaning(event.event_key), event.direction) &&
    notification.triggered_at.getTime() === event.recorded_at.getTime()
  )
}

export function reasonOf(
  event: TimelineEvent,
  group: string | undefined,
  hasReceiver: boolean,
): Timeline['events'][number]['reason'] {
  if (hasReceiver) return 'told'
  if (!event.is_notified) return 'not asked to notify'
  return group === undefined ? 'no event group' : 'no receiver'
}

export function toPageViews(stored: StoredPageViews): Timeline['page_views'][number] {
  return {
    first_viewed_at: stored.first_viewed_at.toISOString(),
    last_viewed_at: stored.last_viewed_at.toISOString(),
    views: stored.views,
  }
}
