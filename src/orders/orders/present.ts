import { shownLink } from '../../platform/foundation/web-address.ts'
import { toTracking, type ViewContext } from '../shipments/present.ts'
import { remainingProducts } from './remaining.ts'
import { statusOf } from './rules.ts'
import type { Order } from './schema.ts'
import type { StoredOrder } from './store.ts'

export function toOrder(context: ViewContext, stored: StoredOrder): Order {
  const details = stored.details as Partial<Order> // written from validated orders only
  const isPart = stored.shipments.some(({ tracking_number }) => tracking_number === null)
  const remaining = isPart ? remainingProducts(details.products, stored.shipments) : undefined
  return {
    uuid: stored.id,
    order_number: stored.order_number,
    order_name: stored.order_name,
    external_id: stored.external_id,
    status: statusOf(stored.shipments, stored.expected_number_of_shipments),
    nothing_to_send: stored.nothing_to_send,
    handed_over_without_tracking: stored.handed_over_without_tracking,
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
    order_status_url: shownLink(details.order_status_url),
    preferred_delivery_date: details.preferred_delivery_date ?? null,
    user_agent: details.user_agent ?? null,
    order_analytics: stored.order_analytics,
    expected_number_of_shipments: stored.expected_number_of_shipments,
    financial_status: details.financial_status ?? null,
    shipping_method: details.shipping_method ?? null,
    promised_delivery: stored.promise,
    merchant_slug: context.shop.slug,
    shop_slug: context.shop.slug,
    created_at: stored.created_at.toISOString(),
    updated_at: stored.updated_at.toISOString(),
    trackings: stored.shipments.map((shipment) =>
      toTracking(context, shipment, { orderNumber: stored.order_number, products: details.products, remaining }),
    ),
  }
}
