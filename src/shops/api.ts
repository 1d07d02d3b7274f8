import type { Operation } from '../platform/foundation/operation.ts'
import { searchAuditLog, searchInstallationAuditLog } from './audit-log/operations.ts'
import { getCalendarSettings, getCountryCalendar, replaceCalendarSettings } from './calendar/operations.ts'
import {
  createEncryptionKey,
  getEncryption,
  listSigningKeys,
  reencrypt,
  rotateSigningKeys,
} from './encryption/operations.ts'
import { getImage, uploadImage, uploadImageOfType } from './images/operations.ts'
import { getMappings, getSettingsBundle, setMappings } from './settings/bundle-operations.ts'
import { checkPaletteContrast } from './settings/contrast-operations.ts'
import {
  changeInternalTrigger,
  createInternalTrigger,
  getInternalTrigger,
  previewInternalTrigger,
  removeInternalTrigger,
  searchInternalTriggers,
} from './settings/internal-trigger-operations.ts'
import {
  getBrandPalette,
  getShopSettings,
  updateBrandPalette,
  updateCampaignSettings,
  updateCarrierSettings,
  updateSegmentSwitches,
  updateTriggerSwitches,
} from './settings/operations.ts'
import { readShopSystemSettings, updateShopSystemSettings } from './settings/shop-system-operations.ts'
import { getIntegrationTriggers, updateIntegrationTriggers } from './settings/trigger-operations.ts'
import {
  createShop,
  deleteShop,
  getShopBySlug,
  getShopProfile,
  searchShops,
  updateShopBySlug,
} from './shops/operations.ts'
import { removeView, saveView, searchViews } from './views/operations.ts'

export const shopOperations: readonly Operation[] = [
  createShop,
  searchShops,
  getShopBySlug,
  getShopProfile,
  updateShopBySlug,
  deleteShop,
  getEncryption,
  createEncryptionKey,
  reencrypt,
  listSigningKeys,
  rotateSigningKeys,
  searchViews,
  saveView,
  removeView,
  getCountryCalendar,
  getCalendarSettings,
  replaceCalendarSettings,
  uploadImage,
  uploadImageOfType,
  getImage,
  searchAuditLog,
  searchInstallationAuditLog,
  getShopSettings,
  updateCarrierSettings,
  updateTriggerSwitches,
  updateSegmentSwitches,
  updateCampaignSettings,
  getBrandPalette,
  updateBrandPalette,
  checkPaletteContrast,
  getIntegrationTriggers,
  updateIntegrationTriggers,
  searchInternalTriggers,
  createInternalTrigger,
  previewInternalTrigger,
  getInternalTrigger,
  changeInternalTrigger,
  removeInternalTrigger,
  getSettingsBundle,
  getMappings,
  setMappings,
  readShopSystemSettings,
  updateShopSystemSettings,
]
