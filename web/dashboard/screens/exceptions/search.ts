import { type ListSearch, listSearch, type RawSearch } from '../../kit/list/search.ts'

export interface ExceptionSearch extends ListSearch {}

/** The state of the list in the address. */
export function exceptionSearch(search: RawSearch): ExceptionSearch {
  return listSearch(search)
}
