import { toStoredConditions } from '../delivery/receivers/conditions.ts'
import { after, dayMs } from '../platform/foundation/clock.ts'
import type { ShopContext } from '../platform/foundation/context.ts'
import { instant } from '../platform/foundation/schema.ts'
import type { Payload } from '../webhooks/payloads/payload.ts'
import { checkAutomation } from './check.ts'
import { batchSize, maxEvents, toDryRun } from './dry-run.ts'
import { listPastEvents, type ReplayedEvent, withPayloads } from './past-events.ts'
import { type Rule, RuleSet } from './rules.ts'
import type { DraftDryRun, DraftDryRunReport } from './run-schema.ts'

const usualDays = 7
const usualLimit = 50

/**
 * Evaluates an automation that need not be stored for past events. It only reads: nothing is sent or recorded. Payloads
 * are read for events of its trigger alone.
 */
export async function dryRunDraft(context: ShopContext, request: DraftDryRun): Promise<DraftDryRunReport> {
  const tally = new Tally(toDraftRule(request), request.limit ?? usualLimit)
  const since = request.since ? instant(request.since) : after(context.now, -usualDays * dayMs)
  const { events, from, isComplete } = await listPastEvents(context, since, maxEvents)
  const triggering = events.filter(({ ref }) => tally.isTriggeredBy(ref))
  for (let at = 0; at < triggering.length; at += batchSize) {
    for (const event of await withPayloads(context, triggering.slice(at, at + batchSize))) tally.add(event)
  }
  return {
    since: since.toISOString(),
    is_complete: isComplete,
    looked_at: events.length,
    looked_from: from.toISOString(),
    ...tally.report(from, context.now),
  }
}

function toDraftRule({ automation, automation_id }: DraftDryRun): Rule {
  const { trigger, conditions, delay_minutes, actions } = automation
  return {
    automationId: automation_id ?? '',
    filters: new Set(trigger.events),
    conditions: toStoredConditions(conditions ?? []),
    delayMinutes: delay_minutes ?? 0,
    actions: checkAutomation({ trigger, conditions, actions: actions ?? [] }, ['body', 'automation']),
  }
}

/** What became of the events so far. */
class Tally {
  readonly #rule: Rule
  /** The automation once more for each of its conditions alone, to see which of them keep an event out. */
  readonly #single: Rule[]
  readonly #rules: RuleSet
  readonly #limit: number
  readonly #days = new Map<string, { evaluated: number; matched: number }>()
  readonly #unmet: { condition: number; events: number; events_alone: number }[]
  #rebuilt = 0
  readonly #matches: DraftDryRunReport['matches'] = []

  constructor(rule: Rule, limit: number) {
    this.#rule = rule
    this.#single = rule.conditions.map((condition) => ({ ...rule, conditions: [condition] }))
    this.#rules = new RuleSet([rule, ...this.#single])
    this.#limit = limit
    this.#unmet = rule.conditions.map((_, condition) => ({ condition, events: 0, events_alone: 0 }))
  }

  isTriggeredBy(ref: string): boolean {
    return this.#rules.hasTriggerFor(ref)
  }

  add(event: ReplayedEvent): void {
    const payload = JSON.parse(event.body) as Payload // written by this service
    const matching = new Set(this.#rules.findMatching(event.ref, payload))
    const isMatch = matching.has(this.#rule)
    const day = this.#dayOf(event.triggeredAt)
    day.evaluated += 1
    if (event.isRebuilt) this.#rebuilt += 1
    if (isMatch) day.matched += 1
    else this.#countUnmet(matching)
    if (!isMatch || this.#matches.length >= this.#limit) return
    this.#matches.push({
      notification_id: event.notificationId,
      ...toDryRun(this.#rule, event, payload),
      order_number: payload.context.order.order_number,
      customer_name: payload.context.customer.full_name,
    })
  }

  /** With a line for each day, also for those without an event. */
  report(from: Date, to: Date) {
    const dates = datesBetween(from, to)
    const days = dates.map((date) => ({ date, ...(this.#days.get(date) ?? { evaluated: 0, matched: 0 }) }))
    return {
      evaluated: sum([...this.#days.values()].map(({ evaluated }) => evaluated)),
      matched: sum([...this.#days.values()].map(({ matched }) => matched)),
      rebuilt: this.#rebuilt,
      days,
      unmet: this.#unmet.filter(({ events }) => events > 0).toSorted((left, right) => right.events - left.events),
      matches: this.#matches,
    }
  }

  #dayOf(time: Date) {
    const date = dateOf(time)
    const known = this.#days.get(date) ?? { evaluated: 0, matched: 0 }
    this.#days.set(date, known)
    return known
  }

  #countUnmet(matching: ReadonlySet<Rule>): void {
    const unmet = this.#unmet.filter(({ condition }) => {
      const single = this.#single[condition]
      return single !== undefined && !matching.has(single)
    })
    for (const count of unmet) {
      count.events += 1
      if (unmet.length === 1) count.events_alone += 1
    }
  }
}

function dateOf(time: Date): string {
  return time.toISOString().slice(0, 10)
}

/** At most 100: an older beginning would make an answer of empty days. */
function datesBetween(from: Date, to: Date): string[] {
  const last = Date.parse(dateOf(to))
  const first = Math.max(Date.parse(dateOf(from)), last - 99 * dayMs)
  const count = Math.max(0, Math.round((last - first) / dayMs)) + 1
  return Array.from({ length: count }, (_, day) => dateOf(new Date(first + day * dayMs)))
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
