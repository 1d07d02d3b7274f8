import { createClaimFor } from '../../claims/claims/change.ts'
import { findOrderToWithdraw } from '../../claims/withdrawals/find.ts'
import { everything, toClaimedItems } from '../../claims/withdrawals/items.ts'
import { updateWithdrawalSettings } from '../../claims/withdrawals/operations.ts'
import { isLate } from '../../claims/withdrawals/rules.ts'
import { findShipmentForClaim } from '../../orders/shipments/store.ts'
import { after, hourMs } from '../../platform/foundation/clock.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { customers, emailOf } from './customers.ts'
import { perform } from './perform.ts'

/** Hanna's parcel arrived a few days ago. */
const withdrawn = { trackingNumber: '00340434161017362076', customer: 'hanna', hoursAgo: 5 } as const

/** Offers to withdraw from a contract, and has one customer who does. She gets no mail: she does not exist. */
export async function acceptWithdrawals(context: ShopContext): Promise<void> {
  await perform(context, updateWithdrawalSettings, {
    enabled: true,
    country: 'DE',
    instructions: {
      en: 'Send the goods to River & Pine, Mühlgasse 4, 72070 Tübingen, Germany. The return is free of charge.',
      de: 'Bitte senden Sie die Ware an River & Pine, Mühlgasse 4, 72070 Tübingen. Die Rücksendung ist kostenlos.',
    },
  })
  const { trackingNumber, hoursAgo } = withdrawn
  const shipment = await findShipmentForClaim(context, { column: 'tracking_number', value: trackingNumber })
  const found = shipment && (await findOrderToWithdraw(context, shipment.orderId))
  if (shipment === undefined || found === undefined) throw new Error(`the demo shop has no parcel ${trackingNumber}`)
  const then = { ...context, now: after(context.now, -hoursAgo * hourMs) }
  const { order, items, period } = found
  const chosen = everything(items)
  const fields = { reason: 'return', resolution_preference: 'refund' } as const
  const customer = customers[withdrawn.customer]
  await createClaimFor(
    then,
    { shopId: context.shop.id, ...shipment },
    { ...fields, selected_items: toClaimedItems(items, chosen) ?? [] },
    {
      withdrawal: {
        isLate: isLate(period, then.now),
        statement: {
          name: customer.name,
          email: emailOf(customer),
          language: 'de',
          time_zone: period.timeZone,
          last_day: period.lastDay,
          is_whole_order: true,
          text: `Hiermit widerrufe ich den Vertrag über die Bestellung ${order.order_name ?? order.order_number} bei ${context.shop.name}.`,
          items: chosen,
        },
      },
    },
  )
}
