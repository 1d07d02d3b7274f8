import { type Selectable, sql, type Updateable } from 'kysely'
import type { Context, ShopContext } from '../../platform/foundation/context.ts'
import type { Page } from '../../platform/foundation/page.ts'
import type { Tables } from '../../platform/foundation/tables.ts'
import {
  containsText,
  deleteRecord,
  fetchFilteredPage,
  findRecord,
  matchColumns,
  orderFor,
  updateRecord,
} from '../../platform/store/shop-records.ts'
import type { AnnouncementFilter, AnnouncementListFilter } from './schema.ts'

export type AnnouncementRow = Selectable<Tables['announcements']>

/** False if the shop already has the same text in the same language. */
export async function insertAnnouncement(context: ShopContext, announcement: AnnouncementRow): Promise<boolean> {
  const inserted = await context.db
    .insertInto('announcements')
    .values(announcement)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

export function findAnnouncement(context: ShopContext, id: string): Promise<AnnouncementRow | undefined> {
  return findRecord(context, 'announcements', id)
}

/** False if there is none. Fails as a duplicate of `announcements_text` if another announcement has the same text. */
export function updateAnnouncement(
  context: ShopContext,
  id: string,
  changes: Updateable<Tables['announcements']>,
): Promise<boolean> {
  return updateRecord(context, 'announcements', id, changes)
}

/** False if there is none. */
export function deleteAnnouncement(context: ShopContext, id: string): Promise<boolean> {
  return deleteRecord(context, 'announcements', id)
}

/** One page of the announcements that the filter matches, oldest first. */
export function listAnnouncements(context: ShopContext, filter: AnnouncementFilter): Promise<Page<AnnouncementRow>> {
  const conditions = matchColumns({
    shop_id: context.shop.id,
    id: filter.uuid,
    text: filter.text,
    language: filter.language,
  })
  const rows = sql`from announcements where ${sql.join(conditions, sql` and `)}`
  return fetchFilteredPage(context, { name: `announcements ${context.shop.id}`, rows, orderBy: sql`id` }, filter)
}

// Ids are in the order of creation.
const sortColumns = { id: sql`id`, created_at: sql`id`, language: sql`language`, text: sql`lower(text)` }

/** The same for a list of all, newest first unless it says otherwise. */
export function listAllAnnouncements(
  context: ShopContext,
  filter: AnnouncementListFilter,
): Promise<Page<AnnouncementRow>> {
  const conditions = [
    ...matchColumns({ shop_id: context.shop.id, id: filter.uuid, language: filter.language }),
    ...(filter.q === undefined ? [] : [containsText(['text'], filter.q)]),
  ]
  const rows = sql`from announcements where ${sql.join(conditions, sql` and `)}`
  const orderBy = orderFor(filter.sort ?? '-created_at', sortColumns)
  return fetchFilteredPage(context, { name: `all announcements ${context.shop.id}`, rows, orderBy }, filter)
}

/** The shop's announcements in all languages, newest first, for deciding on offers. */
export async function loadAnnouncements(context: Context, shopId: string, limit = 200): Promise<AnnouncementRow[]> {
  return context.db
    .selectFrom('announcements')
    .where('shop_id', '=', shopId)
    .selectAll()
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}
