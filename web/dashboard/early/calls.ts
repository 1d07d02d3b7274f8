import { type AnyCall, call } from '../app/call.ts'
import type { RawSearch } from '../kit/list/search.ts'
import { pagesWithCalls, partsOf, patternOf } from '../routes/pages.ts'

/** The calls that the page at an address makes first; none but the session where that is not known. */
export function callsAt(path: string, search: RawSearch, lastShop: string | null): AnyCall[] {
  const parts = partsOf(path).map(decodeURIComponent)
  // A person who comes without a shop goes to Home of the last one.
  if (parts.length === 0 && lastShop !== null) return callsAt(`/${encodeURIComponent(lastShop)}`, search, null)
  const pattern = patternOf(path, pagesWithCalls)
  const visit = { slug: parts[0] ?? '', id: parts.at(-1) ?? '', search }
  return [call('/v1/session'), ...(pattern === undefined ? [] : pagesWithCalls[pattern].calls(visit))]
}
