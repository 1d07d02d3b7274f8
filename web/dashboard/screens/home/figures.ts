import type { Reply } from '../../app/api.ts'
import type { DayValue } from '../../kit/charts/day-bars.tsx'
import { formatNumber, formatShare } from '../../kit/format.ts'
import { type TextKey, t } from '../../texts/texts.ts'

export type Summary = Reply<'/v1/shops/{slug}/analytics/summary'>
export type Figures = Omit<Summary, 'as_of' | 'previous'>

/** Below this, a rate says more about chance than about the shop. */
export const minSample = 10

/** The comparison of a figure with the period before, as text. */
export interface Delta {
  words: string
  /** Whether the shop's customers are better off; undefined if it is neither. */
  isGood?: boolean | undefined
}

interface Direction {
  more: TextKey
  less: TextKey
  same: TextKey
  /** The direction that is good; undefined: neither. */
  good?: 'more' | 'less' | undefined
}

/** Compares the figures as they are shown, rounded: "0 more" would be no difference. */
function compare(now: number, before: number, direction: Direction, format: (value: number) => string): Delta {
  const values = { before: format(before), difference: format(Math.abs(now - before)), count: tenths(now - before) }
  if (format(now) === format(before)) return { words: t(direction.same, values) }
  const way = now > before ? 'more' : 'less'
  return {
    words: t(direction[way], values),
    isGood: direction.good === undefined ? undefined : direction.good === way,
  }
}

/** As it is shown, to choose between singular and plural. */
function tenths(difference: number): number {
  return Math.round(Math.abs(difference) * 10) / 10
}

export function compareCounts(now: number, before: number, good?: 'more' | 'less'): Delta {
  const direction = { more: 'home.more', less: 'home.fewer', same: 'home.as_many', good } as const
  return compare(now, before, direction, (value) => formatNumber(value))
}

/** In percentage points. Only if both periods have enough parcels. */
export function compareRates(now: Rate, before: Rate): Delta | undefined {
  if (!isSolid(now) || !isSolid(before)) return undefined
  const direction = { more: 'home.points_more', less: 'home.points_fewer', same: 'home.as_high', good: 'more' } as const
  const points = (now.share - before.share) * 100
  const values = {
    before: formatShare(before.share),
    difference: formatNumber(Math.abs(points), 1),
    count: tenths(points),
  }
  if (formatShare(now.share) === formatShare(before.share)) return { words: t(direction.same, values) }
  const way = now.share > before.share ? 'more' : 'less'
  return { words: t(direction[way], values), isGood: way === 'more' }
}

export function compareDays(now: number, before: number): Delta {
  const direction = { more: 'home.slower', less: 'home.faster', same: 'home.as_fast', good: 'less' } as const
  return compare(now, before, direction, (value) => formatNumber(value, 1))
}

export type Rate = Figures['rates']['on_time']
type SolidRate = Rate & { share: number }

/** Whether there is enough behind a rate to show it. */
export function isSolid(rate: Rate): rate is SolidRate {
  return rate.share !== null && rate.sample >= minSample
}

/** The days of a chart, each with its counterpart in the period before. */
export function daysOf(now: Figures, before: Figures | undefined, name: 'orders' | 'deliveries'): DayValue[] {
  return now.days.map((day, index) => ({ date: day.date, value: day[name], before: before?.days[index]?.[name] }))
}

/** The stages of a parcel, in the words of a merchant. A stage may have several phases. */
export const stages = [
  { name: 'preparing', phases: ['order_created', 'order_processed'], series: 5 },
  { name: 'moving', phases: ['in_transit', 'in_delivery'], series: 1 },
  { name: 'collect', phases: ['collect'], series: 4 },
  { name: 'delivered', phases: ['delivered'], series: 3 },
  {
    name: 'trouble',
    phases: ['delivery_failed', 'return_created', 'return_transit', 'return_received', 'return_failed', 'returned'],
    series: 2,
  },
  { name: 'cancelled', phases: ['order_cancelled'], series: 6 },
] as const

export function countStage({ shipments }: Figures, phases: (typeof stages)[number]['phases']): number {
  return phases.reduce((sum, phase) => sum + shipments.by_phase[phase], 0)
}

/** "2.1 days". */
export function inDays(days: number): string {
  return t('home.in_days', { days: formatNumber(days, 1), count: tenths(days) })
}
