import { type ListSearch, listSearch, type RawSearch } from '../../kit/list/search.ts'

/** The state of the list in the address. */
export function abTestSearch(search: RawSearch): ListSearch {
  return { page: listSearch(search).page }
}
