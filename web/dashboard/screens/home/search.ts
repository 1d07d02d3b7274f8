import { choiceIn, type RawSearch } from '../../kit/list/search.ts'

/** Lengths of the period that figures are about, in days. */
export const periods = ['7', '30', '90'] as const
export type PeriodLength = (typeof periods)[number]
export const usualPeriod: PeriodLength = '30'

export interface HomeSearch {
  days?: PeriodLength | undefined
}

/** The period in the address. */
export function homeSearch(search: RawSearch): HomeSearch {
  return { days: choiceIn(search, 'days', periods) }
}
