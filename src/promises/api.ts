import type { Operation } from '../platform/foundation/operation.ts'
import { backtestPromises } from './backtest-operations.ts'
import { getPromiseSettings, listDeliveryPromises, updatePromiseSettings } from './operations.ts'

export const promiseOperations: readonly Operation[] = [
  listDeliveryPromises,
  getPromiseSettings,
  updatePromiseSettings,
  backtestPromises,
]
