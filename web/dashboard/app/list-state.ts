import { useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { ListSearch } from '../kit/list/search.ts'

/** How a list's state in the address is changed. Typing replaces the address; everything else can be undone with Back. */
export function useChangeOfList(): (change: ListSearch) => void {
  const navigate = useNavigate()
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
