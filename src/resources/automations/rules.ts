import { parseInstant } from '../../foundation/schema.ts'
import { filtersOf } from '../../notifications/filters.ts'
import type { Action, Condition, Operator, Scalar } from './schema.ts'

/** An automation, prepared for evaluating events. */
export interface Rule {
  automationId: string
  filters: ReadonlySet<string>
  conditions: Condition[]
  delayMinutes: number
  actions: Action[]
}

/** What conditions can read: the payload, as receivers get it. */
export interface Facts {
  event_data: object
  context: object
}

/** A longer chain of automations counts as a loop. */
export const maxHops = 5

interface CompiledRule {
  rule: Rule
  /** Indexes of its conditions in the list of distinct conditions. */
  conditions: number[]
}

/** A condition, shared by all rules that have it. */
interface CompiledCondition {
  /** Index of its field in the list of distinct paths. */
  field: number
  isMet: ValueTest
}

/**
 * Rules, compiled for evaluating many events. A field or condition that several rules share is evaluated once per event.
 * For 200 rules of three conditions, an event takes 17 µs instead of 470.
 */
export class RuleSet {
  readonly #rules: CompiledRule[]
  readonly #rulesByRef = new Map<string, CompiledRule[]>()
  readonly #conditions: CompiledCondition[] = []
  readonly #paths: Step[][] = []

  constructor(rules: readonly Rule[]) {
    const fields = new Map<string, number>()
    const conditions = new Map<string, number>()
    const indexOfField = indexDistinct(fields, (field) => this.#paths.push(field.split('.').map(toStep)))
    this.#rules = rules.map((rule) => ({
      rule,
      conditions: rule.conditions.map((condition) => {
        const { field, operator, value } = condition
        const add = () => this.#conditions.push({ field: indexOfField(field), isMet: testOf(operator, value ?? true) })
        return indexDistinct(conditions, add)(JSON.stringify([field, operator, value]))
      }),
    }))
  }

  /** Whether an event matches the trigger of any rule. */
  hasTriggerFor(ref: string): boolean {
    return this.#triggeredBy(ref).length > 0
  }

  /** The rules whose trigger an event matches and whose conditions it meets. */
  findMatching(ref: string, facts: Facts): Rule[] {
    const evaluation = new Evaluation(facts, this.#conditions, this.#paths)
    const matching: Rule[] = []
    for (const { rule, conditions } of this.#triggeredBy(ref)) {
      if (evaluation.meetsAll(conditions)) matching.push(rule)
    }
    return matching
  }

  #triggeredBy(ref: string): CompiledRule[] {
    const known = this.#rulesByRef.get(ref)
    if (known) return known
    const filters = filtersOf(ref)
    const found = this.#rules.filter(({ rule }) => filters.some((filter) => rule.filters.has(filter)))
    // Bounded by the number of known events.
    this.#rulesByRef.set(ref, found)
    return found
  }
}

/** The values and results of one event so far, each computed at first use. */
class Evaluation {
  readonly #facts: Facts
  readonly #conditions: CompiledCondition[]
  readonly #paths: Step[][]
  readonly #values: unknown[]
  readonly #results: (boolean | undefined)[]

  constructor(facts: Facts, conditions: CompiledCondition[], paths: Step[][]) {
    this.#facts = facts
    this.#conditions = conditions
    this.#paths = paths
    this.#values = new Array(paths.length).fill(unread)
    this.#results = new Array(conditions.length).fill(undefined)
  }

  meetsAll(conditions: number[]): boolean {
    for (const index of conditions) if (!(this.#results[index] ?? this.#evaluate(index))) return false
    return true
  }

  #evaluate(index: number): boolean {
    const condition = this.#conditions[index]
    const result = condition?.isMet(this.#valueOf(condition.field)) ?? false
    this.#results[index] = result
    return result
  }

  #valueOf(field: number): unknown {
    if (this.#values[field] === unread) this.#values[field] = read(this.#facts, this.#paths[field] ?? [], 0)
    return this.#values[field]
  }
}

const unread = Symbol('unread')

/** Assigns each distinct name the next index; `add` is called for each new name. */
function indexDistinct(indexes: Map<string, number>, add: (name: string) => void): (name: string) => number {
  return (name) => {
    const known = indexes.get(name)
    if (known !== undefined) return known
    add(name)
    indexes.set(name, indexes.size)
    return indexes.size - 1
  }
}

/** Why an automation does not run although it matches; undefined if it runs. */
export function preventionReason(automationId: string, causedBy: readonly string[]): string | undefined {
  if (causedBy.includes(automationId)) return 'an automation does not run itself'
  return causedBy.length >= maxHops ? `${causedBy.length} automations led to this event, which is the limit` : undefined
}

type ValueTest = (value: unknown) => boolean

/**
 * A missing field or null equals nothing, compares to nothing and contains nothing. For a list, one matching item is
 * enough; neq and not_in are the negations of eq and in.
 */
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

/** Compares numbers with numbers and times with times; everything else is false. */
function compared(wanted: Scalar | Scalar[], isMet: (difference: number) => boolean): ValueTest {
  if (typeof wanted === 'number') return (value) => typeof value === 'number' && isMet(value - wanted)
  const wantedMs = typeof wanted === 'string' ? parseInstant(wanted)?.getTime() : undefined
  if (wantedMs === undefined) return () => false
  return (value) => {
    const ms = typeof value === 'string' ? parseInstant(value)?.getTime() : undefined
    return ms !== undefined && isMet(ms - wantedMs)
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
  /** The list item that it selects; undefined for a name, which is looked up in every item. */
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
    // Own properties only: `constructor` is not a field of the payload.
    current = Object.hasOwn(current, step.name) ? (current as Record<string, unknown>)[step.name] : undefined
  }
  return current
}
