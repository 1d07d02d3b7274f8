import { type RawSearch, textIn } from '../../kit/list/search.ts'

export interface ConnectSearch {
  /** The step that is open, if somebody chose one. */
  step?: string | undefined
  /** Added by WooCommerce when it sends the browser back: 0 if the merchant did not approve. */
  success?: string | undefined
}

export function connectSearch(search: RawSearch): ConnectSearch {
  return { step: textIn(search, 'step'), success: textIn(search, 'success') }
}
