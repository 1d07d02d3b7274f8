import { findCarrierByCompany } from './find.ts'
import { fittingFormats, maxNumberLength } from './formats/formats.ts'
import { normaliseNumber, wordsOfText } from './normalise.ts'

export interface NumberInText {
  number: string
  /** The carrier named next to the number. */
  carrier: string | undefined
}

/**
 * The tracking number inside longer text, such as "UPS 1Z…" or a tracking URL. Undefined if the text is only a number,
 * or contains none that is clearly one.
 */
export function findNumberInText(text: string): NumberInText | undefined {
  if (isOneWord.test(text) || text.length > maxNumberLength) return undefined
  const words = wordsOfText(text).slice(0, maxWords)
  const hasName = words.some((word) => isName.test(word))
  const carriers = hasName ? words.flatMap((word) => (isName.test(word) ? namedBy(word) : [])) : []
  // Without its space, "UPS 123456789" would be a Purolator number, so a named carrier comes first.
  const ofNamed = carriers.length > 0 ? findIn(words, 0, carriers) : undefined
  if (ofNamed || fittingFormats(normaliseNumber(text)).length > 0) return ofNamed
  return findIn(words, minStrength, [])
}

const isOneWord = /^[0-9A-Za-z]*$/
const isName = /^(?:[A-Z]{2,20}|4PX)$/
/** Tracking URLs have about twelve words, and numbers are printed in at most eight groups. */
const maxWords = 24
const maxGroups = 8
/** Any text contains digits. Without a carrier's name, only a highly specific format counts as a number. */
const minStrength = 0.85
const shortest = 8
const longest = 40

/** The strongest number that consecutive words form, limited to these carriers if any are given. */
function findIn(words: readonly string[], least: number, carriers: readonly string[]): NumberInText | undefined {
  let best: (NumberInText & { strength: number }) | undefined
  for (let first = 0; first < words.length; first += 1) {
    let number = ''
    for (const word of words.slice(first, first + maxGroups)) {
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
