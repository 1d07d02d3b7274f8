/** The limit that is exhausted: that of a group, by its name, or that of all places together. */
export type Full<Group extends string> = Group | 'all'

/** How many places there are in all, and how many of them each shop, network or key may have at most. */
export interface ShareLimits<Group extends string> {
  all: number
  each: Record<Group, number>
}

/**
 * Places that callers share, such as open streams. Every caller belongs to one subject of each group (its shop, its network),
 * so that neither one shop nor one network can occupy them all.
 *
 *     const streams = new Shares({ all: 2_000, each: { shop: 500, network: 50 } })
 *     const place = streams.take({ shop: shop.id, network: wideNetworkOf(address) })
 *     if (typeof place === 'string') …                 // 'shop', 'network' or 'all' is full
 *     else stream.once('close', place.giveBack)
 */
export class Shares<Group extends string> {
  readonly #limits: ShareLimits<Group>
  readonly #groups: readonly Group[]
  readonly #taken = new Map<string, number>()
  #count = 0

  constructor(limits: ShareLimits<Group>) {
    this.#limits = limits
    this.#groups = Object.keys(limits.each) as Group[] // the keys of a record of groups
  }

  get count(): number {
    return this.#count
  }

  /** How many places a subject has. */
  countOf(group: Group, subject: string): number {
    return this.#taken.get(keyOf(group, subject)) ?? 0
  }

  /** Reserves a place, or several, such as bytes, until given back. Returns the limit that is exhausted, if any. */
  take(subjects: Record<Group, string>, places = 1): Full<Group> | { giveBack: () => void } {
    const full = this.#groups.find((group) => this.countOf(group, subjects[group]) + places > this.#limits.each[group])
    if (full !== undefined) return full
    if (this.#count + places > this.#limits.all) return 'all'
    this.#change(subjects, places)
    let isTaken = true
    const giveBack = (): void => {
      if (isTaken) this.#change(subjects, -places)
      isTaken = false
    }
    return { giveBack }
  }

  #change(subjects: Record<Group, string>, by: number): void {
    this.#count += by
    for (const group of this.#groups) {
      const left = this.countOf(group, subjects[group]) + by
      if (left > 0) this.#taken.set(keyOf(group, subjects[group]), left)
      else this.#taken.delete(keyOf(group, subjects[group]))
    }
  }
}

function keyOf(group: string, subject: string): string {
  return `${group} ${subject}`
}
