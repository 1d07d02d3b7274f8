import type { Operation } from '../platform/foundation/operation.ts'
import { getMailFigures } from './figures/operations.ts'
import { listIntegrations, testIntegration } from './integrations/operations.ts'
import { receiveBounce, receivePostmark } from './recipients/inbound-operations.ts'
import { addSuppression, getHooks, listSuppressions, removeSuppression } from './recipients/operations.ts'
import {
  getTeamMailSettings,
  getTeamMailSubscription,
  updateTeamMailSettings,
  updateTeamMailSubscription,
} from './team-mail/operations.ts'
import { deleteMailTemplate, getMailTemplate, listMailTemplates, putMailTemplate } from './templates/operations.ts'
import { getMailPreviewFrame, previewMailMessage, testMail } from './templates/preview-operations.ts'

export const messageOperations: readonly Operation[] = [
  getTeamMailSubscription,
  updateTeamMailSubscription,
  getTeamMailSettings,
  updateTeamMailSettings,
  listIntegrations,
  testIntegration,
  listSuppressions,
  addSuppression,
  removeSuppression,
  getHooks,
  getMailFigures,
  receivePostmark,
  receiveBounce,
  listMailTemplates,
  getMailTemplate,
  putMailTemplate,
  deleteMailTemplate,
  previewMailMessage,
  getMailPreviewFrame,
  testMail,
]
