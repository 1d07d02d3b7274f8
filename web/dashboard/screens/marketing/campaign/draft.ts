import type { Schemas } from 'doorstep-client'
import type { Language } from '../../../app/languages.ts'
import { fromLocalTime, toLocalTime } from '../../../kit/local-time.ts'
import { type Translations, written } from '../translations.ts'

export type Campaign = Schemas['Campaign']
export type PromotionType = Campaign['promotion_type']
type GivenProduct = Schemas['CampaignProduct']

export type CampaignText = 'title' | 'subtitle' | 'cta_label'

export interface ProductDraft {
  /** Stays with it when it is moved. */
  key: string
  title: string
  product_url: string
  image_url: string | null
  price: string
  currency: string
  category: '' | 'sale' | 'new'
  discount: '' | 'percentage' | 'fixed_amount' | 'free_shipping'
  discount_amount: string
  sku: string | null
  translations: Translations<'title'>
}

/** A campaign as fields show it: texts are never null, and times are local. */
export interface CampaignDraft extends Record<CampaignText, string> {
  name: string
  segment: string
  promotion_type: PromotionType
  enabled: boolean
  start_date: string
  end_date: string
  discount_id: string
  cta_url: string
  image_url: string | null
  discount_code: string
  products: ProductDraft[]
  translations: Translations<CampaignText>
}

export function emptyCampaign(): CampaignDraft {
  return {
    name: '',
    segment: 'default',
    promotion_type: 'basic',
    enabled: false,
    start_date: '',
    end_date: '',
    discount_id: '',
    title: '',
    subtitle: '',
    cta_label: '',
    cta_url: '',
    image_url: null,
    discount_code: '',
    products: [],
    translations: {},
  }
}

export function emptyProduct(currency: string): ProductDraft {
  return {
    key: crypto.randomUUID(),
    title: '',
    product_url: '',
    image_url: null,
    price: '',
    currency,
    category: '',
    discount: '',
    discount_amount: '',
    sku: null,
    translations: {},
  }
}

/** A stored campaign, read in the shop's language. A translation into that language is what it shows, so it needs no other. */
export function draftOf(campaign: Campaign, shopLanguage: Language): CampaignDraft {
  const { promotion_properties: properties } = campaign
  const { [shopLanguage]: _own, ...translations } = Object.fromEntries(
    properties.translations.map(({ language, values }) => [language, values]),
  ) as Translations<CampaignText> // languages by name
  return {
    name: campaign.name,
    segment: campaign.segment,
    promotion_type: campaign.promotion_type,
    enabled: campaign.enabled,
    start_date: toLocalTime(campaign.start_date),
    end_date: toLocalTime(campaign.end_date),
    discount_id: campaign.discount?.uuid ?? '',
    title: properties.title ?? '',
    subtitle: properties.subtitle ?? '',
    cta_label: properties.cta_label ?? '',
    cta_url: properties.cta_url ?? '',
    image_url: 'image_url' in properties ? properties.image_url : null,
    discount_code: properties.discount_code ?? '',
    products:
      'products' in properties
        ? properties.products.map((product, index) => productOf(product, index, shopLanguage))
        : [],
    translations,
  }
}

function productOf(product: GivenProduct, index: number, shopLanguage: Language): ProductDraft {
  const { [shopLanguage]: _own, ...translations } = Object.fromEntries(
    (product.translations ?? []).map(({ language, values }) => [language, values]),
  ) as Translations<'title'> // languages by name
  return {
    key: String(index),
    title: product.title ?? '',
    product_url: product.product_url,
    image_url: product.image_url ?? null,
    price: product.price?.toString() ?? '',
    currency: product.currency,
    category: product.category ?? '',
    discount: product.discount?.category ?? '',
    discount_amount: product.discount?.amount?.toString() ?? '',
    sku: product.sku ?? null,
    translations,
  }
}

/** The body of the request. Times that nobody changed stay exact: fields show minutes only. */
export function bodyOf(draft: CampaignDraft, stored: Campaign | undefined): Schemas['CampaignWrite'] {
  const time = (name: 'start_date' | 'end_date') =>
    stored && toLocalTime(stored[name]) === draft[name] ? stored[name] : (fromLocalTime(draft[name]) ?? null)
  return {
    name: draft.name.trim(),
    segment: draft.segment.trim(),
    promotion_type: draft.promotion_type,
    promotion_properties: propertiesOf(draft),
    enabled: draft.enabled,
    start_date: time('start_date'),
    end_date: time('end_date'),
    discount_id: draft.discount_id || null,
  }
}

export function propertiesOf(draft: CampaignDraft): Schemas['PromotionPropertiesInput'] {
  return {
    title: draft.title || null,
    subtitle: draft.subtitle || null,
    cta_label: draft.cta_label || null,
    cta_url: draft.cta_url || null,
    discount_code: draft.discount_code || null,
    translations: written(draft.translations).map(([language, values]) => ({ language, values })),
    ...(draft.promotion_type === 'product'
      ? { products: draft.products.map(toProduct) }
      : { image_url: draft.image_url }),
  }
}

function toProduct(product: ProductDraft): GivenProduct {
  return {
    title: product.title || null,
    product_url: product.product_url,
    image_url: product.image_url,
    price: numberOf(product.price),
    currency: product.currency.toUpperCase(),
    category: product.category || null,
    discount: product.discount ? { category: product.discount, amount: numberOf(product.discount_amount) } : null,
    sku: product.sku,
    translations: written(product.translations).map(([language, values]) => ({ language, values })),
  }
}

function numberOf(text: string): number | null {
  return text === '' ? null : Number(text)
}
