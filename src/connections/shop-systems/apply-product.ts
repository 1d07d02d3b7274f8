import type { ShopSystemName } from '../../adapters/shop-systems/registry.ts'
import type { ReportedProduct, ReportedVariant } from '../../adapters/shop-systems/shop-system.ts'
import { toProductRecords } from '../../orders/products/rules.ts'
import { deleteProduct, findProducts, upsertProducts } from '../../orders/products/store.ts'
import { deleteOtherVariants, deleteVariant } from '../../orders/products/variant-store.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { isLateProduct, withTime } from './rules.ts'
import { lockProductSnapshot, updateProductSnapshot } from './store.ts'

/** Stores the current state of a product. A product that cannot be bought is removed, because it is never shown. */
export async function applyProduct(
  context: ShopContext,
  system: ShopSystemName,
  reported: ReportedProduct,
): Promise<void> {
  const known = await lockProductSnapshot(context, system, reported.id)
  const product = withTime(reported, context.now)
  if (isLateProduct(product, known)) return
  const { productId, changedAt, sentAt } = product
  await updateProductSnapshot(context, system, reported.id, {
    productId,
    changedAt,
    sentAt: sentAt ?? null,
    deletedAt: null,
  })
  if (!product.isSold) return remove(context, reported.id, productId)
  const before = new Map(
    (await findProducts(context, context.shop.id, [productId])).map((variant) => [variant.variant_id, variant]),
  )
  const variants = product.variants.map((variant) => ({
    ...variant,
    product_id: productId,
    product_url: wholeUrl(context, variant),
    category: variant.category ?? before.get(variant.variant_id)?.category,
    // Shop systems do not send translations; those come through the API.
    translations: before.get(variant.variant_id)?.translations,
  }))
  await upsertProducts(context, context.shop.id, toProductRecords(variants))
  if (product.hasAllVariants) {
    await deleteOtherVariants(
      context,
      productId,
      variants.map(({ variant_id }) => variant_id),
    )
  }
}

/** A deletion without a timestamp counts from when it arrives. */
export async function applyProductDeletion(
  context: ShopContext,
  system: ShopSystemName,
  id: string,
  sentAt: Date | undefined,
): Promise<void> {
  const known = await lockProductSnapshot(context, system, id)
  const deletedAt = sentAt ?? context.now
  if (known.changedAt !== null && known.changedAt > deletedAt) return
  await updateProductSnapshot(context, system, id, { ...known, deletedAt })
  await remove(context, id, known.productId ?? id)
}

async function remove(context: ShopContext, id: string, productId: string): Promise<void> {
  if (id === productId) await deleteProduct(context, productId)
  else await deleteVariant(context, productId, id)
}

function wholeUrl(context: ShopContext, { product_url }: ReportedVariant): string | undefined {
  if (product_url === undefined || !product_url.startsWith('/')) return product_url
  const { shop_url } = context.shop
  return shop_url === null || !URL.canParse(product_url, shop_url) ? undefined : new URL(product_url, shop_url).href
}
