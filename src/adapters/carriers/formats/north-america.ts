import { hasImpbCheck, hasLuhn, hasMod10, hasOntracCheck } from './check-digits.ts'
import type { NumberFormat } from './format.ts'

export const northAmericaFormats: readonly NumberFormat[] = [
  {
    carrier: 'usps',
    pattern: /^9[1-5]\d{20}$/,
    shape: '22-digit IMpb 91… to 95…',
    strength: 0.97,
    check: hasImpbCheck,
    strengthUnchecked: 0.7,
  },
  {
    carrier: 'usps',
    pattern: /^9[1-5]\d{24}$/,
    shape: '26-digit IMpb',
    strength: 0.97,
    check: hasImpbCheck,
    strengthUnchecked: 0.6,
  },
  { carrier: 'usps', pattern: /^94\d{28}$/, shape: '30-digit IMpb', strength: 0.97, check: hasImpbCheck },
  {
    carrier: 'usps',
    pattern: /^420\d{5}(?:\d{4})?9[1-5]\d{20}$/,
    shape: 'IMpb with the ZIP code before it',
    strength: 0.98,
    check: hasImpbCheck,
    strengthUnchecked: 0.75,
  },
  {
    carrier: 'usps',
    pattern: /^420\d{5}9[1-5]\d{24}$/,
    shape: '26-digit IMpb with the ZIP code before it',
    strength: 0.98,
    check: hasImpbCheck,
    strengthUnchecked: 0.75,
  },
  {
    carrier: 'usps',
    // Legacy services: delivery and signature confirmation, certified, insured and returned mail.
    pattern: /^(?:0[1-8]|1[34]|2[1-6]|34|5[06]|7[0-37]|8[235])\d{18}$/,
    shape: '20-digit label number',
    strength: 0.85,
    check: (number) => hasMod10(number) || hasMod10(`91${number}`),
  },
  {
    carrier: 'ontrac',
    pattern: /^[CD]\d{14}$/,
    shape: 'C or D and 14 digits',
    strength: 0.96,
    check: hasOntracCheck,
    strengthUnchecked: 0.55,
  },
  { carrier: 'lasership', pattern: /^1LS\d{12,18}$/, shape: '1LS and digits', strength: 0.97 },
  { carrier: 'lasership', pattern: /^1LSCX[0-9A-Z]{10}$/, shape: '1LSCX and 10 characters', strength: 0.97 },
  { carrier: 'lasership', pattern: /^L[AEHINX][1-3]\d{7}$/, shape: 'two letters and 8 digits', strength: 0.85 },
  { carrier: 'spee-dee', pattern: /^SP\d{18}$/, shape: 'SP and 18 digits', strength: 0.95 },
  { carrier: 'gofo', pattern: /^GFUS\d{14}$/, shape: 'GFUS and 14 digits', strength: 0.97 },
  { carrier: 'uniuni', pattern: /^UU[A-Z0-9]{17}$/, shape: '19 characters UU…', strength: 0.9 },
  {
    carrier: 'old-dominion',
    pattern: /^(?:072|77[78]|780)\d{8}$/,
    shape: '11-digit PRO number',
    strength: 0.88,
    check: hasLuhn,
  },
  {
    carrier: 'old-dominion',
    pattern: /^80\d{9}$/,
    shape: '11-digit PRO number of a guaranteed shipment',
    strength: 0.8,
    check: hasLuhn,
  },

  { carrier: 'canada-post', pattern: /^\d{16}$/, shape: '16 digits', strength: 0.6, check: hasMod10 },
  { carrier: 'purolator', pattern: /^[A-Z]{3}\d{9}$/, shape: 'three letters and 9 digits', strength: 0.75 },
  // PINs of recent years begin with 28, 32 or 33.
  { carrier: 'purolator', pattern: /^(?:28|3[23])\d{10}$/, shape: '12-digit PIN', strength: 0.75, check: hasLuhn },
  { carrier: 'purolator', pattern: /^[0-5]\d{11}$/, shape: '12-digit PIN', strength: 0.5, check: hasLuhn },
  {
    carrier: 'canpar',
    pattern: /^[CDKLSUXZ]\d{21}$/,
    shape: 'letter and 21 digits',
    strength: 0.95,
  },
  { carrier: 'estafeta', pattern: /^\d{22}$/, shape: '22 digits', strength: 0.25 },
]
