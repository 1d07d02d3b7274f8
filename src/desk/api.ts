import type { Operation } from '../platform/foundation/operation.ts'
import { getAttention, updateChecklist } from './attention/operations.ts'
import { getShipmentTimeline } from './timeline/operations.ts'
import { getOrderTimeline } from './timeline/order-operations.ts'

export const deskOperations: readonly Operation[] = [
  getAttention,
  updateChecklist,
  getShipmentTimeline,
  getOrderTimeline,
]
