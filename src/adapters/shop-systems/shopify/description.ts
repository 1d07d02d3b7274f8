import { shopifyToken } from '../../vendors/shopify-credentials.ts'
import { describeShopSystem } from '../shop-system.ts'

export const shopify = describeShopSystem({
  name: 'shopify',
  label: 'Shopify',
  isListedUnset: true,
  credentials: shopifyToken,
  signsWith: 'shop secret',
  webhook: {
    description: '`X-Shopify-Hmac-Sha256` is base64; the secret set by PUT /shopify/webhook-secret is accepted too.',
    example: {
      id: 5_123_456_789,
      name: '#1001',
      email: 'ada@customer.example',
      line_items: [{ id: 1, title: 'Rain jacket', quantity: 1, price: '89.90' }],
    },
  },
  // Reading what changed includes new orders.
  catchUp: ['changed', 'open'],
  load: () => import('./adapter.ts'),
})
