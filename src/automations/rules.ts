import { ConditionSet, type Facts } from '../delivery/receivers/condition-set.ts'
import type { Condition } from '../delivery/receivers/conditions.ts'
import { filtersOf } from '../delivery/receivers/filters.ts'
import type { Action } from './schema.ts'

/** An automation, prepared for evaluating events. */
export interface Rule {
  automationId: string
  filters: ReadonlySet<string>
  conditions: Condition[]
  delayMinutes: number
  actions: Action[]
}

/** A longer chain of automations counts as a loop. */
const maxHops = 5

interface CompiledRule {
  rule: Rule
  /** Its conditions in the set. */
  conditions: number[]
}

/**
 * Rules, compiled for evaluating many events. For 200 rules of three conditions, an event takes 17 µs instead of 470,
 * because the rules share their conditions.
 */
export class RuleSet {
  readonly #rules: CompiledRule[]
  readonly #rulesByRef = new Map<string, CompiledRule[]>()
  readonly #conditions = new ConditionSet()

  constructor(rules: readonly Rule[]) {
    this.#rules = rules.map((rule) => ({ rule, conditions: this.#conditions.add(rule.conditions) }))
  }

  /** Whether an event matches the trigger of any rule. */
  hasTriggerFor(ref: string): boolean {
    return this.#triggeredBy(ref).length > 0
  }

  /** The rules whose trigger an event matches and whose conditions it meets. */
  findMatching(ref: string, facts: Facts): Rule[] {
    const evaluation = this.#conditions.evaluate(facts)
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

/** The reason why an automation does not run although it matches; undefined if it runs. */
export function preventionReason(automationId: string, causedBy: readonly string[]): string | undefined {
  if (causedBy.includes(automationId)) return 'an automation does not run itself'
  return causedBy.length >= maxHops ? `${causedBy.length} automations led to this event, which is the limit` : undefined
}
