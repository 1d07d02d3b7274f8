import { PagedQuery } from '../../platform/foundation/operation.ts'
import {
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

const industries = [
  'clothing_and_accessories',
  'electronics',
  'food_and_drink',
  'health_and_beauty',
  'home_and_garden',
  'sports_and_recreation',
  'jewelry_and_accessories',
  'toys_and_games',
  'pet_care',
  'automotive',
  'books_and_media',
  'office_and_business',
  'arts_and_crafts',
  'baby_and_kids',
  'other',
] as const

const shopProviders = ['shopify', 'shopware', 'woocommerce', 'api'] as const

const Industry = OneOf(industries, { examples: ['clothing_and_accessories'] })
const ShopProvider = OneOf(shopProviders, { examples: ['api'] })
/** Of the text that identifies a shop in paths. */
export const slugPattern = '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'

const Slug = Type.String({
  pattern: slugPattern,
  description: 'Identifies the shop in paths: lower-case letters, digits and hyphens',
  examples: ['river-and-pine'],
})
const ShopName = Type.String({ minLength: 1, maxLength: 255, examples: ['River & Pine'] })

const text = (maxLength: number, example?: string) =>
  Maybe(Type.String({ maxLength, ...(example ? { examples: [example] } : {}) }))

const editable = {
  description: text(2_000, 'Outdoor clothing that lasts'),
  organization: text(255, 'River Group'),
  language: Maybe(LanguageCode),
  contact_email: Maybe(Type.String({ format: 'email', maxLength: 320, examples: ['hello@shop.example'] })),
  contact_phone: text(64, '+49 30 1234567'),
  industry: Maybe(Industry),
  shop_provider: Maybe(ShopProvider),
  shop_admin_url: Maybe({
    ...Url,
    description: 'Of the shop system. A user name and a password in this and the other addresses are not stored',
  }),
  shop_faq_url: text(2_048, 'https://shop.example/faq'),
  shop_service_url: text(2_048, 'https://shop.example/service'),
  shop_url: Maybe(Url),
  logo_url: Maybe(Url),
}

export const ShopCreation = Named(
  'ShopCreation',
  Type.Object({
    name: ShopName,
    slug: Slug,
    ...editable,
    settings: Maybe(
      Type.Object({
        klaviyo_enabled: Maybe(Type.Boolean({ description: 'Send triggers to Klaviyo', default: false })),
        shopify_enabled: Maybe(Type.Boolean({ description: 'Send triggers to Shopify', default: false })),
        carriers_enabled: Maybe(Type.Boolean({ description: 'Retrieve updates from carriers', default: false })),
      }),
    ),
  }),
)
export type ShopCreation = Static<typeof ShopCreation>

export const ShopUpdate = Named('ShopUpdate', Type.Object({ name: Maybe(ShopName), ...editable }))
export type ShopUpdate = Static<typeof ShopUpdate>

export const ShopFilter = PagedQuery({
  uuid: Type.Optional(Uuid),
  name: Type.Optional(Type.String({ maxLength: 255, description: 'Exact name' })),
  slug: Type.Optional(Type.String({ maxLength: 255 })),
  shop_provider: Type.Optional(ShopProvider),
  language: Type.Optional(LanguageCode),
  organization: Type.Optional(Type.String({ maxLength: 255 })),
})
export type ShopFilter = Static<typeof ShopFilter>

/** The public fields of a shop: never its e-mail address, admin URL, shop URL or logo. */
export const Shop = Named(
  'Shop',
  Type.Object({
    uuid: Uuid,
    created_at: DateTime,
    updated_at: DateTime,
    name: ShopName,
    slug: Type.String({ examples: ['river-and-pine'] }),
    description: Nullable(Type.String({ examples: ['Outdoor clothing that lasts'] })),
    organization: Nullable(Type.String({ examples: ['River Group'] })),
    language: Nullable(LanguageCode),
    contact_phone: Nullable(Type.String({ examples: ['+49 30 1234567'] })),
    industry: Nullable(Industry),
    shop_provider: Nullable(ShopProvider),
    shop_faq_url: Nullable(Type.String({ examples: ['https://shop.example/faq'] })),
    shop_service_url: Nullable(Type.String({ examples: ['https://shop.example/service'] })),
    shop_currency: Type.String({ examples: ['EUR'] }),
  }),
)
export type Shop = Static<typeof Shop>

/** Everything of a shop that can be changed, for those who may change it. */
export const ShopProfile = Named(
  'ShopProfile',
  Type.Object({
    name: ShopName,
    slug: Type.String({ examples: ['river-and-pine'] }),
    organization: Nullable(Type.String({ examples: ['River Group'] })),
    language: LanguageCode,
    descriptions: Type.Array(
      Type.Object({ language: LanguageCode, text: Type.String({ examples: ['Outdoor clothing that lasts'] }) }),
      { description: 'In each language that one was written in, the newest first' },
    ),
    contact_email: Nullable(Type.String({ examples: ['hello@shop.example'] })),
    contact_phone: Nullable(Type.String({ examples: ['+49 30 1234567'] })),
    industry: Nullable(Industry),
    shop_provider: Nullable(ShopProvider),
    shop_admin_url: Nullable(Type.String({ examples: ['https://shop.example/admin'] })),
    shop_faq_url: Nullable(Type.String({ examples: ['https://shop.example/faq'] })),
    shop_service_url: Nullable(Type.String({ examples: ['https://shop.example/service'] })),
    shop_url: Nullable(Type.String({ examples: ['https://shop.example'] })),
    logo_url: Nullable(Type.String({ examples: ['https://shop.example/logo.png'] })),
    shop_currency: Type.String({ examples: ['EUR'] }),
  }),
)
export type ShopProfile = Static<typeof ShopProfile>
