import { describe, expect, it } from 'vitest'
import { hubspot } from '../../src/adapters/marketing/hubspot/description.ts'
import { openIntegration } from '../../src/adapters/marketing/registry.ts'
import type { CallRequest, CallResponse } from '../../src/platform/foundation/call.ts'
import { createHubspotFake, hubspotKey, hubspotLimitedKey, hubspotPortalId } from './fakes/hubspot-server.ts'
import { claimEvent, describeIntegration, type FakeRequest, shipmentEvent } from './integration-suite.ts'

const identifiers = { email: 'jane.doe+parcels@example.com' }
const account = {
  shopId: 'shop',
  credentials: { api_key: hubspotKey },
  settings: { portal_id: hubspotPortalId },
}

describeIntegration({
  create: (baseUrl) => openIntegration(hubspot, { baseUrl }),
  createFake: createHubspotFake,
  account: () => account,
  wrongCredentials: { api_key: 'pat-eu1-wrong' },
  limitedCredentials: { api_key: hubspotLimitedKey },
  expected: {
    shipment: {
      id: shipmentEvent.id,
      name: 'pe1234567_shipment_out_for_delivery',
      time: '2026-11-03T08:15:30.000Z',
      identifiers,
      properties: {
        shipment_id: '0192f3c4-0000-7000-8000-000000000001',
        carrier_reference: 'dhl',
        event_name: 'OUT_FOR_DELIVERY',
        phase: 'in_delivery',
        tracking_number: '00340434161094042557',
        tracking_url: 'https://track.example/00340434161094042557?lang=en',
        updated_at: '2026-11-03T08:15:30.000Z',
        event_group: 'shipment_out_for_delivery',
        order_number: 'A-1001',
        external_order_id: '5551234567890',
        external_customer_id: 'customer-77',
        total_order_value: '59.9',
        order_currency: 'EUR',
        expected_delivery_date: '03.11.2026',
        shipping_address_city: 'Köln',
        shipping_address_zip_code: '50667',
        shipping_address_country_code: 'DE',
        number_of_shipments: '2',
        other_tracking_numbers: '00340434161094042558, 00340434161094042559',
      },
    },
    claim: {
      id: claimEvent.id,
      name: 'pe1234567_claim_created',
      time: '2026-11-05T17:00:00.000Z',
      identifiers,
      properties: {
        claim_id: '0192f3c4-0000-7000-8000-000000000002',
        event_name: 'created',
        created_at: '2026-11-05T17:00:00.000Z',
        updated_at: '2026-11-05T17:00:00.000Z',
        event_group: 'claim_created',
        resolution_preference: 'refund',
        reason: 'damage',
        status: 'pending',
        description: 'The box was "open"',
        image_urls: 'https://images.example/1.png',
      },
    },
  },
  isSentOnce: true,
  retryAfterMs: 10_000,
  onMalformedResponse: 'delivered',
  onUnknownCustomer: 'delivered',
  segments: ['VIP', 'Newsletter', 'Repeat buyers'],
})

describe('hubspot › limits', () => {
  const send = async (response: Partial<CallResponse>, event = shipmentEvent, settings: object = account.settings) => {
    const requests: CallRequest[] = []
    const call = async (request: CallRequest) => {
      requests.push(request)
      return { status: 204, headers: {}, body: '', ...response }
    }
    return {
      outcome: await openIntegration(hubspot).send(call, { ...account, settings: { ...settings } }, event),
      requests,
    }
  }

  it('counts an event as delivered if the retry after a lost reply finds it there', async () => {
    const fake = createHubspotFake()
    let isLost = true
    const call = async ({ method, url, headers, body = '' }: CallRequest): Promise<CallResponse> => {
      const { pathname: path, searchParams: query } = new URL(url)
      const response = fake.respond({ method, path, query, headers, body } as FakeRequest, undefined)
      if (isLost) throw new Error('the connection was closed before the response')
      return { headers: {}, body: '', ...response }
    }
    const send = () => openIntegration(hubspot).send(call, account, shipmentEvent)
    await expect(send()).rejects.toThrow('closed')
    isLost = false
    expect(await send()).toMatchObject({ result: 'delivered', status: 409 })
    expect(fake.events).toHaveLength(1)
  })

  it.each([423, 477])('is retried after %i, which is temporary', async (status) => {
    const { outcome } = await send({ status, headers: { 'retry-after': '30' } })
    expect(outcome).toMatchObject({ result: 'failed', key: 'bad_gateway', retryAfterMs: 30_000 })
  })

  it('is not called for two seconds after a lock', async () => {
    expect((await send({ status: 423 })).outcome).toMatchObject({ result: 'failed', retryAfterMs: 2_000 })
  })

  it('is not called for an hour when the daily limit is reached', async () => {
    const { outcome } = await send({ status: 429, body: '{"policyName":"DAILY"}' })
    expect(outcome).toMatchObject({ result: 'failed', retryAfterMs: 3_600_000 })
  })

  it.each([undefined, null, '', 'my portal'])('is not called without a portal_id: %s', async (portal_id) => {
    const { outcome, requests } = await send({}, shipmentEvent, { portal_id })
    expect(outcome).toMatchObject({ result: 'skipped' })
    expect(requests).toEqual([])
  })

  it('gets no more properties than it accepts, and none with a name it rejects', async () => {
    const many = Object.fromEntries(Array.from({ length: 80 }, (_, index) => [`variable_${index}`, index]))
    const { requests } = await send(
      {},
      { ...shipmentEvent, eventData: { 'Not a name': 1, ['x'.repeat(51)]: 1, ...many } },
    )
    const { properties } = JSON.parse(requests[0]?.body ?? '')
    expect(Object.keys(properties)).toEqual(Array.from({ length: 50 }, (_, index) => `variable_${index}`))
  })
})
