import { after, minuteMs } from '../../foundation/clock.ts'
import type { Context } from '../../foundation/context.ts'
import { newId } from '../../foundation/ids.ts'
import { inTransaction } from '../../foundation/transaction.ts'
import type { Payload } from '../payloads/payload.ts'
import { type AwaitedEvent, commitWithoutWaiting, lockAwaitedEvents, removeAwaitedEvents } from './event-queue-store.ts'
import { preventionOf, type Rule, type RuleSet } from './rules.ts'
import { insertRuns, type NewRun } from './run-store.ts'
import type { Action, Condition } from './schema.ts'
import type { AutomationRow } from './store.ts'

/** An automation in the form that rules are evaluated in. */
export function toRule(
  row: Pick<AutomationRow, 'id' | 'trigger_events' | 'conditions' | 'delay_minutes' | 'actions'>,
): Rule {
  return {
    automationId: row.id,
    filters: new Set(row.trigger_events),
    conditions: row.conditions as Condition[], // written from checked automations only
    delayMinutes: row.delay_minutes,
    actions: row.actions as Action[], // the same
  }
}

export interface Evaluated {
  events: number
  /** Whether a run was created that is due at once. */
  isRunDue: boolean
}

/**
 * Evaluates the shop's automations for queued events and records a run for each match, in the transaction that removes
 * the events from the queue, so that each event is evaluated once.
 */
export async function evaluateEvents(
  context: Context,
  shopId: string,
  limit: number,
  rulesOf: (context: Context, shopId: string) => Promise<RuleSet>,
): Promise<Evaluated> {
  return inTransaction(context, async (context) => {
    await commitWithoutWaiting(context)
    const events = await lockAwaitedEvents(context, shopId, limit)
    if (events.length === 0) return { events: 0, isRunDue: false }
    // Loaded after the events, so that it includes every automation that was enabled before them.
    const rules = await rulesOf(context, shopId)
    const runs = events.flatMap((event) => runsOf(context, shopId, rules, event))
    if (runs.length > 0) await insertRuns(context, runs)
    await removeAwaitedEvents(context, shopId, events)
    return {
      events: events.length,
      isRunDue: runs.some(({ prevented, dueAt }) => prevented === null && dueAt <= context.now),
    }
  })
}

function runsOf(context: Context, shopId: string, rules: RuleSet, event: AwaitedEvent): NewRun[] {
  if (!rules.isListening(event.ref)) return []
  const payload = JSON.parse(event.body) as Payload // written by us
  return rules.matching(event.ref, payload).map((rule) => ({
    shopId,
    id: newId(context.now),
    automationId: rule.automationId,
    notificationId: event.notificationId,
    prevented: preventionOf(rule.automationId, event.causedBy) ?? null,
    actions: rule.actions,
    triggeredAt: event.triggeredAt,
    dueAt: after(event.triggeredAt, rule.delayMinutes * minuteMs),
    now: context.now,
  }))
}
