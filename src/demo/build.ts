import { claimFact } from '../database/installation.ts'
import type { Context, ShopContext } from '../foundation/context.ts'
import { inTransaction } from '../foundation/transaction.ts'
import { findShopIds } from '../resources/shops/store.ts'
import { setUpAutomations } from './automations.ts'
import { runCampaigns } from './campaigns.ts'
import { sendCatalogue } from './catalogue.ts'
import { fileClaims } from './claims.ts'
import { followParcels } from './moving.ts'
import { makeOffers } from './offers.ts'
import { sendOrders } from './orders.ts'
import { type DemoPage, findDemoPages } from './pages.ts'
import { showcaseNumber } from './recent.ts'
import { sendReturns } from './returns.ts'
import { openShop, paintShop, slug } from './shop.ts'

/** What the welcome text tells of the demo shop. */
export interface Demo {
  slug: string
  name: string
  /** Of a parcel that is under way. */
  trackingNumber: string
  pages: DemoPage[]
}

/** What the demo shop is filled with, in this order: a subject is a file beside this one and a line here. */
const steps: readonly ((context: ShopContext) => Promise<void>)[] = [
  paintShop,
  sendCatalogue,
  makeOffers,
  sendOrders,
  followParcels,
  sendReturns,
  fileClaims,
  runCampaigns,
  setUpAutomations,
]

/** Makes the demo shop, once in the life of an installation; undefined where it was made before, or its name is taken. */
export async function buildDemo(context: Context): Promise<Demo | undefined> {
  if ((await findShopIds(context, [slug])).size > 0) return undefined
  // One transaction: a process that is stopped meanwhile leaves no half of a shop, and another node waits for the whole.
  return inTransaction(context, async (context) => {
    const { isNew } = await claimFact(context, 'demo', context.now.toISOString())
    if (!isNew) return undefined
    const shop = await openShop(context)
    for (const step of steps) await step({ ...context, shop })
    const pages = await findDemoPages({ ...context, shop })
    return { slug, name: shop.name, trackingNumber: showcaseNumber, pages }
  })
}
