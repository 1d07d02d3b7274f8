import { toTracking, type Viewing } from '../shipments/present.ts'
import { statusOf } from './rules.ts'
import type { Order } from './schema.ts'
import type { StoredOrder } from './store.ts'

export function toOrder(context: Viewing, stored: StoredOrder): Order {
  const details = stored.details as Partial<Order> // written from validated orders only
  return {
    uuid: stored.id,
    order_number: stored.order_number,
    order_name: stored.order_name,
    external_id: stored.external_id,
    status: statusOf(stored.shipments),
    order_placed_at: stored.order_placed_at.toISOString(),
    total_order_price: details.total_order_price ?? null,
    shipping_price: details.shipping_price ?? null,
    sub_total_price: details.sub_total_price ?? null,
    discount_price: details.discount_price ?? 0,
    products: details.products ?? [],
    discounts: details.discounts ?? [],
    ...(details.fees?.length ? { fees: details.fees } : {}),
    email_id: stored.email_id,
    address: details.address ?? null,
    currency: details.currency ?? 'EUR',
    segments: details.segments ?? [],
    weight: details.weight ?? null,
    external_customer_id: details.external_customer_id ?? null,
    order_status_url: details.order_status_url ?? null,
    preferred_delivery_date: details.preferred_delivery_date ?? null,
    user_agent: details.user_agent ?? null,
    order_analytics: stored.order_analytics,
    expected_number_of_shipments: stored.expected_number_of_shipments,
    financial_status: details.financial_status ?? null,
    merchant_slug: context.shop.slug,
    shop_slug: context.shop.slug,
    created_at: stored.created_at.toISOString(),
    updated_at: stored.updated_at.toISOString(),
    trackings: stored.shipments.map((shipment) =>
      toTracking(context, shipment, { orderNumber: stored.order_number, products: details.products }),
    ),
  }
}
