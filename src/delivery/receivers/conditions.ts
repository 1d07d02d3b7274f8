import type { Problem } from '../../platform/foundation/errors.ts'
import { Named, OneOf, parseInstant, type Static, Type } from '../../platform/foundation/schema.ts'

export const operators = ['eq', 'neq', 'in', 'not_in', 'gt', 'gte', 'lt', 'lte', 'contains', 'exists'] as const
export type Operator = (typeof operators)[number]

const Text = Type.String({ maxLength: 1_000 })
const Scalar = Type.Union([Text, Type.Number(), Type.Boolean()])
export type Scalar = Static<typeof Scalar>
const ConditionValue = Type.Union([Text, Type.Number(), Type.Boolean(), Type.Array(Scalar, { maxItems: 200 })], {
  description:
    'eq, neq, contains: text, number or true/false; in, not_in: a list of these; gt, gte, lt, lte: a number or an ISO 8601 time; exists: true (the default) or false',
  examples: [100],
})

const conditionFields = {
  field: Type.String({
    minLength: 1,
    maxLength: 255,
    description:
      'A path into the payload that webhooks receive, starting with `event_data.` or `context.`. A number selects one item of a list. Any other name is looked up in every item, and the condition is met if one item meets it.',
    examples: ['context.order.total_order_price'],
  }),
  operator: OneOf(operators, { examples: ['gte'] }),
}

export const Condition = Named('Condition', Type.Object({ ...conditionFields, value: Type.Optional(ConditionValue) }))
export type Condition = Static<typeof Condition>

/** Few enough that evaluating them costs less than building the payload. */
export const Conditions = Type.Array(Condition, { maxItems: 50, description: 'All conditions must be met' })

/** Drops unknown fields. */
export function toStoredConditions(conditions: Condition[]): Condition[] {
  return conditions.map(({ field, operator, value }) => ({
    field,
    operator,
    ...(value === undefined ? {} : { value }),
  }))
}

const fieldPattern = /^(event_data|context)(\.[A-Za-z0-9_-]+){1,12}$/

/** Problems of conditions beyond their schema; `loc` begins at the object that has them. */
export function conditionProblems(conditions: readonly Condition[]): Problem[] {
  return conditions.flatMap(problemsOf)
}

function problemsOf({ field, operator, value }: Condition, index: number): Problem[] {
  const isPath = fieldPattern.test(field)
  const expectation = expectations[operator]
  return [
    ...(isPath
      ? []
      : [
          wrong(
            ['conditions', index, 'field'],
            'must be a path such as event_data.event_name or context.order.total_order_price',
          ),
        ]),
    ...(value === undefined && operator !== 'exists' ? [missing(['conditions', index, 'value'])] : []),
    ...(value !== undefined && !expectation.isMet(value)
      ? [wrong(['conditions', index, 'value'], `of ${operator} must be ${expectation.words}`)]
      : []),
  ]
}

interface Expectation {
  words: string
  isMet(value: Scalar | Scalar[]): boolean
}

const scalar: Expectation = { words: 'text, a number, true or false', isMet: (value) => !Array.isArray(value) }
const list: Expectation = {
  words: 'a list with at least one item',
  isMet: (value) => Array.isArray(value) && value.length > 0,
}
const comparable: Expectation = {
  words: 'a number, or a time such as 2026-11-01T09:30:00Z',
  isMet: (value) => typeof value === 'number' || (typeof value === 'string' && parseInstant(value) !== undefined),
}

const expectations: Record<Operator, Expectation> = {
  eq: scalar,
  neq: scalar,
  in: list,
  not_in: list,
  gt: comparable,
  gte: comparable,
  lt: comparable,
  lte: comparable,
  contains: scalar,
  exists: { words: 'true or false', isMet: (value) => typeof value === 'boolean' },
}

function wrong(loc: (string | number)[], msg: string): Problem {
  return { loc, msg, type: 'value_error' }
}

function missing(loc: (string | number)[]): Problem {
  return { loc, msg: 'field required', type: 'missing' }
}
