import type { OrderToWithdraw } from '../../claims/withdrawals/find.ts'
import type { ChosenItem } from '../../claims/withdrawals/items.ts'
import type { ShopRecord } from '../../platform/foundation/context.ts'
import type { Viewer } from '../viewer.ts'
import type { WithdrawalTexts } from './texts.ts'

/** A visit to an order's withdrawal pages. */
export interface WithdrawalVisit extends OrderToWithdraw {
  viewer: Viewer
  texts: WithdrawalTexts
  shop: ShopRecord
  isLate: boolean
  /** Whether the receipt can be e-mailed. */
  hasMail: boolean
  /** The paths of the order's page and of the form below it. */
  orderAddress: string
  formAddress: string
}

export interface WithdrawalFormView extends WithdrawalVisit {
  values: WithdrawalValues
  problems: readonly WithdrawalProblem[]
}

export function problemsAt({ problems }: WithdrawalFormView, field: WithdrawalField): WithdrawalProblem[] {
  return problems.filter((problem) => problem.field === field)
}

/** The entered values, unvalidated. */
export interface WithdrawalValues {
  name: string
  email: string
  scope: 'all' | 'some' | undefined
  /** The quantity of each item, by its key. */
  quantities: ReadonlyMap<string, string>
}

/** The statement to confirm in the second step. */
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
