/** One shape of a carrier's numbers, as its public description gives it. */
export interface NumberFormat {
  carrier: string
  /** Matches the whole normalised number: upper case, no spaces, hyphens, dots or slashes. */
  pattern: RegExp
  /** Names the shape; it begins the reason that a candidate gives. */
  shape: string
  /** How probable this carrier is for a number that fits, with no other carrier in sight. */
  strength: number
  check?: (number: string) => boolean
  /**
   * How probable it still is when the check fails, for shapes that no other carrier has. Without it, such a number is
   * not this carrier's.
   */
  strengthUnchecked?: number
  /** Where such numbers are used, if not where the carrier is at home; empty when the country says nothing. */
  countries?: readonly string[]
}
