import type { Condition } from '../delivery/receivers/conditions.ts'
import { after, minuteMs } from '../platform/foundation/clock.ts'
import type { Context } from '../platform/foundation/context.ts'
import { newId } from '../platform/foundation/ids.ts'
import { inTransaction } from '../platform/foundation/transaction.ts'
import type { Payload } from '../webhooks/payloads/payload.ts'
import { commitAsynchronously, lockQueuedEvents, type QueuedEvent, removeQueuedEvents } from './event-queue-store.ts'
import { preventionReason, type Rule, type RuleSet } from './rules.ts'
import { insertRuns, type NewRun } from './run-store.ts'
import type { Action } from './schema.ts'
import type { AutomationRow } from './store.ts'

export function toRule(
  row: Pick<AutomationRow, 'id' | 'trigger_events' | 'conditions' | 'delay_minutes' | 'actions'>,
): Rule {
  return {
    automationId: row.id,
    filters: new Set(row.trigger_events),
    conditions: row.conditions as Condition[], // only checked automations are stored
    delayMinutes: row.delay_minutes,
    actions: row.actions as Action[], // the same
  }
}

export interface Evaluated {
  events: number
  /** Whether one of the new runs is due already. */
  isRunDue: boolean
}

/**
 * Evaluates a shop's automations for its queued events and inserts a run for each match. The same transaction removes the
 * events from the queue, so that each event is evaluated exactly once.
 */
export async function evaluateEvents(
  context: Context,
  shopId: string,
  limit: number,
  rulesOf: (context: Context, shopId: string) => Promise<RuleSet>,
): Promise<Evaluated> {
  return inTransaction(context, async (context) => {
    await commitAsynchronously(context)
    const events = await lockQueuedEvents(context, shopId, limit)
    if (events.length === 0) return { events: 0, isRunDue: false }
    // Read after the events, so that automations which were enabled before an event are included.
    const rules = await rulesOf(context, shopId)
    const runs = events.flatMap((event) => runsOf(context, shopId, rules, event))
    if (runs.length > 0) await insertRuns(context, runs)
    await removeQueuedEvents(context, shopId, events)
    return {
      events: events.length,
      isRunDue: runs.some(({ prevented, dueAt }) => prevented === null && dueAt <= context.now),
    }
  })
}

function runsOf(context: Context, shopId: string, rules: RuleSet, event: QueuedEvent): NewRun[] {
  if (!rules.hasTriggerFor(event.ref)) return []
  const payload = JSON.parse(event.body) as Payload // written by this service
  return rules.findMatching(event.ref, payload).map((rule) => ({
    shopId,
    id: newId(context.now),
    automationId: rule.automationId,
    notificationId: event.notificationId,
    prevented: preventionReason(rule.automationId, event.causedBy) ?? null,
    actions: rule.actions,
    triggeredAt: event.triggeredAt,
    dueAt: after(event.triggeredAt, rule.delayMinutes * minuteMs),
    now: context.now,
  }))
}
