import { type ListSearch, listSearch, type RawSearch } from '../../../kit/list/search.ts'

export interface AuditSearch extends ListSearch {}

/** The state of the list in the address. */
export function auditSearch(search: RawSearch): AuditSearch {
  return listSearch(search)
}
