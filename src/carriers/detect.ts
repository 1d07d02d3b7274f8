import type { CatalogueEntry } from './catalogue/entry.ts'
import { findCarrier } from './find.ts'
import type { NumberFormat } from './formats/format.ts'
import { fittingFormats } from './formats/formats.ts'

export interface Parcel {
  trackingNumber: string
  /** Where it goes. */
  countryCode?: string | undefined
  /** Where it comes from. */
  originCountryCode?: string | undefined
  /** Share of each carrier, from 0 to 1, in what the shop has sent so far. */
  history?: ReadonlyMap<string, number> | undefined
}

export interface Candidate {
  carrier_reference: string
  name: string
  confidence: number
  reason: string
}

/**
 * The carriers that a tracking number may be with, best first. Each format gives odds, the country and the shop's
 * history weigh them, and all candidates share one probability with "none of these": what fits several carriers is
 * therefore answered with low confidence for each.
 */
export function detectCarriers(parcel: Parcel): Candidate[] {
  const number = normaliseNumber(parcel.trackingNumber)
  const best = new Map<string, Evidence>()
  for (const format of fittingFormats(number)) {
    const evidence = weigh(format, number, parcel)
    const known = best.get(format.carrier)
    if (evidence && (!known || evidence.odds > known.odds)) best.set(format.carrier, evidence)
  }
  const total = [...best.values()].reduce((sum, { odds }) => sum + odds, oddsOfNone)
  return [...best.values()]
    .sort((left, right) => right.odds - left.odds)
    .map(({ carrier, odds, reason }) => ({
      carrier_reference: carrier.reference,
      name: carrier.name,
      confidence: Math.round((odds / total) * 100) / 100,
      reason,
    }))
}

/** Numbers are printed in groups and typed in any case; only letters and digits tell them apart. */
export function normaliseNumber(trackingNumber: string): string {
  return trackingNumber.toUpperCase().replaceAll(/[\s./_\p{Pd}]/gu, '')
}

const oddsOfNone = 1
// A carrier's numbers turn up abroad too, so a foreign country makes it less probable and never impossible.
const inCountry = 3
const abroad = 0.35

interface Evidence {
  carrier: CatalogueEntry
  odds: number
  reason: string
}

function weigh(format: NumberFormat, number: string, parcel: Parcel): Evidence | undefined {
  const carrier = findCarrier(format.carrier)
  const isChecked = format.check?.(number)
  const strength = isChecked === false ? format.strengthUnchecked : format.strength
  if (!carrier || strength === undefined) return undefined

  const given = [parcel.countryCode, parcel.originCountryCode].flatMap((code) => (code ? [code.toUpperCase()] : []))
  const countries = format.countries ?? carrier.countries
  const saysNothing = given.length === 0 || countries.length === 0
  const home = given.find((code) => countries.includes(code))
  const share = parcel.history?.get(carrier.reference) ?? 0
  const reason = [
    format.shape,
    isChecked === true && 'check digit right',
    isChecked === false && 'check digit wrong',
    home && !saysNothing && `usual in ${home}`,
    !home && !saysNothing && `unusual in ${given.join(' and ')}`,
    share > 0 && `${Math.round(share * 100)} % of this shop’s parcels`,
  ]
  return {
    carrier,
    odds: (strength / (1 - strength)) * (saysNothing ? 1 : home ? inCountry : abroad) * weightOfHistory(parcel, share),
    reason: reason.filter(Boolean).join(', '),
  }
}

/** From a half for a carrier the shop has never used to ten for the only one it uses. */
function weightOfHistory({ history }: Parcel, share: number): number {
  return history && history.size > 0 ? 0.5 + 9.5 * Math.min(1, Math.max(0, share)) : 1
}
