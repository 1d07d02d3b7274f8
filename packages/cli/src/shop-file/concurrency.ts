/** Runs work for every item, several at a time, in order of the items. After a failure no further item is begun. */
export async function forEachAtOnce<Item, Result>(
  items: readonly Item[],
  limit: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const failures: unknown[] = []
  let next = 0
  const worker = async () => {
    while (next < items.length && failures.length === 0) {
      const index = next
      next += 1
      try {
        results[index] = await work(items[index] as Item) // below the length
      } catch (error) {
        failures.push(error)
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker))
  if (failures.length > 0) throw failures[0]
  return results
}
