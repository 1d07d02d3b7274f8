/** The name that shares most pairs of letters with a misspelt one; undefined if fewer than half are shared. */
export function nearest<Name extends string>(written: string, names: readonly Name[]): Name | undefined {
  const pairs = pairsOf(
    written
      .trim()
      .toLowerCase()
      .replaceAll(/[\s-]+/g, '_'),
  )
  const ranked = names
    .map((name) => ({ name, share: shareOf(pairs, pairsOf(name)) }))
    .toSorted((one, other) => other.share - one.share)
  const [best] = ranked
  return best && best.share >= 0.5 ? best.name : undefined
}

function pairsOf(text: string): string[] {
  return Array.from({ length: Math.max(0, text.length - 1) }, (_, index) => text.slice(index, index + 2))
}

function shareOf(one: readonly string[], other: readonly string[]): number {
  const shared = one.filter((pair) => other.includes(pair)).length
  return one.length + other.length === 0 ? 0 : (2 * shared) / (one.length + other.length)
}
