/** GS1 and most carriers: weights 3 and 1 from the right; the check digit completes the next ten. */
export function hasMod10(number: string): boolean {
  let sum = 0
  for (let index = number.length - 2, weight = 3; index >= 0; index -= 1, weight = 4 - weight) {
    sum += digitAt(number, index) * weight
  }
  return lastDigit(number) === complement(sum)
}

/** Luhn: every second digit from the right is doubled, and a two-digit result counts as its digit sum. */
export function hasLuhn(number: string): boolean {
  let sum = 0
  for (let index = number.length - 2, isDoubled = true; index >= 0; index -= 1, isDoubled = !isDoubled) {
    const value = digitAt(number, index) * (isDoubled ? 2 : 1)
    sum += value > 9 ? value - 9 : value
  }
  return lastDigit(number) === complement(sum)
}

/**
 * UPU S10: weights 8 6 4 2 3 5 9 7 over eight digits, 11 minus the remainder modulo 11; 10 becomes 0 and 11 becomes 5.
 */
export function hasS10Check(number: string): boolean {
  const rest = 11 - (weighted(number, 2, 10, [8, 6, 4, 2, 3, 5, 9, 7]) % 11)
  return digitAt(number, 10) === (rest === 10 ? 0 : rest === 11 ? 5 : rest)
}

/** UPS 1Z: a letter counts as its alphabet position plus 1, modulo 10; every second character is doubled. */
export function hasUpsCheck(number: string): boolean {
  return lastDigit(number) === complement(weighted(number, 2, number.length - 1, [1, 2]))
}

/** UPS waybills: the leading letter names the service and does not count; every second digit is doubled. */
export function hasUpsWaybillCheck(number: string): boolean {
  return lastDigit(number) === complement(weighted(number, 1, number.length - 1, [1, 2]))
}

/** OnTrac: letters as in UPS 1Z, then weights 1 and 2. */
export function hasOntracCheck(number: string): boolean {
  return lastDigit(number) === complement(weighted(number, 0, number.length - 1, [1, 2]))
}

/** FedEx Express: weights 1 3 7 from the right, modulo 11; 10 is written as 0. */
export function hasFedexCheck(number: string): boolean {
  const weights = [1, 3, 7]
  let sum = 0
  for (let place = 0; place < number.length - 1; place += 1) {
    sum += digitAt(number, number.length - 2 - place) * (weights[place % 3] ?? 0)
  }
  return lastDigit(number) === (sum % 11) % 10
}

/** The number modulo 7: air waybills such as those of DHL Express, and Japanese slips. */
export function hasMod7(number: string): boolean {
  let rest = 0
  for (let index = 0; index < number.length - 1; index += 1) rest = (rest * 10 + digitAt(number, index)) % 7
  return lastDigit(number) === rest
}

/** Deutsche Post Identcode: weights 4 and 9. */
export function hasIdentcodeCheck(number: string): boolean {
  return lastDigit(number) === complement(weighted(number, 0, number.length - 1, [4, 9]))
}

/** GLS: weights 3 and 1, plus 1. */
export function hasGlsCheck(number: string): boolean {
  return lastDigit(number) === complement(weighted(number, 0, number.length - 1, [3, 1]) + 1)
}

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'

/** ISO 7064 MOD 37,36: the last character of DPD numbers and barcodes. */
export function hasMod37(number: string): boolean {
  let rest = 36
  for (const character of number.slice(0, -1)) {
    rest = (rest + alphabet.indexOf(character)) % 36 || 36
    rest = (rest * 2) % 37
  }
  return alphabet.indexOf(number.slice(-1)) === (37 - rest) % 36
}

/**
 * USPS IMpb: 22, 26 or 30 digits with a GS1 check digit, optionally after 420 and a ZIP code of five or nine digits.
 */
export function hasImpbCheck(number: string): boolean {
  return [22, 26, 30].some((length) => {
    const zip = number.length - length
    return (zip === 0 || zip === 8 || zip === 12) && number[zip] === '9' && hasMod10(number.slice(zip))
  })
}

function weighted(number: string, from: number, to: number, weights: readonly number[]): number {
  let sum = 0
  for (let index = from; index < to; index += 1) {
    sum += valueAt(number, index) * (weights[(index - from) % weights.length] ?? 0)
  }
  return sum
}

function complement(sum: number): number {
  return (10 - (sum % 10)) % 10
}

function digitAt(number: string, index: number): number {
  return number.charCodeAt(index) - 48
}

/** A digit as itself, a letter as its alphabet position plus 1, modulo 10. */
function valueAt(number: string, index: number): number {
  const code = number.charCodeAt(index)
  return code < 65 ? code - 48 : (code - 63) % 10
}

function lastDigit(number: string): number {
  return digitAt(number, number.length - 1)
}
