import { choiceIn, type ListSearch, listSearch, type RawSearch } from '../../../kit/list/search.ts'

export const scopes = ['shop', 'all'] as const

export interface KeySearch extends ListSearch {
  /** All keys of the installation, for superadmins. */
  scope?: (typeof scopes)[number] | undefined
  /** The dialog that is open. */
  open?: 'new' | undefined
}

export function keySearch(search: RawSearch): KeySearch {
  return {
    ...listSearch(search),
    scope: choiceIn(search, 'scope', ['all']),
    open: choiceIn(search, 'open', ['new']),
  }
}
