import { PagedQuery } from '../../platform/foundation/operation.ts'
import { DateTime, Maybe, Named, Nullable, type Static, Type, Uuid } from '../../platform/foundation/schema.ts'

const Text = Type.String({ minLength: 1, maxLength: 5_000, examples: ['The customer is away until Monday.'] })

export const NoteCreation = Named(
  'NoteCreation',
  Type.Object({
    order_id: Uuid,
    shipment_id: Maybe({ ...Uuid, description: 'One of the order’s shipments, if the note is about it' }),
    text: Text,
  }),
)

export const NoteFilter = PagedQuery({
  order_id: Type.Optional(Uuid),
  shipment_id: Type.Optional({
    ...Uuid,
    description: 'Only notes about this shipment. One of the two ids is required.',
  }),
})
export type NoteFilter = Static<typeof NoteFilter>

export const Note = Named(
  'Note',
  Type.Object({
    uuid: Uuid,
    order_id: Uuid,
    shipment_id: Nullable(Uuid),
    text: Text,
    author: Type.String({ examples: ['Ada Example'] }),
    may_delete: Type.Boolean({ description: 'Whether the caller may delete it', examples: [true] }),
    created_at: DateTime,
  }),
)
export type Note = Static<typeof Note>
