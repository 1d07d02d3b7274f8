import { sandboxNumber } from '../sandbox-number.ts'
import { hasFedexCheck, hasMod7, hasMod10, hasUpsCheck } from './check-digits.ts'
import type { NumberFormat } from './format.ts'

const northAmerica = ['US', 'CA', 'MX']

export const worldwideFormats: readonly NumberFormat[] = [
  { carrier: 'sandbox', pattern: sandboxNumber, shape: 'sandbox number SBX-…', strength: 0.999 },

  { carrier: 'ups', pattern: /^1Z[0-9A-Z]{15}\d$/, shape: '1Z number', strength: 0.99, check: hasUpsCheck },
  { carrier: 'ups', pattern: /^T\d{10}$/, shape: 'T and 10 digits', strength: 0.6 },

  {
    carrier: 'fedex',
    pattern: /^\d{12}$/,
    shape: '12-digit express number',
    strength: 0.7,
    check: hasFedexCheck,
    countries: northAmerica,
  },
  {
    carrier: 'fedex',
    pattern: /^\d{15}$/,
    shape: '15-digit ground number',
    strength: 0.75,
    check: hasMod10,
    countries: northAmerica,
  },
  {
    carrier: 'fedex',
    pattern: /^61\d{18}$/,
    shape: '20-digit SmartPost number',
    strength: 0.9,
    // The printed number leaves out the 92 that the check digit is made with.
    check: (number) => hasMod10(`92${number}`),
    countries: northAmerica,
  },
  {
    carrier: 'fedex',
    pattern: /^9261\d{18}$/,
    shape: '22-digit SmartPost number',
    strength: 0.85,
    check: hasMod10,
    countries: northAmerica,
  },
  {
    carrier: 'fedex',
    pattern: /^96\d{20}$/,
    shape: '22-digit ground number',
    strength: 0.95,
    // The first seven digits name the service and stand outside the check.
    check: (number) => hasMod10(number.slice(7)),
  },
  {
    carrier: 'fedex',
    pattern: /^(?:96\d{2}|100\d)\d{30}$/,
    shape: '34-digit express or ground barcode',
    strength: 0.95,
    check: (number) => hasFedexCheck(number.slice(20)),
  },
  { carrier: 'fedex', pattern: /^00[01]\d{15}$/, shape: '18-digit ground SSCC', strength: 0.4, check: hasMod10 },
  { carrier: 'fedex', pattern: /^DT\d{12}$/, shape: 'door tag number', strength: 0.8 },

  {
    carrier: 'dhl-express',
    pattern: /^\d{9}[0-6]$/,
    shape: '10-digit waybill',
    strength: 0.75,
    check: hasMod7,
  },
  { carrier: 'dhl-express', pattern: /^JD01\d{16}$/, shape: 'piece number JD01…', strength: 0.95 },
  { carrier: 'dhl-ecommerce', pattern: /^GM\d{16,20}$/, shape: 'GM and 16 to 20 digits', strength: 0.9 },

  { carrier: 'tnt', pattern: /^G[DE]\d{9}(?:WW|GB|DE|IT|FR|NL)$/, shape: 'consignment GE…', strength: 0.7 },
  { carrier: 'tnt', pattern: /^\d{9}$/, shape: '9-digit consignment', strength: 0.3 },
  { carrier: 'aramex', pattern: /^\d{10,12}$/, shape: '10 to 12 digits', strength: 0.15 },

  {
    carrier: 'amazon',
    pattern: /^TB[ACM]\d{12}$/,
    shape: 'TBA, TBC or TBM and 12 digits',
    strength: 0.98,
    countries: [],
  },
  { carrier: 'amazon', pattern: /^(?:DE|UK|FR|IT|ES|NL)\d{10}$/, shape: 'country and 10 digits', strength: 0.8 },
  { carrier: 'landmark-global', pattern: /^LTN\d{8,10}N\d$/, shape: 'LTN number', strength: 0.97 },
]
