import { defineCache } from '../../../src/foundation/caches.ts'
import { dayMs } from '../../../src/foundation/clock.ts'
import type { Context } from '../../../src/foundation/context.ts'
import type { PageRequest } from '../../../src/foundation/page-route.ts'
import { countView } from '../../../src/resources/offers/count.ts'
import type { DecidedOffers } from '../../../src/resources/offers/decide.ts'
import type { OfferedOrder } from '../../../src/resources/offers/store.ts'

type Action = 'exposure' | 'click'

/** What was counted today, so that reloading a page needs no query. */
const countedViews = defineCache<true>({ name: 'counted views', maxEntries: 100_000, ttlMs: dayMs })

/**
 * Counts that the customer saw a campaign or followed its link, once a day. Customers who opt out of tracking are not
 * counted; their A/B test gives them the same variant without storing it.
 */
export async function countForPage(
  context: Context,
  request: PageRequest,
  order: OfferedOrder,
  decided: DecidedOffers,
  action: Action,
  campaignId: string | null,
): Promise<void> {
  if (!isCounted(request)) return
  const counted = context.services.caches.open(countedViews)
  const day = context.now.toISOString().slice(0, 10)
  const view = `${day} ${order.shop.id} ${order.customer} ${action} ${campaignId ?? decided.decision.test?.id ?? ''}`
  if (counted.get(view)) return
  await countView(context, order, decided, action, campaignId)
  counted.set(view, true)
}

/** Only people count: no robots, no prefetching, and no one who signals "do not sell". */
function isCounted({ method, headers }: Pick<PageRequest, 'method' | 'headers'>): boolean {
  if (method === 'HEAD' || headers['sec-gpc'] === '1') return false
  const purpose = `${headers['sec-purpose'] ?? ''} ${headers.purpose ?? ''} ${headers['x-moz'] ?? ''}`
  if (/prefetch|prerender|preview/i.test(purpose)) return false
  return !/bot\b|crawl|spider|preview|externalhit|slurp/i.test(String(headers['user-agent'] ?? ''))
}
