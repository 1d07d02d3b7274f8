import { type RawBuilder, sql } from 'kysely'

/**
 * Who an order's customer is to campaigns and tests: the shop's own id, else the e-mail address, else the order itself.
 * A digest, so that nothing that is kept of views and tests names anybody; made in the store, so that every query makes
 * the same. Of a query on `orders` under that name, or under the given one.
 */
export function customerOf(orders = 'orders'): RawBuilder<Buffer> {
  return sql<Buffer>`sha256(convert_to(coalesce(
    'id ' || nullif(${sql.ref(`${orders}.details`)} ->> 'external_customer_id', ''),
    'email ' || lower(nullif(${sql.ref(`${orders}.email_id`)}, '')),
    'order ' || ${sql.ref(`${orders}.id`)}
  ), 'UTF8'))`
}
