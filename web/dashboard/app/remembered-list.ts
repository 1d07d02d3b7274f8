import { parseSearch } from '../kit/list/search.ts'

export type RememberedList = 'orders' | 'shipments'

/** Remembers how a list was left, so that the way back from a record leads to the same filters and page. */
export function rememberList(name: RememberedList, query: string): void {
  sessionStorage.setItem(`doorstep.list.${name}`, query)
}

export function rememberedList(name: RememberedList): Record<string, string | string[]> {
  return parseSearch(sessionStorage.getItem(`doorstep.list.${name}`) ?? '')
}
