import { type Selectable, sql } from 'kysely'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { type Page, pageRequest } from '../../platform/foundation/page.ts'
import type { Tables } from '../../platform/foundation/tables.ts'
import { deleteRecord, fetchPage, findRecord, matchColumns } from '../../platform/store/shop-records.ts'
import type { NoteFilter } from './schema.ts'

export type NoteRow = Selectable<Tables['notes']>

export async function insertNotes(context: ShopContext, notes: NoteRow[]): Promise<void> {
  if (notes.length > 0) await context.db.insertInto('notes').values(notes).execute()
}

/** The notes about an order or a shipment, newest first. */
export function listNotes(context: ShopContext, filter: NoteFilter): Promise<Page<NoteRow>> {
  const { order_id, shipment_id } = filter
  const conditions = matchColumns({ shop_id: context.shop.id, order_id, shipment_id })
  return fetchPage(
    context,
    {
      name: `notes ${context.shop.id} ${order_id} ${shipment_id}`,
      rows: sql`from notes where ${sql.join(conditions, sql` and `)}`,
      orderBy: sql`id desc`,
    },
    pageRequest(filter),
  )
}

export function findNote(context: ShopContext, id: string): Promise<NoteRow | undefined> {
  return findRecord(context, 'notes', id)
}

export function deleteNote(context: ShopContext, id: string): Promise<boolean> {
  return deleteRecord(context, 'notes', id)
}

/** Whether the shop has the order, and the shipment belongs to it. The order stays until the transaction ends. */
export async function findSubject(
  context: ShopContext,
  orderId: string,
  shipmentId: string | undefined,
): Promise<{ hasOrder: boolean; hasShipment: boolean }> {
  const order = await context.db
    .selectFrom('orders')
    .where('shop_id', '=', context.shop.id)
    .where('id', '=', orderId)
    .select('id')
    .forKeyShare()
    .executeTakeFirst()
  if (order === undefined || shipmentId === undefined) return { hasOrder: order !== undefined, hasShipment: true }
  const shipment = await context.db
    .selectFrom('shipments')
    .where('shop_id', '=', context.shop.id)
    .where('id', '=', shipmentId)
    .where('order_id', '=', orderId)
    .select('id')
    .forKeyShare()
    .executeTakeFirst()
  return { hasOrder: true, hasShipment: shipment !== undefined }
}
