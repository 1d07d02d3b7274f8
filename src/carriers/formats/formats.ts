import type { NumberFormat } from './format.ts'
import { otherEuropeFormats } from './other-europe.ts'
import { overseasFormats } from './overseas.ts'
import { s10Formats } from './s10.ts'
import { westernEuropeFormats } from './western-europe.ts'
import { worldwideFormats } from './worldwide.ts'

/** The formats that a normalised number fits. */
export function fittingFormats(number: string): NumberFormat[] {
  // A third of the formats are S10, and one look tells that a number is none: orders are taken in on a hot path.
  const possible = s10Shape.test(number) ? formats : formatsOfCarriers
  return possible.filter(({ pattern }) => pattern.test(number))
}

const s10Shape = /^[A-Z]{2}\d{9}[A-Z]{2}$/

const formatsOfCarriers: readonly NumberFormat[] = [
  ...worldwideFormats,
  ...westernEuropeFormats,
  ...otherEuropeFormats,
  ...overseasFormats,
]

/** Every shape of a tracking number that we know. */
export const formats: readonly NumberFormat[] = [...formatsOfCarriers, ...s10Formats]
