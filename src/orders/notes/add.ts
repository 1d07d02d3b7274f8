import type { ShopContext } from '../../platform/foundation/context.ts'
import { newId } from '../../platform/foundation/ids.ts'
import { principalName } from '../../platform/foundation/roles.ts'
import { insertNotes, type NoteRow } from './store.ts'

/** Adds notes of the caller about orders and shipments that exist. */
export async function addNotes(
  context: ShopContext,
  notes: { orderId: string; shipmentId: string | null; text: string }[],
): Promise<NoteRow[]> {
  const rows = notes.map(({ orderId, shipmentId, text }) => ({
    shop_id: context.shop.id,
    id: newId(context.now),
    order_id: orderId,
    shipment_id: shipmentId,
    text,
    author: principalName(context.principal),
    author_id: context.principal.keyId,
    created_at: context.now,
  }))
  await insertNotes(context, rows)
  return rows
}
