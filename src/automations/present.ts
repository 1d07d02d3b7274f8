import type { ShopContext } from '../platform/foundation/context.ts'
import type { Run } from './run-schema.ts'
import type { ActionOutcome, StoredRun } from './run-store.ts'
import type { Automation } from './schema.ts'
import type { AutomationRow } from './store.ts'
import { maskWebhookUrls } from './webhook-access.ts'

export function toAutomation(context: ShopContext, row: AutomationRow): Automation {
  return {
    uuid: row.id,
    shop_slug: context.shop.slug,
    name: row.name,
    description: row.description,
    enabled: row.enabled,
    trigger: { events: row.trigger_events },
    conditions: row.conditions as Automation['conditions'], // only checked automations are stored
    delay_minutes: row.delay_minutes,
    actions: maskWebhookUrls(context, row.actions as Automation['actions']), // the same
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}

/** A run with the status of its actions; an action that sends has the status of its delivery. */
export function toRun(context: ShopContext, stored: StoredRun, deliveries: ReadonlyMap<string, string>): Run {
  const actions = maskWebhookUrls(context, stored.actions).map((action, index) => {
    const outcome = stored.outcomes[index]
    return {
      action,
      status: outcome === undefined ? unexecutedStatus(stored) : actionStatus(outcome, deliveries),
      detail: outcome?.detail ?? null,
      delivery_id: outcome?.deliveryId ?? null,
      claim_ids: outcome?.claimIds ?? [],
    }
  })
  const isFailed = actions.some(({ status }) => status === 'failed')
  return {
    uuid: stored.id,
    automation_id: stored.automation_id,
    notification_id: stored.notification_id,
    ref: stored.ref,
    shipment_id: stored.shipment_id,
    order_id: stored.order_id,
    order_number: stored.order_number,
    hops: stored.caused_by.length,
    status: isFailed ? 'failed' : (stored.status as Run['status']), // only these are ever stored
    reason: stored.reason,
    triggered_at: stored.triggered_at.toISOString(),
    due_at: stored.due_at.toISOString(),
    finished_at: stored.finished_at?.toISOString() ?? null,
    actions,
  }
}

type ActionStatus = Run['actions'][number]['status']

const byDelivery: Record<string, ActionStatus> = {
  pending: 'sending',
  delivered: 'done',
  skipped: 'skipped',
  dead: 'failed',
}

/** The status of an action that has not been executed. */
function unexecutedStatus({ status }: StoredRun): ActionStatus {
  if (status === 'pending') return 'waiting'
  return status === 'failed' ? 'failed' : 'skipped'
}

function actionStatus(outcome: ActionOutcome, deliveries: ReadonlyMap<string, string>): ActionStatus {
  const delivery = outcome.deliveryId === null ? undefined : deliveries.get(outcome.deliveryId)
  return delivery === undefined ? outcome.status : (byDelivery[delivery] ?? outcome.status)
}
