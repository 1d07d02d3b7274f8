import { directions, isReturn } from '../../platform/catalogue/catalogue.ts'
import type { Match } from './match-store.ts'
import { matchKinds } from './schema.ts'

/** Each order once, by its best match: exact ones first, then the newest. */
export function rankMatches(found: readonly Match[]): Match[] {
  const best = new Map<string, Match>()
  for (const match of found) {
    const known = best.get(match.orderId)
    if (known === undefined || weightOf(match) > weightOf(known)) best.set(match.orderId, match)
  }
  return [...best.values()].sort(
    (left, right) =>
      Number(right.isExact) - Number(left.isExact) ||
      right.placedAt.getTime() - left.placedAt.getTime() ||
      (left.orderId < right.orderId ? 1 : -1),
  )
}

/** An exact match ranks above any other; then the first in the list of kinds. */
function weightOf({ isExact, matched }: Match): number {
  return (isExact ? matchKinds.length : 0) + matchKinds.length - matchKinds.indexOf(matched)
}

export const directionsOfReturns = directions.filter(isReturn)
