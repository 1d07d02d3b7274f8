import { imageExpiryInResponse } from '../claims/claims/images.ts'
import { toClaim } from '../claims/claims/present.ts'
import type { StoredClaim } from '../claims/claims/store.ts'
import { toAttempts } from '../delivery/log/present.ts'
import type { StoredPageViews } from '../figures/page-views/store.ts'
import { toOrder } from '../orders/orders/present.ts'
import type { StoredOrder } from '../orders/orders/store.ts'
import type { ShopContext } from '../platform/foundation/context.ts'
import type { StoredNote, StoredNotification, StoredShopSystemOrder } from './export-store.ts'
import {
  type CampaignView,
  type ExportedNotification,
  type ExportedOrder,
  type ExportedShopSystemOrder,
  maxNotifications,
} from './schema.ts'
import type { StoredView } from './view-store.ts'

interface StoredCustomerOrder {
  order: StoredOrder
  claims: StoredClaim[]
  notes: StoredNote[]
  notifications: StoredNotification[]
  views: StoredView[]
  pageViews: StoredPageViews[]
  shopSystemOrders: StoredShopSystemOrder[]
}

export function toExportedOrder(
  context: ShopContext,
  { order, claims, notes, notifications, views, pageViews, shopSystemOrders }: StoredCustomerOrder,
): ExportedOrder {
  const viewer = { services: context.services, shop: context.shop, imagesUntil: imageExpiryInResponse(context.now) }
  return {
    order: toOrder(context, order),
    claims: claims.map((claim) => toClaim(viewer, claim)),
    notes: notes.map(({ shipment_id, text, author, created_at }) => ({
      shipment_id,
      text,
      author,
      created_at: created_at.toISOString(),
    })),
    notifications: notifications.slice(0, maxNotifications).map(toExportedNotification),
    has_more_notifications: notifications.length > maxNotifications,
    campaign_views: views.map(toExportedView),
    page_views: pageViews.map(({ first_viewed_at, last_viewed_at, views }) => ({
      first_viewed_at: first_viewed_at.toISOString(),
      last_viewed_at: last_viewed_at.toISOString(),
      views,
    })),
    shop_systems: shopSystemOrders.map(toExportedShopSystemOrder),
  }
}

function toExportedNotification(notification: StoredNotification): ExportedNotification {
  return {
    uuid: notification.id,
    ref: notification.ref,
    event_group: notification.event_group,
    triggered_at: notification.triggered_at.toISOString(),
    payload: JSON.parse(notification.body) as Record<string, unknown>, // written by this service
    deliveries: notification.deliveries.map(({ id, target, ...delivery }) => ({
      uuid: id,
      receiver: target,
      status: delivery.status as ExportedNotification['deliveries'][number]['status'], // only these are ever stored
      created_at: toIso(delivery.created_at),
      finished_at: delivery.finished_at === null ? null : toIso(delivery.finished_at),
      attempts: toAttempts(delivery.attempts),
    })),
    automation_runs: notification.runs.map(({ id, name, ...run }) => ({
      uuid: id,
      automation_id: run.automation_id,
      automation_name: name,
      status: run.status,
      triggered_at: toIso(run.triggered_at),
      finished_at: run.finished_at === null ? null : toIso(run.finished_at),
    })),
  }
}

/** For a customer in a holdout group, the subject of the view is the test itself. */
function toExportedView(view: StoredView): CampaignView {
  return {
    action: view.action as CampaignView['action'], // only these are ever stored
    campaign_id: view.subject_id === view.test_id ? null : view.subject_id,
    ab_test_id: view.test_id,
    day: view.day,
    recorded_at: view.recorded_at.toISOString(),
  }
}

function toExportedShopSystemOrder(order: StoredShopSystemOrder): ExportedShopSystemOrder {
  return {
    system: order.system as ExportedShopSystemOrder['system'], // only these are ever stored
    external_id: order.external_id,
    changed_at: order.changed_at?.toISOString() ?? null,
    cancelled_at: order.cancelled_at?.toISOString() ?? null,
    deleted_at: order.deleted_at?.toISOString() ?? null,
    fulfilments: order.fulfilments,
  }
}

function toIso(text: string): string {
  return new Date(text).toISOString()
}
