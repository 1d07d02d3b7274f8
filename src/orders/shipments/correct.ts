import type { ShopContext } from '../../platform/foundation/context.ts'
import { ApiError, invalid } from '../../platform/foundation/errors.ts'
import { predictorFor } from '../delivery-windows/predict.ts'
import { getCarrier, newFulfilledShipment, type PlannedOrder } from '../orders/fulfilment.ts'
import { carrierHistories } from './carrier-history.ts'
import { restartPolling, stopPolling } from './enrol-store.ts'
import { clearScans, findSending } from './renumber-store.ts'
import { type FoundShipment, findShipmentByNumber } from './store.ts'
import { fulfilShipments, updateShipmentDetails } from './write-store.ts'

export interface Correction {
  carrier_reference?: string | null
  tracking_number?: string | null
  tracking_url?: string | null
}

/**
 * Corrects the carrier or the number of a parcel: its link, its predicted arrival and its polling follow. If the number
 * changes and nobody named a carrier, the carrier is detected again. Call it with the order locked.
 */
export async function correctParcel(
  context: ShopContext,
  order: PlannedOrder,
  known: FoundShipment,
  correction: Correction,
): Promise<void> {
  const number = correction.tracking_number ?? known.tracking_number
  const isRenumbered = number !== known.tracking_number
  const carrier = correction.carrier_reference ? getCarrier(correction.carrier_reference, ['body']) : undefined
  if (!isRenumbered && (carrier === undefined || carrier === known.carrier_reference)) return
  const { id } = known
  if (known.tracking_number === null || number === null) {
    if (isRenumbered)
      throw invalid(['body', 'tracking_number'], 'is for sent parcels; fulfil the order to send this one')
    if (carrier) await updateShipmentDetails(context, [{ ...keyOf(order, id), carrierReference: carrier }])
    return
  }
  if (isRenumbered) {
    await checkUnused(context, order.id, number)
    await clearScans(context, order.shopId, [id])
  }
  const { sentAt, isCarrierGiven } = await findSending(context, order.shopId, id)
  const tracking = {
    tracking_number: number,
    tracking_placed_at: sentAt.toISOString(),
    carrier_reference: carrier ?? (isCarrierGiven ? known.carrier_reference : undefined),
    tracking_url: correction.tracking_url,
    service: known.service,
  }
  const writes = [{ shopId: order.shopId, upsert: { trackings: [tracking] } }]
  const planned = { ...order, carrierHistory: (await carrierHistories(context, writes)).get(order.shopId) }
  const predict = (await predictorFor(context, writes))(planned)
  const { direction } = known
  const corrected = newFulfilledShipment(planned, tracking, { id, direction, predict, loc: ['body'] })
  await fulfilShipments(context, [corrected])
  if (corrected.carrierReference === null) await stopPolling(context, order.shopId, id)
  else await restartPolling(context, order.shopId, [id], order.now)
}

function keyOf(order: PlannedOrder, id: string) {
  return { shopId: order.shopId, id, now: order.now }
}

async function checkUnused(context: ShopContext, orderId: string, number: string): Promise<void> {
  if ((await findShipmentByNumber(context, orderId, number)) === undefined) return
  throw new ApiError(
    'shipment_exists',
    `This order already has a shipment with the tracking number ${JSON.stringify(number)}.`,
  )
}
