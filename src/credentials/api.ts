import type { Operation } from '../platform/foundation/operation.ts'
import { integrationKeyOperations } from './integration-keys/operations.ts'
import { getMailSettings, updateMailSettings } from './mail-account/operations.ts'

export const credentialOperations: readonly Operation[] = [
  getMailSettings,
  updateMailSettings,
  ...integrationKeyOperations,
]
