import { detectCarriers } from './detect.ts'
import { findCarrier, findCarrierByCompany } from './find.ts'
import { findNumberInText } from './in-text.ts'

export { findCarrier, findCarrierByCompany }

/** What is known of a parcel when it is to be given its carrier. */
export interface CarrierClues {
  carrierReference?: string | null | undefined
  trackingCompany?: string | null | undefined
  trackingNumber: string
  countryCode?: string | null | undefined
  /** Share of each carrier in what the shop has sent so far. */
  history?: ReadonlyMap<string, number> | undefined
}

export interface CarrierChoice {
  reference: string | undefined
  /** False only when a reference was given that the catalogue does not hold. */
  isKnown: boolean
}

/** Below this, a detected carrier is a guess that nobody should be told as a fact. */
const leastConfidence = 0.5

/** Which carrier a parcel is with: as given, else by the company's name, else by the number, else none. */
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
  const isConvincing = best !== undefined && best.confidence >= leastConfidence
  return { reference: isConvincing ? best.carrier_reference : undefined, isKnown: true }
}

/**
 * The page on which to follow the parcel, or undefined where the carrier is unknown or has none.
 * Numbers are printed in groups or given in a text, but the pages want them whole and alone.
 */
export function trackingUrl(reference: string, trackingNumber: string, zipCode?: string | null): string | undefined {
  const template = findCarrier(reference)?.trackingUrl
  if (!template) return undefined
  const number = findNumberInText(trackingNumber)?.number ?? trackingNumber.replaceAll(/[\s\p{Cf}]/gu, '')
  return template
    .replaceAll('{tracking_number}', () => encodeURIComponent(number))
    .replaceAll('{zip_code}', () => encodeURIComponent(zipCode?.trim() ?? ''))
}
