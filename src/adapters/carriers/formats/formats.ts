import type { NumberFormat } from './format.ts'
import { lengthOf } from './length.ts'
import { northAmericaFormats } from './north-america.ts'
import { otherEuropeFormats } from './other-europe.ts'
import { overseasFormats } from './overseas.ts'
import { s10Formats, s10FormatsOf } from './s10.ts'
import { westernEuropeFormats } from './western-europe.ts'
import { worldwideFormats } from './worldwide.ts'

/** No carrier prints longer numbers; only sandbox numbers are unbounded. */
export const maxNumberLength = 255

/** The formats that a normalised number matches. */
export function fittingFormats(number: string): NumberFormat[] {
  const ofLength = byLength[number.length]?.filter(({ pattern }) => pattern.test(number)) ?? []
  if (!s10Shape.test(number)) return ofLength
  return [...ofLength, ...s10FormatsOf(number.slice(-2)).filter(({ pattern }) => pattern.test(number))]
}

const s10Shape = /^[A-Z]{2}\d{9}[A-Z]{2}$/

const formatsOfCarriers: readonly NumberFormat[] = [
  ...worldwideFormats,
  ...northAmericaFormats,
  ...westernEuropeFormats,
  ...otherEuropeFormats,
  ...overseasFormats,
]

const withLengths = formatsOfCarriers.map((format) => ({ format, ...lengthOf(format.pattern) }))

// Every new order runs through here. Of about 170 formats, a dozen have to be tried for a given length.
const byLength: readonly NumberFormat[][] = Array.from({ length: maxNumberLength + 1 }, (_, length) =>
  withLengths.filter(({ least, most }) => least <= length && length <= most).map(({ format }) => format),
)

/** All known formats of tracking numbers. */
export const formats: readonly NumberFormat[] = [...formatsOfCarriers, ...s10Formats]
