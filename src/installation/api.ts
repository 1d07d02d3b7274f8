import type { Operation } from '../platform/foundation/operation.ts'
import { exportShop, getShopPause, importShop, pauseShopBySlug, resumeShopBySlug } from './shop-moves/operations.ts'
import { getStatus } from './status/operations.ts'

export const installationOperations: readonly Operation[] = [
  getStatus,
  getShopPause,
  pauseShopBySlug,
  resumeShopBySlug,
  exportShop,
  importShop,
]
