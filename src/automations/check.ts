import { conditionProblems } from '../delivery/receivers/conditions.ts'
import { isEventFilter } from '../delivery/receivers/filters.ts'
import { ApiError, type Problem } from '../platform/foundation/errors.ts'
import type { Action, ActionInput, ActionType, AutomationWrite } from './schema.ts'

type Checked = Pick<AutomationWrite, 'trigger' | 'conditions' | 'actions'>

/**
 * Checks what the schema cannot, and reports all problems at once. Returns actions with the fields of their types. `at` is
 * where the automation is in the request.
 */
export function checkAutomation(write: Checked, at: readonly string[] = ['body']): Action[] {
  const found: Problem[] = [
    ...write.trigger.events.flatMap((filter, index) =>
      isEventFilter(filter) ? [] : [wrong(['trigger', 'events', index], `"${filter}" is not a known event`)],
    ),
    ...conditionProblems(write.conditions ?? []),
    ...write.actions.flatMap(actionProblems),
  ]
  const problems = found.map((problem) => ({ ...problem, loc: [...at, ...problem.loc] }))
  const [first] = problems
  if (first !== undefined) {
    throw new ApiError('invalid_payload', `${first.loc.slice(1).join('.')}: ${first.msg}`, { problems })
  }
  return write.actions.map(toAction)
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
  const loc = ['actions', index, name]
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
