import { type RawSearch, textIn } from '../../../kit/list/search.ts'

export interface MessageSearch {
  /** The language that a message is edited in; absent: the shop's. */
  language?: string | undefined
}

export function messageSearch(search: RawSearch): MessageSearch {
  return { language: textIn(search, 'language') }
}
