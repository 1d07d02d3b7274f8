import { ApiError, type Problem } from '../../foundation/errors.ts'
import { parseInstant } from '../../foundation/schema.ts'
import { isEventFilter } from '../../notifications/filters.ts'
import type { Action, ActionInput, ActionType, AutomationWrite, Condition, Operator, Scalar } from './schema.ts'

/** Checks what the schema cannot, and reports all problems at once. Returns actions with the fields of their types. */
export function checkAutomation(write: AutomationWrite): Action[] {
  const problems: Problem[] = [
    ...write.trigger.events.flatMap((filter, index) =>
      isEventFilter(filter) ? [] : [wrong(['body', 'trigger', 'events', index], `"${filter}" is not a known event`)],
    ),
    ...(write.conditions ?? []).flatMap(conditionProblems),
    ...write.actions.flatMap(actionProblems),
  ]
  const [first] = problems
  if (first !== undefined) {
    throw new ApiError('invalid_payload', `${first.loc.slice(1).join('.')}: ${first.msg}`, { problems })
  }
  return write.actions.map(toAction)
}

/** Drops unknown fields. */
export function toStoredConditions(conditions: Condition[]): Condition[] {
  return conditions.map(({ field, operator, value }) => ({
    field,
    operator,
    ...(value === undefined ? {} : { value }),
  }))
}

const fieldPattern = /^(event_data|context)(\.[A-Za-z0-9_-]+){1,12}$/

function conditionProblems({ field, operator, value }: Condition, index: number): Problem[] {
  const isPath = fieldPattern.test(field)
  const expectation = expectations[operator]
  return [
    ...(isPath
      ? []
      : [
          wrong(
            ['body', 'conditions', index, 'field'],
            'must be a path such as event_data.event_name or context.order.total_order_price',
          ),
        ]),
    ...(value === undefined && operator !== 'exists' ? [missing(['body', 'conditions', index, 'value'])] : []),
    ...(value !== undefined && !expectation.isMet(value)
      ? [wrong(['body', 'conditions', index, 'value'], `of ${operator} must be ${expectation.words}`)]
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

/** The field that each type requires. */
const requiredField: Record<ActionType, 'integration' | 'url' | 'segment' | 'status' | 'reason'> = {
  notify: 'integration',
  webhook: 'url',
  add_segment: 'segment',
  update_claim: 'status',
  create_claim: 'reason',
}

/** The URL identifies a receiver in indexes, and an index entry has a maximum size. */
const maxUrlLength = 2_000

function actionProblems(action: ActionInput, index: number): Problem[] {
  const name = requiredField[action.type]
  const loc = ['body', 'actions', index, name]
  if (action[name] === undefined || action[name] === null) return [missing(loc)]
  if (action.type === 'webhook' && normalizeUrl(action.url ?? '').length > maxUrlLength) {
    return [wrong(loc, `must be at most ${maxUrlLength} characters long, with non-ASCII characters encoded`)]
  }
  return []
}

/** The normalized form of a URL, by which it is called and stored. */
export function normalizeUrl(url: string): string {
  return new URL(url).href
}

/** An action with the fields of its type only. `actionProblems` has checked that the required one is present. */
function toAction(input: ActionInput): Action {
  const { type, event_group, resolution_preference } = input
  const required = input[requiredField[type]]
  return {
    type,
    [requiredField[type]]: required,
    ...(type === 'notify' && event_group ? { event_group } : {}),
    ...(type === 'create_claim' && resolution_preference ? { resolution_preference } : {}),
  } as Action // built for its type from values that the schema has accepted
}

export function automationNotFound(id: string): ApiError {
  return new ApiError('automation_not_found', `This shop has no automation ${id}.`)
}

function wrong(loc: (string | number)[], msg: string): Problem {
  return { loc, msg, type: 'value_error' }
}

function missing(loc: (string | number)[]): Problem {
  return { loc, msg: 'field required', type: 'missing' }
}
