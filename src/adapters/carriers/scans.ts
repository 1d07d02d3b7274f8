import type { Scan } from './provider.ts'

/** The sequence of a provider's lists, as it documents it. */
export type Listing = 'newest first' | 'oldest first'

/**
 * Sorts scans by time and removes duplicates: carriers repeat them. Times have no fractions of a second, so scans of
 * the same second keep the order in which they happened: a list that begins with the newest is reversed. The times of a
 * list show its direction; if all are equal, the documented one counts.
 */
export function inOrder(scans: readonly Scan[], listing: Listing): Scan[] {
  const oldestFirst = directionOf(scans, listing) === 'newest first' ? scans.toReversed() : scans
  const known = new Map(oldestFirst.map((scan) => [`${scan.time.toISOString()} ${scan.code}`, scan]))
  return [...known.values()].sort(byTime)
}

/** Adds the latest state of a parcel, which a provider reports beside its list. */
export function withLatest(oldestFirst: readonly Scan[], latest: readonly Scan[]): Scan[] {
  return [...oldestFirst, ...latest].sort(byTime)
}

function byTime(left: Scan, right: Scan): number {
  return left.time.getTime() - right.time.getTime()
}

/** Each scan counts, not only the first and the last: one without an offset may have been read in a wrong time zone. */
function directionOf(scans: readonly Scan[], listing: Listing): Listing {
  let later = 0
  for (const [index, { time }] of scans.entries()) {
    const before = scans[index - 1]
    if (before !== undefined) later += Math.sign(time.getTime() - before.time.getTime())
  }
  if (later === 0) return listing
  return later < 0 ? 'newest first' : 'oldest first'
}

/** A tracking number without groups, in upper case, as providers accept it. */
export function bareNumber(trackingNumber: string): string {
  return trackingNumber.replaceAll(/\s/g, '').toUpperCase()
}
