import { toAttempts } from '../../deliveries/log-present.ts'
import type { ShopContext } from '../../foundation/context.ts'
import { toOrder } from '../../journey/orders/present.ts'
import type { StoredOrder } from '../../journey/orders/store.ts'
import { answeredUntil } from '../claims/images.ts'
import { toClaim } from '../claims/present.ts'
import type { StoredClaim } from '../claims/store.ts'
import type { StoredSnapshot, StoredTold } from './export-store.ts'
import { type CampaignView, type ExportedOrder, mostNotifications, type ShopSystemOrder, type Told } from './schema.ts'
import type { StoredView } from './view-store.ts'

interface Gathered {
  order: StoredOrder
  claims: StoredClaim[]
  told: StoredTold[]
  views: StoredView[]
  snapshots: StoredSnapshot[]
}

export function toExportedOrder(
  context: ShopContext,
  { order, claims, told, views, snapshots }: Gathered,
): ExportedOrder {
  const viewing = { services: context.services, shop: context.shop, imagesUntil: answeredUntil(context.now) }
  return {
    order: toOrder(context, order),
    claims: claims.map((claim) => toClaim(viewing, claim)),
    notifications: told.slice(0, mostNotifications).map(toTold),
    has_more_notifications: told.length > mostNotifications,
    campaign_views: views.map(toView),
    shop_systems: snapshots.map(toShopSystemOrder),
  }
}

function toTold(told: StoredTold): Told {
  return {
    uuid: told.id,
    ref: told.ref,
    event_group: told.event_group,
    triggered_at: told.triggered_at.toISOString(),
    payload: JSON.parse(told.body) as Record<string, unknown>, // written by us
    deliveries: told.deliveries.map(({ id, target, ...delivery }) => ({
      uuid: id,
      receiver: target,
      status: delivery.status as Told['deliveries'][number]['status'], // only these are ever stored
      created_at: toIso(delivery.created_at),
      finished_at: delivery.finished_at === null ? null : toIso(delivery.finished_at),
      attempts: toAttempts(delivery.attempts),
    })),
    automation_runs: told.runs.map(({ id, name, ...run }) => ({
      uuid: id,
      automation_id: run.automation_id,
      automation_name: name,
      status: run.status,
      triggered_at: toIso(run.triggered_at),
      finished_at: run.finished_at === null ? null : toIso(run.finished_at),
    })),
  }
}

/** Of a customer who is held out, the test itself is what was "shown". */
function toView(view: StoredView): CampaignView {
  return {
    action: view.action as CampaignView['action'], // only these are ever stored
    campaign_id: view.subject_id === view.test_id ? null : view.subject_id,
    ab_test_id: view.test_id,
    day: view.day,
    recorded_at: view.recorded_at.toISOString(),
  }
}

function toShopSystemOrder(snapshot: StoredSnapshot): ShopSystemOrder {
  return {
    system: snapshot.system as ShopSystemOrder['system'], // only these are ever stored
    external_id: snapshot.external_id,
    changed_at: snapshot.changed_at?.toISOString() ?? null,
    cancelled_at: snapshot.cancelled_at?.toISOString() ?? null,
    deleted_at: snapshot.deleted_at?.toISOString() ?? null,
    fulfilments: snapshot.fulfilments,
  }
}

function toIso(text: string): string {
  return new Date(text).toISOString()
}
