import { durations } from './durations.ts'

/** How long a test, or its preparation, may take. One that hangs fails after a minute. */
export const usualLimitMs = 60_000
const longestLimitMs = 900_000

/** Machines that do other things as well are this many times slower than the one that the durations are from. */
const slowness = 20

let limitMs = usualLimitMs

/**
 * How long each test of a file may take: a minute, unless the whole file usually takes so long that a slow machine needs
 * more. Sets for how long it waits for anything.
 */
export function beginFile(path: string): number {
  const longMs = slowness * 1_000 * (durations[path] ?? 0)
  limitMs = Math.min(Math.max(usualLimitMs, longMs), longestLimitMs)
  return limitMs
}

/** How long a test waits for anything: less than it may take, so that it can say what did not happen. */
export function patienceMs(): number {
  return 0.75 * limitMs
}

/** Looks many times per second until there is something. An error names `what`, or shows the source of `find`. */
export async function until<Value>(
  find: () => Value | undefined | Promise<Value | undefined>,
  what = asWritten(find),
): Promise<Value> {
  const late = lateError(until)
  const deadline = performance.now() + patienceMs()
  for (;;) {
    const found = await find()
    if (found !== undefined) return found
    if (performance.now() > deadline) throw late(what)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/** Waits until a list that grows has so many items. */
export async function untilThereAre(count: number, items: { length: number }, what: string): Promise<void> {
  await until(() => (items.length < count ? undefined : true)).catch((cause: unknown) => {
    throw new Error(`only ${items.length} of ${count} ${what} came`, { cause })
  })
}

export async function within<Value>(promised: Promise<Value>, what = 'what was promised'): Promise<Value> {
  const late = lateError(within)
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(late(what)), patienceMs())
  })
  return Promise.race([promised, tooLate]).finally(() => clearTimeout(timer))
}

/** Its stack begins where the test waits, which is no longer known when time is over. */
function lateError(waiting: (...given: never[]) => unknown): (what: string) => Error {
  const here = { stack: '' }
  Error.captureStackTrace(here, waiting)
  return (what) => {
    const error = new Error(`waited ${patienceMs() / 1_000} s for ${what}`)
    error.stack = `${error}${here.stack.slice(here.stack.indexOf('\n'))}`
    return error
  }
}

/** The source of a function, without what Vite makes of its imports. */
function asWritten(find: () => unknown): string {
  return String(find)
    .replace(/\(0, ?__vi_import_\d+__\.(\w+)\)/g, '$1')
    .replace(/__vi_import_\d+__\./g, '')
    .replace(/\s+/g, ' ')
}
