/** GS1 and most carriers: weights 3 and 1 from the right, the check digit fills up to the next ten. */
export function hasMod10(number: string): boolean {
  return lastDigit(number) === complement(weighted(bodyOf(number), [3, 1], 'fromRight'), 10)
}

/** UPU S10: eight digits by 8 6 4 2 3 5 9 7; the rest of 11 is the digit, 10 stands as 0 and 11 as 5. */
export function hasS10Check(number: string): boolean {
  const rest = 11 - (weighted(digitsOf(number.slice(2, 10)), [8, 6, 4, 2, 3, 5, 9, 7]) % 11)
  return Number(number[10]) === (rest === 10 ? 0 : rest === 11 ? 5 : rest)
}

/** UPS 1Z: letters count as their place in the alphabet plus 1, modulo 10; every second character is doubled. */
export function hasUpsCheck(number: string): boolean {
  const values = [...number.slice(2, -1)].map((character) =>
    /\d/.test(character) ? Number(character) : (character.charCodeAt(0) - 63) % 10,
  )
  return lastDigit(number) === complement(weighted(values, [1, 2]), 10)
}

/** FedEx Express: weights 1 3 7 from the right, modulo 11, of which 10 is written 0. */
export function hasFedexCheck(number: string): boolean {
  return lastDigit(number) === (weighted(bodyOf(number), [1, 3, 7], 'fromRight') % 11) % 10
}

/** The whole body modulo 7: air waybills such as those of DHL Express, and Japanese slips. */
export function hasMod7(number: string): boolean {
  return lastDigit(number) === bodyOf(number).reduce((rest, digit) => (rest * 10 + digit) % 7, 0)
}

/** Deutsche Post Identcode: weights 4 and 9. */
export function hasIdentcodeCheck(number: string): boolean {
  return lastDigit(number) === complement(weighted(bodyOf(number), [4, 9]), 10)
}

/** GLS: weights 3 and 1, and 1 more. */
export function hasGlsCheck(number: string): boolean {
  return lastDigit(number) === complement(weighted(bodyOf(number), [3, 1]) + 1, 10)
}

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'

/** ISO 7064 MOD 37,36, which DPD prints as a 15th character. */
export function hasMod37(number: string): boolean {
  let rest = 36
  for (const character of number.slice(0, -1)) {
    rest = (rest + alphabet.indexOf(character)) % 36 || 36
    rest = (rest * 2) % 37
  }
  return alphabet.indexOf(number.slice(-1)) === (37 - rest) % 36
}

/** OnTrac: the letter counts as 4, then weights 1 and 2. */
export function hasOntracCheck(number: string): boolean {
  return lastDigit(number) === complement(weighted([4, ...digitsOf(number.slice(1, -1))], [1, 2]), 10)
}

function weighted(values: readonly number[], weights: readonly number[], from?: 'fromRight'): number {
  const ordered = from ? [...values].reverse() : values
  return ordered.reduce((sum, value, index) => sum + value * (weights[index % weights.length] ?? 0), 0)
}

function complement(sum: number, modulus: number): number {
  return (modulus - (sum % modulus)) % modulus
}

function digitsOf(text: string): number[] {
  return [...text].map(Number)
}

function bodyOf(number: string): number[] {
  return digitsOf(number.slice(0, -1))
}

function lastDigit(number: string): number {
  return Number(number.slice(-1))
}
