import { chooseTranslation, type Language, primaryLanguage } from '../../platform/foundation/languages.ts'
import type { GivenProduct, ProductTranslations } from './schema.ts'

/** A product variant as stored. */
export interface ProductRecord {
  product_id: string
  variant_id: string
  title: string
  variant_title: string | null
  price: number | null
  sku: string | null
  product_url: string | null
  image_url: string | null
  category: string | null
  /** Null: as it was, because shop systems do not know it. */
  withdrawal_exempt: boolean | null
  translations: ProductTranslations
}

/** The variants of a request in stored form. If a variant occurs twice, the last one counts. */
export function toProductRecords(given: readonly GivenProduct[]): ProductRecord[] {
  const records = given.map(toRecord)
  return [
    ...new Map(records.map((record) => [JSON.stringify([record.product_id, record.variant_id]), record])).values(),
  ]
}

/** Absent fields become null: an item is the whole variant, so that a category can be removed. */
function toRecord(product: GivenProduct): ProductRecord {
  return {
    product_id: String(product.product_id),
    variant_id: String(product.variant_id),
    title: product.title,
    variant_title: product.variant_title ?? null,
    price: product.price ?? null,
    sku: product.sku ?? null,
    product_url: product.product_url ?? null,
    image_url: product.image_url ?? null,
    category: product.category ?? null,
    withdrawal_exempt: product.withdrawal_exempt ?? null,
    translations: toStoredTranslations(product.translations),
  }
}

function toStoredTranslations(given: GivenProduct['translations']): ProductTranslations {
  return Object.fromEntries(
    Object.entries(given ?? {}).flatMap(([language, texts]) =>
      texts?.title ? [[language, { title: texts.title }] as const] : [],
    ),
  )
}

/** The title in the requested language, or as written if it is not translated. */
export function localizedTitle(
  product: Pick<ProductRecord, 'title' | 'translations'>,
  header: string | undefined,
  shopLanguage: Language,
): string {
  const byLanguage = new Map(
    Object.entries(product.translations).map(([language, texts]) => [primaryLanguage(language), texts]),
  )
  return chooseTranslation(header, shopLanguage, byLanguage)?.title ?? product.title
}
