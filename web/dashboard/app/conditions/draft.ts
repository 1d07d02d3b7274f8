import type { Schemas } from 'doorstep-client'

export type Field = Schemas['AutomationField']
type Condition = Schemas['Condition']
type Operator = Condition['operator']

/** `missing` is `exists` with the value false. */
export type DraftOperator = Operator | 'missing'

export interface DraftCondition {
  /** For React; conditions have no id of their own. */
  key: number
  field: string
  operator: DraftOperator
  /** Of operators with one value, as its control has it. */
  value: string
  /** Of operators with several. */
  list: string[]
}

let keys = 0
export function nextKey(): number {
  keys += 1
  return keys
}

export function emptyCondition(): DraftCondition {
  return { key: nextKey(), field: '', operator: 'eq', value: '', list: [] }
}

export function toDraftCondition({ field, operator, value }: Condition): DraftCondition {
  const isList = Array.isArray(value)
  return {
    key: nextKey(),
    field,
    operator: operator === 'exists' && value === false ? 'missing' : operator,
    value: isList || value === undefined ? '' : String(value),
    list: isList ? value.map(String) : [],
  }
}

/** The operators that take several values. */
export function takesList(operator: DraftOperator): boolean {
  return operator === 'in' || operator === 'not_in'
}

export function takesNothing(operator: DraftOperator): boolean {
  return operator === 'exists' || operator === 'missing'
}

/** Whether a condition has everything it needs. */
export function isComplete({ field, operator, value, list }: DraftCondition): boolean {
  if (field === '') return false
  if (takesNothing(operator)) return true
  return takesList(operator) ? list.length > 0 : value !== ''
}

/** The condition as the API has it; the field says what a value is. */
export function toCondition(draft: DraftCondition, field: Field | undefined): Condition {
  const { operator, value, list } = draft
  if (operator === 'exists' || operator === 'missing') {
    return { field: draft.field, operator: 'exists', value: operator === 'exists' }
  }
  if (takesList(operator)) return { field: draft.field, operator, value: list.map((each) => toValue(each, field)) }
  return { field: draft.field, operator, value: value === '' ? '' : toValue(value, field) }
}

function toValue(text: string, field: Field | undefined): string | number | boolean {
  const type = field?.type ?? (/^-?\d+(\.\d+)?$/.test(text) ? 'number' : 'text')
  if (type === 'number') return Number(text)
  if (type === 'boolean') return text === 'true'
  if (type === 'time' && text.length === 16) return new Date(text).toISOString()
  return text
}
