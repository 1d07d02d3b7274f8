import { toRun } from '../../automations/present.ts'
import { findDeliveryStatuses, findRunsAbout } from '../../automations/run-store.ts'
import { toDelivery } from '../../delivery/log/present.ts'
import type { Delivery } from '../../delivery/log/schema.ts'
import { deliveriesAbout } from '../../delivery/log/store.ts'
import { findPageViews } from '../../figures/page-views/store.ts'
import { getMeaning, groupOf } from '../../platform/catalogue/catalogue.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { ApiError } from '../../platform/foundation/errors.ts'
import { operation } from '../../platform/foundation/operation.ts'
import { isCausedBy, reasonOf, toPageViews } from './rules.ts'
import { Timeline } from './schema.ts'
import {
  findTimelineNotifications,
  findTimelineOfShipment,
  type TimelineEvent,
  type TimelineNotification,
} from './store.ts'

type TimelineRun = Timeline['others'][number]['automations'][number]

export const getShipmentTimeline = operation({
  name: 'getShipmentTimeline',
  summary: 'Get the timeline of a shipment',
  description:
    'Returns each event with the reason why it was or was not published, the notifications it caused, their deliveries with every attempt, the automations that matched, and when the tracking page was viewed.',
  area: 'Shipments',
  route: 'GET /v1/shops/{slug}/shipments/{shipment_id}/timeline',
  needs: 'viewer',
  reply: Timeline,
  errors: ['shipment_not_found'],
  async handle(context, { path }) {
    const shipment = await findTimelineOfShipment(context, path.shipment_id)
    if (shipment === undefined) {
      throw new ApiError('shipment_not_found', `There is no shipment ${path.shipment_id} in this shop.`)
    }
    const notifications = await findTimelineNotifications(context, { column: 'shipment_id', id: path.shipment_id })
    const deliveries = new Map<string, Delivery[]>()
    for (const delivery of await deliveriesAbout(context, { column: 'shipment_id', id: path.shipment_id })) {
      const earlier = deliveries.get(delivery.notification_id) ?? []
      deliveries.set(delivery.notification_id, [...earlier, toDelivery(context, delivery)])
    }
    const runs = await runsByNotification(context, path.shipment_id)
    const present = (notification: TimelineNotification) => ({
      uuid: notification.id,
      ref: notification.ref,
      event_group: notification.event_group,
      triggered_at: notification.triggered_at.toISOString(),
      deliveries: deliveries.get(notification.id) ?? [],
      automations: runs.get(notification.id) ?? [],
    })
    const caused = new Set<TimelineNotification>()
    const entries = shipment.events.map((event) => {
      const causedByEvent = notifications.filter((notification) => isCausedBy(notification, event))
      for (const notification of causedByEvent) caused.add(notification)
      // A notification without deliveries was stored for automations only.
      const hasReceiver = causedByEvent.some(({ id }) => deliveries.has(id))
      return { ...toEntry(event, hasReceiver), notifications: causedByEvent.map(present) }
    })
    return {
      shipment_id: path.shipment_id,
      events: entries,
      others: notifications.filter((notification) => !caused.has(notification)).map(present),
      page_views: (await findPageViews(context, [shipment.orderId])).map(toPageViews),
    }
  },
})

async function runsByNotification(context: ShopContext, shipmentId: string): Promise<Map<string, TimelineRun[]>> {
  const stored = await findRunsAbout(context, { column: 'shipment_id', id: shipmentId })
  const statuses = await findDeliveryStatuses(context, stored)
  const runs = new Map<string, TimelineRun[]>()
  for (const run of stored) {
    const { uuid, automation_id, status, due_at } = toRun(context, run, statuses)
    const presented = { automation_id, name: run.automation_name, run_id: uuid, status, due_at }
    runs.set(run.notification_id, [...(runs.get(run.notification_id) ?? []), presented])
  }
  return runs
}

function toEntry(event: TimelineEvent, hasReceiver: boolean): Omit<Timeline['events'][number], 'notifications'> {
  const meaning = getMeaning(event.event_key)
  const group = groupOf(meaning, event.direction)
  return {
    event_key: event.event_key,
    phase: meaning.phase,
    event_group: group ?? null,
    time: event.event_time.toISOString(),
    recorded_at: event.recorded_at.toISOString(),
    source: event.source,
    reason: reasonOf(event, group, hasReceiver),
  }
}
