export function sumOf(counted: { count: number }[]): number {
  return counted.reduce((sum, { count }) => sum + count, 0)
}

/** The count of each name; zero if it is not in `counted`. */
export function countsOf<Name extends string>(
  names: readonly Name[],
  counted: { name: string; count: number }[],
): Record<Name, number> {
  const counts = Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number> // one for each name
  for (const { name, count } of counted) if (Object.hasOwn(counts, name)) counts[name as Name] += count
  return counts
}

/** Removes floating-point noise and needless precision. */
export function round(value: number, decimals: number): number {
  return Math.round(value * 10 ** decimals) / 10 ** decimals
}

/** How often each value occurs. */
export type Histogram = (readonly [value: number, count: number])[]

/** A quantile, interpolated between the two nearest values as percentile_cont of PostgreSQL is; null without values. */
export function quantileOf(histograms: Histogram[], share: number): number | null {
  const counts = new Map<number, number>()
  for (const histogram of histograms) {
    for (const [value, count] of histogram) counts.set(value, (counts.get(value) ?? 0) + count)
  }
  const buckets = [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((left, right) => left.value - right.value)
  const total = sumOf(buckets)
  if (total === 0) return null
  const position = share * (total - 1)
  const [below, above] = [valueAt(buckets, Math.floor(position)), valueAt(buckets, Math.ceil(position))]
  return below + (above - below) * (position - Math.floor(position))
}

/** The value at an index of the sorted list that the buckets stand for. */
function valueAt(buckets: { value: number; count: number }[], index: number): number {
  let passed = 0
  for (const { value, count } of buckets) {
    passed += count
    if (passed > index) return value
  }
  return buckets.at(-1)?.value ?? 0
}
