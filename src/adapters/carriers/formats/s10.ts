import { furtherPosts } from '../posts.ts'
import { hasS10Check } from './check-digits.ts'
import type { NumberFormat } from './format.ts'

/** The main postal operator of each country suffix. */
const posts: Readonly<Record<string, string>> = {
  AE: 'emirates-post',
  AR: 'correo-argentino',
  AT: 'austrian-post',
  AU: 'australia-post',
  BE: 'bpost',
  BG: 'bulgarian-posts',
  BR: 'correios',
  CA: 'canada-post',
  CH: 'swiss-post',
  CL: 'correos-chile',
  CN: 'china-post',
  CY: 'cyprus-post',
  CZ: 'ceska-posta',
  DK: 'postnord',
  EE: 'omniva',
  ES: 'correos',
  FI: 'posti',
  GR: 'elta',
  HK: 'hongkong-post',
  HR: 'hrvatska-posta',
  HU: 'magyar-posta',
  IE: 'an-post',
  IL: 'israel-post',
  IN: 'india-post',
  IS: 'iceland-post',
  IT: 'poste-italiane',
  JP: 'japan-post',
  KR: 'korea-post',
  LT: 'lietuvos-pastas',
  LU: 'post-luxembourg',
  LV: 'latvijas-pasts',
  MT: 'malta-post',
  MX: 'correos-de-mexico',
  MY: 'pos-malaysia',
  NL: 'postnl',
  NO: 'bring',
  NZ: 'new-zealand-post',
  PL: 'poczta-polska',
  PT: 'ctt',
  RO: 'posta-romana',
  RS: 'posta-srbije',
  SA: 'saudi-post',
  SE: 'postnord',
  SG: 'singapore-post',
  SI: 'posta-slovenije',
  SK: 'slovenska-posta',
  SM: 'poste-italiane',
  TH: 'thailand-post',
  TR: 'turkish-post',
  TW: 'taiwan-post',
  UA: 'ukrposhta',
  US: 'usps',
  VN: 'vietnam-post',
  ZA: 'south-african-post',
}

/**
 * UPU S10: two letters for the service, nine digits including a check digit, two letters for the country of the posting
 * operator. If that country has different operators for letters, parcels and express, the service decides.
 */
export const s10Formats: readonly NumberFormat[] = [
  ...Object.entries(posts).map(([country, carrier]) => s10(carrier, '[A-Z]{2}', country, 0.97)),
  ...furtherPosts.map(([country, carrier]) => s10(carrier, '[A-Z]{2}', country, 0.97)),
  s10('deutsche-post', '[LRUV][A-Z]', 'DE', 0.9),
  s10('deutsche-post', '[BDFGI-KM-OQSTW-Z][A-Z]', 'DE', 0.8),
  s10('dhl', '[LRUV][A-Z]', 'DE', 0.4),
  s10('dhl', '[ACEHP][A-Z]', 'DE', 0.95),
  s10('royal-mail', '[ABDF-OQ-Z][A-Z]', 'GB', 0.97),
  s10('royal-mail', '[CEP][A-Z]', 'GB', 0.5),
  s10('parcelforce', '[CEP][A-Z]', 'GB', 0.85),
  s10('la-poste', '[LRUV][A-Z]', 'FR', 0.93),
  s10('la-poste', '[ABDF-KM-QSTWYZ][A-Z]', 'FR', 0.8),
  s10('colissimo', '[LRUV][A-Z]', 'FR', 0.4),
  s10('colissimo', 'C[A-Z]', 'FR', 0.93),
  s10('chronopost', '[EX][A-Z]', 'FR', 0.95),
]

/** The formats of one country's operators. */
export function s10FormatsOf(country: string): readonly NumberFormat[] {
  return byCountry.get(country) ?? []
}

const byCountry = new Map<string, NumberFormat[]>()
for (const format of s10Formats) {
  const country = format.pattern.source.slice(-3, -1)
  byCountry.set(country, [...(byCountry.get(country) ?? []), format])
}

function s10(carrier: string, service: string, country: string, strength: number): NumberFormat {
  return {
    carrier,
    pattern: new RegExp(`^${service}\\d{9}${country}$`),
    shape: 'UPU S10 number with this post’s country',
    strength,
    check: hasS10Check,
    // No other carrier's numbers have this format.
    strengthUnchecked: strength * 0.6,
    // The suffix names the sending operator, whatever the destination.
    countries: [],
  }
}
