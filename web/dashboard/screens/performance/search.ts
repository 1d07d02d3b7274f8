import { choiceIn, choicesIn, dayIn, type RawSearch, textIn, textsIn } from '../../kit/list/search.ts'

/** Lengths of the period, in days. */
export const periods = ['30', '90', '365'] as const
export const usualPeriod = '90'

/** Business days since the parcel was sent are shown unless the address says otherwise. */
export const units = ['business', 'calendar'] as const
export const starts = ['fulfilled', 'placed'] as const
export const groupings = ['carrier', 'country', 'service'] as const
export type Grouping = (typeof groupings)[number]

export const outcomes = ['on_target', 'over_target', 'on_time', 'late', 'held', 'early', 'window_late'] as const
export type Outcome = (typeof outcomes)[number]

/** The scope of the figures. The page, the chart and the parcels behind them share it. */
export interface Scope {
  days?: (typeof periods)[number] | undefined
  unit?: 'calendar' | undefined
  since?: 'placed' | undefined
  /** `none`: those without one. */
  carrier?: string | undefined
  country?: string | undefined
  service?: string | undefined
}

export interface PerformanceSearch extends Scope {
  group?: readonly Grouping[] | undefined
  sort?: string | undefined
}

export interface ParcelsSearch extends Scope {
  week?: string | undefined
  outcome?: Outcome | undefined
  columns?: readonly string[] | undefined
}

export function performanceSearch(search: RawSearch): PerformanceSearch {
  return { ...scopeIn(search), group: choicesIn(search, 'group', groupings), sort: textIn(search, 'sort') }
}

export function performanceParcelsSearch(search: RawSearch): ParcelsSearch {
  return {
    ...scopeIn(search),
    week: dayIn(search, 'week'),
    outcome: choiceIn(search, 'outcome', outcomes),
    columns: textsIn(search, 'columns'),
  }
}

function scopeIn(search: RawSearch): Scope {
  return {
    days: choiceIn(search, 'days', periods),
    unit: choiceIn(search, 'unit', ['calendar']),
    since: choiceIn(search, 'since', ['placed']),
    carrier: textIn(search, 'carrier'),
    country: textIn(search, 'country'),
    service: textIn(search, 'service'),
  }
}
