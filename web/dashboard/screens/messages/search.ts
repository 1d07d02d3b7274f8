import { type ListSearch, listSearch, type RawSearch } from '../../kit/list/search.ts'

export interface DeliverySearch extends ListSearch {}

/** The state of the list in the address. */
export function deliverySearch(search: RawSearch): DeliverySearch {
  return listSearch(search)
}
