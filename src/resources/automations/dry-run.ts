import { after, dayMs, minuteMs } from '../../foundation/clock.ts'
import type { ShopContext } from '../../foundation/context.ts'
import { earliestId } from '../../foundation/ids.ts'
import { isAllowedTransition } from '../claims/rules.ts'
import type { Payload } from '../payloads/payload.ts'
import { listPastEvents, type PastEvent } from './event-queue-store.ts'
import { preventionOf, type Rule, RuleSet } from './rules.ts'
import type { DryRunReport } from './run-schema.ts'
import type { Action } from './schema.ts'

/** The number of events evaluated, newest first: enough to judge a rule, and bounded for large shops. */
const lookAtMost = 5_000
const atOnce = 200
const showAtMost = 100

/** Evaluates an automation for the notifications of the last days. Read-only. */
export async function dryRun(context: ShopContext, rule: Rule, days: number): Promise<DryRunReport> {
  const since = after(context.now, -days * dayMs)
  const report: DryRunReport = { since: since.toISOString(), evaluated: 0, matched: 0, is_complete: true, runs: [] }
  const rules = new RuleSet([rule])
  let beforeId: string | undefined
  for (let lookedAt = 0; ; lookedAt += atOnce) {
    if (lookedAt >= lookAtMost) return { ...report, is_complete: false }
    const events = await listPastEvents(context, context.shop.id, {
      afterId: earliestId(since),
      beforeId,
      limit: atOnce,
    })
    for (const event of events) look(report, rules, event)
    if (events.length < atOnce) return report
    beforeId = events.at(-1)?.notificationId
  }
}

function look(report: DryRunReport, rules: RuleSet, event: PastEvent): void {
  // A test event has no order, so nothing follows from it.
  if (event.orderId === null || !rules.isListening(event.ref)) return
  report.evaluated += 1
  const payload = JSON.parse(event.body) as Payload // written by us
  const [rule] = rules.matching(event.ref, payload)
  if (rule === undefined) return
  report.matched += 1
  if (report.runs.length < showAtMost) report.runs.push(toRun(rule, event, payload))
}

function toRun(rule: Rule, event: PastEvent, payload: Payload): DryRunReport['runs'][number] {
  return {
    notification_id: event.notificationId,
    ref: event.ref,
    shipment_id: event.shipmentId,
    order_id: event.orderId,
    triggered_at: event.triggeredAt.toISOString(),
    due_at: after(event.triggeredAt, rule.delayMinutes * minuteMs).toISOString(),
    prevented: preventionOf(rule.automationId, event.causedBy) ?? null,
    actions: rule.actions.map((action) => ({ action, ...effectOf(action, event, payload) })),
  }
}

/** What an action would have done, as far as the event shows. */
function effectOf(action: Action, event: PastEvent, { event_data, context }: Payload) {
  const would = (detail: string) => ({ would_act: true, detail: `would ${detail}` })
  switch (action.type) {
    case 'notify':
      return would(`tell ${action.integration}${action.event_group ? ` of ${action.event_group}` : ''}`)
    case 'webhook':
      return would(`send it to ${action.url}`)
    case 'add_segment':
      return context.order.segments.includes(action.segment)
        ? { would_act: false, detail: `the order has the segment ${action.segment}` }
        : would(`add the segment ${action.segment}`)
    case 'create_claim':
      return would(`create a claim for ${action.reason}`)
    case 'update_claim': {
      const meant = context.claims.filter(({ uuid, shipment_id }) =>
        event_data.claim_id === undefined ? shipment_id === event.shipmentId : uuid === event_data.claim_id,
      )
      const open = meant.filter(({ status }) => status !== action.status && isAllowedTransition(status, action.status))
      return open.length === 0
        ? { would_act: false, detail: `there is no claim that can become ${action.status}` }
        : would(`make ${open.map(({ uuid }) => uuid).join(', ')} ${action.status}`)
    }
  }
}
