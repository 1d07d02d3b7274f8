import { recordPageView } from '../../figures/page-views/store.ts'
import { type CountedView, countView } from '../../offers/decision/count.ts'
import type { DecidedOffers } from '../../offers/decision/decide.ts'
import type { OfferedOrder } from '../../offers/decision/store.ts'
import { defineCache } from '../../platform/foundation/caches.ts'
import { dayMs, minuteMs } from '../../platform/foundation/clock.ts'
import type { Context, ShopContext } from '../../platform/foundation/context.ts'
import type { PageRequest } from '../../platform/foundation/page-route.ts'

/** Views counted today, so that reloading a page needs no query. */
const countedViews = defineCache<true>({ name: 'counted views', maxEntries: 100_000, ttlMs: dayMs })

interface PageView extends CountedView {
  order: OfferedOrder
  decided: DecidedOffers
}

/**
 * Counts that the customer saw a campaign or followed its link, once a day. Customers who opt out of tracking are not
 * counted; their A/B test gives them the same variant without storing it.
 */
export async function countForPage(
  context: Context,
  request: PageRequest,
  { order, decided, action, campaignId }: PageView,
): Promise<void> {
  if (!isCounted(request)) return
  const counted = context.services.caches.open(countedViews)
  const day = context.now.toISOString().slice(0, 10)
  const view = `${day} ${order.shop.id} ${order.customer} ${action} ${campaignId ?? decided.decision.test?.id ?? ''}`
  if (counted.get(view)) return
  await countView(context, order, decided, { action, campaignId })
  counted.set(view, true)
}

/** Visits that were counted, so that a page that is left open or reloaded needs no query. */
const countedVisits = defineCache<true>({ name: 'counted visits', maxEntries: 100_000, ttlMs: 10 * minuteMs })

/**
 * Counts a view of the order's page, once in ten minutes, for the merchant's timeline of the order. The page does not
 * wait for it.
 */
export function countVisit(context: ShopContext, request: PageRequest, orderId: string): void {
  if (!isCounted(request)) return
  const visits = context.services.caches.open(countedVisits)
  const visit = `${context.shop.id} ${orderId}`
  if (visits.get(visit, context.now)) return
  visits.set(visit, true)
  recordPageView(context, { shopId: context.shop.id, orderId, viewedAt: context.now }).catch((err) => {
    context.log.warn({ err }, 'a view of a tracking page was not counted')
  })
}

/** Only customers count: no robots, no prefetching, no one who signals "do not sell", and not the merchant. */
export function isCounted({ method, headers, query }: Pick<PageRequest, 'method' | 'headers' | 'query'>): boolean {
  if (query.from === 'dashboard') return false
  if (method === 'HEAD' || headers['sec-gpc'] === '1') return false
  const purpose = `${headers['sec-purpose'] ?? ''} ${headers.purpose ?? ''} ${headers['x-moz'] ?? ''}`
  if (/prefetch|prerender|preview/i.test(purpose)) return false
  return !/bot\b|crawl|spider|preview|externalhit|slurp/i.test(String(headers['user-agent'] ?? ''))
}
