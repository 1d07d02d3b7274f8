import type { Operation } from '../platform/foundation/operation.ts'
import { getAnalyticsSummary } from './analytics/operations.ts'
import { getClaimFigures } from './claim-figures/operations.ts'
import {
  getDeliveryTarget,
  getDeliveryTimes,
  listDeliveredParcels,
  updateDeliveryTarget,
} from './delivery-times/operations.ts'
import { reportPromises } from './promise-report/operations.ts'

export const figureOperations: readonly Operation[] = [
  getClaimFigures,
  getAnalyticsSummary,
  getDeliveryTimes,
  listDeliveredParcels,
  getDeliveryTarget,
  updateDeliveryTarget,
  reportPromises,
]
