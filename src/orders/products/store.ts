import { type RawBuilder, sql } from 'kysely'
import type { Context, ShopContext } from '../../platform/foundation/context.ts'
import type { Page } from '../../platform/foundation/page.ts'
import { fetchFilteredPage, matchColumns } from '../../platform/store/shop-records.ts'
import type { ProductRecord } from './rules.ts'
import type { ProductFilter } from './schema.ts'

export interface StoredProduct extends ProductRecord {
  withdrawal_exempt: boolean
  created_at: Date
  updated_at: Date
}

/**
 * Creates or replaces variants, each at most once in the list, in one statement. Unchanged rows are not written. All
 * writers lock rows in the same order, which prevents deadlocks.
 */
export async function upsertProducts(context: Context, shopId: string, products: ProductRecord[]): Promise<void> {
  if (products.length === 0) return
  await sql`
    insert into products (shop_id, product_id, variant_id, title, variant_title, price, sku, product_url, image_url,
      category, withdrawal_exempt, translations, created_at, updated_at)
    select ${shopId}::uuid, given.product_id, given.variant_id, given.title, given.variant_title, given.price, given.sku,
      given.product_url, given.image_url, given.category,
      coalesce(given.withdrawal_exempt, known.withdrawal_exempt, false), given.translations, ${context.now}::timestamptz, ${context.now}::timestamptz
    from json_to_recordset(${JSON.stringify(products)}::json) as given
      (product_id text, variant_id text, title text, variant_title text, price double precision, sku text,
       product_url text, image_url text, category text, withdrawal_exempt boolean, translations jsonb)
    left join products as known on known.shop_id = ${shopId} and known.product_id = given.product_id
      and known.variant_id = given.variant_id
    order by given.product_id, given.variant_id
    on conflict (shop_id, product_id, variant_id) do update set
      title = excluded.title, variant_title = excluded.variant_title, price = excluded.price, sku = excluded.sku,
      product_url = excluded.product_url, image_url = excluded.image_url, category = excluded.category,
      withdrawal_exempt = excluded.withdrawal_exempt, translations = excluded.translations, updated_at = excluded.updated_at
    where (products.title, products.variant_title, products.price, products.sku, products.product_url,
        products.image_url, products.category, products.withdrawal_exempt, products.translations)
      is distinct from (excluded.title, excluded.variant_title, excluded.price, excluded.sku, excluded.product_url,
        excluded.image_url, excluded.category, excluded.withdrawal_exempt, excluded.translations)`.execute(context.db)
}

/** All variants of these products; unknown ids are skipped. */
export async function findProducts(
  context: Context,
  shopId: string,
  productIds: readonly string[],
): Promise<StoredProduct[]> {
  if (productIds.length === 0) return []
  const { rows } = await sql<StoredProduct>`
    select * from products
    where shop_id = ${shopId} and product_id = any(${productIds}::text[])
    order by product_id, variant_id`.execute(context.db)
  return rows
}

/** The shop's newest variants. */
export async function newestProducts(context: Context, shopId: string, limit: number): Promise<StoredProduct[]> {
  const { rows } = await sql<StoredProduct>`
    select * from products where shop_id = ${shopId}
    order by created_at desc, product_id, variant_id
    limit ${limit}`.execute(context.db)
  return rows
}

/** A text is searched for among this many variants, however large the catalogue is. */
const searchedProducts = 5_000

function matchesText(text: string): RawBuilder<unknown> {
  return sql`(strpos(lower(title), lower(${text})) > 0 or starts_with(lower(sku), lower(${text})))`
}

/** One page of the variants that the filter matches, by product. */
export function listProducts(context: ShopContext, filter: ProductFilter): Promise<Page<StoredProduct>> {
  const conditions = matchColumns({
    shop_id: context.shop.id,
    product_id: filter.product_id,
    sku: filter.sku,
    category: filter.category,
  })
  const source =
    filter.q === undefined
      ? sql`products`
      : sql`(
          select * from products where shop_id = ${context.shop.id}
          order by created_at desc, product_id, variant_id limit ${sql.lit(searchedProducts)}
        ) as products`
  const text = filter.q === undefined ? [] : [matchesText(filter.q)]
  const rows = sql`from ${source} where ${sql.join([...conditions, ...text], sql` and `)}`
  const orderBy = sql`product_id, variant_id`
  return fetchFilteredPage(context, { name: `products ${context.shop.id}`, rows, orderBy }, filter)
}

/** Deletes a product with all its variants. False if there is none. */
export async function deleteProduct(context: ShopContext, productId: string): Promise<boolean> {
  const { rows } = await sql`
    delete from products where shop_id = ${context.shop.id} and product_id = ${productId}
    returning variant_id`.execute(context.db)
  return rows.length > 0
}
