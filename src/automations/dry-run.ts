import { isAllowedTransition } from '../claims/claims/rules.ts'
import { hidePath } from '../delivery/queue/sealed-address.ts'
import { after, dayMs, minuteMs } from '../platform/foundation/clock.ts'
import type { ShopContext } from '../platform/foundation/context.ts'
import { earliestId } from '../platform/foundation/ids.ts'
import type { Payload } from '../webhooks/payloads/payload.ts'
import { listPublishedEvents, type PublishedEvent } from './event-queue-store.ts'
import { preventionReason, type Rule, RuleSet } from './rules.ts'
import type { DryRunReport } from './run-schema.ts'
import type { Action } from './schema.ts'

/** Newest events first: enough to judge a rule, without reading the whole history of a large shop. */
export const maxEvents = 5_000
export const batchSize = 200
const maxRuns = 100

/** Evaluates an automation for the events published in the last days. It only reads: nothing is sent or recorded. */
export async function dryRun(context: ShopContext, rule: Rule, days: number): Promise<DryRunReport> {
  const since = after(context.now, -days * dayMs)
  const report: DryRunReport = { since: since.toISOString(), evaluated: 0, matched: 0, is_complete: true, runs: [] }
  const rules = new RuleSet([rule])
  let beforeId: string | undefined
  for (let read = 0; ; read += batchSize) {
    if (read >= maxEvents) return { ...report, is_complete: false }
    const events = await listPublishedEvents(context, context.shop.id, {
      afterId: earliestId(since),
      beforeId,
      limit: batchSize,
    })
    for (const event of events) evaluate(report, rules, event)
    if (events.length < batchSize) return report
    beforeId = events.at(-1)?.notificationId
  }
}

function evaluate(report: DryRunReport, rules: RuleSet, event: PublishedEvent): void {
  // A test event has no order and triggers nothing.
  if (event.orderId === null || !rules.hasTriggerFor(event.ref)) return
  report.evaluated += 1
  const payload = JSON.parse(event.body) as Payload // written by this service
  const [rule] = rules.findMatching(event.ref, payload)
  if (rule === undefined) return
  report.matched += 1
  if (report.runs.length < maxRuns)
    report.runs.push({ notification_id: event.notificationId, ...toDryRun(rule, event, payload) })
}

type Event = Omit<PublishedEvent, 'notificationId'>

export function toDryRun(
  rule: Rule,
  event: Event,
  payload: Payload,
): Omit<DryRunReport['runs'][number], 'notification_id'> {
  return {
    ref: event.ref,
    shipment_id: event.shipmentId,
    order_id: event.orderId,
    triggered_at: event.triggeredAt.toISOString(),
    due_at: after(event.triggeredAt, rule.delayMinutes * minuteMs).toISOString(),
    prevented: preventionReason(rule.automationId, event.causedBy) ?? null,
    actions: rule.actions.map((action) => ({ action, ...effectOf(action, event, payload) })),
  }
}

/** The effect that an action would have had, judged by the event alone. */
function effectOf(action: Action, event: Event, { event_data, context }: Payload) {
  const would = (detail: string) => ({ would_act: true, detail: `would ${detail}` })
  switch (action.type) {
    case 'notify':
      return would(`notify ${action.integration}${action.event_group ? ` of ${action.event_group}` : ''}`)
    case 'webhook':
      return would(`send it to ${hidePath(action.url)}`)
    case 'add_segment':
      return context.order.segments.includes(action.segment)
        ? { would_act: false, detail: `the order already has the segment ${action.segment}` }
        : would(`add the segment ${action.segment}`)
    case 'create_claim':
      return would(`create a claim for ${action.reason}`)
    case 'update_claim': {
      const targets = context.claims.filter(({ uuid, shipment_id }) =>
        event_data.claim_id === undefined ? shipment_id === event.shipmentId : uuid === event_data.claim_id,
      )
      const updatable = targets.filter(
        ({ status }) => status !== action.status && isAllowedTransition(status, action.status),
      )
      return updatable.length === 0
        ? { would_act: false, detail: `there is no claim that can become ${action.status}` }
        : would(`set ${updatable.map(({ uuid }) => uuid).join(', ')} to ${action.status}`)
    }
  }
}
