import { call, lastDays } from '../../app/call.ts'
import { type Grouping, type Scope, usualPeriod } from './search.ts'

/** The part of the address that the API knows. */
export function filtersOf({ days = usualPeriod, carrier, country, service }: Scope) {
  return { ...lastDays(Number(days)), carrier, country, service }
}

export function timesCall(slug: string, scope: Scope, groupBy: readonly Grouping[]) {
  const query = { ...filtersOf(scope), group_by: groupBy.join(',') }
  return call('/v1/shops/{slug}/analytics/delivery-times', { params: { path: { slug }, query } })
}

export function promisesCall(slug: string, { days = usualPeriod, carrier, country }: Scope) {
  const query = {
    ...lastDays(Number(days)),
    ...(isNamed(carrier) ? { carrier } : {}),
    ...(isNamed(country) ? { country } : {}),
  }
  return call('/v1/shops/{slug}/analytics/promises', { params: { path: { slug }, query } })
}

/** Parcels without a carrier or a country cannot be requested. */
function isNamed(value: string | undefined): value is string {
  return value !== undefined && value !== 'none'
}
