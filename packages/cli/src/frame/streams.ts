/** Runs until it is done or interrupted: Ctrl+C is how a stream ends, not a failure. */
export async function untilInterrupted(signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

/** `14:03:09`, in the time of this machine. */
export function timeOfDay(time: Date): string {
  return [time.getHours(), time.getMinutes(), time.getSeconds()].map((part) => String(part).padStart(2, '0')).join(':')
}

/** `2026-11-16 14:03:09Z`, short enough for a column. */
export function shortTime(time: string): string {
  return `${time.slice(0, 10)} ${time.slice(11, 19)}Z`
}

/** The most that a call of the API returns. */
export const pageSize = 100

/** The first items of a list, at most so many. */
export async function take<Item>(items: AsyncIterable<Item>, limit: number): Promise<Item[]> {
  const taken: Item[] = []
  if (limit === 0) return taken
  for await (const item of items) {
    taken.push(item)
    if (taken.length >= limit) break
  }
  return taken
}
