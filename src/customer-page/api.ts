import type { Operation } from '../platform/foundation/operation.ts'
import {
  getEmbedding,
  getWidgetSettings,
  lookUpFromWidget,
  rotatePublicKey,
  updateEmbedding,
} from './embedding/operations.ts'
import { previewOffers, previewOrderPage, previewTrackingPage } from './previews/operations.ts'

export const customerPageOperations: readonly Operation[] = [
  getEmbedding,
  updateEmbedding,
  rotatePublicKey,
  getWidgetSettings,
  lookUpFromWidget,
  previewOrderPage,
  previewOffers,
  previewTrackingPage,
]
