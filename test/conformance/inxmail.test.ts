import { describe, expect, it } from 'vitest'
import type { Account, OutgoingEvent } from '../../src/adapters/marketing/integration.ts'
import { inxmail } from '../../src/adapters/marketing/inxmail/description.ts'
import { openIntegration } from '../../src/adapters/marketing/registry.ts'
import type { Call } from '../../src/platform/foundation/call.ts'
import { createFakeInxmail, inxmailKeys } from './fakes/inxmail-server.ts'
import { claimEvent, describeIntegration, shipmentEvent } from './integration-suite.ts'

const account: Account = { shopId: 'shop-1', credentials: inxmailKeys.right, settings: { instance_id: 'a-space' } }

function received(event: OutgoingEvent, name: string) {
  const { id, customer, triggeredAt: time } = event
  const properties = { ...event.eventData, customer, shop_slug: 'demo' }
  return { id, name, time, identifiers: { email: String(customer.email) }, properties }
}

describeIntegration({
  create: (baseUrl) => openIntegration(inxmail, { baseUrl }),
  createFake: createFakeInxmail,
  account: () => account,
  wrongCredentials: inxmailKeys.wrong,
  limitedCredentials: inxmailKeys.limited,
  expected: {
    shipment: received(shipmentEvent, 'shipment_out_for_delivery'),
    claim: received(claimEvent, 'claim_created'),
  },
  retryAfterMs: 7_000,
  onMalformedResponse: 'delivered',
  onUnknownCustomer: 'delivered',
})

describe('inxmail › instance_id of the shop', () => {
  async function urlFor(instance_id: string | null | undefined): Promise<string | undefined> {
    const urls: string[] = []
    const call: Call = async ({ url }) => {
      urls.push(url)
      return { status: 200, headers: {}, body: '{}' }
    }
    await openIntegration(inxmail).send(call, { ...account, settings: { instance_id } }, shipmentEvent)
    return urls[0]
  }

  it.each([
    ['a-space', 'https://a-space.api.inxmail-commerce.com/api-service/v1/events'],
    [' A-Space ', 'https://a-space.api.inxmail-commerce.com/api-service/v1/events'],
    ['a-space.api.inxmail.com', 'https://a-space.api.inxmail.com/api-service/v1/events'],
  ])('addresses the space %s', async (instance, url) => {
    expect(await urlFor(instance)).toBe(url)
  })

  it.each([undefined, null, '', 'evil.example', 'evil.example/?.api.inxmail.com', 'a@b', '-a'])(
    'sends nothing for %s',
    async (instance) => {
      expect(await urlFor(instance)).toBeUndefined()
    },
  )
})
