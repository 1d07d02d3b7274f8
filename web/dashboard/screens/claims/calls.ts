import { call, lastDays } from '../../app/call.ts'
import { type ClaimSearch, type ReasonSearch, usualPeriod } from './search.ts'

export const claimsPath = '/v1/shops/{slug}/claims'
export const perPage = 30

/** A page of the queue. Claims that wait are listed oldest first: their customers wait. The others are newest first. */
export function claimsCall(slug: string, { view, reason, kind, q, page }: ClaimSearch) {
  const status = view === 'all' ? undefined : (view ?? ('pending' as const))
  const query = {
    ...(status ? { status } : {}),
    ...(reason ? { reason } : {}),
    ...(kind ? { kind } : {}),
    ...(q ? { q } : {}),
    ...(page ? { page } : {}),
    sort: view === undefined ? 'created_at' : '-updated_at',
    per_page: perPage,
  } as const
  return call(claimsPath, { params: { path: { slug }, query } })
}

/** How often customers complained about what. */
export function reasonsCall(slug: string, { days = usualPeriod }: ReasonSearch) {
  return call('/v1/shops/{slug}/claims/figures', { params: { path: { slug }, query: lastDays(Number(days)) } })
}
