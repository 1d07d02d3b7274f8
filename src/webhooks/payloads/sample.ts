import { toOrder } from '../../orders/orders/present.ts'
import type { StoredOrder } from '../../orders/orders/store.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { newId } from '../../platform/foundation/ids.ts'
import { shipmentEventData } from './event-data.ts'
import { type Payload, toPayload } from './payload.ts'

/** An event of an order that does not exist, for tests of receivers. Its payload is marked `test`. */
export function samplePayload(context: ShopContext, customer: { email: string } = { email: 'ada@example.com' }) {
  const order = toOrder(context, sampleOrder(context, customer.email))
  const [shipment] = order.trackings
  if (shipment === undefined) throw new Error('the sample order has no shipment')
  const event = {
    source: 'shipments' as const,
    ref: 'shipments/in_delivery/OUT_FOR_DELIVERY',
    eventName: 'OUT_FOR_DELIVERY',
    eventGroup: 'shipment_out_for_delivery',
    now: context.now,
  }
  const eventData = shipmentEventData(event, order, shipment, shipment.updated_at)
  const payload: Payload & { test: true } = {
    ...toPayload(event, eventData, context.shop, { order, claims: [] }),
    test: true,
  }
  return { event, payload }
}

function sampleOrder(context: ShopContext, email: string): StoredOrder {
  const now = context.now.toISOString()
  const id = newId(context.now)
  return {
    id,
    order_number: 'TEST-1001',
    external_id: 'TEST-1001',
    order_name: '#TEST-1001',
    email_id: email,
    order_placed_at: context.now,
    expected_number_of_shipments: 1,
    nothing_to_send: false,
    promise: null,
    handed_over_without_tracking: false,
    details: {
      total_order_price: 94.85,
      currency: context.shop.currency,
      products: [{ title: 'Rain jacket', quantity: 1, price: 89.9, sku: 'RJ-42' }],
      address: {
        name: 'Ada Example',
        street: 'Example Street 1',
        zip_code: '10115',
        city: 'Berlin',
        country_code: 'DE',
      },
    },
    order_analytics: {},
    created_at: context.now,
    updated_at: context.now,
    page_nonce: null,
    shipments: [
      {
        id: newId(context.now),
        order_id: id,
        tracking_number: 'TEST-TRACKING-1',
        carrier_reference: 'sandbox',
        service: null,
        tracking_url: null,
        external_shipment_id: null,
        direction: 'merchant_customer',
        phase: 'in_delivery',
        flag: 'normal',
        current_event_key: 'OUT_FOR_DELIVERY',
        products: null,
        expected_delivery: null,
        pickup: null,
        proof_of_delivery: null,
        created_at: now,
        updated_at: now,
        events: [
          { event_key: 'OUT_FOR_DELIVERY', event_time: now, timezone: null, location: null, additional_info: null },
        ],
      },
    ],
  }
}
