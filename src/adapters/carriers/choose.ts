import { detectCarriers } from './detect.ts'
import { findCarrier, findCarrierByCompany } from './find.ts'
import { findNumberInText } from './in-text.ts'

export { findCarrier, findCarrierByCompany }

/** The known facts about a parcel whose carrier has to be chosen. */
export interface CarrierClues {
  carrierReference?: string | null | undefined
  trackingCompany?: string | null | undefined
  trackingNumber: string
  countryCode?: string | null | undefined
  /** Each carrier's share of the shop's shipments so far. */
  history?: ReadonlyMap<string, number> | undefined
}

export interface CarrierChoice {
  reference: string | undefined
  /** False only if a reference was given that the catalogue does not contain. */
  isKnown: boolean
}

/** Below this confidence, a detected carrier is a guess and is not shown. */
const minConfidence = 0.5

/** The carrier of a parcel: as given, else by the company's name, else by the number, else none. */
export function chooseCarrier(clues: CarrierClues): CarrierChoice {
  if (clues.carrierReference) {
    const given = findCarrier(clues.carrierReference)
    return { reference: given?.reference, isKnown: given !== undefined }
  }
  const named = clues.trackingCompany ? findCarrierByCompany(clues.trackingCompany) : undefined
  if (named) return { reference: named.reference, isKnown: true }
  const [best] = detectCarriers({
    trackingNumber: clues.trackingNumber,
    countryCode: clues.countryCode ?? undefined,
    history: clues.history,
  })
  const isConvincing = best !== undefined && best.confidence >= minConfidence
  return { reference: isConvincing ? best.carrier_reference : undefined, isKnown: true }
}

/**
 * The tracking page, or undefined if the carrier is unknown or has none. Numbers may be printed in groups or be part of
 * a text, but the pages need the plain number.
 */
export function trackingUrl(reference: string, trackingNumber: string, zipCode?: string | null): string | undefined {
  const template = findCarrier(reference)?.trackingUrl
  if (!template) return undefined
  const number = findNumberInText(trackingNumber)?.number ?? trackingNumber.replaceAll(/[\s\p{Cf}]/gu, '')
  return template
    .replaceAll('{tracking_number}', () => encodeURIComponent(number))
    .replaceAll('{zip_code}', () => encodeURIComponent(zipCode?.trim() ?? ''))
}
