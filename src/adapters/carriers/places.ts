import { readTable } from './code-map.ts'
import type { ScanLocation } from './provider.ts'

/**
 * The time zone of a place. For a country with several, the one where most people live, unless the state is known to
 * have another.
 */
export function zoneOf(country: string | undefined | null, state?: string | undefined): string | undefined {
  const code = countryCode(country)
  if (code === undefined) return undefined
  return zones.get(`${code}-${state?.toUpperCase() ?? ''}`) ?? zones.get(code)
}

/** The two-letter ISO 3166-1 code, from two or three letters; undefined for anything else. */
export function countryCode(country: string | undefined | null): string | undefined {
  const code = country?.trim().toUpperCase() ?? ''
  return zones.has(code) && code.length === 2 ? code : shortCodes.get(code)
}

/** The three-letter ISO 3166-1 code. */
export function longCountryCode(country: string | undefined | null): string | undefined {
  return longCodes.get(countryCode(country) ?? '')
}

/** The known fields of a location, or null if there are none. */
export function locationOf(
  fields: { [Name in keyof ScanLocation]: ScanLocation[Name] | undefined },
): ScanLocation | null {
  const known = Object.entries(fields).filter(([, value]) => value !== undefined)
  // Only fields without a value were removed.
  return known.length === 0 ? null : (Object.fromEntries(known) as ScanLocation)
}

/** The known fields of an address, or undefined if there are none. */
export function addressOf(fields: Record<string, string | undefined>): Record<string, string> | undefined {
  const known = Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))
  return known.length === 0 ? undefined : Object.fromEntries(known)
}

const table = readTable(new URL('./places.csv', import.meta.url), 3)
const zones = new Map(table.map(([place = '', , zone = '']) => [place, zone]))
const countries = table.filter(([, alpha3]) => alpha3 !== '')
const shortCodes = new Map(countries.map(([alpha2 = '', alpha3 = '']) => [alpha3, alpha2]))
const longCodes = new Map(countries.map(([alpha2 = '', alpha3 = '']) => [alpha2, alpha3]))
