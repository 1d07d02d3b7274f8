import { klaviyo } from '../../src/adapters/marketing/klaviyo/description.ts'
import { openIntegration } from '../../src/adapters/marketing/registry.ts'
import { createKlaviyoFake, klaviyoKey, klaviyoLimitedKey } from './fakes/klaviyo-server.ts'
import { claimEvent, describeIntegration, shipmentEvent } from './integration-suite.ts'

const identifiers = { email: 'jane.doe+parcels@example.com', external_id: 'customer-77' }
const { neighbour_name: _, ...shipmentProperties } = shipmentEvent.eventData
const { customer_signature_image_url: __, ...claimProperties } = claimEvent.eventData

describeIntegration({
  create: (baseUrl) => openIntegration(klaviyo, { baseUrl }),
  createFake: createKlaviyoFake,
  account: () => ({ shopId: 'shop', credentials: { api_key: klaviyoKey }, settings: {} }),
  wrongCredentials: { api_key: 'pk_wrong' },
  limitedCredentials: { api_key: klaviyoLimitedKey },
  expected: {
    shipment: {
      id: shipmentEvent.id,
      name: 'Shipment Out for Delivery',
      time: '2026-11-03T08:15:30.000Z',
      identifiers,
      properties: shipmentProperties,
    },
    claim: {
      id: claimEvent.id,
      name: 'Claim Created',
      time: '2026-11-05T17:00:00.000Z',
      identifiers,
      properties: claimProperties,
    },
  },
  retryAfterMs: 7_000,
  onMalformedResponse: 'delivered',
  onUnknownCustomer: 'delivered',
  segments: ['VIP', 'Repeat buyers', 'Win-back', 'Newsletter'],
})
