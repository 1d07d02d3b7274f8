/** Finds and redacts words that identify a customer in free text. */
export interface Quotes {
  /** A regular expression with the same meaning in JavaScript and PostgreSQL. */
  pattern: string
  /** Whether any text in a JSON value quotes the customer. */
  appearIn(value: unknown): boolean
  /** A copy of a JSON value in which no text quotes the customer. */
  redact<Value>(value: Value): Value
}

/** Replaces the redacted words. */
export const placeholder = '[erased]'

/** Shorter words identify no one and would match too much. */
const minWordLength = 4

/** The address fields that identify one person; a city or a company does not. */
const identifyingFields = ['name', 'phone', 'street', 'address_line_1', 'address_line_2']

export function createQuotes(email: string, orders: { details: Record<string, unknown> }[]): Quotes {
  const addresses = orders.map(({ details }) => (details.address ?? {}) as Record<string, unknown>) // the schema allows only objects
  const words = addresses
    .flatMap((address) => identifyingFields.map((field) => address[field]))
    .filter((word) => typeof word === 'string')
    .map((word) => word.trim())
    .filter((word) => word.length >= minWordLength)
    // Longest first, so that a name which contains another one is redacted as a whole.
    .sort((left, right) => right.length - left.length)
  const pattern = [patternOfEmail(email.trim()), ...[...new Set(words)].map(patternOfWords)].join('|')
  return {
    pattern,
    appearIn: (value) => isMatchIn(value, new RegExp(pattern, 'i')),
    redact: (value) => redact(value, new RegExp(pattern, 'gi')) as typeof value, // only the content of texts changes
  }
}

/** Does not match a part of a longer address, which belongs to someone else. */
function patternOfEmail(email: string): string {
  if (email.length < minWordLength) return `^${escaped(email)}$`
  return `(?<![A-Za-z0-9_.+-])${escaped(email)}(?![.]?[A-Za-z0-9_-])`
}

function patternOfWords(words: string): string {
  return `(?<![A-Za-z0-9_])${escaped(words)}(?![A-Za-z0-9_])`
}

function isMatchIn(value: unknown, pattern: RegExp): boolean {
  if (typeof value === 'string') return pattern.test(value)
  return typeof value === 'object' && value !== null && Object.values(value).some((field) => isMatchIn(field, pattern))
}

function redact(value: unknown, pattern: RegExp): unknown {
  if (typeof value === 'string') return value.replaceAll(pattern, placeholder)
  if (Array.isArray(value)) return value.map((item) => redact(item, pattern))
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, redact(field, pattern)]))
}

function escaped(word: string): string {
  return word.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
