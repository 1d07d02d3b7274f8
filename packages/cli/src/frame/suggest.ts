/** The known word that was probably meant; undefined if none is near. */
export function suggest(given: string, known: readonly string[]): string | undefined {
  const [nearest] = known
    .map((word) => ({ word, distance: distanceBetween(given.toLowerCase(), word.toLowerCase()) }))
    .filter(({ word, distance }) => distance <= Math.max(1, Math.floor(Math.max(given.length, word.length) / 3)))
    .sort((left, right) => left.distance - right.distance)
  return nearest?.word
}

export function didYouMean(given: string, known: readonly string[], prefix = ''): string | undefined {
  const word = suggest(given.slice(0, 100), known)
  return word === undefined ? undefined : `Did you mean "${prefix}${word}"?`
}

/** How many letters have to be inserted, removed, replaced or swapped with their neighbour. */
function distanceBetween(left: string, right: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= right.length; column += 1) {
      const isSame = left[row - 1] === right[column - 1]
      const isSwapped = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]
      current.push(
        Math.min(
          (last[column] ?? 0) + 1,
          (current[column - 1] ?? 0) + 1,
          (last[column - 1] ?? 0) + (isSame ? 0 : 1),
          isSwapped ? (beforeLast[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      )
    }
    beforeLast = last
    last = current
  }
  return last[right.length] ?? 0
}
