import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * About how many seconds each file takes that takes more than one, on two cores; the order matters more than the figure.
 * `WRITE_DURATIONS=1 npm test` writes it again.
 */
const file = join(import.meta.dirname, 'durations.json')

export const durations: Readonly<Record<string, number>> = JSON.parse(readFileSync(file, 'utf8'))

/** The files that take at least so many seconds. */
export function filesLongerThan(seconds: number): string[] {
  return Object.keys(durations).filter((path) => (durations[path] ?? 0) >= seconds)
}

/** Stores what a run has measured, the longest first; files that did not run keep their figure, those that are gone lose it. */
export function writeDurations(measured: Record<string, number>): void {
  const rounded = Object.entries({ ...durations, ...measured }).map(
    ([path, seconds]) => [path, Math.round(seconds)] as const,
  )
  const listed = rounded
    .filter(([path, seconds]) => seconds > 1 && existsSync(join(import.meta.dirname, '..', '..', path)))
    .sort(([left, leftSeconds], [right, rightSeconds]) => rightSeconds - leftSeconds || left.localeCompare(right))
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(listed), null, 2)}\n`)
}
