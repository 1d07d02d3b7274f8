/**
 * Numbers are printed in groups and typed in any case; only letters and digits tell them apart. Full-width digits become
 * plain ones, and what cannot be seen, such as a zero-width space, goes.
 */
export function normaliseNumber(trackingNumber: string): string {
  if (plain.test(trackingNumber)) return trackingNumber
  return trackingNumber.normalize('NFKC').toUpperCase().replaceAll(separators, '')
}

/** The words and numbers in a text, in capitals. */
export function wordsOfText(text: string): string[] {
  return text.normalize('NFKC').replaceAll(invisible, '').toUpperCase().match(words) ?? []
}

const plain = /^[0-9A-Z]*$/
// Brackets stand around a GS1 identifier, asterisks and % around a scanned barcode.
const separators = /[\s./_()%*\p{Pd}\p{Cf}]/gu
const invisible = /\p{Cf}/gu
const words = /[0-9A-Z]+/g
