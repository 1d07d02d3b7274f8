import { ApiError, invalid } from '../../platform/foundation/errors.ts'
import { createKnownFields } from '../../platform/foundation/known-fields.ts'
import { chooseTranslation, type Language } from '../../platform/foundation/languages.ts'
import {
  type CampaignProduct,
  type CampaignStatus,
  ContentProperties,
  type GivenProperties,
  ProductProperties,
  type PromotionProperties,
  type PromotionType,
  promotionTypes,
} from './schema.ts'

/** The segment that every order is in. */
export const defaultSegment = 'default'

export interface CampaignPeriod {
  start: Date
  end: Date | null
}

/** From the start (inclusive) to the end (exclusive). */
export function statusOf({ start, end }: CampaignPeriod, isEnabled: boolean, now: Date): CampaignStatus {
  if (!isEnabled) return 'inactive'
  if (now < start) return 'scheduled'
  return end === null || now < end ? 'active' : 'completed'
}

export function checkPeriod({ start, end }: CampaignPeriod): void {
  if (end !== null && end <= start) throw invalid(['body', 'end_date'], 'must be after start_date')
}

export function promotionTypeOf(text: string, name = 'promotion_type'): PromotionType {
  const type = promotionTypes.find((known) => known === text)
  if (type === undefined) {
    throw invalid(['body', name], `must be one of ${promotionTypes.join(', ')}`, 'campaign_type_invalid')
  }
  return type
}

const pickContent = createKnownFields<ContentProperties>(ContentProperties)
const pickProducts = createKnownFields<ProductProperties>(ProductProperties)

/** The given properties that a campaign of the type has. */
export function propertiesOf(type: PromotionType, given: GivenProperties): ContentProperties | ProductProperties {
  checkTranslations(given.translations, ['translations'])
  if (type !== 'product') return pickContent(given)
  for (const [index, product] of (given.products ?? []).entries()) {
    checkTranslations(product.translations, ['products', index, 'translations'])
  }
  return pickProducts(given)
}

/** Two texts in one language would be ambiguous. */
function checkTranslations(translations: { language: Language }[] | null | undefined, loc: (string | number)[]): void {
  const seen = new Set<Language>()
  for (const [index, { language }] of (translations ?? []).entries()) {
    if (seen.has(language)) {
      throw invalid(['body', 'promotion_properties', ...loc, index, 'language'], `"${language}" occurs twice`)
    }
    seen.add(language)
  }
}

/** The languages that a reader prefers, and the one of the original texts. */
export interface Reader {
  acceptLanguage: string | undefined
  shop: { language: Language }
}

/** The properties as a reader sees them, with the translations. */
export function localize(type: PromotionType, stored: unknown, reader: Reader): PromotionProperties {
  const content = stored as ContentProperties & ProductProperties // written by propertiesOf for this type
  const words = wordsIn(content.translations, reader)
  const shared = {
    title: words.title ?? content.title ?? null,
    subtitle: words.subtitle ?? content.subtitle ?? null,
    cta_label: words.cta_label ?? content.cta_label ?? null,
    cta_url: content.cta_url ?? null,
    discount_code: content.discount_code ?? null,
    translations: content.translations ?? [],
  }
  if (type !== 'product') return { ...shared, image_url: content.image_url ?? null }
  return { ...shared, products: (content.products ?? []).map((product) => localizeProduct(product, reader)) }
}

function localizeProduct(product: CampaignProduct, reader: Reader): CampaignProduct {
  const { title } = wordsIn(product.translations, reader)
  return { ...product, title: title ?? product.title ?? null }
}

function wordsIn<Values extends object>(
  translations: { language: Language; values: Values }[] | null | undefined,
  reader: Reader,
): Partial<Values> {
  const byLanguage = new Map(translations?.map(({ language, values }) => [language, values]))
  return chooseTranslation(reader.acceptLanguage, reader.shop.language, byLanguage) ?? {}
}

export function campaignNotFound(id: string): ApiError {
  return new ApiError('campaign_not_found', `This shop has no campaign ${id}.`)
}
