import type { ShopRecord } from '../../../src/foundation/context.ts'
import type { OrderToWithdraw } from '../../../src/resources/withdrawals/find.ts'
import type { Viewer } from '../viewer.ts'
import type { WithdrawalTexts } from './texts.ts'
import type { WithdrawalField, WithdrawalProblem, WithdrawalValues } from './values.ts'

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
