import { describe, expect, it } from 'vitest'
import { braze } from '../../src/adapters/marketing/braze/description.ts'
import type { Account } from '../../src/adapters/marketing/integration.ts'
import { openIntegration } from '../../src/adapters/marketing/registry.ts'
import type { CallRequest } from '../../src/platform/foundation/call.ts'
import { brazeKey, brazeLimitedKey, createBrazeFake } from './fakes/braze-server.ts'
import { claimEvent, describeIntegration, shipmentEvent } from './integration-suite.ts'

const identifiers = { external_id: 'customer-77' }
const { neighbour_name: _, ...shipmentProperties } = shipmentEvent.eventData
const { customer_signature_image_url: __, ...claimProperties } = claimEvent.eventData
const account = (rest_endpoint: string | null): Account => ({
  shopId: 'shop',
  credentials: { api_key: brazeKey },
  settings: { rest_endpoint },
})

describeIntegration({
  create: () => openIntegration(braze),
  createFake: createBrazeFake,
  account,
  wrongCredentials: { api_key: 'wrong-key' },
  limitedCredentials: { api_key: brazeLimitedKey },
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
  retryAfterMs: 3_000,
  // A second attempt would be a second event: Braze does not deduplicate.
  onMalformedResponse: 'delivered',
  onUnknownCustomer: 'delivered',
})

describe('braze › address', () => {
  const sendTo = async (restEndpoint: string | null, change: Partial<typeof shipmentEvent> = {}) => {
    const requests: CallRequest[] = []
    const outcome = await openIntegration(braze).send(
      async (request) => {
        requests.push(request)
        return { status: 201, headers: {}, body: '{"message":"success","events_processed":1}' }
      },
      account(restEndpoint),
      { ...shipmentEvent, ...change },
    )
    return { outcome, requests }
  }

  it.each(['https://rest.fra-01.braze.eu', 'https://rest.fra-01.braze.eu/', 'rest.fra-01.braze.eu'])(
    "is called at the merchant's address: %s",
    async (restEndpoint) => {
      const { requests } = await sendTo(restEndpoint)
      expect(requests.map(({ url }) => url)).toEqual(['https://rest.fra-01.braze.eu/users/track'])
    },
  )

  it.each([null, '', 'no address'])('is not called without an address: %s', async (restEndpoint) => {
    const { outcome, requests } = await sendTo(restEndpoint)
    expect(outcome).toMatchObject({ result: 'skipped' })
    expect(requests).toEqual([])
  })

  it('rejects an event that is listed in the errors of a successful response', async () => {
    const fake = createBrazeFake()
    const blocked = { ...shipmentEvent, customer: { ...shipmentEvent.customer, external_id: 'blocked' } }
    const outcome = await openIntegration(braze).send(
      async ({ method, url, headers, body = '' }) => {
        const { pathname: path, searchParams: query, origin: baseUrl } = new URL(url)
        const response = fake.respond({ method, path, query, headers, body, baseUrl }, undefined)
        return { status: response.status, headers: {}, body: response.body ?? '' }
      },
      account('https://rest.fra-01.braze.eu'),
      blocked,
    )
    expect(outcome).toMatchObject({ result: 'rejected', status: 201, key: 'invalid_payload' })
  })

  it('gets long texts truncated and long addresses left out', async () => {
    const eventData = { description: 'x'.repeat(300), tracking_url: `https://track.example/${'x'.repeat(300)}` }
    const { requests } = await sendTo('https://rest.fra-01.braze.eu', { eventData })
    const { properties } = JSON.parse(requests[0]?.body ?? '').events[0]
    expect(properties).toEqual({ description: `${'x'.repeat(254)}…`, event_id: shipmentEvent.id })
  })
})
