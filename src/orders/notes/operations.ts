import { mayInShop, type ShopContext } from '../../platform/foundation/context.ts'
import { ApiError, invalid } from '../../platform/foundation/errors.ts'
import { created, operation } from '../../platform/foundation/operation.ts'
import { PageOf } from '../../platform/foundation/page.ts'
import { EmptyReply } from '../../platform/foundation/schema.ts'
import { inTransaction } from '../../platform/foundation/transaction.ts'
import { addNotes } from './add.ts'
import { Note, NoteCreation, NoteFilter } from './schema.ts'
import { deleteNote, findNote, findSubject, listNotes, type NoteRow } from './store.ts'

/** A note may be about the customer: the audit log records that it was written, but not its text. */
const auditedNote = {
  kind: 'note',
  named: 'author',
  personal: ['text'],
  async read(context: ShopContext, id: string) {
    const note = await findNote(context, id)
    return note && { order_id: note.order_id, shipment_id: note.shipment_id, author: note.author, text: note.text }
  },
}

export const searchNotes = operation({
  name: 'searchNotes',
  summary: 'List the notes about an order or a shipment',
  description: 'Newest first. By order_id, those about its shipments are included.',
  area: 'Notes',
  route: 'GET /v1/shops/{slug}/notes',
  needs: 'viewer',
  query: NoteFilter,
  reply: PageOf(Note),
  async handle(context, { query }) {
    if (query.order_id === undefined && query.shipment_id === undefined) {
      throw invalid(['query', 'order_id'], 'is required, unless shipment_id is given')
    }
    const page = await listNotes(context, query)
    return { ...page, items: page.items.map((row) => toNote(context, row)) }
  },
})

export const createNote = operation({
  name: 'createNote',
  summary: 'Add a note to an order',
  description: 'Notes are for colleagues; customers never see them.',
  area: 'Notes',
  route: 'POST /v1/shops/{slug}/notes',
  needs: 'editor',
  body: NoteCreation,
  reply: Note,
  errors: ['order_not_found', 'shipment_not_found'],
  audit: auditedNote,
  handle: (context, { body }) =>
    inTransaction(context, async (context) => {
      const { order_id: orderId, text } = body
      const shipmentId = body.shipment_id ?? null
      if (text.trim() === '') throw invalid(['body', 'text'], 'must not be blank')
      const { hasOrder, hasShipment } = await findSubject(context, orderId, shipmentId ?? undefined)
      if (!hasOrder) throw new ApiError('order_not_found', `This shop has no order ${orderId}.`)
      if (!hasShipment) throw new ApiError('shipment_not_found', `The order has no shipment ${shipmentId}.`)
      const [note] = await addNotes(context, [{ orderId, shipmentId, text }])
      if (note === undefined) throw new Error('one note was added')
      return created(`/v1/shops/${context.shop.slug}/notes/${note.id}`, toNote(context, note))
    }),
})

export const removeNote = operation({
  name: 'deleteNote',
  summary: 'Delete a note',
  description: 'Editors delete their own notes, admins all.',
  area: 'Notes',
  route: 'DELETE /v1/shops/{slug}/notes/{uuid}',
  needs: 'editor',
  reply: EmptyReply,
  errors: ['note_not_found'],
  audit: auditedNote,
  async handle(context, { path }) {
    const note = await findNote(context, path.uuid)
    if (note === undefined) throw notFound(path.uuid)
    if (!mayDelete(context, note)) {
      throw new ApiError('insufficient_rights', 'Only its author and admins of the shop may delete this note.')
    }
    if (!(await deleteNote(context, path.uuid))) throw notFound(path.uuid)
    return undefined
  },
})

function mayDelete(context: ShopContext, note: NoteRow): boolean {
  if (!mayInShop(context, 'editor')) return false
  return note.author_id === context.principal.keyId || mayInShop(context, 'admin')
}

function toNote(context: ShopContext, row: NoteRow): Note {
  return {
    uuid: row.id,
    order_id: row.order_id,
    shipment_id: row.shipment_id,
    text: row.text,
    author: row.author,
    may_delete: mayDelete(context, row),
    created_at: row.created_at.toISOString(),
  }
}

function notFound(id: string): ApiError {
  return new ApiError('note_not_found', `This shop has no note ${id}.`)
}
