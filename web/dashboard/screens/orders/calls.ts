import { call } from '../../app/call.ts'
import type { OrderSearch } from './search.ts'

/** In the lists of orders and parcels. */
export const perPage = 50

export function ordersCall(slug: string, search: OrderSearch) {
  const query = {
    page: search.page ?? 1,
    per_page: perPage,
    ...(search.q ? { q: search.q } : {}),
    ...(search.status ? { status: search.status.join(',') } : {}),
    ...(search.sending === undefined || search.sending === 'without_tracking'
      ? {}
      : { nothing_to_send: search.sending === 'nothing' }),
    ...(search.sending === 'without_tracking' ? { handed_over_without_tracking: true } : {}),
    ...(search.since ? { placed_from: startOf(search.since) } : {}),
    ...(search.on ? { placed_from: momentsOf(search.on).first, placed_to: momentsOf(search.on).last } : {}),
    sort: search.sort === 'placed_at' ? ('placed_at' as const) : ('-placed_at' as const),
  }
  return call('/v1/shops/{slug}/lists/orders', { params: { path: { slug }, query } })
}

/** The first and the last moment of a day in UTC. */
export function momentsOf(day: string): { first: string; last: string } {
  return { first: `${day}T00:00:00.000Z`, last: `${day}T23:59:59.999Z` }
}

/** The start of a period that ends now, on the minute: an address that stays the same loads nothing again. */
export function startOf(days: string | undefined): string | undefined {
  if (days === undefined) return undefined
  const minute = 60_000
  return new Date(Math.floor(Date.now() / minute) * minute - Number(days) * 24 * 60 * minute).toISOString()
}
