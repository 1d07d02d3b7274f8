import { type RawBuilder, sql } from 'kysely'

/** Whether the shop of a row that has `shop_id` was deleted; null where it is gone. Only the primary key can answer it. */
export function isOfDeletedShop(row: string): RawBuilder<boolean | null> {
  return sql`(select shops.deleted_at is not null from shops where shops.id = ${sql.ref(`${row}.shop_id`)})`
}
