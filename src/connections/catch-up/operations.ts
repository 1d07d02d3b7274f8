import { type ShopSystemName, shopSystemNames } from '../../adapters/shop-systems/registry.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { operation } from '../../platform/foundation/operation.ts'
import { OneOf } from '../../platform/foundation/schema.ts'
import { inTransaction } from '../../platform/foundation/transaction.ts'
import { wakeOnceCommitted } from '../../platform/workers/wake.ts'
import { getPastOrdersAccount } from '../past-orders/accounts.ts'
import { toCatchUp } from './present.ts'
import { CatchUp } from './schema.ts'
import { makeDue } from './store.ts'

export const catchUp = operation({
  name: 'catchUpWithShopSystem',
  summary: 'Read recent orders of a shop system again, now',
  description:
    'Orders that no webhook reported are found by reading recent ones again: about every 15 minutes, and when the service starts. This makes the next reading due now; GET /connections shows when it has ended and what it found. It reads what was placed or changed since the last reading, an hour of overlap and 60 days at most, and orders without a tracking number by their ids. What is missing is stored and announced as its webhook would be.',
  area: 'Connections',
  route: 'POST /v1/shops/{slug}/connections/{name}/catch-up',
  needs: 'admin',
  pathSchemas: { name: OneOf(shopSystemNames, { examples: ['woocommerce'] }) },
  reply: CatchUp,
  errors: ['partner_key_not_found'],
  audit: { kind: 'catch_up', isAct: true },
  async handle(context, { path }) {
    const name = path.name as ShopSystemName // its schema allows only these
    await getPastOrdersAccount(context, name)
    return inTransaction(context, async (context: ShopContext) => {
      const row = await makeDue(context, name)
      wakeOnceCommitted(context, 'catchUps')
      return toCatchUp(row)
    })
  },
})
