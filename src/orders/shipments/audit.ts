import type { ShopContext } from '../../platform/foundation/context.ts'
import { findShipment } from './store.ts'

/** What the audit log records of a shipment: of what may be about the customer, only that it changed. */
export const auditedShipment = {
  kind: 'shipment',
  only: 'by hand',
  named: 'tracking_number',
  personal: ['tracking_url', 'products', 'pickup'],
  async read(context: ShopContext, id: string): Promise<object | undefined> {
    const shipment = await findShipment(context, id)
    if (shipment === undefined) return undefined
    const { order_number, tracking_number, carrier_reference, external_shipment_id, direction, phase } = shipment
    const { tracking_url, products, pickup } = shipment
    return {
      order_number,
      tracking_number,
      carrier_reference,
      external_shipment_id,
      direction,
      phase,
      // Compared as a whole: which part of them changed is not recorded.
      tracking_url,
      products: JSON.stringify(products),
      pickup: JSON.stringify(pickup),
    }
  },
} as const
