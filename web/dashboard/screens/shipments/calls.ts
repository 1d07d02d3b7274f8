import { call } from '../../app/call.ts'
import { momentsOf, perPage, startOf } from '../orders/calls.ts'
import type { ShipmentSearch } from './search.ts'

export function shipmentsCall(slug: string, search: ShipmentSearch) {
  const sorts = ['-updated_at', 'updated_at', '-created_at', 'created_at'] as const
  // A draft is no parcel, unless the filter includes it.
  const isDraftPhase = search.phase?.includes('order_created') === true
  const query = {
    page: search.page ?? 1,
    per_page: perPage,
    ...(search.q ? { q: search.q } : {}),
    ...(search.phase ? { phase: search.phase.join(',') } : {}),
    ...(search.flag ? { flag: search.flag.join(',') } : {}),
    ...(search.carrier ? { carrier_reference: search.carrier } : {}),
    ...(search.country ? { country_code: search.country } : {}),
    ...(search.direction ? { is_return: search.direction === 'return' } : {}),
    include_drafts: isDraftPhase,
    ...(search.since ? { updated_from: startOf(search.since) } : {}),
    ...(search.on ? { updated_from: momentsOf(search.on).first, updated_to: momentsOf(search.on).last } : {}),
    sort: sorts.find((sort) => sort === search.sort) ?? ('-updated_at' as const),
  }
  return call('/v1/shops/{slug}/lists/shipments', { params: { path: { slug }, query } })
}
