import { type RawBuilder, sql } from 'kysely'

/** Whether the shop of a row that has `shop_id` was deleted; null if it is gone. A subselect, so that it uses the primary key. */
export function isOfDeletedShop(row: string): RawBuilder<boolean | null> {
  return sql`(select shops.deleted_at is not null from shops where shops.id = ${sql.ref(`${row}.shop_id`)})`
}

/** The same for a shop that was deleted or is paused: nothing is done for it. */
export function isOfStoppedShop(row: string): RawBuilder<boolean | null> {
  return sql`(
    select shops.deleted_at is not null or shops.paused_at is not null from shops
    where shops.id = ${sql.ref(`${row}.shop_id`)}
  )`
}
