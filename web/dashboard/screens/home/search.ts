import { type ListSearch, listSearch, type RawSearch } from '../../kit/list/search.ts'

export interface HomeSearch extends ListSearch {}

/** The state of the list in the address. */
export function homeSearch(search: RawSearch): HomeSearch {
  return listSearch(search)
}
