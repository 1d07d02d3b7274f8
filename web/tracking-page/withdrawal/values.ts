import type { ChosenItem } from '../../../src/resources/withdrawals/items.ts'

/** The entered values, unvalidated. */
export interface WithdrawalValues {
  name: string
  email: string
  scope: 'all' | 'some' | undefined
  /** The quantity of each item, by its key. */
  quantities: ReadonlyMap<string, string>
}

/** What is confirmed in the second step. */
export interface CheckedStatement {
  /** The id of the future claim: confirming twice makes one. */
  id: string
  name: string
  email: string
  scope: 'all' | 'some'
  items: ChosenItem[]
}

export type WithdrawalField = 'name' | 'email' | 'scope' | 'items' | `item-${string}` | 'send'

/** A problem, as text in the page's language. */
export interface WithdrawalProblem {
  field: WithdrawalField
  text: string
}

export const emptyWithdrawal: WithdrawalValues = { name: '', email: '', scope: 'all', quantities: new Map() }

export const maxNameLength = 200
export const maxEmailLength = 254
