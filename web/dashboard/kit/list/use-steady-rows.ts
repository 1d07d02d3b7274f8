import { useRef, useState } from 'react'
import { type Loaded, nothingShown, type SteadyRows, shownAfter, steadyRows } from './steady-rows.ts'

/**
 * Rows that stay where they are while a list refreshes by itself: those already shown are updated in place, new ones wait
 * until they are asked for. Another list (`scope`) is shown at once.
 */
export function useSteadyRows<Row>(loaded: Loaded<Row>): SteadyRows<Row> & { showNew: () => void } {
  const shown = useRef(nothingShown)
  const [, renderAgain] = useState(0)
  shown.current = shownAfter(shown.current, loaded)
  return {
    ...steadyRows(shown.current, loaded),
    showNew: () => {
      shown.current = { scope: loaded.scope, keys: loaded.rows.map(loaded.keyOf) }
      renderAgain((count) => count + 1)
    },
  }
}
