import { parseInstant } from '../../platform/foundation/schema.ts'
import type { Condition, Operator, Scalar } from './conditions.ts'

/** Data that conditions can read: the payload, as receivers get it. */
export interface Facts {
  event_data: object
  context: object
}

/**
 * Conditions of several owners, compiled for evaluating many events. A field or condition that several of them share is
 * evaluated once per event.
 */
export class ConditionSet {
  readonly #conditions: CompiledCondition[] = []
  readonly #paths: Step[][] = []
  readonly #indexOfField = indexDistinct((field) => this.#paths.push(field.split('.').map(toStep)))
  readonly #indexes = new Map<string, number>()

  /** Adds the conditions of one owner; returns their indexes, by which they are evaluated. */
  add(conditions: readonly Condition[]): number[] {
    return conditions.map(({ field, operator, value }) => {
      const key = JSON.stringify([field, operator, value])
      const known = this.#indexes.get(key)
      if (known !== undefined) return known
      this.#conditions.push({ field: this.#indexOfField(field), isMet: testOf(operator, value ?? true) })
      this.#indexes.set(key, this.#indexes.size)
      return this.#indexes.size - 1
    })
  }

  /** One event, for any number of owners. */
  evaluate(facts: Facts): Evaluation {
    return new Evaluation(facts, this.#conditions, this.#paths)
  }
}

/** A condition, shared by all owners that have it. */
interface CompiledCondition {
  /** Index of its field in the list of distinct paths. */
  field: number
  isMet: ValueTest
}

/** The values and results of one event so far, each computed at first use. */
export class Evaluation {
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

  /** Whether the event meets all conditions of an owner. */
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
function indexDistinct(add: (name: string) => void): (name: string) => number {
  const indexes = new Map<string, number>()
  return (name) => {
    const known = indexes.get(name)
    if (known !== undefined) return known
    add(name)
    indexes.set(name, indexes.size)
    return indexes.size - 1
  }
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
