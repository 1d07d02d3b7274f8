import type { Operation } from '../platform/foundation/operation.ts'
import { eraseCustomerData, exportCustomerData, previewCustomerErasure } from './operations.ts'

export const privacyOperations: readonly Operation[] = [exportCustomerData, previewCustomerErasure, eraseCustomerData]
