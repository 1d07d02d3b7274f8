import { type ListSearch, listSearch, type RawSearch } from '../../kit/list/search.ts'

export interface ShipmentSearch extends ListSearch {}

/** The state of the list in the address. */
export function shipmentSearch(search: RawSearch): ShipmentSearch {
  return listSearch(search)
}
