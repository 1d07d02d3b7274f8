import { readFileSync } from 'node:fs'
import { findOrderToWithdraw } from '../../claims/withdrawals/find.ts'
import { isLate } from '../../claims/withdrawals/rules.ts'
import { cachedSettings } from '../../claims/withdrawals/settings-cache.ts'
import { findPageOrder, type PageOrderRecord } from '../../customer-view/order-page/store.ts'
import { targetName, targetsOf } from '../../offers/campaigns/targets.ts'
import { decideFor, presentOffers } from '../../offers/decision/decide.ts'
import { parsePageToken } from '../../orders/page-addresses/page-token.ts'
import { findOrderByToken } from '../../orders/page-addresses/store.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { ApiError } from '../../platform/foundation/errors.ts'
import { type Page, type PageResponse, page, redirect } from '../../platform/foundation/page-route.ts'
import { webAddress } from '../addresses.ts'
import { script, withoutComments } from '../assets.ts'
import { claimStateStyle } from '../claim/state.ts'
import { renderLayout } from '../layout.ts'
import { themeOf } from '../theme.ts'
import { linkTo, viewerOf } from '../viewer.ts'
import type { Entry } from '../withdrawal/entry.ts'
import { renderOrder } from './render.ts'
import { countForPage, countVisit } from './views.ts'
import { comeBackSeconds, type OrderWatch } from './watch.ts'

/** The order's page, and what belongs to it. */
export function orderPages(watch: OrderWatch): Page[] {
  return [orderPage, followCampaign, watchPage(watch)]
}

const orderPage = page({
  name: 'trackingPage',
  route: 'GET /track/{slug}/{token}',
  async handle(context, request) {
    const order = await findOrder(context, request.path.token)
    const offered = { ...order.offered, id: order.id, shop: context.shop }
    const viewer = viewerOf(context, request)
    // The shop's own texts follow the page's language.
    const reader = { ...context, acceptLanguage: viewer.language }
    const decided = await decideFor(reader, offered)
    const offers = await presentOffers(reader, offered, decided)
    await countForPage(context, request, {
      order: offered,
      decided,
      action: 'exposure',
      campaignId: offers.campaign?.uuid ?? null,
    })
    countVisit(context, request, order.id)
    const root = `/track/${context.shop.slug}/${request.path.token}`
    const reading = { viewer, shopName: context.shop.name, now: context.now }
    const withdrawal = await findEntry(context, order.id)
    const { title, main } = renderOrder({ reading, order, offers, root, withdrawal })
    return renderLayout({
      title,
      viewer,
      shop: context.shop,
      theme: themeOf(decided.compiled.palette),
      address: root,
      main,
      mainAttributes: {
        'data-watch': linkTo(viewer, `${root}/events`),
        'data-state': order.state,
        'data-announcement': viewer.texts.say('order.updated'),
      },
      scripts: [pageScript],
      ...(order.claims.length > 0 ? { styles: [claimStateStyle] } : {}),
    })
  },
})

/** Counts a click on a campaign's link and redirects, only to one of the campaign's own targets. */
const followCampaign = page({
  name: 'followCampaign',
  route: 'GET /track/{slug}/{token}/go/{campaign}/{target}',
  async handle(context, request) {
    const { token, campaign: campaignId, target } = request.path
    const order = await findOrder(context, token)
    const offered = { ...order.offered, id: order.id, shop: context.shop }
    const decided = await decideFor(context, offered)
    const { campaign } = await presentOffers(context, offered, decided)
    const back = linkTo(viewerOf(context, request), `/track/${context.shop.slug}/${token}`)
    // The campaign may have ended; the customer then sees the current offers.
    if (campaign === null || campaign.uuid !== campaignId) return redirect(back)
    const address = webAddress(targetsOf(campaign).find((candidate) => targetName(candidate) === target))
    if (address === undefined) return redirect(back)
    await countForPage(context, request, { order: offered, decided, action: 'click', campaignId: campaign.uuid })
    return redirect(address)
  },
})

/** Until when the order can be withdrawn from; undefined if the shop does not offer that, or nothing is left. */
async function findEntry(context: ShopContext, orderId: string): Promise<Entry | undefined> {
  if (!(await cachedSettings(context)).enabled) return undefined
  const found = await findOrderToWithdraw(context, orderId)
  if (found === undefined || found.obstacle !== undefined) return undefined
  return { period: found.period, isLate: isLate(found.period, context.now) }
}

function watchPage(watch: OrderWatch): Page {
  return page({
    name: 'watchOrder',
    route: 'GET /track/{slug}/{token}/events',
    async handle(context, { path, query, method, clientAddress: address }): Promise<PageResponse> {
      const key = await findOrderByToken(context, path.token)
      if (key === undefined || key.shopId !== context.shop.id) throw noSuchOrder()
      // The page's script cannot see why its stream was rejected: it requests the head.
      if (method === 'HEAD' && watch.hasPlace(key, address)) return { status: 204 }
      const stream = method === 'HEAD' ? undefined : watch.open(context, key, { state: query.state ?? '', address })
      if (stream === undefined) return { status: 429, headers: { 'retry-after': String(comeBackSeconds) } }
      return {
        status: 200,
        headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' },
        stream,
      }
    },
  })
}

async function findOrder(context: ShopContext, token: string): Promise<PageOrderRecord> {
  const opened = parsePageToken(token)
  // A token of another shop is not valid here.
  const order = opened?.shopId === context.shop.id ? await findPageOrder(context, opened) : undefined
  if (order === undefined) throw noSuchOrder()
  return order
}

function noSuchOrder(): ApiError {
  return new ApiError('order_not_found', 'There is no such order.')
}

const source = readFileSync(new URL('./page.client.js', import.meta.url), 'utf8')

/** Refreshes the page when the order changes. Without comments and indentation. */
const pageScript = script('page', withoutComments(source))
