import { parseInstant } from '../../foundation/schema.ts'
import { filtersOf } from '../../notifications/filters.ts'
import type { Action, Condition, Operator, Scalar } from './schema.ts'

/** An automation made ready to be asked about many events. */
export interface Rule {
  automationId: string
  filters: ReadonlySet<string>
  tests: Test[]
  delayMinutes: number
  actions: Action[]
}

/** What conditions look at: the event, and the order's world, as receivers get them. */
export interface Facts {
  event_data: object
  context: object
}

export type Test = (facts: Facts) => boolean

/** Automations that may follow from one another before it is taken for a loop. */
export const maxHops = 5

/** The rules whose trigger an event passes. */
export function listening(rules: Rule[], ref: string): Rule[] {
  const filters = filtersOf(ref)
  return rules.filter((rule) => filters.some((filter) => rule.filters.has(filter)))
}

export function holds(rule: Rule, facts: Facts): boolean {
  return rule.tests.every((test) => test(facts))
}

/** Why an automation does not run although it matches, given those that led to the event; undefined where it runs. */
export function preventionOf(automationId: string, causedBy: readonly string[]): string | undefined {
  if (causedBy.includes(automationId)) return 'an automation does not run itself'
  return causedBy.length >= maxHops ? `${causedBy.length} automations led to this event, which is the most` : undefined
}

/**
 * Makes a test of a condition. A field that is missing or null is equal to nothing, greater than nothing and contains
 * nothing. Where it is a list, one of its items is enough; neq and not_in are the opposites of eq and in.
 */
export function compileCondition({ field, operator, value }: Condition): Test {
  const path = field.split('.').map(toStep)
  const test = testOf(operator, value ?? true)
  return (facts) => test(read(facts, path, 0))
}

type ValueTest = (value: unknown) => boolean

function testOf(operator: Operator, wanted: Scalar | Scalar[]): ValueTest {
  switch (operator) {
    case 'eq':
      return some((value) => value === wanted)
    case 'neq':
      return not(some((value) => value === wanted))
    case 'in':
      return some(isOneOf(wanted))
    case 'not_in':
      return not(some(isOneOf(wanted)))
    case 'gt':
      return some(compared(wanted, (difference) => difference > 0))
    case 'gte':
      return some(compared(wanted, (difference) => difference >= 0))
    case 'lt':
      return some(compared(wanted, (difference) => difference < 0))
    case 'lte':
      return some(compared(wanted, (difference) => difference <= 0))
    case 'contains':
      return (value) => (Array.isArray(value) ? value.includes(wanted) : isPartOf(value, wanted))
    case 'exists':
      return (value) => isPresent(value) === (wanted === true)
  }
}

function some(test: ValueTest): ValueTest {
  return (value) => (Array.isArray(value) ? value.some(test) : test(value))
}

function not(test: ValueTest): ValueTest {
  return (value) => !test(value)
}

function isOneOf(wanted: Scalar | Scalar[]): ValueTest {
  const set = new Set<unknown>(Array.isArray(wanted) ? wanted : [wanted])
  return (value) => set.has(value)
}

/** Numbers by size, times by which comes first; whatever else cannot be compared, so nothing holds of it. */
function compared(wanted: Scalar | Scalar[], holds: (difference: number) => boolean): ValueTest {
  if (typeof wanted === 'number') return (value) => typeof value === 'number' && holds(value - wanted)
  const wantedMs = typeof wanted === 'string' ? parseInstant(wanted)?.getTime() : undefined
  if (wantedMs === undefined) return () => false
  return (value) => {
    const ms = typeof value === 'string' ? parseInstant(value)?.getTime() : undefined
    return ms !== undefined && holds(ms - wantedMs)
  }
}

function isPartOf(value: unknown, wanted: Scalar | Scalar[]): boolean {
  return typeof value === 'string' && typeof wanted === 'string' && value.includes(wanted)
}

function isPresent(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== null
}

interface Step {
  name: string
  /** Which of a list it picks; undefined where it is a name, looked up in each of its items. */
  index: number | undefined
}

function toStep(name: string): Step {
  return { name, index: /^\d+$/.test(name) ? Number(name) : undefined }
}

function read(value: unknown, path: readonly Step[], from: number): unknown {
  let current = value
  for (let position = from; position < path.length; position += 1) {
    const step = path[position]
    if (step === undefined || typeof current !== 'object' || current === null) return undefined
    if (Array.isArray(current) && step.index === undefined) {
      const items = current.flatMap((item) => read(item, path, position))
      return items.filter((item) => item !== undefined && item !== null)
    }
    // Only what the payload itself has: `constructor` is no field of it.
    current = Object.hasOwn(current, step.name) ? (current as Record<string, unknown>)[step.name] : undefined
  }
  return current
}
