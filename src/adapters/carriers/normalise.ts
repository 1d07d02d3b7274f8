/**
 * Numbers are printed in groups and typed in any case; only letters and digits matter. Full-width digits become ASCII,
 * and invisible characters such as a zero-width space are removed.
 */
export function normaliseNumber(trackingNumber: string): string {
  if (plain.test(trackingNumber)) return trackingNumber
  return trackingNumber.normalize('NFKC').toUpperCase().replaceAll(separators, '')
}

/** The words and numbers of a text, in upper case. */
export function wordsOfText(text: string): string[] {
  return text.normalize('NFKC').replaceAll(invisible, '').toUpperCase().match(words) ?? []
}

const plain = /^[0-9A-Z]*$/
// Brackets enclose GS1 identifiers; asterisks and % enclose scanned barcodes.
const separators = /[\s./_()%*\p{Pd}\p{Cf}]/gu
const invisible = /\p{Cf}/gu
const words = /[0-9A-Z]+/g
