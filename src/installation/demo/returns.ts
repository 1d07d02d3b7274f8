import { createShipment } from '../../orders/shipments/operations.ts'
import type { ShipmentCreation } from '../../orders/shipments/schema.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { workingDay } from './calendar.ts'
import { customers } from './customers.ts'
import { returnJourneys } from './journeys.ts'
import { handedOverAt, numberedOrders } from './orders.ts'
import { perform } from './perform.ts'
import { toProduct } from './products.ts'
import { recordScans } from './scans.ts'

/** The returns, each created when its label was printed. */
export async function sendReturns(context: ShopContext): Promise<void> {
  for (const { sentBack, number, lines, customer } of numberedOrders) {
    if (sentBack === undefined) continue
    const creation: ShipmentCreation = {
      order_id: number,
      order_id_type: 'order_number',
      tracking_number: sentBack.trackingNumber,
      carrier_reference: sentBack.carrier,
      direction: 'customer_merchant',
      products: lines
        .filter((_line, index) => sentBack.lines.includes(index))
        .map((line) => toProduct(line, 'EUR'))
        .map(({ product_id, variant_id, quantity }) => ({ product_id, variant_id, quantity })),
    }
    await perform({ ...context, now: handedOverAt(sentBack, context.now) }, createShipment, creation)
    await recordScans(context, [
      {
        trackingNumber: sentBack.trackingNumber,
        customer: customers[customer],
        sentOn: workingDay(context.now, sentBack.sentDaysAgo),
        scans: returnJourneys[sentBack.journey],
      },
    ])
  }
}
