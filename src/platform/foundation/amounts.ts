/** The decimals of a currency's amounts: 2 for EUR, none for JPY, 3 for KWD. */
export function decimalsOf(currency: string | null | undefined): number {
  const code = currency ?? ''
  const known = decimals.get(code)
  if (known !== undefined) return known
  let digits = 2
  try {
    digits =
      new Intl.NumberFormat('en', { style: 'currency', currency: code }).resolvedOptions().maximumFractionDigits ?? 2
  } catch {
    // Not a currency code: most currencies have two.
  }
  if (decimals.size >= maxKnown) decimals.clear()
  decimals.set(code, digits)
  return digits
}

const decimals = new Map<string, number>()
const maxKnown = 500

/** Rounds half away from zero, as invoices do. */
export function roundAmount(amount: number, digits: number): number {
  const factor = 10 ** digits
  // 1.005 is stored a little below itself; the factor lifts it without touching any other cent.
  const rounded = Math.round(Math.abs(amount) * factor * (1 + Number.EPSILON)) / factor
  return amount < 0 && rounded !== 0 ? -rounded : rounded
}

/** The sum of amounts as they were given, without floating-point noise: no currency has more than four decimals. */
export function sumOf(amounts: readonly (number | null | undefined)[]): number {
  return roundAmount(
    amounts.reduce<number>((sum, amount) => sum + (amount ?? 0), 0),
    4,
  )
}

/** Some pieces of a line. */
export interface Pieces {
  /** How many the line has. */
  of: number
  count: number
  /** How many were counted before: the last piece gets the rounding remainder, so that all add up to the line. */
  before?: number
}

/** Amount of some pieces of a line. */
export function partOf(amount: number, { of, count, before = 0 }: Pieces, currency: string | null | undefined): number {
  if (of <= 0 || (count === of && before === 0)) return amount
  const digits = decimalsOf(currency)
  const upTo = (pieces: number) => (pieces === of ? amount : roundAmount((amount * pieces) / of, digits))
  return sumOf([upTo(before + count), -upTo(before)])
}
