import { readTable } from './code-map.ts'
import type { ScanLocation } from './provider.ts'

/**
 * The time zone of a place. A country with several has the one where most people live, unless a state is given that is
 * known to have another.
 */
export function zoneOf(country: string | undefined | null, state?: string | undefined): string | undefined {
  const code = countryCode(country)
  if (code === undefined) return undefined
  return zones.get(`${code}-${state?.toUpperCase() ?? ''}`) ?? zones.get(code)
}

/** ISO 3166-1 in two letters, from two or from three; undefined for what is neither. */
export function countryCode(country: string | undefined | null): string | undefined {
  const code = country?.trim().toUpperCase() ?? ''
  return zones.has(code) && code.length === 2 ? code : shortCodes.get(code)
}

/** ISO 3166-1 in three letters. */
export function longCountryCode(country: string | undefined | null): string | undefined {
  return longCodes.get(countryCode(country) ?? '')
}

/** The location with what is known of it, or null where nothing is. */
export function locationOf(
  fields: { [Name in keyof ScanLocation]: ScanLocation[Name] | undefined },
): ScanLocation | null {
  const known = Object.entries(fields).filter(([, value]) => value !== undefined)
  // The names and kinds of values are those of the fields; only those that are not there were left out.
  return known.length === 0 ? null : (Object.fromEntries(known) as ScanLocation)
}

/** The fields of an address that are known, or undefined where none is. */
export function addressOf(fields: Record<string, string | undefined>): Record<string, string> | undefined {
  const known = Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))
  return known.length === 0 ? undefined : Object.fromEntries(known)
}

const table = readTable(new URL('./places.csv', import.meta.url), 3)
const zones = new Map(table.map(([place = '', , zone = '']) => [place, zone]))
const countries = table.filter(([, alpha3]) => alpha3 !== '')
const shortCodes = new Map(countries.map(([alpha2 = '', alpha3 = '']) => [alpha3, alpha2]))
const longCodes = new Map(countries.map(([alpha2 = '', alpha3 = '']) => [alpha2, alpha3]))
