import { type RawSearch, textIn } from '../../kit/list/search.ts'

export interface SignInSearch {
  /** The page to open afterwards. */
  to?: string | undefined
  /** The reason why a sign-in through the company's own provider failed. */
  error?: string | undefined
}

export function signInSearch(search: RawSearch): SignInSearch {
  return { to: textIn(search, 'to'), error: textIn(search, 'error') }
}
