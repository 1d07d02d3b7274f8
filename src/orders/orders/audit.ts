import type { ShopContext } from '../../platform/foundation/context.ts'
import { toOrder } from './present.ts'
import { findOrder } from './store.ts'
import { pick } from './without-customer.ts'

/** The audit log's record of an order: of everything that may be about its customer, only that it changed. */
export const auditedOrder = {
  kind: 'order',
  named: 'order_number',
  personal: ['address', 'email_id', 'order_name', 'products', 'external_customer_id', 'segments'],
  async read(context: ShopContext, id: string): Promise<object | undefined> {
    const stored = await findOrder(context, id)
    if (stored === undefined) return undefined
    const { trackings, ...order } = toOrder(context, stored)
    return {
      ...pick(order, [...ownFields, ...auditedOrder.personal]),
      tracking_numbers: trackings.flatMap(({ carrier }) => carrier.tracking_number ?? []),
    }
  },
}

/** An allow-list, because any other field may be about the customer. */
const ownFields = [
  'order_number',
  'external_id',
  'status',
  'nothing_to_send',
  'handed_over_without_tracking',
  'order_placed_at',
  'total_order_price',
  'currency',
  'expected_number_of_shipments',
  'financial_status',
  'shipping_method',
]
