import { describe, expect, it } from 'vitest'
import type { Account, OutgoingEvent } from '../../src/adapters/marketing/integration.ts'
import { openIntegration } from '../../src/adapters/marketing/registry.ts'
import { shopify } from '../../src/adapters/marketing/shopify/description.ts'
import { eventNames, getMeaning } from '../../src/platform/catalogue/catalogue.ts'
import type { Call } from '../../src/platform/foundation/call.ts'
import { callTo } from './direct-call.ts'
import { createFakeShopify, shopifyKeys } from './fakes/shopify-server.ts'
import { describeIntegration, shipmentEvent } from './integration-suite.ts'

const orderId = 'gid://shopify/Order/5551234567890'
const fulfillment = 'gid://shopify/Fulfillment/2'
const account: Account = {
  shopId: 'shop-1',
  credentials: shopifyKeys.right,
  settings: { shop_admin_url: 'https://demo.myshopify.com/admin' },
}

const createFake = () =>
  createFakeShopify(
    {
      [orderId]: [
        { id: 'gid://shopify/Fulfillment/1', trackingInfo: [{ number: '00340434161094042558' }], events: [] },
        { id: fulfillment, trackingInfo: [{ number: 'other' }, { number: '0034 0434 1610 9404 2557' }], events: [] },
      ],
    },
    String(shipmentEvent.customer.email),
  )

function withData(eventData: Record<string, unknown>, rest: Partial<OutgoingEvent> = {}): OutgoingEvent {
  return { ...shipmentEvent, ...rest, eventData: { ...shipmentEvent.eventData, ...eventData } }
}

describeIntegration({
  create: (baseUrl) => openIntegration(shopify, { baseUrl }),
  createFake,
  account: () => account,
  wrongCredentials: shopifyKeys.wrong,
  limitedCredentials: shopifyKeys.limited,
  expected: {
    shipment: {
      id: 'OUT_FOR_DELIVERY 2026-11-03T08:15:30.000Z',
      name: 'OUT_FOR_DELIVERY',
      time: '2026-11-03T08:15:30.000Z',
      identifiers: { fulfillment },
      properties: { message: 'Shipment Out for Delivery', estimatedDeliveryAt: '2026-11-03T12:00:00Z' },
    },
    claim: 'skipped',
  },
  isSentOnce: true,
  retryAfterMs: 4_000,
  onMalformedResponse: 'failed',
  onUnknownCustomer: 'skipped',
  withoutIdentifier: () => withData({ external_order_id: undefined }),
  ofUnknownCustomer: () => withData({ external_order_id: '1' }),
  segments: ['Bought twice', 'Newsletter'],
})

describe('shopify › fulfilment of the order', () => {
  function start() {
    const fake = createFake()
    const send = (event: OutgoingEvent) => openIntegration(shopify).send(callTo(fake), account, event)
    return { fake, send }
  }

  it('finds the order by the context if the event data has no id', async () => {
    const { fake, send } = start()
    const payload = { context: { order: { external_id: '5551234567890' } } }
    expect(await send(withData({ external_order_id: undefined }, { payload }))).toMatchObject({ result: 'delivered' })
    expect(fake.events).toHaveLength(1)
  })

  it('sends a later event with the same status', async () => {
    const { fake, send } = start()
    await send(shipmentEvent)
    await send(withData({ updated_at: '2026-11-04T07:00:00.250Z' }))
    expect(fake.events.map(({ time }) => time)).toEqual(['2026-11-03T08:15:30.000Z', '2026-11-04T07:00:00.000Z'])
  })

  it.each([
    [{ tracking_number: '1Z999' }, 'no fulfilment of the order in Shopify has this tracking number'],
    [{ tracking_number: undefined }, 'the shipment has no tracking number'],
    [{ external_order_id: 'WEB-17' }, 'the order has no id of Shopify'],
    [{ external_order_id: '17' }, 'Shopify knows no such order'],
  ])('reports what is missing: %o', async (data, reason) => {
    const { fake, send } = start()
    expect(await send(withData(data))).toEqual({ result: 'skipped', reason })
    expect(fake.events).toEqual([])
  })

  it('has a status for every event that notifies about a parcel on its way to the customer', async () => {
    for (const name of eventNames) {
      const { phase, group } = getMeaning(name)
      if (group === undefined) continue
      const { fake, send } = start()
      const outcome = await send(withData({ event_name: name, phase }, { eventGroup: group }))
      expect([name, outcome.result]).toEqual([name, group === 'shipment_order_cancelled' ? 'skipped' : 'delivered'])
      expect(fake.events).toHaveLength(outcome.result === 'delivered' ? 1 : 0)
    }
  })

  it.each([
    ['shipment_pre_transit', 'ORDER_PROCESSED', 'order_processed', 'CONFIRMED'],
    ['shipment_in_transit', 'PICKUP_SUCCESSFUL', 'in_transit', 'CARRIER_PICKED_UP'],
    ['shipment_in_transit', 'SHIPMENT_EN_ROUTE', 'in_transit', 'IN_TRANSIT'],
    ['shipment_carrier_delay', 'HELD_AT_CUSTOMS', 'in_transit', 'DELAYED'],
    ['shipment_customs_action_needed', 'HELD_AT_CUSTOMS_FOR_ADDITIONAL_PAYMENT', 'in_transit', 'DELAYED'],
    ['shipment_delivered_to_parcel_locker', 'ARRIVED_AT_PARCEL_LOCKER', 'collect', 'READY_FOR_PICKUP'],
    ['shipment_delivery_failed', 'DELIVERY_ATTEMPTED', 'in_delivery', 'ATTEMPTED_DELIVERY'],
    ['shipment_delivery_failed', 'SHIPMENT_LOST_IN_TRANSIT', 'delivery_failed', 'FAILURE'],
    ['shipment_refused_then_returned', 'SHIPMENT_REJECTED_RETURNING_TO_SENDER', 'return_transit', 'FAILURE'],
    ['shipment_picked_up', 'SUCCESSFULLY_COLLECTED', 'delivered', 'DELIVERED'],
    ['vip_parcel_moves', 'SHIPMENT_EN_ROUTE', 'in_transit', 'IN_TRANSIT'],
  ])('uses Shopify’s name for %s with %s in %s', async (eventGroup, event_name, phase, status) => {
    const { fake, send } = start()
    await send(withData({ event_name, phase }, { eventGroup }))
    expect(fake.events.map(({ name }) => name)).toEqual([status])
  })

  it.each(['return_shipment_in_transit', 'shipment_at_risk', 'shipment_internal_trigger', 'shipment_order_cancelled'])(
    'is not notified of %s',
    async (eventGroup) => {
      const { fake, send } = start()
      expect(await send(withData({}, { eventGroup }))).toMatchObject({ result: 'skipped' })
      expect(fake.operations).toEqual([])
    },
  )
})

describe('shopify › checking credentials', () => {
  it.each([
    [['write_fulfillments', 'read_orders'], undefined],
    [['write_fulfillments', 'write_orders', 'read_all_orders'], undefined],
    [['read_fulfillments', 'read_orders'], 'write_fulfillments'],
    [['write_fulfillments'], 'read_orders'],
    [[], 'write_fulfillments'],
  ])('with the scopes %o misses %s', async (scopes, missing) => {
    const fake = createFake()
    fake.scopes = scopes
    const outcome = await openIntegration(shopify).check?.(callTo(fake), account)
    expect(outcome).toMatchObject(
      missing === undefined
        ? { result: 'delivered' }
        : { result: 'rejected', body: `The access token lacks the scope ${missing}.` },
    )
  })
})

describe('shopify › shop_admin_url of the shop', () => {
  async function urlFor(shop_admin_url: string | null): Promise<string | undefined> {
    const urls: string[] = []
    const call: Call = async ({ url }) => {
      urls.push(url)
      return { status: 200, headers: {}, body: '{"data":{"order":null}}' }
    }
    await openIntegration(shopify).send(call, { ...account, settings: { shop_admin_url } }, shipmentEvent)
    return urls[0]
  }

  it.each([
    'https://demo.myshopify.com',
    'https://demo.myshopify.com/admin',
    'demo.myshopify.com/',
    'https://admin.shopify.com/store/demo/orders',
  ])('leads to the API for %s', async (address) => {
    expect(await urlFor(address)).toBe('https://demo.myshopify.com/admin/api/2026-10/graphql.json')
  })

  it.each([null, '', 'https://', 'https://admin.shopify.com'])('sends nothing for %s', async (address) => {
    expect(await urlFor(address)).toBeUndefined()
  })
})
