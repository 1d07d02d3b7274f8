import { clientCredentials } from '../../credentials.ts'
import { describeShopSystem } from '../shop-system.ts'

export const shopware = describeShopSystem({
  name: 'shopware',
  label: 'Shopware',
  isListedUnset: true,
  credentials: clientCredentials({ removal: undefined }),
  signsWith: 'app secret',
  // Reading what changed includes new orders.
  catchUp: ['changed', 'open'],
  load: () => import('./adapter.ts'),
})
