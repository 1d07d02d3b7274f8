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
import { hangPictures, type Pictures } from './pictures.ts'
import { showcaseNumber } from './recent.ts'
import { sendReturns } from './returns.ts'
import { openShop, paintShop, slug } from './shop.ts'

/** What the welcome text says about the demo shop. */
export interface Demo {
  slug: string
  name: string
  /** The page of a parcel in transit. */
  trackingNumber: string
  pages: DemoPage[]
}

/** The steps that fill the demo shop, in this order; each has its own file. */
const steps: readonly ((context: ShopContext, pictures: Pictures) => Promise<void>)[] = [
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

/** Creates the demo shop once per installation; undefined if it was created before, or if its slug is taken. */
export async function buildDemo(context: Context): Promise<Demo | undefined> {
  if ((await findShopIds(context, [slug])).size > 0) return undefined
  // One transaction: an interrupted process leaves no partial shop, and other nodes wait.
  const built = await inTransaction(context, async (context) => {
    const { isNew } = await claimFact(context, 'demo', context.now.toISOString())
    if (!isNew) return undefined
    const shop = await openShop(context)
    const pictures = await hangPictures({ ...context, shop })
    for (const step of steps) await step({ ...context, shop }, pictures)
    const pages = await findDemoPages({ ...context, shop })
    return { demo: { slug, name: shop.name, trackingNumber: showcaseNumber, pages }, pictures }
  })
  await built?.pictures.store()
  return built?.demo
}
