import { type Language, pageLanguages } from '../../../app/languages.ts'
import { choiceIn, type RawSearch } from '../../../kit/list/search.ts'

export interface MessageSearch {
  /** The language that a message is edited in; absent: the shop's. */
  language?: Language | undefined
}

export function messageSearch(search: RawSearch): MessageSearch {
  return { language: choiceIn(search, 'language', pageLanguages) }
}
