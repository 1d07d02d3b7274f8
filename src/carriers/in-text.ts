import { findCarrierByCompany } from './find.ts'
import { fittingFormats, longestNumber } from './formats/formats.ts'
import { normaliseNumber, wordsOfText } from './normalise.ts'

export interface NumberInText {
  number: string
  /** The carrier that the text names beside the number. */
  carrier: string | undefined
}

/**
 * The tracking number in a text that holds more than a number, such as "UPS 1Z…" or the address of a tracking page;
 * undefined where the text is a number as a whole, or holds none that is clearly one.
 */
export function findNumberInText(text: string): NumberInText | undefined {
  if (isOneWord.test(text) || text.length > longestNumber) return undefined
  const words = wordsOfText(text).slice(0, mostWords)
  const hasName = words.some((word) => isName.test(word))
  const carriers = hasName ? words.flatMap((word) => (isName.test(word) ? namedBy(word) : [])) : []
  // "UPS 123456789" would be a Purolator number without its space, so a carrier that is named counts first.
  const ofNamed = carriers.length > 0 ? findIn(words, 0, carriers) : undefined
  if (ofNamed || fittingFormats(normaliseNumber(text)).length > 0) return ofNamed
  return findIn(words, leastStrength, [])
}

const isOneWord = /^[0-9A-Za-z]*$/
const isName = /^(?:[A-Z]{2,20}|4PX)$/
/** Addresses of tracking pages have some twelve words, and numbers are printed in eight groups at most. */
const mostWords = 24
const mostGroups = 8
/** Any text holds digits: only a shape that few other things have is taken for a number without a carrier's name. */
const leastStrength = 0.85
const shortest = 8
const longest = 40

/** The strongest number that words in a row make, of these carriers where there are any. */
function findIn(words: readonly string[], least: number, carriers: readonly string[]): NumberInText | undefined {
  let best: (NumberInText & { strength: number }) | undefined
  for (let first = 0; first < words.length; first += 1) {
    let number = ''
    for (const word of words.slice(first, first + mostGroups)) {
      number += word
      if (number.length > longest) break
      const found = strongestOf(number, carriers)
      if (found && found.strength >= least && found.strength > (best?.strength ?? 0)) best = { number, ...found }
    }
  }
  return best && { number: best.number, carrier: best.carrier }
}

function strongestOf(number: string, carriers: readonly string[]) {
  if (number.length < shortest) return undefined
  let best: { carrier: string | undefined; strength: number } | undefined
  for (const format of fittingFormats(number)) {
    if (carriers.length > 0 && !carriers.includes(format.carrier)) continue
    const isWrong = format.check?.(number) === false
    const strength = isWrong ? (format.strengthUnchecked ?? 0) : format.strength
    if (strength > (best?.strength ?? 0)) {
      best = { carrier: carriers.length > 0 ? format.carrier : undefined, strength }
    }
  }
  return best
}

function namedBy(word: string): string[] {
  const carrier = findCarrierByCompany(word)
  return carrier ? [carrier.reference] : []
}
