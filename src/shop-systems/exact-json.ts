/**
 * Parses JSON without rounding whole numbers: those that JavaScript cannot hold exactly become text. Shop systems number
 * orders, products and subscriptions with 64 bits, of which a number in JavaScript keeps 53.
 */
export function parseExactly(text: string): unknown {
  const content: unknown = JSON.parse(text)
  // Most messages have no such number, and a second walk through the text costs as much as the first.
  return /\d{16}/.test(text) ? JSON.parse(quoteLargeIntegers(text)) : content
}

/** Puts large whole numbers of a valid JSON text into quotes. Walks by hand: a pattern for strings is not linear. */
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
