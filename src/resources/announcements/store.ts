import { type Selectable, sql, type Updateable } from 'kysely'
import { countUpTo } from '../../database/count.ts'
import type { Tables } from '../../database/tables.ts'
import type { Context, ShopContext } from '../../foundation/context.ts'
import type { Language } from '../../foundation/languages.ts'
import { cutPage, offsetOf, type Page, pageRequest } from '../../foundation/page.ts'
import type { AnnouncementFilter } from './schema.ts'

export type AnnouncementRow = Selectable<Tables['announcements']>

/** False where the shop has the same text in the same language. */
export async function insertAnnouncement(context: ShopContext, announcement: AnnouncementRow): Promise<boolean> {
  const inserted = await context.db
    .insertInto('announcements')
    .values(announcement)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

/** False where there is none. Fails as a duplicate of `announcements_text` where another one says the same. */
export async function updateAnnouncement(
  context: ShopContext,
  id: string,
  changes: Updateable<Tables['announcements']>,
): Promise<boolean> {
  const updated = await context.db
    .updateTable('announcements')
    .set(changes)
    .where('shop_id', '=', context.shop.id)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  return updated !== undefined
}

/** False where there is none. */
export async function deleteAnnouncement(context: ShopContext, id: string): Promise<boolean> {
  const deleted = await context.db
    .deleteFrom('announcements')
    .where('shop_id', '=', context.shop.id)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  return deleted !== undefined
}

/** One page of the announcements that the filter matches, oldest first. */
export async function listAnnouncements(
  context: ShopContext,
  filter: AnnouncementFilter,
): Promise<Page<AnnouncementRow>> {
  const conditions = [
    sql`shop_id = ${context.shop.id}`,
    sql`id = ${filter.uuid}`,
    sql`text = ${filter.text}`,
    ...(filter.language === undefined ? [] : [sql`language = ${filter.language}`]),
  ]
  const rest = sql`from announcements where ${sql.join(conditions, sql` and `)}`
  const request = pageRequest(filter)
  const { rows } = await sql<AnnouncementRow>`
    select * ${rest} order by id limit ${request.perPage + 1} offset ${offsetOf(request)}`.execute(context.db)
  const { page: _page, per_page: _perPage, ...given } = filter
  const search = `announcements ${context.shop.id} ${JSON.stringify(given)}`
  return cutPage(request, rows, () => countUpTo(context, search, rest))
}

/** What a shop announces in a language, newest first: for what customers see. */
export async function findAnnouncementsIn(
  context: Context,
  shopId: string,
  language: Language,
  limit = 20,
): Promise<AnnouncementRow[]> {
  return context.db
    .selectFrom('announcements')
    .where('shop_id', '=', shopId)
    .where('language', '=', language)
    .selectAll()
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/** What a shop announces, in all languages, newest first: for deciding what its customers are shown. */
export async function loadAnnouncements(context: Context, shopId: string, limit = 200): Promise<AnnouncementRow[]> {
  return context.db
    .selectFrom('announcements')
    .where('shop_id', '=', shopId)
    .selectAll()
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}
