import type { Reply } from '../../app/api.ts'
import { formatDate } from '../../kit/format.ts'
import { choicesOf, type ListFilter } from '../../kit/list/filters.ts'
import type { ListResult } from '../../kit/list/list.tsx'
import { t } from '../../texts/texts.ts'
import { type OrderSearch, periods } from './search.ts'

/** The pagination of orders and parcels, in the form that the lists use. */
export function pageOf({
  total,
  total_is_estimate,
  has_next,
  is_complete,
}: Reply<'/v1/shops/{slug}/lists/orders'>['pagination']): Omit<ListResult<never>, 'rows'> {
  return { total, isEstimate: total_is_estimate, hasNext: has_next, isComplete: is_complete }
}

type Moments = Pick<OrderSearch, 'since' | 'on' | 'page'>

/** A filter by a period, or by the day that a chart has led to. */
export function sinceOrOn(label: string, { since, on }: Moments): ListFilter<Moments> {
  return {
    label,
    choices: [
      ...choicesOf(periods, (value) => t('orders.last_days', { count: Number(value) })),
      ...(on ? [{ value: on, label: formatDate(`${on}T12:00:00`) }] : []),
    ],
    chosen: [on ?? since ?? []].flat(),
    change: ([value]) => ({ since: periods.find((period) => period === value), on: undefined }),
    isSingle: true,
  }
}
