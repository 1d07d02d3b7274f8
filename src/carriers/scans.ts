import type { Scan } from './provider.ts'

/** The scans by time, each once: carriers repeat them, and list the newest first or last as they like. */
export function inOrder(scans: readonly Scan[]): Scan[] {
  const known = new Map(scans.map((scan) => [`${scan.time.toISOString()} ${scan.code}`, scan]))
  return [...known.values()].sort((left, right) => left.time.getTime() - right.time.getTime())
}

/** A tracking number as providers take it: they are printed in groups, and typed in any case. */
export function bareNumber(trackingNumber: string): string {
  return trackingNumber.replaceAll(/\s/g, '').toUpperCase()
}
