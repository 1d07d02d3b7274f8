import { type ListSearch, listSearch, type RawSearch, textIn } from '../../../kit/list/search.ts'

export interface PeopleSearch extends ListSearch {
  /** The person whose dialog is open; `new` for an invitation. */
  person?: string | undefined
}

export function peopleSearch(search: RawSearch): PeopleSearch {
  return { ...listSearch(search), person: textIn(search, 'person') }
}
