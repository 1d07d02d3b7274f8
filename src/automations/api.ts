import type { Operation } from '../platform/foundation/operation.ts'
import { dryRunAutomationDraft, listAutomationFields } from './draft-operations.ts'
import {
  changeAutomation,
  createAutomation,
  getAutomationById,
  removeAutomation,
  searchAutomations,
} from './operations.ts'
import { dryRunAutomation, listAutomationRuns } from './run-operations.ts'

export const automationOperations: readonly Operation[] = [
  createAutomation,
  searchAutomations,
  getAutomationById,
  changeAutomation,
  removeAutomation,
  listAutomationFields,
  dryRunAutomationDraft,
  listAutomationRuns,
  dryRunAutomation,
]
