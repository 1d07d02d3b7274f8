/** Finds and takes out what names a customer in texts that other people and machines wrote. */
export interface Quotes {
  /** For the store and for us: a regular expression that both read alike. */
  pattern: string
  /** Whether a text of a JSON value names the customer. */
  isIn(value: unknown): boolean
  /** A copy of a JSON value in which no text names the customer. */
  takeOut<Value>(value: Value): Value
}

/** What stands where somebody was named. */
export const mark = '[erased]'

/** Shorter words name nobody, and stand in too many others. */
const leastLength = 4

/** The parts of an address that mean one person; a city or a company means many. */
const namingFields = ['name', 'phone', 'street', 'address_line_1', 'address_line_2']

export function quotesOf(email: string, orders: { details: Record<string, unknown> }[]): Quotes {
  const addresses = orders.map(({ details }) => (details.address ?? {}) as Record<string, unknown>) // as the schema let it in
  const words = addresses
    .flatMap((address) => namingFields.map((field) => address[field]))
    .filter((word) => typeof word === 'string')
    .map((word) => word.trim())
    .filter((word) => word.length >= leastLength)
    // The longest first: of a name within a name, the whole goes.
    .sort((left, right) => right.length - left.length)
  const pattern = [patternOfEmail(email.trim()), ...[...new Set(words)].map(patternOfWords)].join('|')
  return {
    pattern,
    isIn: (value) => isIn(value, new RegExp(pattern, 'i')),
    takeOut: (value) => takeOut(value, new RegExp(pattern, 'gi')) as typeof value, // texts stay texts, all else is copied
  }
}

/** Not the end of a longer address, nor the beginning of one: those are other people's. */
function patternOfEmail(email: string): string {
  if (email.length < leastLength) return `^${escaped(email)}$`
  return `(?<![A-Za-z0-9_.+-])${escaped(email)}(?![.]?[A-Za-z0-9_-])`
}

function patternOfWords(words: string): string {
  return `(?<![A-Za-z0-9_])${escaped(words)}(?![A-Za-z0-9_])`
}

function isIn(value: unknown, pattern: RegExp): boolean {
  if (typeof value === 'string') return pattern.test(value)
  return typeof value === 'object' && value !== null && Object.values(value).some((field) => isIn(field, pattern))
}

function takeOut(value: unknown, pattern: RegExp): unknown {
  if (typeof value === 'string') return value.replaceAll(pattern, mark)
  if (Array.isArray(value)) return value.map((item) => takeOut(item, pattern))
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, takeOut(field, pattern)]))
}

function escaped(word: string): string {
  return word.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
