import type { Scan } from './provider.ts'

/** Sorts scans by time and removes duplicates: carriers repeat them and list them in either direction. */
export function inOrder(scans: readonly Scan[]): Scan[] {
  const known = new Map(scans.map((scan) => [`${scan.time.toISOString()} ${scan.code}`, scan]))
  return [...known.values()].sort((left, right) => left.time.getTime() - right.time.getTime())
}

/** A tracking number without groups, in upper case, as providers accept it. */
export function bareNumber(trackingNumber: string): string {
  return trackingNumber.replaceAll(/\s/g, '').toUpperCase()
}
