/** One documented format of a carrier's numbers. */
export interface NumberFormat {
  carrier: string
  /** Matches the whole normalised number: upper case, without spaces, hyphens, dots or slashes. */
  pattern: RegExp
  /** The name of the format; a candidate's reason begins with it. */
  shape: string
  /** The probability of this carrier for a matching number, if no other carrier matches. */
  strength: number
  check?: (number: string) => boolean
  /**
   * The probability if the check digit is wrong, for formats that no other carrier uses. Without it, such a number does
   * not match.
   */
  strengthUnchecked?: number
  /** The countries where such numbers occur, if they differ from the carrier's; empty if the country is irrelevant. */
  countries?: readonly string[]
}
