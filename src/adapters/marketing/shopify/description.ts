import { findShopUrl, shopifyHosts } from '../../vendors/shopify-admin.ts'
import { shopifyToken } from '../../vendors/shopify-credentials.ts'
import { type AccountSettings, describeIntegration } from '../integration.ts'

export const shopify = describeIntegration({
  name: 'shopify',
  label: 'Shopify',
  kind: 'shop_system',
  isListedUnset: true,
  credentials: shopifyToken,
  hosts: shopifyHosts,
  addressOf: ({ shop_admin_url }: AccountSettings) => findShopUrl(shop_admin_url),
  // 100 points per second on the smallest plan; the mutation costs 10 and the query less.
  requestsPerSecond: 10,
  abilities: ['check', 'fetchSegments'],
  hasSegmentSwitch: false,
  load: () => import('./adapter.ts'),
})
