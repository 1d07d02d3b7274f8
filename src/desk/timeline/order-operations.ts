import { toRun } from '../../automations/present.ts'
import { findDeliveryStatuses, findRunsAbout, type StoredRun } from '../../automations/run-store.ts'
import { toDelivery } from '../../delivery/log/present.ts'
import type { Delivery } from '../../delivery/log/schema.ts'
import { deliveriesAbout, type Subject } from '../../delivery/log/store.ts'
import { findPageViews, type StoredPageViews } from '../../figures/page-views/store.ts'
import { languageFor } from '../../orders/shipments/present.ts'
import { finalEvents, findMeaning, getMeaning, groupOf, isReturn } from '../../platform/catalogue/catalogue.ts'
import { eventStrings } from '../../platform/catalogue/texts/translate.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { ApiError } from '../../platform/foundation/errors.ts'
import { operation } from '../../platform/foundation/operation.ts'
import { isCausedBy, reasonOf, toPageViews } from './rules.ts'
import { OrderTimeline, type TimelineEntry } from './schema.ts'
import {
  findClaimsOfOrder,
  findEventsOfOrder,
  findPlacedAt,
  findTimelineNotifications,
  type OrderClaim,
  type OrderEvent,
} from './store.ts'

export const getOrderTimeline = operation({
  name: 'getOrderTimeline',
  summary: 'Get the timeline of an order',
  description:
    'One story of the order and all its parcels: what carriers reported, which automations matched, what was sent to whom and whether it arrived, when the customer looked at the tracking page, and claims. `caused_by` links each entry to the one that led to it.',
  area: 'Orders',
  route: 'GET /v1/shops/{slug}/orders/{order_id}/timeline',
  needs: 'viewer',
  reply: OrderTimeline,
  errors: ['order_not_found'],
  async handle(context, { path }) {
    const subject: Subject = { column: 'order_id', id: path.order_id }
    const placedAt = await findPlacedAt(context, subject.id)
    if (placedAt === undefined) {
      throw new ApiError('order_not_found', `There is no order ${path.order_id} in this shop.`)
    }
    const events = await findEventsOfOrder(context, subject.id)
    const notifications = await findTimelineNotifications(context, subject)
    const causes = new Map(
      notifications.map((notification) => [
        notification.id,
        events.find((event) => event.shipment_id === notification.shipment_id && isCausedBy(notification, event))?.id,
      ]),
    )
    const deliveries = await deliveriesAbout(context, subject)
    const published = new Set(deliveries.map(({ notification_id }) => causes.get(notification_id)))
    const runs = await findRunsAbout(context, subject)
    const statuses = await findDeliveryStatuses(context, runs)
    const directions = new Map(events.map(({ shipment_id, direction }) => [shipment_id, direction]))
    const entries = [
      { ...blank, id: subject.id, kind: 'order_placed' as const, at: placedAt.toISOString() },
      ...events.map((event) => ofEvent(context, event, published.has(event.id))),
      ...deliveries.map((delivery) =>
        ofDelivery(
          context,
          toDelivery(context, delivery),
          causes.get(delivery.notification_id),
          directions.get(delivery.shipment_id ?? ''),
        ),
      ),
      ...runs.map((run) => ofRun(context, run, statuses, causes.get(run.notification_id))),
      ...(await findPageViews(context, [subject.id])).map(ofViews),
      ...(await findClaimsOfOrder(context, subject.id)).map(ofClaim),
    ]
    return { order_id: subject.id, entries: entries.sort(byTime) }
  },
})

const blank: Omit<TimelineEntry, 'id' | 'kind' | 'at'> = {
  shipment_id: null,
  caused_by: null,
  event: null,
  message: null,
  rule: null,
  page_views: null,
  claim: null,
}

/** Of the same moment: the order, then what happened, then what followed from it. */
const ranks: Record<TimelineEntry['kind'], number> = {
  order_placed: 0,
  event: 1,
  claim: 2,
  rule: 3,
  message: 4,
  page_view: 5,
}

function byTime(left: TimelineEntry, right: TimelineEntry): number {
  if (left.at !== right.at) return left.at < right.at ? -1 : 1
  return (
    ranks[left.kind] - ranks[right.kind] ||
    Number(endsJourney(left)) - Number(endsJourney(right)) ||
    (left.id < right.id ? -1 : 1)
  )
}

function endsJourney({ event }: TimelineEntry): boolean {
  return event !== null && finalEvents.includes(event.event_key)
}

function ofEvent(context: ShopContext, event: OrderEvent, hasReceiver: boolean): TimelineEntry {
  const meaning = getMeaning(event.event_key)
  return {
    ...blank,
    id: event.id,
    kind: 'event',
    at: event.event_time.toISOString(),
    shipment_id: event.shipment_id,
    event: {
      event_key: event.event_key,
      phase: meaning.phase,
      label: labelOf(context, event.event_key, event.direction),
      location: placeOf(event.location),
      source: event.source,
      recorded_at: event.recorded_at.toISOString(),
      reason: reasonOf(event, groupOf(meaning, event.direction), hasReceiver),
    },
  }
}

function ofDelivery(
  context: ShopContext,
  delivery: Delivery,
  cause: string | undefined,
  direction = 'merchant_customer',
): TimelineEntry {
  const last = delivery.attempts.at(-1)
  const hasFailed = delivery.status !== 'delivered' && delivery.status !== 'skipped' && last !== undefined
  return {
    ...blank,
    id: delivery.uuid,
    kind: 'message',
    at: delivery.created_at,
    shipment_id: delivery.shipment_id,
    caused_by: cause ?? null,
    message: {
      delivery_id: delivery.uuid,
      integration: delivery.integration,
      webhook_id: delivery.webhook_id,
      url: delivery.url,
      event_group: delivery.event_group,
      event_name: delivery.event_name,
      label: findMeaning(delivery.event_name) ? labelOf(context, delivery.event_name, direction) : null,
      status: delivery.status,
      attempt_count: delivery.attempt_count,
      next_attempt_at: delivery.next_attempt_at,
      finished_at: delivery.finished_at,
      failure: hasFailed ? { stage: last.stage, status_code: last.status_code, error: last.error } : null,
    },
  }
}

function ofRun(
  context: ShopContext,
  stored: StoredRun,
  statuses: ReadonlyMap<string, string>,
  cause: string | undefined,
): TimelineEntry {
  const run = toRun(context, stored, statuses)
  return {
    ...blank,
    id: run.uuid,
    kind: 'rule',
    at: run.triggered_at,
    shipment_id: run.shipment_id,
    caused_by: cause ?? null,
    rule: {
      automation_id: run.automation_id,
      name: stored.automation_name,
      status: run.status,
      reason: run.reason,
      due_at: run.due_at,
    },
  }
}

function ofViews(views: StoredPageViews): TimelineEntry {
  const shown = toPageViews(views)
  return {
    ...blank,
    id: `views ${views.hour.toISOString()}`,
    kind: 'page_view',
    at: shown.first_viewed_at,
    page_views: shown,
  }
}

function ofClaim(claim: OrderClaim): TimelineEntry {
  return {
    ...blank,
    id: claim.id,
    kind: 'claim',
    at: claim.created_at.toISOString(),
    shipment_id: claim.shipment_id,
    claim: {
      uuid: claim.id,
      kind: claim.kind,
      reason: claim.reason,
      status: claim.status,
      updated_at: claim.updated_at.toISOString(),
    },
  }
}

function labelOf(context: ShopContext, eventKey: string, direction: string): string {
  const options = { isReturn: isReturn(direction), shopName: context.shop.name }
  return eventStrings(languageFor(context), eventKey, options).list_label
}

/** "Berlin, DE" */
function placeOf(location: Record<string, unknown> | null): string | null {
  const parts = [location?.city ?? location?.name, location?.country_code ?? location?.country]
  return parts.filter((part) => typeof part === 'string' && part !== '').join(', ') || null
}
