import { openAccount, recordProviderHealth } from '../../credentials/provider-accounts/store.ts'
import { addRequests } from '../../credentials/provider-accounts/usage-store.ts'
import { after, hourMs, minuteMs } from '../../platform/foundation/clock.ts'
import type { Context, ShopContext } from '../../platform/foundation/context.ts'
import { inTransaction } from '../../platform/foundation/transaction.ts'
import { claimFact } from '../../platform/store/installation.ts'
import { findShopIds } from '../../shops/shops/store.ts'
import { listEvents } from '../../webhooks/event-feed/operations.ts'
import { setUpAutomations } from './automations.ts'
import { runCampaigns } from './campaigns.ts'
import { sendCatalogue } from './catalogue.ts'
import { fileClaims } from './claims.ts'
import { inviteColleagues } from './colleagues.ts'
import { checkFile } from './imports.ts'
import { writeMailTexts } from './mail-texts.ts'
import { sendMessages } from './messages.ts'
import { followParcels } from './moving.ts'
import { makeOffers } from './offers.ts'
import { sendOrders } from './orders.ts'
import { type DemoPage, findDemoPages } from './pages.ts'
import type { DemoParts } from './parts.ts'
import { perform } from './perform.ts'
import { hangPictures } from './pictures.ts'
import { promiseDays } from './promises.ts'
import { showcaseNumber } from './recent.ts'
import { sendReturns } from './returns.ts'
import { openShop, paintShop, setTarget, slug } from './shop.ts'
import { reportUnknownScans } from './unknown-scans.ts'
import { acceptWithdrawals } from './withdrawals.ts'

/** The facts about the demo shop in the welcome text. */
export interface Demo {
  slug: string
  name: string
  /** The page of a parcel in transit. */
  trackingNumber: string
  pages: DemoPage[]
}

/** The steps that fill the demo shop, in this order; each has its own file. */
const steps: readonly ((context: ShopContext, parts: DemoParts) => Promise<void>)[] = [
  paintShop,
  setTarget,
  promiseDays,
  sendCatalogue,
  makeOffers,
  sendOrders,
  followParcels,
  sendReturns,
  fileClaims,
  acceptWithdrawals,
  reportUnknownScans,
  askProviders,
  checkFile,
  runCampaigns,
  inviteColleagues,
  sendMessages,
  writeMailTexts,
  setUpAutomations,
  readEvents,
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
    const parts = { pictures, scans: [] }
    for (const step of steps) await step({ ...context, shop }, parts)
    const pages = await findDemoPages({ ...context, shop })
    return { demo: { slug, name: shop.name, trackingNumber: showcaseNumber, pages }, pictures }
  })
  await built?.pictures.store()
  return built?.demo
}

/** The first reading switches the feed on: it has what the moving parcels of the shop do from now on. */
async function readEvents(context: ShopContext): Promise<void> {
  await perform(context, listEvents, undefined)
}

/** A day of requests about sandbox parcels: few at night, most around noon, two failures. No other provider is called. */
async function askProviders(context: ShopContext): Promise<void> {
  const { now, shop } = context
  await openAccount(context, shop.id, 'sandbox', now)
  await recordProviderHealth(context, { shopId: shop.id, provider: 'sandbox', at: after(now, -minuteMs) })
  await addRequests(
    context,
    Array.from({ length: 24 }, (_, back) => {
      const hour = new Date(Math.floor(now.getTime() / hourMs) * hourMs - back * hourMs)
      const busy = Math.max(0, 1 - Math.abs(hour.getUTCHours() - 13) / 9)
      const requests = 2 + Math.round(busy * 22)
      return { shopId: shop.id, provider: 'sandbox' as const, hour, requests, failures: back === 5 ? 2 : 0 }
    }),
  )
}
