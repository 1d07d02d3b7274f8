import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Context } from '../../platform/foundation/context.ts'
import { earliestId } from '../../platform/foundation/ids.ts'
import type { Page } from '../../platform/foundation/page.ts'
import { instant } from '../../platform/foundation/schema.ts'
import type { Tables } from '../../platform/foundation/tables.ts'
import { fetchFilteredPage, matchColumns } from '../../platform/store/shop-records.ts'
import type { AuditFilter } from './schema.ts'

export type EntryRow = Selectable<Tables['audit_log']>

/** The name of an automation is the one that it has now. */
export async function insertEntry(context: Pick<Context, 'db'>, entry: EntryRow): Promise<void> {
  const { actor_kind, actor_id, shop_id } = entry
  await context.db
    .insertInto('audit_log')
    .values({
      ...entry,
      actor_name:
        actor_kind === 'automation'
          ? sql<string | null>`(select name from automations where shop_id = ${shop_id} and id = ${actor_id}::uuid)`
          : entry.actor_name,
      changes: JSON.stringify(entry.changes),
    })
    .execute()
}

/**
 * Makes changes of the same record wait for each other until the transaction ends, so that each entry has the state
 * that it changed. Must be locked before any row.
 */
export async function lockSubject(context: Pick<Context, 'db'>, subject: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${subject}, 36))`.execute(context.db)
}

/** One page of a shop's entries, or with null of the installation's own, newest first. */
export function listEntries(context: Context, shopId: string | null, filter: AuditFilter): Promise<Page<EntryRow>> {
  const conditions: RawBuilder<unknown>[] = [
    shopId === null ? sql`shop_id is null` : sql`shop_id = ${shopId}`,
    ...matchColumns({
      actor_id: filter.actor_id,
      action: filter.action,
      area: filter.area,
      subject_kind: filter.subject_kind,
      subject_id: filter.subject_id,
    }),
    ...(filter.actor === undefined ? [] : [sql`lower(actor_name) = lower(${filter.actor})`]),
    // An id begins with the time of its entry, and every index ends with it.
    ...(filter.from === undefined ? [] : [sql`id >= ${earliestId(instant(filter.from))}`]),
    ...(filter.to === undefined ? [] : [sql`id < ${earliestId(instant(filter.to))}`]),
  ]
  const rows = sql`from audit_log where ${sql.join(conditions, sql` and `)}`
  const orderBy = sql`shop_id desc, id desc`
  return fetchFilteredPage(context, { name: `audit log ${shopId}`, rows, orderBy }, filter)
}

/** Deletes the oldest entries from before the instant; returns how many. */
export async function deleteEntriesBefore(context: Pick<Context, 'db'>, before: Date, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from audit_log where id in (
      select id from audit_log where id < ${earliestId(before)} order by id limit ${sql.lit(limit)}
    )
    returning id`.execute(context.db)
  return rows.length
}
