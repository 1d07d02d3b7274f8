import { PagedQuery } from '../../platform/foundation/operation.ts'
import {
  Currency,
  DateTime,
  LanguageCode,
  Maybe,
  Named,
  Nullable,
  OneOf,
  type Static,
  Type,
  Url,
  Uuid,
} from '../../platform/foundation/schema.ts'
import { Discount } from '../discounts/schema.ts'

export const promotionTypes = ['basic', 'product', 'banner'] as const
export type PromotionType = (typeof promotionTypes)[number]

const campaignStatuses = ['inactive', 'scheduled', 'active', 'completed'] as const
export type CampaignStatus = (typeof campaignStatuses)[number]

const Title = Type.String({ maxLength: 1_000, examples: ['Warm feet all winter'] })
const Subtitle = Type.String({ maxLength: 2_000, examples: ['Two pairs of wool socks for the price of one'] })
const CtaLabel = Type.String({ maxLength: 255, examples: ['To the socks'] })
const ImageUrl = Type.String({ format: 'uri', maxLength: 2_048, examples: ['https://shop.example/images/socks.jpg'] })
const DiscountCode = Type.String({ maxLength: 255, examples: ['WELCOME10'] })

const Translations = Type.Array(
  Type.Object({
    language: LanguageCode,
    values: Type.Object({ title: Maybe(Title), subtitle: Maybe(Subtitle), cta_label: Maybe(CtaLabel) }),
  }),
  { maxItems: 16 },
)

export const CampaignProduct = Named(
  'CampaignProduct',
  Type.Object({
    title: Maybe(Type.String({ maxLength: 1_000, examples: ['Larch wool socks'] })),
    image_url: Maybe(ImageUrl),
    product_url: { ...Url, examples: ['https://shop.example/products/socks'] },
    price: Maybe(Type.Number({ minimum: 0, maximum: 1e12, examples: [24.95] })),
    currency: Currency,
    category: Maybe(OneOf(['sale', 'new'])),
    discount: Maybe(
      Type.Object({
        category: OneOf(['percentage', 'fixed_amount', 'free_shipping']),
        amount: Maybe(Type.Number({ minimum: 0, maximum: 1e12, examples: [20] })),
      }),
    ),
    sku: Maybe(Type.String({ maxLength: 255, examples: ['LARCH-39'] })),
    translations: Maybe(
      Type.Array(Type.Object({ language: LanguageCode, values: Type.Object({ title: Maybe(Title) }) }), {
        maxItems: 16,
      }),
    ),
  }),
)
export type CampaignProduct = Static<typeof CampaignProduct>

const Products = Type.Array(CampaignProduct, { maxItems: 50 })

/** The content of a basic campaign and of a banner. */
export const ContentProperties = Type.Object({
  title: Maybe(Title),
  subtitle: Maybe(Subtitle),
  cta_label: Maybe(CtaLabel),
  cta_url: Maybe(Url),
  image_url: Maybe(ImageUrl),
  discount_code: Maybe(DiscountCode),
  translations: Maybe(Translations),
})
export type ContentProperties = Static<typeof ContentProperties>

/** The content of a product campaign. */
export const ProductProperties = Type.Object({
  title: Maybe(Title),
  subtitle: Maybe(Subtitle),
  cta_label: Maybe(CtaLabel),
  cta_url: Maybe(Url),
  products: Maybe(Products),
  discount_code: Maybe(DiscountCode),
  translations: Maybe(Translations),
})
export type ProductProperties = Static<typeof ProductProperties>

/** The fields of every type; those that its type does not have are ignored like any unknown field. */
const GivenProperties = Named(
  'PromotionPropertiesInput',
  Type.Object({ ...ContentProperties.properties, products: Maybe(Products) }),
)
export type GivenProperties = Static<typeof GivenProperties>

const Name = Type.String({ minLength: 1, maxLength: 255, examples: ['Warm socks in November'] })
const Segment = Type.String({
  minLength: 1,
  maxLength: 255,
  description: 'The customer segment it is for; `default` is every order',
  examples: ['vip'],
})

export const CampaignWrite = Named(
  'CampaignWrite',
  Type.Object({
    name: Name,
    segment: Segment,
    promotion_type: Type.String({ description: `One of ${promotionTypes.join(', ')}`, examples: ['basic'] }),
    promotion_properties: GivenProperties,
    enabled: Maybe({ ...Type.Boolean(), default: false }),
    start_date: Maybe({ ...DateTime, description: 'Default for a new campaign: now' }),
    end_date: Maybe({ ...DateTime, examples: ['2026-12-01T00:00:00.000Z'] }),
    discount_id: Maybe(Uuid),
  }),
)
export type CampaignWrite = Static<typeof CampaignWrite>

export const CampaignSwitch = Named(
  'CampaignSwitch',
  Type.Object({ enabled: { ...Type.Boolean(), description: 'Whether it is shown in its period', examples: [true] } }),
)

const campaignSorts = ['name', '-name', 'start_date', '-start_date', 'end_date', '-end_date'] as const

export const CampaignFilter = PagedQuery({
  name: Type.Optional(Type.String({ maxLength: 255, description: 'Exact name' })),
  q: Type.Optional(Type.String({ minLength: 1, maxLength: 255, description: 'A part of the name or the segment' })),
  segment: Type.Optional(Type.String({ maxLength: 255 })),
  promotion_type: Type.Optional(OneOf(promotionTypes)),
  status: Type.Optional(OneOf(campaignStatuses)),
  enabled: Type.Optional(Type.Boolean()),
  sort: Type.Optional(OneOf(campaignSorts, { description: 'Default: the newest first', examples: ['name'] })),
})
export type CampaignFilter = Static<typeof CampaignFilter>

const ShownTranslations = { translations: Translations }

const PromotionProperties = Type.Union([
  Named(
    'ContentPromotion',
    Type.Object({
      title: Nullable(Title),
      subtitle: Nullable(Subtitle),
      cta_label: Nullable(CtaLabel),
      cta_url: Nullable(Url),
      image_url: Nullable(ImageUrl),
      discount_code: Nullable(DiscountCode),
      ...ShownTranslations,
    }),
  ),
  Named(
    'ProductPromotion',
    Type.Object({
      title: Nullable(Title),
      subtitle: Nullable(Subtitle),
      cta_label: Nullable(CtaLabel),
      cta_url: Nullable(Url),
      products: Products,
      discount_code: Nullable(DiscountCode),
      ...ShownTranslations,
    }),
  ),
])
export type PromotionProperties = Static<typeof PromotionProperties>

export const campaignFields = {
  uuid: Uuid,
  shop_slug: Type.String({ examples: ['river-and-pine'] }),
  name: Name,
  segment: Segment,
  promotion_type: OneOf(promotionTypes),
  promotion_properties: PromotionProperties,
  enabled: Type.Boolean(),
  status: OneOf(campaignStatuses, { examples: ['active'] }),
  start_date: DateTime,
  end_date: Nullable({ ...DateTime, examples: ['2026-12-01T00:00:00.000Z'] }),
  discount: Nullable(Discount),
  created_at: DateTime,
  updated_at: DateTime,
}

export const Campaign = Named('Campaign', Type.Object(campaignFields))
export type Campaign = Static<typeof Campaign>
