import { useNavigate } from '@tanstack/react-router'
import { useCallback, useEffect } from 'react'
import { type ListSearch, type RawSearch, stringifySearch } from '../../kit/list/search.ts'
import { rememberList } from './remembered-list.ts'

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
