import { parseSearch } from '../../kit/list/search.ts'

/** A page of the dashboard, or its first: an address in a link may lead anywhere. */
export function safePage(to: string | undefined): { to: string; search: Record<string, string | string[]> } {
  const home = { to: '/', search: {} }
  if (to === undefined || !URL.canParse(to, location.origin)) return home
  const { origin, pathname, search } = new URL(to, location.origin)
  if (origin !== location.origin || pathname.startsWith('//')) return home
  // The address of the whole page, or the one below /dashboard.
  return { to: pathname.replace(/^\/dashboard(?=\/|$)/, '') || '/', search: parseSearch(search) }
}
