import { hasMod7, hasMod10, hasOntracCheck } from './check-digits.ts'
import type { NumberFormat } from './format.ts'

/** The Americas, Asia and the Pacific. */
export const overseasFormats: readonly NumberFormat[] = [
  { carrier: 'usps', pattern: /^9[1-5]\d{20}$/, shape: '22-digit IMpb 91… to 95…', strength: 0.97, check: hasMod10 },
  { carrier: 'usps', pattern: /^9[1-5]\d{24}$/, shape: '26-digit IMpb', strength: 0.97, check: hasMod10 },
  {
    carrier: 'usps',
    pattern: /^420\d{5}(?:\d{4})?9[1-5]\d{20}$/,
    shape: 'IMpb with the ZIP code before it',
    strength: 0.98,
    check: (number) => hasMod10(number.slice(-22)),
  },
  {
    carrier: 'usps',
    pattern: /^(?:0[13]|13|23|7[0-37])\d{18}$/,
    shape: '20-digit label number',
    strength: 0.85,
    check: (number) => hasMod10(number) || hasMod10(`91${number}`),
  },
  { carrier: 'ontrac', pattern: /^C\d{14}$/, shape: 'C and 14 digits', strength: 0.96, check: hasOntracCheck },
  { carrier: 'lasership', pattern: /^1LS\d{12,18}$/, shape: '1LS and digits', strength: 0.97 },
  { carrier: 'uniuni', pattern: /^UU[A-Z0-9]{17}$/, shape: '19 characters UU…', strength: 0.9 },
  { carrier: 'canada-post', pattern: /^\d{16}$/, shape: '16 digits', strength: 0.6, check: hasMod10 },
  { carrier: 'purolator', pattern: /^[A-Z]{3}\d{9}$/, shape: 'three letters and 9 digits', strength: 0.75 },
  { carrier: 'purolator', pattern: /^\d{12}$/, shape: '12 digits', strength: 0.25 },
  { carrier: 'canpar', pattern: /^D\d{21}$/, shape: 'D and 21 digits', strength: 0.93 },
  { carrier: 'estafeta', pattern: /^\d{22}$/, shape: '22 digits', strength: 0.25 },

  { carrier: 'yunexpress', pattern: /^YT\d{16}$/, shape: 'YT and 16 digits', strength: 0.97, countries: [] },
  { carrier: 'yto', pattern: /^YT\d{13}$/, shape: 'YT and 13 digits', strength: 0.9, countries: [] },
  { carrier: 'cainiao', pattern: /^LP\d{14}$/, shape: 'LP and 14 digits', strength: 0.93, countries: [] },
  { carrier: 'four-px', pattern: /^4PX\d{13}CN$/, shape: '4PX…CN', strength: 0.98, countries: [] },
  { carrier: 'yanwen', pattern: /^U[A-Z]\d{9}YP$/, shape: 'U…YP', strength: 0.97, countries: [] },
  { carrier: 'sf-express', pattern: /^SF\d{13}$/, shape: 'SF and 13 digits', strength: 0.97, countries: [] },
  { carrier: 'j-t-express', pattern: /^JT\d{13}$/, shape: 'JT and 13 digits', strength: 0.93, countries: [] },
  { carrier: 'yamato', pattern: /^\d{11}[0-6]$/, shape: '12-digit slip', strength: 0.6, check: hasMod7 },
  { carrier: 'sagawa', pattern: /^\d{11}[0-6]$/, shape: '12-digit slip', strength: 0.5, check: hasMod7 },
  { carrier: 'delhivery', pattern: /^\d{13,14}$/, shape: '13 or 14 digits', strength: 0.2 },
  { carrier: 'blue-dart', pattern: /^\d{11}$/, shape: '11 digits', strength: 0.3 },
  { carrier: 'dtdc', pattern: /^[A-Z]\d{8}$/, shape: 'letter and 8 digits', strength: 0.6 },
  {
    carrier: 'australia-post',
    pattern: /^3[34][A-Z0-9]{3}\d{7}0\d{7,10}$/,
    shape: 'article number 33… or 34…',
    strength: 0.75,
  },
  { carrier: 'startrack', pattern: /^[A-Z]{4}\d{8}$/, shape: 'four letters and 8 digits', strength: 0.5 },
]
