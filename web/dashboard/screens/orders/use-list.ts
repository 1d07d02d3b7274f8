import { useNavigate } from '@tanstack/react-router'
import { useCallback, useEffect } from 'react'
import { type ListSearch, type RawSearch, stringifySearch } from '../../kit/list/search.ts'
import { rememberList } from './remembered-list.ts'

export const perPage = 50

/** How a list's state in the address is changed. Typing replaces the address; everything else can be undone with Back. */
export function useListSearch(name: 'orders' | 'shipments', search: ListSearch): (change: ListSearch) => void {
  const navigate = useNavigate()
  const query = stringifySearch(search as RawSearch)
  useEffect(() => rememberList(name, query), [name, query])
  return useCallback(
    (change) =>
      void navigate({
        to: '.',
        search: (before: Record<string, unknown>) => ({ ...before, ...change }) as never, // each list reads its own names
        replace: 'q' in change,
      }),
    [navigate],
  )
}

/** The first and the last moment of a day in UTC. */
export function momentsOf(day: string): { first: string; last: string } {
  return { first: `${day}T00:00:00.000Z`, last: `${day}T23:59:59.999Z` }
}

/** The start of a period that ends now, on the minute: an address that stays the same loads nothing again. */
export function startOf(days: string | undefined): string | undefined {
  if (days === undefined) return undefined
  const minute = 60_000
  return new Date(Math.floor(Date.now() / minute) * minute - Number(days) * 24 * 60 * minute).toISOString()
}
