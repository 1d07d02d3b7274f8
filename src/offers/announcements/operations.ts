import { ApiError } from '../../platform/foundation/errors.ts'
import { newId } from '../../platform/foundation/ids.ts'
import { created, operation } from '../../platform/foundation/operation.ts'
import { PageOf } from '../../platform/foundation/page.ts'
import { EmptyReply } from '../../platform/foundation/schema.ts'
import { inTransaction } from '../../platform/foundation/transaction.ts'
import { isDuplicate } from '../../platform/store/errors.ts'
import { announceOffers } from '../../shops/offer-versions/store.ts'
import { toAnnouncement } from './present.ts'
import {
  Announcement,
  AnnouncementCreation,
  AnnouncementFilter,
  AnnouncementListFilter,
  AnnouncementUpdate,
} from './schema.ts'
import {
  deleteAnnouncement,
  findAnnouncement,
  insertAnnouncement,
  listAllAnnouncements,
  listAnnouncements,
  updateAnnouncement,
} from './store.ts'

const auditedAnnouncement = { kind: 'announcement', named: 'text', read: findAnnouncement }

export const createAnnouncement = operation({
  name: 'createAnnouncement',
  summary: 'Create an announcement',
  description: 'The Location header names it. A shop can have a text only once per language.',
  area: 'Announcements',
  route: 'POST /v1/shops/{slug}/announcements',
  needs: 'editor',
  body: AnnouncementCreation,
  reply: EmptyReply,
  errors: ['announcement_exists'],
  audit: auditedAnnouncement,
  handle: (context, { body }) =>
    inTransaction(context, async (context) => {
      await announceOffers(context)
      const id = newId(context.now)
      const isNew = await insertAnnouncement(context, {
        shop_id: context.shop.id,
        id,
        language: body.language,
        text: body.text,
        created_at: context.now,
        updated_at: context.now,
      })
      if (!isNew) throw exists()
      return created(`/v1/shops/${context.shop.slug}/announcements/${id}`, undefined)
    }),
})

export const searchAnnouncements = operation({
  name: 'searchAnnouncements',
  summary: 'Search announcements',
  description: 'By uuid and text, both required, and by language if given.',
  area: 'Announcements',
  route: 'GET /v1/shops/{slug}/announcements',
  needs: 'viewer',
  query: AnnouncementFilter,
  reply: PageOf(Announcement),
  async handle(context, { query }) {
    const page = await listAnnouncements(context, query)
    return { ...page, items: page.items.map(toAnnouncement) }
  },
})

export const listEveryAnnouncement = operation({
  name: 'listAnnouncements',
  summary: 'List the announcements of a shop',
  description: 'All of them, or those that a filter matches; the newest first.',
  area: 'Announcements',
  route: 'GET /v1/shops/{slug}/lists/announcements',
  needs: 'viewer',
  query: AnnouncementListFilter,
  reply: PageOf(Announcement),
  async handle(context, { query }) {
    const page = await listAllAnnouncements(context, query)
    return { ...page, items: page.items.map(toAnnouncement) }
  },
})

export const changeAnnouncement = operation({
  name: 'updateAnnouncement',
  summary: 'Update an announcement',
  description: 'Fields that are absent or null stay as they are.',
  area: 'Announcements',
  route: 'PATCH /v1/shops/{slug}/announcements/{uuid}',
  needs: 'editor',
  body: AnnouncementUpdate,
  reply: EmptyReply,
  errors: ['announcement_not_found', 'announcement_exists'],
  audit: auditedAnnouncement,
  handle: (context, { path, body }) =>
    inTransaction(context, async (context) => {
      await announceOffers(context)
      try {
        const isFound = await updateAnnouncement(context, path.uuid, {
          ...(body.text ? { text: body.text } : {}),
          ...(body.language ? { language: body.language } : {}),
          updated_at: context.now,
        })
        if (!isFound) throw notFound(path.uuid)
      } catch (error) {
        if (isDuplicate(error, 'announcements_text')) throw exists()
        throw error
      }
      return undefined
    }),
})

export const removeAnnouncement = operation({
  name: 'deleteAnnouncement',
  summary: 'Delete an announcement',
  description: 'It disappears from tracking pages within a second.',
  area: 'Announcements',
  route: 'DELETE /v1/shops/{slug}/announcements/{uuid}',
  needs: 'editor',
  reply: EmptyReply,
  errors: ['announcement_not_found'],
  audit: auditedAnnouncement,
  handle: (context, { path }) =>
    inTransaction(context, async (context) => {
      await announceOffers(context)
      if (!(await deleteAnnouncement(context, path.uuid))) throw notFound(path.uuid)
      return undefined
    }),
})

function notFound(id: string): ApiError {
  return new ApiError('announcement_not_found', `This shop has no announcement ${id}.`)
}

function exists(): ApiError {
  return new ApiError('announcement_exists', 'The shop already has this text in this language.')
}
