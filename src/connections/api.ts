import type { Operation } from '../platform/foundation/operation.ts'
import {
  cancelBackfillById,
  createBackfill,
  getBackfillById,
  listBackfills,
  resumeBackfill,
} from './backfills/operations.ts'
import { catchUp } from './catch-up/operations.ts'
import { authorizeWooCommerce, receiveWooCommerceGrant } from './overview/grant-operations.ts'
import {
  checkConnectionByName,
  getConnections,
  registerAllWebhooks,
  registerWooCommerceWebhooks,
} from './overview/operations.ts'
import { inboundOperations } from './shop-systems/inbound-operations.ts'
import {
  createRegistration,
  deleteRegistrationById,
  deleteRegistrationByType,
  getRegistrationById,
  getRegistrationByType,
  getWebhookConfig,
  rotateWebhookConfig,
  searchRegistrations,
  setShopifySecret,
} from './shop-systems/operations.ts'
import { confirmShopware, receiveShopware, registerShopware } from './shopware/inbound-operations.ts'
import {
  deleteShopwareApp,
  downloadShopwareApp,
  downloadShopwareManifest,
  getShopwareApp,
} from './shopware/operations.ts'
import { listSystems } from './systems/operations.ts'

export const connectionOperations: readonly Operation[] = [
  listSystems,
  getConnections,
  checkConnectionByName,
  registerAllWebhooks,
  registerWooCommerceWebhooks,
  authorizeWooCommerce,
  receiveWooCommerceGrant,
  createBackfill,
  listBackfills,
  getBackfillById,
  cancelBackfillById,
  resumeBackfill,
  catchUp,
  createRegistration,
  searchRegistrations,
  getRegistrationById,
  getRegistrationByType,
  deleteRegistrationById,
  deleteRegistrationByType,
  setShopifySecret,
  getWebhookConfig,
  rotateWebhookConfig,
  ...inboundOperations,
  getShopwareApp,
  downloadShopwareApp,
  downloadShopwareManifest,
  deleteShopwareApp,
  registerShopware,
  confirmShopware,
  receiveShopware,
]
