import { sql } from 'kysely'
import type { ShopContext } from '../../platform/foundation/context.ts'

export async function deleteVariant(context: ShopContext, productId: string, variantId: string): Promise<void> {
  await sql`
    delete from products
    where shop_id = ${context.shop.id} and product_id = ${productId} and variant_id = ${variantId}`.execute(context.db)
}

/** Deletes the variants that a product no longer has. */
export async function deleteOtherVariants(context: ShopContext, productId: string, remaining: string[]): Promise<void> {
  await sql`
    delete from products
    where shop_id = ${context.shop.id} and product_id = ${productId}
      and not variant_id = any(${remaining}::text[])`.execute(context.db)
}
