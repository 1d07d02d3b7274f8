/** The name that a misspelt one most likely stands for; undefined if none is close. */
export function nearest<Name extends string>(written: string, names: readonly Name[]): Name | undefined {
  // Distances are counted letter by letter, so what is longer than any name is not even tried.
  if (written.length === 0 || written.length > 40) return undefined
  const ranked = names
    .filter((name) => Math.abs(name.length - written.length) <= tolerated(name))
    .map((name) => ({ name, distance: distanceBetween(written, name) }))
    .sort((one, other) => one.distance - other.distance)
  const [best] = ranked
  return best && best.distance <= tolerated(best.name) ? best.name : undefined
}

/** A short name is close to too many others. */
function tolerated({ length }: string): number {
  return Math.max(Math.min(2, Math.floor(length / 2)), Math.floor(length / 3))
}

/** How many letters have to be added, removed, replaced or swapped with their neighbour. */
function distanceBetween(one: string, other: string): number {
  let before: number[] = []
  let previous = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1]
      let cost = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + (isSame ? 0 : 1),
      )
      const isSwapped =
        row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      if (isSwapped) cost = Math.min(cost, (before[column - 2] ?? 0) + 1)
      current.push(cost)
    }
    before = previous
    previous = current
  }
  return previous[other.length] ?? 0
}
