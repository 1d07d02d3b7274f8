import { choiceIn, type ListSearch, listSearch, type RawSearch } from '../../kit/list/search.ts'

/** Views of the queue. Without one, it shows the claims that wait for a decision. */
export const views = ['accepted', 'rejected', 'closed', 'all'] as const
export const reasons = [
  'damage',
  'partial_damage',
  'missing_product',
  'wrong_product',
  'dissatisfied_with_product',
  'return',
  'investigation',
  'support',
] as const
export const kinds = ['claim', 'withdrawal'] as const
export type Reason = (typeof reasons)[number]

export interface ClaimSearch extends ListSearch {
  view?: (typeof views)[number] | undefined
  reason?: Reason | undefined
  kind?: (typeof kinds)[number] | undefined
}

/** The state of the queue in the address. */
export function claimSearch(search: RawSearch): ClaimSearch {
  const { q, page } = listSearch(search)
  return {
    view: choiceIn(search, 'view', views),
    reason: choiceIn(search, 'reason', reasons),
    kind: choiceIn(search, 'kind', kinds),
    q,
    page,
  }
}

export const periods = ['30', '90', '365'] as const
export const usualPeriod = '90'

export interface ReasonSearch {
  days?: (typeof periods)[number] | undefined
}

export function reasonSearch(search: RawSearch): ReasonSearch {
  return { days: choiceIn(search, 'days', periods) }
}
