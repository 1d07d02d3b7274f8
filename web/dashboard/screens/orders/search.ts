import { choiceIn, choicesIn, dayIn, type ListSearch, listSearch, type RawSearch } from '../../kit/list/search.ts'

export const orderStatuses = ['placed', 'partially_fulfilled', 'fulfilled'] as const
/** Values of the filter by what an order has to send. */
export const sendings = ['something', 'nothing', 'without_tracking'] as const
/** How many days ago, at most. */
export const periods = ['1', '7', '30', '90'] as const

export interface OrderSearch extends ListSearch {
  status?: (typeof orderStatuses)[number][] | undefined
  sending?: (typeof sendings)[number] | undefined
  since?: (typeof periods)[number] | undefined
  /** Placed on this day, in UTC. The bars of a chart link to it. */
  on?: string | undefined
}

/** The state of the list in the address. */
export function orderSearch(search: RawSearch): OrderSearch {
  return {
    ...listSearch(search),
    status: choicesIn(search, 'status', orderStatuses),
    sending: choiceIn(search, 'sending', sendings),
    since: choiceIn(search, 'since', periods),
    on: dayIn(search, 'on'),
  }
}
