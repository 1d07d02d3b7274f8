import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Service } from '../../src/service.ts'
import { shopIdOf } from './customers.ts'
import type { TestShop } from './shop.ts'

export interface ArmOf {
  /** Null: the holdout. */
  campaignId: string | null
  customers: number
  converted: number
  /** Of each order. */
  price?: number
}

let written = 0

/** Customers of a test and the orders of some of them, an hour ago; written without the API, because there are many. */
export async function fillTest(
  service: Service,
  made: TestShop,
  test: { uuid: string },
  arms: readonly ArmOf[],
): Promise<void> {
  const shopId = await shopIdOf(service, made)
  const { db } = service.database
  const { now } = service.context()
  const seen = new Date(now.getTime() - 60 * 60_000)
  written += 1
  for (const [index, { campaignId, customers, converted, price = 60 }] of arms.entries()) {
    const emails = Array.from({ length: customers }, (_, n) => `arm-${written}-${index}-${n}@example.com`)
    const rows = emails.map((email, n) => ({
      email,
      customer: createHash('sha256').update(`email ${email}`).digest('hex'),
      number: `T${written}-${index}-${n}`,
      price: price + (n % 7) * 5,
    }))
    await sql`
      insert into ab_test_assignments (shop_id, customer, test_id, campaign_id, assigned_at)
      select ${shopId}, decode(customer, 'hex'), ${test.uuid}, ${campaignId}::uuid, ${seen}
      from json_to_recordset(${JSON.stringify(rows)}::json) as given (customer text)`.execute(db)
    await sql`
      insert into orders (shop_id, id, order_number, external_id, email_id, order_placed_at,
        expected_number_of_shipments, details, order_analytics, created_at, updated_at)
      select ${shopId}, gen_random_uuid(), number, number, email, ${seen}::timestamptz + interval '1 minute', 1,
        json_build_object('currency', 'EUR', 'total_order_price', price)::jsonb, '{"source": "trackpages"}', ${now}, ${now}
      from json_to_recordset(${JSON.stringify(rows.slice(0, converted))}::json) as given (number text, email text, price int)`.execute(
      db,
    )
  }
}
