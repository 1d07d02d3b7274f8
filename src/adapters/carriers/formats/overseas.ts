import { hasMod7 } from './check-digits.ts'
import type { NumberFormat } from './format.ts'

/** Asia and the Pacific. */
export const overseasFormats: readonly NumberFormat[] = [
  { carrier: 'yunexpress', pattern: /^YT\d{16}$/, shape: 'YT and 16 digits', strength: 0.97, countries: [] },
  { carrier: 'yto', pattern: /^YT\d{13}$/, shape: 'YT and 13 digits', strength: 0.9, countries: [] },
  { carrier: 'cainiao', pattern: /^LP\d{14}$/, shape: 'LP and 14 digits', strength: 0.93, countries: [] },
  {
    carrier: 'cainiao',
    pattern: /^CN[A-Z]{4}\d{8,14}$/,
    shape: 'CN, destination, service and digits',
    strength: 0.85,
    countries: [],
  },
  { carrier: 'four-px', pattern: /^4PX\d{13}CN$/, shape: '4PX…CN', strength: 0.98, countries: [] },
  { carrier: 'yanwen', pattern: /^U[A-Z]\d{9}YP$/, shape: 'U…YP', strength: 0.97, countries: [] },
  { carrier: 'sf-express', pattern: /^SF\d{12,13}$/, shape: 'SF and 12 or 13 digits', strength: 0.97, countries: [] },
  { carrier: 'j-t-express', pattern: /^JT\d{13}$/, shape: 'JT and 13 digits', strength: 0.93, countries: [] },
  { carrier: 'yamato', pattern: /^\d{11}[0-6]$/, shape: '12-digit slip', strength: 0.6, check: hasMod7 },
  { carrier: 'sagawa', pattern: /^\d{11}[0-6]$/, shape: '12-digit slip', strength: 0.5, check: hasMod7 },
  { carrier: 'japan-post', pattern: /^\d{11}[0-6]$/, shape: '12-digit slip', strength: 0.45, check: hasMod7 },
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
