/** A country that the shop ships to. */
export interface Country {
  code: string
  name: string
  currency: Currency
  timezone: string
  /** Standard time; daylight saving makes no difference to the demo. */
  utcOffsetHours: number
  /** The stops of a parcel from the warehouse. */
  way: 'domestic' | 'union' | 'customs'
  /** The country's sorting hub. */
  hub: City
}

export interface City {
  name: string
  latitude: number
  longitude: number
}

export type Currency = 'EUR' | 'GBP' | 'CHF' | 'SEK' | 'PLN' | 'USD'
export type CountryCode = keyof typeof countries

/** The origin of every parcel. */
export const warehouse = { city: city('Leipzig', 51.3397, 12.3731), country: 'DE' } as const

export const countries = {
  DE: country(['DE', 'Germany', 'EUR'], ['Europe/Berlin', 1], 'domestic', city('Hannover', 52.3759, 9.732)),
  AT: country(['AT', 'Austria', 'EUR'], ['Europe/Vienna', 1], 'union', city('Linz', 48.3069, 14.2858)),
  BE: country(['BE', 'Belgium', 'EUR'], ['Europe/Brussels', 1], 'union', city('Brussels', 50.8503, 4.3517)),
  CH: country(['CH', 'Switzerland', 'CHF'], ['Europe/Zurich', 1], 'customs', city('Härkingen', 47.3089, 7.8183)),
  ES: country(['ES', 'Spain', 'EUR'], ['Europe/Madrid', 1], 'union', city('Madrid', 40.4168, -3.7038)),
  FR: country(['FR', 'France', 'EUR'], ['Europe/Paris', 1], 'union', city('Paris', 48.8566, 2.3522)),
  GB: country(['GB', 'United Kingdom', 'GBP'], ['Europe/London', 0], 'customs', city('Coventry', 52.4068, -1.5197)),
  IT: country(['IT', 'Italy', 'EUR'], ['Europe/Rome', 1], 'union', city('Bologna', 44.4949, 11.3426)),
  NL: country(['NL', 'Netherlands', 'EUR'], ['Europe/Amsterdam', 1], 'union', city('Utrecht', 52.0907, 5.1214)),
  PL: country(['PL', 'Poland', 'PLN'], ['Europe/Warsaw', 1], 'union', city('Łódź', 51.7592, 19.456)),
  SE: country(['SE', 'Sweden', 'SEK'], ['Europe/Stockholm', 1], 'union', city('Malmö', 55.605, 13.0038)),
  US: country(['US', 'United States', 'USD'], ['America/New_York', -5], 'customs', city('Newark', 40.7357, -74.1724)),
}

export function city(name: string, latitude: number, longitude: number): City {
  return { name, latitude, longitude }
}

function country(
  [code, name, currency]: [code: string, name: string, currency: Currency],
  [timezone, utcOffsetHours]: [timezone: string, utcOffsetHours: number],
  way: Country['way'],
  hub: City,
): Country {
  return { code, name, currency, timezone, utcOffsetHours, way, hub }
}
