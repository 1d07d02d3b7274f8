import type { CatalogueEntry } from './catalogue/entry.ts'
import { findCarrier } from './find.ts'
import type { NumberFormat } from './formats/format.ts'
import { fittingFormats, formats, maxNumberLength } from './formats/formats.ts'
import { findNumberInText } from './in-text.ts'
import { normaliseNumber } from './normalise.ts'

export interface DetectionInput {
  trackingNumber: string
  /** The destination. */
  countryCode?: string | undefined
  /** The origin. */
  originCountryCode?: string | undefined
  /** Each carrier's share of the shop's shipments so far, from 0 to 1. */
  history?: ReadonlyMap<string, number> | undefined
}

export interface Candidate {
  carrier_reference: string
  name: string
  confidence: number
  reason: string
}

/**
 * The carriers that a tracking number may belong to, best first. Each format gives odds, which the country and the
 * shop's history weigh. All candidates and "none of these" share one probability, so a number that fits several
 * carriers gets a low confidence for each.
 */
export function detectCarriers(input: DetectionInput): Candidate[] {
  if (input.trackingNumber.length > maxNumberLength) return []
  const found = findNumberInText(input.trackingNumber)
  const number = found?.number ?? normaliseNumber(input.trackingNumber)
  const best = new Map<string, Evidence>()
  for (const format of fittingFormats(number)) {
    const evidence = weigh(format, number, input, found?.carrier)
    const known = best.get(format.carrier)
    if (evidence && (!known || evidence.odds > known.odds)) best.set(format.carrier, evidence)
  }
  const evidences = [...best.values()].sort((left, right) => right.odds - left.odds)
  const total = evidences.reduce((sum, { odds }) => sum + odds, oddsOfNone)
  return evidences.map(({ carrier, odds, reasons }) => ({
    carrier_reference: carrier.reference,
    name: carrier.name,
    confidence: Math.round((odds / total) * 100) / 100,
    reason: reasons.filter(Boolean).join(', '),
  }))
}

const oddsOfNone = 1
// Carriers also deliver abroad, so a foreign country lowers the odds without excluding the carrier.
const inCountry = 3
const abroad = 0.35
/** The carrier's name next to the number is strong evidence. */
const named = 20

interface Evidence {
  carrier: CatalogueEntry
  odds: number
  reasons: (string | false | undefined)[]
}

const carriers = new Map(formats.map(({ carrier }) => [carrier, findCarrier(carrier)]))

function weigh(
  format: NumberFormat,
  number: string,
  input: DetectionInput,
  namedCarrier: string | undefined,
): Evidence | undefined {
  const carrier = carriers.get(format.carrier)
  const isChecked = format.check?.(number)
  const strength = isChecked === false ? format.strengthUnchecked : format.strength
  if (!carrier || strength === undefined) return undefined

  const given = [input.countryCode, input.originCountryCode].flatMap((code) => (code ? [code.toUpperCase()] : []))
  const countries = format.countries ?? carrier.countries
  const isCountryUnknown = given.length === 0 || countries.length === 0
  const home = given.find((code) => countries.includes(code))
  const share = input.history?.get(carrier.reference) ?? 0
  const isNamed = carrier.reference === namedCarrier
  const weight =
    (isCountryUnknown ? 1 : home ? inCountry : abroad) * (isNamed ? named : 1) * weightOfHistory(input, share)
  return {
    carrier,
    odds: (strength / (1 - strength)) * weight,
    reasons: [
      format.shape,
      isChecked === true && 'check digit right',
      isChecked === false && 'check digit wrong',
      isNamed && 'named in the text',
      home && !isCountryUnknown && `usual in ${home}`,
      !home && !isCountryUnknown && `unusual in ${given.join(' and ')}`,
      share > 0 && `${Math.round(share * 100)} % of this shop’s parcels`,
    ],
  }
}

/** From 0.5 for a carrier that the shop has never used to 10 for its only carrier. */
function weightOfHistory({ history }: DetectionInput, share: number): number {
  return history && history.size > 0 ? 0.5 + 9.5 * Math.min(1, Math.max(0, share)) : 1
}
