import { choiceIn, type ListSearch, listSearch, type RawSearch, textIn } from '../../kit/list/search.ts'

export interface ExceptionSearch extends ListSearch {
  kind?: (typeof kinds)[number] | undefined
  state?: (typeof states)[number] | undefined
  assigned_to?: string | undefined
  carrier?: string | undefined
  country?: string | undefined
}

const kinds = ['customs', 'lost', 'failed', 'returning', 'stuck', 'waiting', 'late', 'at_risk'] as const
/** Open ones are listed unless another state is chosen. */
export const states = ['snoozed', 'resolved', 'all'] as const
export const sorts = ['since', '-since'] as const

/** The state of the list in the address. */
export function exceptionSearch(search: RawSearch): ExceptionSearch {
  const { page, columns } = listSearch(search)
  return {
    kind: choiceIn(search, 'kind', kinds),
    state: choiceIn(search, 'state', states),
    assigned_to: textIn(search, 'assigned_to'),
    carrier: textIn(search, 'carrier'),
    country: textIn(search, 'country'),
    sort: choiceIn(search, 'sort', sorts),
    page,
    columns,
  }
}
