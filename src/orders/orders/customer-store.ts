import { type RawBuilder, sql } from 'kysely'

/**
 * Identifies an order's customer for campaigns and tests, by the shop's own id, else the e-mail address, else the order.
 * It is a digest, so that stored views and tests name nobody, and computed in SQL, so that every query gets the same one.
 * `orders` is the name or alias of the orders table in the query.
 */
export function customerDigest(orders = 'orders'): RawBuilder<Buffer> {
  return sql<Buffer>`sha256(convert_to(coalesce(
    'id ' || nullif(${sql.ref(`${orders}.details`)} ->> 'external_customer_id', ''),
    'email ' || lower(nullif(${sql.ref(`${orders}.email_id`)}, '')),
    'order ' || ${sql.ref(`${orders}.id`)}
  ), 'UTF8'))`
}
