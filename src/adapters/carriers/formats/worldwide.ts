import { sandboxNumber } from '../sandbox-number.ts'
import { hasFedexCheck, hasImpbCheck, hasMod7, hasMod10, hasUpsCheck, hasUpsWaybillCheck } from './check-digits.ts'
import type { NumberFormat } from './format.ts'

const northAmerica = ['US', 'CA', 'MX']

export const worldwideFormats: readonly NumberFormat[] = [
  { carrier: 'sandbox', pattern: sandboxNumber, shape: 'sandbox number SBX-…', strength: 0.999 },

  {
    carrier: 'ups',
    pattern: /^1Z[0-9A-Z]{15}\d$/,
    shape: '1Z number',
    strength: 0.99,
    check: hasUpsCheck,
    strengthUnchecked: 0.75,
  },
  {
    carrier: 'ups',
    pattern: /^T\d{10}$/,
    shape: 'T and 10 digits',
    strength: 0.9,
    check: hasUpsWaybillCheck,
    strengthUnchecked: 0.6,
  },
  {
    carrier: 'ups',
    pattern: /^[AHJKV]\d{10}$/,
    shape: 'waybill of a letter and 10 digits',
    strength: 0.88,
    check: hasUpsWaybillCheck,
    strengthUnchecked: 0.3,
  },
  { carrier: 'ups', pattern: /^MI\d{6}[0-9A-Z]{1,22}$/, shape: 'Mail Innovations number MI…', strength: 0.9 },
  { carrier: 'ups', pattern: /^80\d{16}$/, shape: '18-digit Mail Innovations sequence number', strength: 0.5 },
  // USPS delivers Mail Innovations parcels under its own numbers, so USPS stays first.
  {
    carrier: 'ups',
    pattern: /^(?:420\d{5}(?:\d{4})?)?9[12]\d{20}(?:\d{4})?$/,
    shape: 'Mail Innovations number of USPS',
    strength: 0.25,
    check: hasImpbCheck,
    countries: ['US'],
  },
  { carrier: 'ups', pattern: /^\d{9}$/, shape: '9-digit freight number', strength: 0.3, countries: ['US', 'CA'] },
  { carrier: 'ups', pattern: /^\d{12}$/, shape: '12-digit delivery notice', strength: 0.1, countries: northAmerica },

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
    // The check digit includes a leading 92 that is not printed.
    check: (number) => hasMod10(`92${number}`),
    countries: northAmerica,
  },
  // USPS service 612 is Parcel Select, which FedEx and others hand over to USPS under the same number.
  {
    carrier: 'fedex',
    pattern: /^(?:420\d{5}(?:\d{4})?)?92612\d{17}$/,
    shape: 'SmartPost number of USPS',
    strength: 0.75,
    check: hasImpbCheck,
    countries: ['US'],
  },
  {
    carrier: 'fedex',
    pattern: /^96\d{20}$/,
    shape: '22-digit ground number',
    strength: 0.95,
    // The first seven digits name the service and are not part of the check.
    check: (number) => hasMod10(number.slice(7)),
    strengthUnchecked: 0.55,
  },
  {
    carrier: 'fedex',
    pattern: /^96\d{32}$/,
    shape: '34-digit ground barcode',
    strength: 0.97,
    check: (number) => hasFedexCheck(number.slice(20)),
    strengthUnchecked: 0.6,
  },
  {
    carrier: 'fedex',
    pattern: /^1[01]\d{32}$/,
    shape: '34-digit express barcode',
    strength: 0.96,
    check: (number) => hasFedexCheck(number.slice(20)),
    strengthUnchecked: 0.55,
  },
  {
    carrier: 'fedex',
    pattern: /^[0-8]\d{33}$/,
    shape: '34-digit express barcode',
    strength: 0.85,
    check: (number) => hasFedexCheck(number.slice(20)),
  },
  {
    carrier: 'fedex',
    pattern: /^3\d{31}$/,
    shape: '32-digit express barcode',
    strength: 0.95,
    // The tracking number precedes the four-digit form id.
    check: (number) => hasFedexCheck(number.slice(16, 28)),
    strengthUnchecked: 0.5,
  },
  { carrier: 'fedex', pattern: /^00[01]\d{15}$/, shape: '18-digit ground SSCC', strength: 0.4, check: hasMod10 },
  { carrier: 'fedex', pattern: /^DT\d{12}$/, shape: 'door tag number DT…', strength: 0.95 },

  { carrier: 'dhl-express', pattern: /^\d{9}[0-6]$/, shape: '10-digit waybill', strength: 0.75, check: hasMod7 },
  { carrier: 'dhl-express', pattern: /^\d{10}[0-6]$/, shape: '11-digit waybill', strength: 0.65, check: hasMod7 },
  { carrier: 'dhl-express', pattern: /^JD01\d{16}$/, shape: 'piece number JD01…', strength: 0.95 },
  { carrier: 'dhl-express', pattern: /^JJD01\d{16}$/, shape: 'licence plate JJD01…', strength: 0.7 },
  { carrier: 'dhl-express', pattern: /^JJD\d{9,10}$/, shape: 'piece number JJD…', strength: 0.85 },
  { carrier: 'dhl-ecommerce', pattern: /^GM\d{16,20}$/, shape: 'GM and 16 to 20 digits', strength: 0.93 },
  {
    carrier: 'dhl-ecommerce',
    pattern: /^GM(?=[A-Z]*\d)[0-9A-Z]{10,39}$/,
    shape: 'GM and up to 39 letters and digits',
    strength: 0.8,
  },
  {
    carrier: 'dhl-ecommerce',
    pattern: /^(?:LX|RX|UV|CN|SG|TH|IN|HK|MY)\d{10,39}$/,
    shape: 'eCommerce prefix and 10 or more digits',
    strength: 0.7,
  },
  {
    carrier: 'dhl-ecommerce',
    pattern: /^(?:LX|RX|UV|CN|SG|TH|IN|HK|MY)(?=[A-Z]*\d)[0-9A-Z]{14,39}$/,
    shape: 'eCommerce prefix, letters and digits',
    strength: 0.55,
  },
  {
    carrier: 'dhl-ecommerce',
    pattern: /^(?:420\d{5}(?:\d{4})?)?9(?:2612903|3612898|2748931)\d{14}(?:\d{4})?$/,
    shape: 'eCommerce number of USPS',
    strength: 0.8,
    check: hasImpbCheck,
    countries: ['US'],
  },
  {
    carrier: 'dhl-ecommerce',
    pattern: /^[4-6]\d{13}$/,
    shape: '14-digit consignment',
    strength: 0.45,
    countries: ['GB'],
  },

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
  { carrier: 'amazon', pattern: /^[ACF]\d{10}$/, shape: 'A, C or F and 10 digits', strength: 0.6, countries: [] },
  { carrier: 'amazon', pattern: /^(?:DE|UK|FR|IT|ES|NL)\d{10}$/, shape: 'country and 10 digits', strength: 0.8 },
  { carrier: 'landmark-global', pattern: /^LTN\d{8,10}N\d$/, shape: 'LTN number', strength: 0.97 },
]
