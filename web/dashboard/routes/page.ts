import type { AnyCall } from '../app/call.ts'
import type { RawSearch } from '../kit/list/search.ts'

/** A visit: somebody opens a page. */
export interface Visit<Search> {
  /** Of the shop in the address. */
  slug: string
  /** The last part of the address. */
  id: string
  search: Search
}

export interface Page<Screen extends string, Texts extends string, Search extends object> {
  /** The module of its component, below `screens/`; `routes/screens.ts` loads it. */
  screen: Screen
  /** The folders whose texts are loaded with it; those of the first visit are always there. */
  texts: readonly Texts[]
  /** Reads the state of the page from its address. */
  search: ((raw: RawSearch) => Search) | undefined
  /** The page's first requests to the API, for every role, in the order in which it needs them. */
  calls: (visit: Visit<RawSearch>) => AnyCall[]
  /** The page is drawn with what the first of its calls returns, if that has arrived or is about to. */
  waitsForCall: boolean
}

interface PageOptions<Texts, Search> {
  texts?: readonly Texts[]
  search?: (raw: RawSearch) => Search
  calls?: (visit: Visit<Search>) => AnyCall[]
  waitsForCall?: boolean
}

// Without effects: a script has only the rows that it uses.
/* @__NO_SIDE_EFFECTS__ */
export function page<const Screen extends string, const Texts extends string = never, Search extends object = object>(
  screen: Screen,
  { texts = [], search, calls, waitsForCall = false }: PageOptions<Texts, Search> = {},
): Page<Screen, Texts, Search> {
  return {
    screen,
    texts,
    search,
    // A page that reads no state from its address has calls that use none.
    calls: (visit) => calls?.({ ...visit, search: search ? search(visit.search) : ({} as Search) }) ?? [],
    waitsForCall,
  }
}
