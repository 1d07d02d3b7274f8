import type { ShopContext } from '../../platform/foundation/context.ts'
import { ApiError } from '../../platform/foundation/errors.ts'
import { created, operation, ReplyWithHeaders } from '../../platform/foundation/operation.ts'
import { PageOf } from '../../platform/foundation/page.ts'
import { NullReply, Type } from '../../platform/foundation/schema.ts'
import { localizedTitle, toProductRecords } from './rules.ts'
import { CatalogueProduct, GivenProducts, maxProducts, ProductFilter, VariantReplacement } from './schema.ts'
import { deleteProduct, listProducts, type StoredProduct, upsertProducts } from './store.ts'

/** The id in the shop's own system. */
const ExternalId = Type.String({ maxLength: 255 })

export const sendProducts = operation({
  name: 'upsertProducts',
  summary: 'Create or replace products',
  description: `At most ${maxProducts} variants. Each item replaces the variant of its two ids as a whole, or is a new one.`,
  area: 'Products',
  route: 'POST /v1/shops/{slug}/products',
  needs: 'editor',
  body: GivenProducts,
  reply: NullReply,
  audit: { none: 'The shop system sends its catalogue.' },
  async handle(context, { body }) {
    await upsertProducts(context, context.shop.id, toProductRecords(body))
    return created(`/v1/shops/${context.shop.slug}/products`, null)
  },
})

export const searchProducts = operation({
  name: 'searchProducts',
  summary: 'Search products',
  description: 'One item for each variant. The title is in the language of Accept-Language, if it is translated.',
  area: 'Products',
  route: 'GET /v1/shops/{slug}/products',
  needs: 'editor',
  query: ProductFilter,
  reply: PageOf(CatalogueProduct),
  async handle(context, { query }) {
    const page = await listProducts(context, query)
    return { ...page, items: page.items.map((product) => toProduct(context, product)) }
  },
})

export const replaceVariant = operation({
  name: 'replaceProductVariant',
  summary: 'Create or replace a variant of a product',
  description: 'The product is created with its first variant.',
  area: 'Products',
  route: 'PUT /v1/shops/{slug}/products/{product_id}/variants/{variant_id}',
  pathSchemas: { product_id: ExternalId, variant_id: ExternalId },
  needs: 'editor',
  body: VariantReplacement,
  reply: NullReply,
  audit: { none: 'The shop system sends its catalogue.' },
  async handle(context, { path, body }) {
    const { product_id, variant_id } = path
    await upsertProducts(context, context.shop.id, toProductRecords([{ ...body, product_id, variant_id }]))
    const location = `/products/${encodeURIComponent(product_id)}/variants/${encodeURIComponent(variant_id)}`
    return new ReplyWithHeaders(null, { location: `/v1/shops/${context.shop.slug}${location}` })
  },
})

export const removeProduct = operation({
  name: 'deleteProduct',
  summary: 'Delete a product with all its variants',
  area: 'Products',
  route: 'DELETE /v1/shops/{slug}/products/{product_id}',
  pathSchemas: { product_id: ExternalId },
  needs: 'editor',
  reply: NullReply,
  errors: ['product_not_found'],
  audit: { kind: 'product', only: 'by hand' },
  async handle(context, { path }) {
    if (!(await deleteProduct(context, path.product_id))) {
      throw new ApiError('product_not_found', `This shop has no product ${JSON.stringify(path.product_id)}.`)
    }
    return null
  },
})

function toProduct(context: ShopContext, product: StoredProduct): CatalogueProduct {
  return {
    product_id: product.product_id,
    variant_id: product.variant_id,
    title: localizedTitle(product, context.acceptLanguage, context.shop.language),
    variant_title: product.variant_title,
    price: product.price,
    sku: product.sku,
    product_url: product.product_url,
    image_url: product.image_url,
    category: product.category,
    withdrawal_exempt: product.withdrawal_exempt,
    translations: product.translations,
    created_at: product.created_at.toISOString(),
    updated_at: product.updated_at.toISOString(),
  }
}
