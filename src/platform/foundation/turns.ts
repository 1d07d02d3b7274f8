export interface InTurn {
  /** Its groups, the widest first. */
  path: readonly string[]
}

/** Groups in the order of their turns, with groups within groups; in the innermost, callers in the order they came. */
export class Turns<Item extends InTurn> {
  readonly #depth: number
  readonly #groups = new Map<string, Turns<Item>>()
  readonly #callers: Item[] = []
  size = 0

  constructor(depth = 0) {
    this.#depth = depth
  }

  add(item: Item): void {
    const name = item.path[this.#depth]
    this.size += 1
    if (name === undefined) {
      this.#callers.push(item)
      return
    }
    const group = this.#groups.get(name) ?? new Turns<Item>(this.#depth + 1)
    this.#groups.set(name, group)
    group.add(item)
  }

  /** The next item of the first group, which then moves to the end. */
  shift(): Item | undefined {
    const next = this.#callers.shift() ?? this.#shiftGroup()
    if (next) this.size -= 1
    return next
  }

  #shiftGroup(): Item | undefined {
    const [first] = this.#groups
    if (first === undefined) return undefined
    const [name, group] = first
    this.#groups.delete(name)
    const next = group.shift()
    if (group.size > 0) this.#groups.set(name, group)
    return next
  }

  remove(item: Item): boolean {
    const isRemoved = this.#removeCaller(item) || this.#removeFromGroup(item)
    if (isRemoved) this.size -= 1
    return isRemoved
  }

  #removeCaller(item: Item): boolean {
    const index = this.#callers.indexOf(item)
    if (index !== -1) this.#callers.splice(index, 1)
    return index !== -1
  }

  #removeFromGroup(item: Item): boolean {
    const name = item.path[this.#depth] ?? ''
    const group = this.#groups.get(name)
    const isRemoved = group?.remove(item) ?? false
    if (group?.size === 0) this.#groups.delete(name)
    return isRemoved
  }

  /** The item that yields its place to a new caller: the newest of a group longer than the caller's own would be. */
  newestOfLongest(path: readonly string[]): Item | undefined {
    const own = this.#groups.get(path[this.#depth] ?? '')
    const longest = this.#longest()
    if (longest && longest.size > (own?.size ?? 0) + 1) return longest.#newest()
    return own?.newestOfLongest(path)
  }

  #newest(): Item | undefined {
    const longest = this.#longest()
    return longest ? longest.#newest() : this.#callers.at(-1)
  }

  #longest(): Turns<Item> | undefined {
    let longest: Turns<Item> | undefined
    for (const group of this.#groups.values()) if (longest === undefined || group.size > longest.size) longest = group
    return longest
  }
}
