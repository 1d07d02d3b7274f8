import { Maybe, Named, type Static, Type } from '../../platform/foundation/schema.ts'

const CarrierReference = Type.String({ examples: ['dhl'] })
const CarrierName = Type.String({ examples: ['DHL'] })

export const Carrier = Named(
  'Carrier',
  Type.Object({
    carrier_reference: CarrierReference,
    name: CarrierName,
    countries: Type.Array(Type.String({ examples: ['DE'] }), {
      description: 'ISO 3166-1 codes of the home countries; empty for a worldwide carrier',
    }),
    tracking_url_template: Type.String({
      description:
        'Contains {tracking_number} and, if the page requires it, {zip_code}; empty if the carrier has no tracking page',
      examples: ['https://www.ups.com/track?tracknum={tracking_number}'],
    }),
    aliases: Type.Array(Type.String({ examples: ['DHL Paket'] }), {
      description: 'Other names that are accepted as tracking_company',
    }),
  }),
)

export const CarrierDetection = Named(
  'CarrierDetection',
  Type.Object({
    tracking_number: Type.String({ minLength: 1, maxLength: 255, examples: ['00340434161094015902'] }),
    country_code: Maybe(
      Type.String({
        pattern: '^[A-Za-z]{2}$',
        description: 'ISO 3166-1 code of the destination; it decides between carriers that share a number format',
        examples: ['DE'],
      }),
    ),
  }),
)
export type CarrierDetection = Static<typeof CarrierDetection>

export const CarrierCandidates = Named(
  'CarrierCandidates',
  Type.Object({
    candidates: Type.Array(
      Type.Object({
        carrier_reference: CarrierReference,
        name: CarrierName,
        confidence: Type.Number({ minimum: 0, maximum: 1, examples: [0.98] }),
        reason: Type.String({ examples: ['20-digit parcel number 0034…, check digit right, usual in DE'] }),
      }),
      { description: 'Best first; empty if no carrier uses such numbers' },
    ),
  }),
)
