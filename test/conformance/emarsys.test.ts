import { describe, expect, it } from 'vitest'
import { emarsys as described } from '../../src/adapters/marketing/emarsys/description.ts'
import type { Account, OutgoingEvent } from '../../src/adapters/marketing/integration.ts'
import { openIntegration } from '../../src/adapters/marketing/registry.ts'
import type { Call } from '../../src/platform/foundation/call.ts'
import { callTo } from './direct-call.ts'
import { createFakeEmarsys, emarsysClients, type FakeEmarsys } from './fakes/emarsys-server.ts'
import { claimEvent, describeIntegration, shipmentEvent } from './integration-suite.ts'

const time = Date.parse('2026-11-03T08:16:00Z')
const contact = String(shipmentEvent.customer.email)
const account: Account = { shopId: 'shop-1', credentials: emarsysClients.right, settings: {} }
const createFake = () => createFakeEmarsys(contact, time / 1_000 + 42)

function received(event: OutgoingEvent, name: string, global: Record<string, string>) {
  const properties = { ...event.eventData, global }
  return { id: event.id, name, time: event.triggeredAt, identifiers: { email: contact }, properties }
}

describeIntegration({
  create: (baseUrl) => openIntegration(described, { baseUrl, now: () => time }),
  createFake,
  account: () => account,
  wrongCredentials: emarsysClients.wrong,
  limitedCredentials: emarsysClients.limited,
  expected: {
    shipment: received(shipmentEvent, 'Shipment Out for Delivery', {
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
      number_of_shipments: '2',
    }),
    claim: received(claimEvent, 'Claim Created', {
      claim_id: '0192f3c4-0000-7000-8000-000000000002',
      event_name: 'created',
      created_at: '2026-11-05T17:00:00.000Z',
      updated_at: '2026-11-05T17:00:00.000Z',
      event_group: 'claim_created',
      resolution_preference: 'refund',
      reason: 'damage',
      status: 'pending',
      description: 'The box was "open"',
    }),
  },
  retryAfterMs: 42_000,
  onMalformedResponse: 'failed',
  onUnknownCustomer: 'skipped',
})

describe('emarsys › several events', () => {
  function start() {
    const fake = createFake()
    const clock = { now: time }
    const emarsys = openIntegration(described, { now: () => clock.now })
    const call = callTo(fake)
    const send = (event = shipmentEvent, of = account, by: Call = call) => emarsys.send(by, of, event)
    return { fake, clock, send }
  }
  const tokenCalls = ({ calls }: FakeEmarsys) => calls.filter((line) => line === 'POST /oauth2/token').length

  it('gets a token and the event once, then only triggers', async () => {
    const { fake, send } = start()
    await send()
    const id = fake.externalEvents.get('Shipment Out for Delivery')
    const trigger = `POST /api/v3/event/${id}/trigger`
    expect(fake.calls).toEqual(['POST /oauth2/token', 'GET /api/v3/event', 'POST /api/v3/event', trigger])
    fake.calls = []
    await send()
    expect(fake.calls).toEqual([trigger])
  })

  it('uses an external event that exists already', async () => {
    const { fake, send } = start()
    fake.externalEvents.set('Shipment Out for Delivery', 77)
    expect(await send()).toMatchObject({ result: 'delivered' })
    expect(fake.calls).toEqual(['POST /oauth2/token', 'GET /api/v3/event', 'POST /api/v3/event/77/trigger'])
  })

  it('renews the token shortly before it expires', async () => {
    const { fake, clock, send } = start()
    await send()
    clock.now += 58 * 60_000
    await send()
    expect(tokenCalls(fake)).toBe(1)
    clock.now += 90_000
    await send()
    expect(tokenCalls(fake)).toBe(2)
  })

  it('renews the token once if it is rejected', async () => {
    const { fake, send } = start()
    await send()
    fake.revokeTokens()
    expect(await send()).toMatchObject({ result: 'delivered' })
    expect(tokenCalls(fake)).toBe(2)
  })

  it('gives up if the new token is rejected too', async () => {
    const { fake, send } = start()
    const distrust: Call = async (request) => {
      const response = await callTo(fake)(request)
      fake.revokeTokens()
      return response
    }
    const outcome = await send(shipmentEvent, account, distrust)
    expect(outcome).toMatchObject({ result: 'rejected', key: 'partner_key_missing_permissions' })
    expect(tokenCalls(fake)).toBe(2)
  })

  it('drops token and events when the credentials change', async () => {
    const { fake, send } = start()
    await send()
    const outcome = await send(shipmentEvent, { ...account, credentials: emarsysClients.limited })
    expect(outcome).toMatchObject({ result: 'rejected', key: 'partner_key_missing_permissions' })
    expect(fake.events).toHaveLength(1)
  })

  it('requests one token and creates one external event for events that arrive together', async () => {
    const { fake, send } = start()
    const outcomes = await Promise.all([send(), send(), send()])
    expect(outcomes.map(({ result }) => result)).toEqual(['delivered', 'delivered', 'delivered'])
    expect(tokenCalls(fake)).toBe(1)
    expect([...fake.externalEvents.keys()]).toEqual(['Newsletter Welcome', 'Shipment Out for Delivery'])
  })

  it('creates an external event again if it was deleted meanwhile', async () => {
    const { fake, send } = start()
    await send()
    fake.externalEvents.delete('Shipment Out for Delivery')
    expect(await send()).toMatchObject({ result: 'delivered' })
    expect(fake.events).toHaveLength(2)
  })

  it.each([
    [400, 5005, 'No program or campaign is triggered.', 'skipped'],
    [200, 2010, 'More contacts found with the external id', 'skipped'],
    [200, 2008, 'No contact found with the external id', 'skipped'],
    [200, 9003, 'Trigger ID already triggered.', 'delivered'],
    [200, 2005, 'Invalid key field value', 'rejected'],
    [503, 2008, 'The system is overloaded for this resource.', 'failed'],
  ])('reads status %i with reply code %i', async (status, replyCode, replyText, result) => {
    const { fake, send } = start()
    fake.triggerResponses = [{ status, body: JSON.stringify({ replyCode, replyText, data: '' }) }]
    expect(await send()).toMatchObject({ result })
  })

  it('never reports its token', async () => {
    const { fake, send } = start()
    const echo: Call = async (request) => {
      if (!request.url.endsWith('/trigger')) return callTo(fake)(request)
      return { status: 400, headers: {}, body: JSON.stringify(request.headers) }
    }
    const outcome = await send(shipmentEvent, account, echo)
    expect(outcome).toMatchObject({ result: 'rejected' })
    expect(JSON.stringify(outcome)).toContain('Bearer ***')
  })

  it('is not called without a client secret', async () => {
    const { fake, send } = start()
    const credentials = { client_id: 'client-1', client_secret: null }
    expect(await send(shipmentEvent, { ...account, credentials })).toMatchObject({ key: 'partner_key_not_found' })
    expect(fake.calls).toEqual([])
  })
})
