import type { Operation } from '../platform/foundation/operation.ts'
import { detectCarrier, listCarriers } from './carriers/operations.ts'
import {
  getExceptionSettings,
  searchExceptions,
  updateException,
  updateExceptionSettings,
  updateExceptions,
} from './exceptions/operations.ts'
import { getTrackingProviders, updateTrackingProviders } from './providers/operations.ts'
import { receiveCarrierUpdate } from './scans/inbound-operations.ts'
import { listUnmappedCodes, mapCarrierCode, previewCarrierCode, unmapCarrierCode } from './unmapped/operations.ts'

export const trackingOperations: readonly Operation[] = [
  searchExceptions,
  updateException,
  updateExceptions,
  getExceptionSettings,
  updateExceptionSettings,
  listCarriers,
  detectCarrier,
  listUnmappedCodes,
  mapCarrierCode,
  previewCarrierCode,
  unmapCarrierCode,
  receiveCarrierUpdate,
  getTrackingProviders,
  updateTrackingProviders,
]
