/** The rows on the screen, by their keys, and the list (its filters, order and page) that they belong to. */
export interface Shown {
  scope: string
  keys: readonly string[]
}

export interface Loaded<Row> {
  rows: readonly Row[]
  keyOf: (row: Row) => string
  scope: string
  /** The rows are those of the list before, until this one has arrived. */
  isOfBefore: boolean
}

export interface SteadyRows<Row> {
  rows: readonly Row[]
  /** How many rows have come in that are not shown yet. */
  newCount: number
}

export const nothingShown: Shown = { scope: '', keys: [] }

/** The rows that stay on the screen after loading: those of before, or all rows of another list. */
export function shownAfter<Row>(shown: Shown, { rows, keyOf, scope, isOfBefore }: Loaded<Row>): Shown {
  const keys = rows.map(keyOf)
  const isAnother = shown.scope !== scope && !isOfBefore
  const isKept = !isAnother && shown.keys.some((key) => keys.includes(key))
  return isKept ? shown : { scope: isOfBefore ? shown.scope : scope, keys }
}

/** The loaded rows in the order in which they are shown. */
export function steadyRows<Row>({ keys }: Shown, { rows, keyOf }: Loaded<Row>): SteadyRows<Row> {
  const byKey = new Map(rows.map((row) => [keyOf(row), row]))
  const steady = keys.flatMap((key) => byKey.get(key) ?? [])
  return { rows: steady, newCount: rows.length - steady.length }
}
