import { useRef, useState } from 'react'

interface SteadyRows<Row> {
  rows: readonly Row[]
  /** How many rows have come in that are not shown yet. */
  newCount: number
  showNew: () => void
}

/**
 * Rows that stay where they are while a list refreshes by itself: those already shown are updated in place, new ones wait
 * until they are asked for. Another list (`scope`) is shown at once.
 */
export function useSteadyRows<Row>(
  loaded: readonly Row[],
  keyOf: (row: Row) => string,
  scope: string,
): SteadyRows<Row> {
  const shown = useRef<{ scope: string; keys: string[] }>({ scope: '', keys: [] })
  const [, renderAgain] = useState(0)
  const byKey = new Map(loaded.map((row) => [keyOf(row), row]))
  const kept = shown.current.keys.filter((key) => byKey.has(key))
  if (shown.current.scope !== scope || kept.length === 0) {
    shown.current = { scope, keys: [...byKey.keys()] }
  }
  const keys = shown.current.keys.filter((key) => byKey.has(key))
  const isShown = new Set(keys)
  return {
    rows: keys.flatMap((key) => byKey.get(key) ?? []),
    newCount: loaded.length - isShown.size,
    showNew: () => {
      shown.current = { scope, keys: [...byKey.keys()] }
      renderAgain((count) => count + 1)
    },
  }
}
