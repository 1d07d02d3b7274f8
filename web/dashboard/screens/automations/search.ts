import { type ListSearch, listSearch, type RawSearch, textIn } from '../../kit/list/search.ts'

/** The state of the list, and of the runs of one automation, in the address. */
export function automationSearch(search: RawSearch): ListSearch {
  return { page: listSearch(search).page }
}

/** A new one may begin as a copy of another. */
export function newAutomationSearch(search: RawSearch): { from?: string | undefined } {
  return { from: textIn(search, 'from') }
}
