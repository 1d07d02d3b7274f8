import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { type Reply, read, refreshMs } from '../../app/api.ts'
import type { MarkTarget } from '../../kit/charts/marks.tsx'
import { formatNumber } from '../../kit/format.ts'
import { t } from '../../texts/texts.ts'
import { timesCall } from './calls.ts'
import type { Grouping, Outcome, Scope } from './search.ts'

export type DeliveryTimes = Reply<'/v1/shops/{slug}/analytics/delivery-times'>
export type Row = DeliveryTimes['total']
export type Target = NonNullable<DeliveryTimes['target']>
export type Unit = Target['unit']
export type Start = Target['since']

/** Below this, a rate says more about chance than about the carrier. */
export const minSample = 10

export function timesQuery(slug: string, scope: Scope, groupBy: readonly Grouping[]) {
  return queryOptions({
    ...read(...timesCall(slug, scope, groupBy)),
    refetchInterval: 3 * refreshMs,
    placeholderData: keepPreviousData,
  })
}

/** How the reader wants days to be counted. */
export interface Measure {
  unit: Unit
  since: Start
}

export function measureOf({ unit, since }: Scope): Measure {
  return { unit: unit ?? 'business', since: since ?? 'fulfilled' }
}

export function timesOf(row: Row, { unit, since }: Measure) {
  const times = since === 'placed' ? row.since_placed : row.since_fulfilled
  return { measured: times.measured, days: times[unit] }
}

/** "2.5 business days". */
export function inDays(days: number, unit: Unit): string {
  return t(`performance.in_${unit}`, { days: formatNumber(days, 1), count: Math.round(days * 10) / 10 })
}

/** "2.5 days", for pages that say which days they mean. */
export function shortDays(days: number): string {
  return t('performance.days', { days: formatNumber(days, 1), count: Math.round(days * 10) / 10 })
}

/** "3 business days after the order". */
export function targetWords({ days, unit, since }: Target): string {
  return t(`performance.target_${since}`, { days: inDays(days, unit) })
}

/** The list of the parcels that a number counts. */
export function parcelsOf(slug: string, search: Scope & { week?: string; outcome?: Outcome }): MarkTarget {
  // Typed by search.ts; a mark can lead to any list.
  return { to: '/$slug/performance/parcels', params: { slug } as never, search: search as never }
}

/** The scope of a row's parcels. A dimension that the row does not name stays as it is. */
export function scopeOfRow(scope: Scope, row: Row, groupBy: readonly Grouping[]): Scope {
  const { days, unit, since } = scope
  const values = { carrier: row.carrier_reference, country: row.country, service: row.service }
  const narrowed = Object.fromEntries(groupBy.map((name) => [name, values[name] ?? 'none']))
  return { days, unit, since, carrier: scope.carrier, country: scope.country, service: scope.service, ...narrowed }
}
