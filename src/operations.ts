import { accessOperations } from './access/api.ts'
import { automationOperations } from './automations/api.ts'
import { claimOperations } from './claims/api.ts'
import { connectionOperations } from './connections/api.ts'
import { credentialOperations } from './credentials/api.ts'
import { customerPageOperations } from './customer-page/api.ts'
import { deskOperations } from './desk/api.ts'
import { figureOperations } from './figures/api.ts'
import { installationOperations } from './installation/api.ts'
import { messageOperations } from './messages/api.ts'
import { offerOperations } from './offers/api.ts'
import { orderOperations } from './orders/api.ts'
import type { Operation } from './platform/foundation/operation.ts'
import { privacyOperations } from './privacy/api.ts'
import { promiseOperations } from './promises/api.ts'
import { shopOperations } from './shops/api.ts'
import { trackingOperations } from './tracking/api.ts'
import { webhookOperations } from './webhooks/api.ts'

/** The sections of the API reference, in their order. */
export const areas = [
  'Shops',
  'API keys',
  'Encryption',
  'Sign-in',
  'People',
  'Team messages',
  'Orders',
  'Shipments',
  'Search',
  'Shipment events',
  'Event feed',
  'Exceptions',
  'Attention',
  'Notes',
  'Views',
  'Events',
  'Claims',
  'Withdrawals',
  'Webhooks',
  'Deliveries',
  'Campaigns',
  'A/B tests',
  'Offers',
  'Discounts',
  'Deals',
  'Announcements',
  'Automations',
  'Products',
  'Carriers',
  'Analytics',
  'Calendar',
  'E-mail',
  'Delivery promises',
  'Images',
  'Imports and exports',
  'Privacy',
  'Audit log',
  'Integration keys',
  'Integrations',
  'Mail',
  'Connections',
  'Shop systems',
  'Settings',
  'Embedding',
  'Internal triggers',
  'Status',
  'Moving shops',
]

/** Every operation of the API. Routes, roles, validation, the API description and its tests follow from this list. */
export const operations: readonly Operation[] = [
  ...shopOperations,
  ...accessOperations,
  ...messageOperations,
  ...orderOperations,
  ...webhookOperations,
  ...trackingOperations,
  ...deskOperations,
  ...claimOperations,
  ...figureOperations,
  ...offerOperations,
  ...automationOperations,
  ...credentialOperations,
  ...promiseOperations,
  ...privacyOperations,
  ...connectionOperations,
  ...customerPageOperations,
  ...installationOperations,
].sort((left, right) => areas.indexOf(left.area) - areas.indexOf(right.area))
