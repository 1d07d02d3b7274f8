import { hasGlsCheck, hasIdentcodeCheck, hasMod10, hasMod37 } from './check-digits.ts'
import type { NumberFormat } from './format.ts'

// GLS Italy, Spain and Portugal use other formats.
const glsCountries = 'DE AT BE NL LU DK FI FR IE PL CZ SK HU SI HR RO'.split(' ')

export const westernEuropeFormats: readonly NumberFormat[] = [
  {
    carrier: 'dhl',
    pattern: /^00340\d{15}$/,
    shape: '20-digit parcel number 0034…',
    strength: 0.98,
    check: hasMod10,
    strengthUnchecked: 0.65,
  },
  { carrier: 'dhl', pattern: /^JJD(?!0002)\d{12,21}$/, shape: 'licence plate JJD…', strength: 0.93 },
  { carrier: 'dhl', pattern: /^\d{12}$/, shape: '12-digit Identcode', strength: 0.5, check: hasIdentcodeCheck },
  { carrier: 'dhl-parcel', pattern: /^JVGL\d{9,20}$/, shape: 'licence plate JVGL…', strength: 0.97 },
  { carrier: 'deutsche-post', pattern: /^A0[0-9A-F]{18}$/, shape: '20 characters A0…', strength: 0.85 },

  // Postcode, parcel, service and country as an ISO 3166-1 number, of which 894 is the highest.
  {
    carrier: 'dpd',
    pattern: /^[0-9A-Z]{7}\d{17}[0-8]\d{2}[0-9A-Z]$/,
    shape: 'barcode with service and country',
    strength: 0.97,
    check: hasMod37,
    strengthUnchecked: 0.55,
  },
  {
    carrier: 'dpd',
    pattern: /^[0-9A-Z]{7}\d{17}[0-8]\d{2}$/,
    shape: 'barcode with service and country, without its check',
    strength: 0.8,
  },
  {
    carrier: 'dpd',
    pattern: /^\d{14}[A-Z]$/,
    shape: '14 digits and a check',
    strength: 0.93,
    check: hasMod37,
    strengthUnchecked: 0.55,
  },
  { carrier: 'dpd', pattern: /^[0-2]\d{14}$/, shape: '14 digits and a check', strength: 0.85, check: hasMod37 },
  { carrier: 'dpd', pattern: /^[3-9]\d{14}$/, shape: '14 digits and a check', strength: 0.5, check: hasMod37 },
  { carrier: 'dpd', pattern: /^0\d{13}$/, shape: '14 digits, first those of a depot', strength: 0.6 },
  { carrier: 'dpd', pattern: /^[12]\d{13}$/, shape: '14 digits', strength: 0.35 },
  { carrier: 'dpd', pattern: /^[3-9]\d{13}$/, shape: '14 digits', strength: 0.25 },
  { carrier: 'dpd', pattern: /^\d{13}[A-Z]$/, shape: '13 digits and a letter', strength: 0.8, countries: ['PL'] },
  { carrier: 'dpd-uk', pattern: /^15\d{12}$/, shape: '14 digits 15…', strength: 0.7 },
  { carrier: 'dpd-uk', pattern: /^\d{14}$/, shape: '14 digits', strength: 0.2 },
  { carrier: 'dpd-france', pattern: /^250\d{11}$/, shape: '14 digits 250…', strength: 0.7 },
  { carrier: 'dpd-france', pattern: /^\d{14}$/, shape: '14 digits', strength: 0.2 },

  { carrier: 'gls', pattern: /^\d{11}$/, shape: '11-digit parcel number', strength: 0.45, countries: glsCountries },
  {
    carrier: 'gls',
    pattern: /^\d{12}$/,
    shape: '12-digit parcel number',
    strength: 0.6,
    check: hasGlsCheck,
    countries: glsCountries,
  },
  {
    carrier: 'gls',
    pattern: /^(?=[A-Z]*\d)(?=\d*[A-Z]\d*[A-Z])[A-Z0-9]{8}$/,
    shape: '8-character Track-ID',
    strength: 0.45,
  },

  { carrier: 'hermes', pattern: /^H\d{19}$/, shape: 'H and 19 digits', strength: 0.95 },
  { carrier: 'hermes', pattern: /^\d{14}$/, shape: '14-digit number', strength: 0.75, check: hasMod10 },
  { carrier: 'hermes', pattern: /^\d{16}$/, shape: '16-digit number', strength: 0.5, check: hasMod10 },

  { carrier: 'austrian-post', pattern: /^10\d{20}$/, shape: '22 digits 10…', strength: 0.9 },
  { carrier: 'swiss-post', pattern: /^9[89]\d{16}$/, shape: '18 digits 98… or 99…', strength: 0.93 },

  { carrier: 'postnl', pattern: /^3S[A-Z]{4}[A-Z0-9]{7,9}$/, shape: '3S barcode', strength: 0.95 },
  { carrier: 'bpost', pattern: /^3232\d{20}$/, shape: '24 digits 3232…', strength: 0.97 },

  {
    carrier: 'colissimo',
    pattern: /^[5-9][A-Z]\d{11}$/,
    shape: 'digit, letter and 11 digits',
    strength: 0.95,
    check: (number) => hasMod10(number.slice(2)),
    strengthUnchecked: 0.5,
  },
  { carrier: 'la-poste', pattern: /^[1-4][A-Z]\d{11}$/, shape: 'tracked letter number', strength: 0.85 },
  {
    carrier: 'chronopost',
    pattern: /^[A-Z]{2}\d{9}(?:JB|JF|JT|JW|TS|KS)$/,
    shape: 'two letters, nine digits, two letters of a Chronopost product',
    strength: 0.93,
  },
  { carrier: 'mondial-relay', pattern: /^\d{8}$/, shape: '8-digit shipment number', strength: 0.4 },
  { carrier: 'mondial-relay', pattern: /^\d{12}$/, shape: '12 digits', strength: 0.2, countries: ['FR', 'BE'] },
  { carrier: 'colis-prive', pattern: /^[A-Z]\d{16}$/, shape: 'letter and 16 digits', strength: 0.6 },

  {
    carrier: 'evri',
    pattern: /^[CHMPT]\d{2}[A-Z0-9]{5}\d{8}$/,
    shape: '16 characters with letters',
    strength: 0.9,
  },
  { carrier: 'evri', pattern: /^\d{16}$/, shape: '16 digits', strength: 0.4 },
  { carrier: 'yodel', pattern: /^JD0002\d{12}$/, shape: 'licence plate JD0002…', strength: 0.95 },
  { carrier: 'yodel', pattern: /^JD(?!0002)\d{16}$/, shape: 'licence plate JD…', strength: 0.7 },
  { carrier: 'yodel', pattern: /^JJD0002\d{11,14}$/, shape: 'licence plate JJD0002…', strength: 0.93 },
  { carrier: 'parcelforce', pattern: /^[A-Z]{2}\d{7}$/, shape: 'two letters and 7 digits', strength: 0.75 },
  { carrier: 'parcelforce', pattern: /^(?!JVGL)[A-Z]{4}\d{10}$/, shape: 'four letters and 10 digits', strength: 0.8 },
]
