import { catalogue } from '../../adapters/carriers/catalogue/catalogue.ts'
import { detectCarriers } from '../../adapters/carriers/detect.ts'
import { operation } from '../../platform/foundation/operation.ts'
import { Type } from '../../platform/foundation/schema.ts'
import { Carrier, CarrierCandidates, CarrierDetection } from './schema.ts'

export const listCarriers = operation({
  name: 'listCarriers',
  summary: 'List the carriers',
  description: 'Returns every carrier that an order or a shipment can refer to, in one response.',
  area: 'Carriers',
  route: 'GET /v1/carriers',
  needs: 'viewer',
  reply: Type.Array(Carrier),
  async handle() {
    return catalogue.map((entry) => ({
      carrier_reference: entry.reference,
      name: entry.name,
      countries: [...entry.countries],
      tracking_url_template: entry.trackingUrl,
      aliases: [...entry.aliases],
    }))
  },
})

export const detectCarrier = operation({
  name: 'detectCarrier',
  summary: 'Detect the carrier of a tracking number',
  description:
    'Returns candidates with their confidence, best first. Orders and shipments use the first one if its confidence is at least 0.5.',
  area: 'Carriers',
  route: 'POST /v1/carriers/detect',
  needs: 'viewer',
  body: CarrierDetection,
  reply: CarrierCandidates,
  audit: { none: 'It changes nothing.' },
  async handle(_context, { body }) {
    return {
      candidates: detectCarriers({
        trackingNumber: body.tracking_number,
        countryCode: body.country_code ?? undefined,
      }),
    }
  },
})
