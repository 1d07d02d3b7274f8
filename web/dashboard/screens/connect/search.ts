import { type RawSearch, textIn } from '../../kit/list/search.ts'

export interface ConnectSearch {
  /** The step that is open, if somebody chose one. */
  step?: string | undefined
}

export function connectSearch(search: RawSearch): ConnectSearch {
  return { step: textIn(search, 'step') }
}
