import type { Operation } from '../platform/foundation/operation.ts'
import { createAbTest, endAbTest, getAbTest, getAbTestResults, searchAbTests } from './ab-tests/operations.ts'
import {
  changeAnnouncement,
  createAnnouncement,
  listEveryAnnouncement,
  removeAnnouncement,
  searchAnnouncements,
} from './announcements/operations.ts'
import { uploadCampaignImage, uploadCampaignProductImage } from './campaigns/image-operations.ts'
import {
  changeCampaign,
  createCampaign,
  getCampaignById,
  removeCampaign,
  searchCampaigns,
  switchCampaign,
} from './campaigns/operations.ts'
import { changeDeal, createDeal, listAllDeals, listShopDeals, rankDeal, removeDeal } from './deals/operations.ts'
import { getOffers, recordClick, recordExposure } from './decision/operations.ts'
import { changeDiscount, createDiscount, removeDiscount, searchDiscounts } from './discounts/operations.ts'

export const offerOperations: readonly Operation[] = [
  createCampaign,
  searchCampaigns,
  getCampaignById,
  changeCampaign,
  switchCampaign,
  removeCampaign,
  uploadCampaignImage,
  uploadCampaignProductImage,
  createAbTest,
  searchAbTests,
  getAbTest,
  endAbTest,
  getAbTestResults,
  getOffers,
  recordExposure,
  recordClick,
  createDiscount,
  searchDiscounts,
  changeDiscount,
  removeDiscount,
  listAllDeals,
  listShopDeals,
  createDeal,
  changeDeal,
  rankDeal,
  removeDeal,
  createAnnouncement,
  searchAnnouncements,
  listEveryAnnouncement,
  changeAnnouncement,
  removeAnnouncement,
]
