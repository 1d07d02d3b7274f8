import { toStoredConditions } from '../delivery/receivers/conditions.ts'
import type { RecordedEvent } from '../delivery/receivers/recorded-event.ts'
import { toRecordedEvent } from '../orders/events/to-recorded-event.ts'
import { after, dayMs } from '../platform/foundation/clock.ts'
import type { ShopContext } from '../platform/foundation/context.ts'
import { operation } from '../platform/foundation/operation.ts'
import { instant, Type } from '../platform/foundation/schema.ts'
import type { Payload } from '../webhooks/payloads/payload.ts'
import { checkAutomation } from './check.ts'
import { batchSize, maxEvents, toDryRun } from './dry-run.ts'
import type { PublishedEvent } from './event-queue-store.ts'
import { AutomationField, conditionFieldList } from './fields.ts'
import { findPayloads, listClaimEvents, listShipmentEvents, type StoredEvent } from './past-event-store.ts'
import { type Rule, RuleSet } from './rules.ts'
import { DraftDryRun, DraftDryRunReport } from './run-schema.ts'

export const listAutomationFields = operation({
  name: 'listAutomationFields',
  summary: 'List the fields that conditions can read',
  description:
    'The fields of the payload that webhooks receive and that conditions are usually about, with their types, possible values and operators. Conditions may read every other field too.',
  area: 'Automations',
  route: 'GET /v1/shops/{slug}/automations/fields',
  needs: 'viewer',
  reply: Type.Array(AutomationField),
  handle: async () => conditionFieldList(),
})

export const dryRunAutomationDraft = operation({
  name: 'dryRunAutomationDraft',
  summary: 'Show what an automation that is not stored would have done',
  description:
    'Evaluates a draft for the newest events of the shop, at most 5,000: those that automations are evaluated for. Payloads are the original ones if they were stored, else they are made from the order as it is now. Returns how many matched on which day, the newest matches, and which conditions kept the others out. Nothing is sent or changed.',
  area: 'Automations',
  route: 'POST /v1/shops/{slug}/automations/dry-run',
  needs: 'editor',
  body: DraftDryRun,
  reply: DraftDryRunReport,
  audit: { none: 'It changes nothing.' },
  handle: (context, { body }) => dryRunDraft(context, body),
})

const usualDays = 7
const usualLimit = 50

/**
 * Evaluates an automation that need not be stored for past events. It only reads: nothing is sent or recorded. Payloads
 * are read for events of its trigger alone.
 */
async function dryRunDraft(context: ShopContext, request: DraftDryRun): Promise<DraftDryRunReport> {
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

/** Counts of the events evaluated so far, and of those that matched. */
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

/** At most 100: an older beginning would make a reply of empty days. */
function datesBetween(from: Date, to: Date): string[] {
  const last = Date.parse(dateOf(to))
  const first = Math.max(Date.parse(dateOf(from)), last - 99 * dayMs)
  const count = Math.max(0, Math.round((last - first) / dayMs)) + 1
  return Array.from({ length: count }, (_, day) => dateOf(new Date(first + day * dayMs)))
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

/** An event of a shipment or a claim that automations could have been evaluated for. */
interface PastEvent {
  ref: string
  orderId: string
  shipmentId: string
  happenedAt: Date
  /** The notification of a claim's event; that of a shipment's is found by its ref. */
  notificationId: string | null
  /** Of a shipment: what its payload can be made of. */
  recorded: RecordedEvent | undefined
}

interface PastEvents {
  /** Newest first. */
  events: PastEvent[]
  /** From when on all of them are there. */
  from: Date
  isComplete: boolean
}

/** The newest events since a time that automations could have been evaluated for, up to a limit. */
async function listPastEvents(context: ShopContext, since: Date, limit: number): Promise<PastEvents> {
  const stored = await listShipmentEvents(context, since, limit + 1)
  const ofClaims = (await listClaimEvents(context, since, limit)).map((event) => ({ ...event, recorded: undefined }))
  const ofShipments = stored.flatMap((event) => toPastEvents(context, event))
  const events = [...ofShipments, ...ofClaims]
    .toSorted((left, right) => right.happenedAt.getTime() - left.happenedAt.getTime())
    .slice(0, limit)
  const isCut = stored.length > limit || ofShipments.length + ofClaims.length > limit
  const readFrom = stored[0]?.isCut ? stored[0].readFrom : since
  return {
    events,
    from: isCut ? (events.at(-1)?.happenedAt ?? readFrom) : readFrom,
    isComplete: !isCut && !stored[0]?.isCut,
  }
}

/** Events without a group are published to nobody. */
function toPastEvents(context: ShopContext, event: StoredEvent): PastEvent[] {
  const { orderId, shipmentId, direction, happenedAt, eventName } = event
  const of = { shopId: context.shop.id, orderId, shipmentId, direction, eventName }
  const recorded = toRecordedEvent({ ...of, eventTime: happenedAt, now: happenedAt })
  return recorded.map((each) => ({
    orderId,
    shipmentId,
    happenedAt,
    notificationId: null,
    ref: each.ref,
    recorded: each,
  }))
}

interface ReplayedEvent extends Omit<PublishedEvent, 'notificationId'> {
  notificationId: string | null
  /** The payload was not stored, because nobody received it: this one is of the order as it is now. */
  isRebuilt: boolean
}

/** Events with their payloads: as they were published, or else made from the order as it is now. */
async function withPayloads(context: ShopContext, events: readonly PastEvent[]): Promise<ReplayedEvent[]> {
  const published = new Map((await findPayloads(context, events)).map((found) => [found.position, found]))
  const missing = events.flatMap(({ recorded }, position) => (published.has(position) ? [] : (recorded ?? [])))
  const built = await context.services.payloads.build(context, missing)
  const bodies = new Map(missing.map((recorded, index) => [recorded, built[index]?.body]))
  return events.flatMap((event, position) => {
    const { ref, orderId, shipmentId, happenedAt: triggeredAt } = event
    const found = published.get(position)
    const body = found?.body ?? (event.recorded && bodies.get(event.recorded))
    if (body === undefined) return [] // its order is gone
    const causedBy = found?.causedBy ?? []
    const notificationId = found?.notificationId ?? null
    return [{ ref, orderId, shipmentId, triggeredAt, body, causedBy, notificationId, isRebuilt: found === undefined }]
  })
}
