import { call } from '../../app/call.ts'
import type { ListSearch } from '../../kit/list/search.ts'
import type { CampaignSearch, DiscountSearch } from './search.ts'

/** In every list of what is shown to customers. */
export const perPage = 30

export function campaignsCall(slug: string, { columns: _columns, ...query }: CampaignSearch) {
  return call('/v1/shops/{slug}/campaigns', { params: { path: { slug }, query: { ...query, per_page: perPage } } })
}

/** How campaigns did in the last 30 days. */
export function campaignFiguresCall(slug: string) {
  return call('/v1/shops/{slug}/analytics/summary', { params: { path: { slug } } })
}

export function openTestsCall(slug: string) {
  return call('/v1/shops/{slug}/ab-tests', { params: { path: { slug }, query: { per_page: 100 } } })
}

export function discountsCall(slug: string, { columns: _columns, ...search }: DiscountSearch) {
  const query = { ...search, sort: search.sort ?? '-created_at', per_page: perPage } as const
  return call('/v1/shops/{slug}/discounts', { params: { path: { slug }, query } })
}

export function dealsCall(slug: string, { q, page }: ListSearch) {
  return call('/v1/shops/{slug}/deals', { params: { path: { slug }, query: { q, page, per_page: perPage } } })
}
