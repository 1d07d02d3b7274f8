import { type ListSearch, listSearch, type RawSearch } from '../../kit/list/search.ts'

export interface OrderSearch extends ListSearch {}

/** The state of the list in the address. */
export function orderSearch(search: RawSearch): OrderSearch {
  return listSearch(search)
}
