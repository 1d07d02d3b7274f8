import { parseBounded } from '../../platform/foundation/json-limits.ts'

/**
 * Parses JSON without rounding integers: those beyond 2^53 become strings. Shop systems number orders, products and
 * subscriptions with 64 bits.
 */
export function parseExactly(text: string): unknown {
  const content = parseBounded(text)
  // Most messages have no such number, and the second pass costs as much as the first.
  return /\d{16}/.test(text) ? JSON.parse(quoteLargeIntegers(text)) : content
}

/** Quotes large integers in valid JSON text. Scans by hand, because a regular expression for strings is not linear. */
function quoteLargeIntegers(text: string): string {
  let result = ''
  let copied = 0
  let index = 0
  while (index < text.length) {
    const character = text.charAt(index)
    if (character === '"') {
      index = endOfString(text, index)
    } else if (character === '-' || isDigit(character)) {
      const end = endOfNumber(text, index)
      const literal = text.slice(index, end)
      if (!Number.isSafeInteger(Number(literal)) && /^-?\d+$/.test(literal)) {
        result += `${text.slice(copied, index)}"${literal}"`
        copied = end
      }
      index = end
    } else {
      index += 1
    }
  }
  return result + text.slice(copied)
}

function endOfString(text: string, start: number): number {
  let index = start + 1
  while (index < text.length && text.charAt(index) !== '"') index += text.charAt(index) === '\\' ? 2 : 1
  return index + 1
}

function endOfNumber(text: string, start: number): number {
  let index = start + 1
  while (index < text.length && '0123456789.eE+-'.includes(text.charAt(index))) index += 1
  return index
}

function isDigit(character: string): boolean {
  return character >= '0' && character <= '9'
}
