import { brevo } from '../../src/adapters/marketing/brevo/description.ts'
import { openIntegration } from '../../src/adapters/marketing/registry.ts'
import { brevoKey, brevoLimitedKey, createBrevoFake } from './fakes/brevo-server.ts'
import { claimEvent, describeIntegration, shipmentEvent } from './integration-suite.ts'

const identifiers = { email_id: 'jane.doe+parcels@example.com' }
const contact_properties = { FIRSTNAME: 'Jane', LASTNAME: "O'Doe" }
const { neighbour_name: _, ...shipmentProperties } = shipmentEvent.eventData
const { customer_signature_image_url: __, ...claimProperties } = claimEvent.eventData

describeIntegration({
  create: (baseUrl) => openIntegration(brevo, { baseUrl }),
  createFake: createBrevoFake,
  account: () => ({ shopId: 'shop', credentials: { api_key: brevoKey }, settings: {} }),
  wrongCredentials: { api_key: 'xkeysib-wrong' },
  limitedCredentials: { api_key: brevoLimitedKey },
  expected: {
    shipment: {
      id: shipmentEvent.id,
      name: 'shipment_out_for_delivery',
      time: '2026-11-03T08:15:30.000Z',
      identifiers,
      properties: { ...shipmentProperties, contact_properties },
    },
    claim: {
      id: claimEvent.id,
      name: 'claim_created',
      time: '2026-11-05T17:00:00.000Z',
      identifiers,
      properties: { ...claimProperties, contact_properties },
    },
  },
  retryAfterMs: 4_000,
  onMalformedResponse: 'delivered',
  onUnknownCustomer: 'delivered',
  segments: ['List 7', 'List 58'],
})
