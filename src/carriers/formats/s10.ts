import { hasS10Check } from './check-digits.ts'
import type { NumberFormat } from './format.ts'

/** The post that each country's suffix stands for. */
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
  TH: 'thailand-post',
  TR: 'turkish-post',
  TW: 'taiwan-post',
  UA: 'ukrposhta',
  US: 'usps',
  VN: 'vietnam-post',
  ZA: 'south-african-post',
}

/**
 * UPU S10: two letters for the service, nine digits of which the last is a check, two for the country of the post that
 * took the item in. Where that post's letters, parcels and express items run in different houses, the service decides.
 */
export const s10Formats: readonly NumberFormat[] = [
  ...Object.entries(posts).map(([country, carrier]) => s10(carrier, `[A-Z]{2}\\d{9}${country}`, 0.97)),
  s10('deutsche-post', '[LRUV][A-Z]\\d{9}DE', 0.9),
  s10('dhl', '[LRUV][A-Z]\\d{9}DE', 0.4),
  s10('dhl', '[ACEHP][A-Z]\\d{9}DE', 0.95),
  s10('royal-mail', '(?![CEP])[A-Z]{2}\\d{9}GB', 0.97),
  s10('royal-mail', '[CEP][A-Z]\\d{9}GB', 0.5),
  s10('parcelforce', '[CEP][A-Z]\\d{9}GB', 0.85),
  s10('la-poste', '[LRUV][A-Z]\\d{9}FR', 0.93),
  s10('colissimo', '[LRUV][A-Z]\\d{9}FR', 0.4),
  s10('colissimo', 'C[A-Z]\\d{9}FR', 0.93),
  s10('chronopost', '[EX][A-Z]\\d{9}FR', 0.95),
]

function s10(carrier: string, pattern: string, strength: number): NumberFormat {
  return {
    carrier,
    pattern: new RegExp(`^${pattern}$`),
    shape: 'UPU S10 number with this post’s country',
    strength,
    check: hasS10Check,
    // The suffix names the sending post, wherever the parcel goes.
    countries: [],
  }
}
