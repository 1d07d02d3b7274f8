import type { Operation } from '../platform/foundation/operation.ts'
import { decideClaims, undoClaimDecisions } from './claims/decision-operations.ts'
import { createClaim, deleteClaim, getClaim, searchClaims, updateClaim } from './claims/operations.ts'
import {
  getOrderWithdrawal,
  getWithdrawalSettings,
  searchWithdrawals,
  updateWithdrawalSettings,
} from './withdrawals/operations.ts'

export const claimOperations: readonly Operation[] = [
  createClaim,
  searchClaims,
  getClaim,
  updateClaim,
  deleteClaim,
  decideClaims,
  undoClaimDecisions,
  getWithdrawalSettings,
  updateWithdrawalSettings,
  searchWithdrawals,
  getOrderWithdrawal,
]
