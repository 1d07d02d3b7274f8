import { PagedQuery } from '../../platform/foundation/operation.ts'
import {
  DateTime,
  Droppable,
  Maybe,
  Named,
  Nullable,
  type Static,
  Type,
  Url,
} from '../../platform/foundation/schema.ts'

/** The maximum number of products per request. */
export const maxProducts = 500

/** Shop systems use numbers or text as product ids; both are stored as text. */
const GivenId = (example: string) =>
  Type.Union([Type.String({ minLength: 1, maxLength: 255, examples: [example] }), Type.Number()])
const Text = (maxLength: number, example: string) => Type.String({ maxLength, examples: [example] })

const Title = Type.String({ minLength: 1, maxLength: 2_000, examples: ['Rain jacket'] })
const VariantTitle = Text(1_000, 'Blue / M')
const Price = Type.Number({ examples: [89.9] })
const Sku = Text(255, 'RJ-42')
const ProductUrl = Type.String({ ...Url, 'x-spelling': 'web-address', examples: ['https://shop.example/rain-jacket'] })
const ImageUrl = Type.String({ ...ProductUrl, examples: ['https://shop.example/rain-jacket.jpg'] })
const Category = Text(255, 'Jackets')
const translationExamples = [{ de: { title: 'Regenjacke' } }]

const exemptWords = 'Whether the law gives no right of withdrawal for it, as for goods made to measure'

const fields = {
  title: Title,
  variant_title: Maybe(VariantTitle),
  price: Maybe(Price),
  sku: Maybe(Sku),
  product_url: Maybe(Droppable(ProductUrl)),
  image_url: Maybe(Droppable(ImageUrl)),
  category: Maybe(Category),
  withdrawal_exempt: Maybe(
    Type.Boolean({ description: `${exemptWords}; if absent, it stays as it is`, examples: [false] }),
  ),
  translations: Maybe(
    Droppable(
      Type.Record(Type.String(), Nullable(Type.Object({ title: Maybe(Title) })), {
        maxProperties: 100,
        description: 'Translated texts by language',
        examples: translationExamples,
      }),
    ),
  ),
}

/** A product variant without its two ids, for paths that contain them. */
export const VariantReplacement = Named('ProductVariantReplacement', Type.Object(fields))
export type VariantReplacement = Static<typeof VariantReplacement>

export const GivenProduct = Named(
  'GivenProduct',
  Type.Object({ product_id: GivenId('4711'), variant_id: GivenId('4711-blue-m'), ...fields }),
)
export type GivenProduct = Static<typeof GivenProduct>

export const GivenProducts = Type.Array(Droppable(GivenProduct, 'beside others'), { maxItems: maxProducts })

export const ProductFilter = PagedQuery({
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'A part of the title, or the beginning of the SKU; looked for among the newest 5,000 variants',
    }),
  ),
  product_id: Type.Optional(Type.String({ maxLength: 255 })),
  sku: Type.Optional(Type.String({ maxLength: 255 })),
  category: Type.Optional(Type.String({ maxLength: 255, description: 'Exact category' })),
})
export type ProductFilter = Static<typeof ProductFilter>

export type ProductTranslations = Record<string, { title: string }>

/** A product variant that the shop sells; the products of an order are its line items. */
export const CatalogueProduct = Named(
  'CatalogueProduct',
  Type.Object({
    product_id: Text(255, '4711'),
    variant_id: Text(255, '4711-blue-m'),
    title: Title,
    variant_title: Nullable(VariantTitle),
    price: Nullable(Price),
    sku: Nullable(Sku),
    product_url: Nullable(ProductUrl),
    image_url: Nullable(ImageUrl),
    category: Nullable(Category),
    withdrawal_exempt: Type.Boolean({ description: exemptWords, examples: [false] }),
    translations: Type.Record(Type.String(), Type.Object({ title: Title }), { examples: translationExamples }),
    created_at: DateTime,
    updated_at: DateTime,
  }),
)
export type CatalogueProduct = Static<typeof CatalogueProduct>
