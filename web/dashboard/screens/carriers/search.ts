import type { RawSearch } from '../../kit/list/search.ts'
import { textIn } from '../../kit/list/search.ts'

export interface CodeSearch {
  /** Those that the shop has mapped, instead of those that wait. */
  mapped?: boolean | undefined
  page?: number | undefined
}

export function codeSearch(search: RawSearch): CodeSearch {
  const page = Number(textIn(search, 'page'))
  return {
    mapped: textIn(search, 'mapped') === 'true' || undefined,
    page: Number.isInteger(page) && page > 1 ? page : undefined,
  }
}
