import { PagedQuery } from '../../platform/foundation/operation.ts'
import {
  DateTime,
  LanguageCode,
  Maybe,
  Named,
  OneOf,
  type Static,
  Type,
  Uuid,
} from '../../platform/foundation/schema.ts'

// A search contains the whole text in its URL, which is limited to about 16 KB including escapes.
const Text = Type.String({
  minLength: 1,
  maxLength: 1_000,
  examples: ['Parcels take a day longer before the holidays.'],
})

export const AnnouncementCreation = Named('AnnouncementCreation', Type.Object({ text: Text, language: LanguageCode }))

export const AnnouncementUpdate = Named(
  'AnnouncementUpdate',
  Type.Object({ text: Maybe(Text), language: Maybe(LanguageCode) }),
)

export const AnnouncementFilter = PagedQuery({
  uuid: Uuid,
  text: Type.String({ maxLength: 1_000, description: 'Exact text', examples: ['Parcels take a day longer.'] }),
  language: Type.Optional(LanguageCode),
})
export type AnnouncementFilter = Static<typeof AnnouncementFilter>

/** The filter of the contract requires what identifies one announcement; this one lists them. */
export const AnnouncementListFilter = PagedQuery({
  uuid: Type.Optional(Uuid),
  q: Type.Optional(Type.String({ minLength: 1, maxLength: 255, description: 'A part of the text' })),
  language: Type.Optional(LanguageCode),
  sort: Type.Optional(
    OneOf(['created_at', '-created_at', 'language', '-language', 'text', '-text'], {
      default: '-created_at',
      examples: ['text'],
    }),
  ),
})
export type AnnouncementListFilter = Static<typeof AnnouncementListFilter>

export const Announcement = Named(
  'Announcement',
  Type.Object({
    uuid: Uuid,
    text: Text,
    language: LanguageCode,
    created_at: DateTime,
    updated_at: DateTime,
  }),
)
export type Announcement = Static<typeof Announcement>
