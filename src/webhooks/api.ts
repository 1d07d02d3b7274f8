import type { Operation } from '../platform/foundation/operation.ts'
import {
  getDeliveryById,
  listWebhookDeliveries,
  recoverDeliveries,
  resendDeliveries,
  resendDelivery,
  searchDeliveries,
} from './endpoints/delivery-operations.ts'
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  rotateWebhookSecret,
  searchWebhooks,
  testWebhook,
  updateWebhook,
} from './endpoints/operations.ts'
import { replayWebhook } from './endpoints/replay-operations.ts'
import { listEventNames } from './event-catalogue/operations.ts'
import { listEvents } from './event-feed/operations.ts'

export const webhookOperations: readonly Operation[] = [
  listEvents,
  listEventNames,
  createWebhook,
  searchWebhooks,
  getWebhook,
  updateWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  testWebhook,
  replayWebhook,
  listWebhookDeliveries,
  searchDeliveries,
  getDeliveryById,
  resendDelivery,
  resendDeliveries,
  recoverDeliveries,
]
