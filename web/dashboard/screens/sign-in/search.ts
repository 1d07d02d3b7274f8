import { type RawSearch, textIn } from '../../kit/list/search.ts'

export interface SignInSearch {
  /** The page to open afterwards. */
  to?: string | undefined
  /** Why a sign-in at the company's own provider did not work. */
  error?: string | undefined
}

export function signInSearch(search: RawSearch): SignInSearch {
  return { to: textIn(search, 'to'), error: textIn(search, 'error') }
}
