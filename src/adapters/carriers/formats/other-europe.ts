import { hasMod10 } from './check-digits.ts'
import type { NumberFormat } from './format.ts'

/** Northern, southern, central and eastern Europe. */
export const otherEuropeFormats: readonly NumberFormat[] = [
  // SSCCs: application identifier 00, an extension digit, then the GS1 prefix of the country.
  { carrier: 'postnord', pattern: /^00\d73\d{15}$/, shape: 'Swedish SSCC', strength: 0.85, check: hasMod10 },
  { carrier: 'postnord', pattern: /^00\d57(?!126)\d{15}$/, shape: 'Danish SSCC', strength: 0.75, check: hasMod10 },
  { carrier: 'postnord', pattern: /^373\d{15}$/, shape: 'Swedish SSCC without 00', strength: 0.85, check: hasMod10 },
  { carrier: 'dao', pattern: /^00057126\d{12}$/, shape: 'SSCC 57126…', strength: 0.93, check: hasMod10 },
  { carrier: 'bring', pattern: /^00\d70\d{15}$/, shape: 'Norwegian SSCC', strength: 0.9, check: hasMod10 },
  { carrier: 'bring', pattern: /^370\d{15}$/, shape: 'Norwegian SSCC without 00', strength: 0.9, check: hasMod10 },
  { carrier: 'bring', pattern: /^70\d{15}$/, shape: '17-digit package number 70…', strength: 0.9 },
  { carrier: 'posti', pattern: /^JJFI\d{17}$/, shape: 'licence plate JJFI…', strength: 0.97 },
  { carrier: 'posti', pattern: /^00\d64\d{15}$/, shape: 'Finnish SSCC', strength: 0.5, check: hasMod10 },
  { carrier: 'matkahuolto', pattern: /^MH\d{9,12}$/, shape: 'MH and digits', strength: 0.85 },

  {
    carrier: 'correos',
    pattern: /^[CP][A-Z][A-Z0-9]{5}\d{15}[A-Z]$/,
    shape: '23 characters of a Paq product',
    strength: 0.93,
  },
  { carrier: 'correos-express', pattern: /^\d{23}$/, shape: '23 digits', strength: 0.7 },
  { carrier: 'correos-express', pattern: /^\d{16}$/, shape: '16 digits', strength: 0.35 },
  { carrier: 'mrw', pattern: /^\d{12}$/, shape: '12 digits', strength: 0.3 },
  { carrier: 'ctt-express', pattern: /^00\d{20}$/, shape: '22 digits 00…', strength: 0.7 },
  { carrier: 'poste-italiane', pattern: /^[135]UW[A-Z0-9]{10}$/, shape: '13 characters …UW…', strength: 0.9 },
  { carrier: 'poste-italiane', pattern: /^5P[A-Z0-9]{11}$/, shape: '13 characters 5P…', strength: 0.85 },
  { carrier: 'brt', pattern: /^\d{12}$/, shape: '12-digit shipment number', strength: 0.4 },
  { carrier: 'brt', pattern: /^\d{15}$/, shape: '15-digit parcel number', strength: 0.3 },
  { carrier: 'brt', pattern: /^\d{19}$/, shape: '19 digits', strength: 0.5 },
  { carrier: 'acs', pattern: /^\d{10}$/, shape: '10 digits', strength: 0.4 },
  { carrier: 'geniki-taxydromiki', pattern: /^\d{10}$/, shape: '10 digits', strength: 0.25 },
  { carrier: 'speedex', pattern: /^\d{12}$/, shape: '12 digits', strength: 0.25 },
  { carrier: 'yurtici-kargo', pattern: /^\d{12}$/, shape: '12 digits', strength: 0.25 },

  { carrier: 'inpost', pattern: /^[5-8]\d{23}$/, shape: '24 digits', strength: 0.93 },
  { carrier: 'poczta-polska', pattern: /^00\d590\d{14}$/, shape: 'Polish SSCC', strength: 0.93, check: hasMod10 },
  { carrier: 'poczta-polska', pattern: /^PX\d{10}$/, shape: 'PX and 10 digits', strength: 0.93 },
  { carrier: 'orlen-paczka', pattern: /^\d{13}$/, shape: '13 digits', strength: 0.3 },
  { carrier: 'packeta', pattern: /^Z\d{10}$/, shape: 'Z and 10 digits', strength: 0.97 },
  { carrier: 'ceska-posta', pattern: /^[A-Z]{2}\d{10}[A-Z]$/, shape: 'letters, 10 digits, letter', strength: 0.88 },
  { carrier: 'ppl', pattern: /^\d{11}$/, shape: '11 digits', strength: 0.55 },
  { carrier: 'fan-courier', pattern: /^\d{13}$/, shape: '13 digits', strength: 0.35 },
  { carrier: 'econt', pattern: /^\d{13}$/, shape: '13 digits', strength: 0.35 },
  { carrier: 'speedy', pattern: /^\d{11}$/, shape: '11 digits', strength: 0.4 },
  { carrier: 'venipak', pattern: /^V\d{5}E\d{7}$/, shape: 'V, 5 digits, E, 7 digits', strength: 0.98 },
  { carrier: 'nova-poshta', pattern: /^(?:20|59)\d{12}$/, shape: '14 digits 20… or 59…', strength: 0.5 },
]
