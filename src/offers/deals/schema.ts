import { PagedQuery } from '../../platform/foundation/operation.ts'
import { Maybe, Named, Nullable, type Static, Type, Url, Uuid } from '../../platform/foundation/schema.ts'
import { Discount } from '../discounts/schema.ts'

const Title = Type.String({ maxLength: 1_000, examples: ['Free socks with your next order'] })
const Description = Type.String({ maxLength: 10_000, examples: ['Warm feet, on us.'] })
const ImageUrl = Type.String({ ...Url, examples: ['https://brand.example/image.jpg'] })
const translationExamples = [{ title: 'Gratis-Socken zur nächsten Bestellung' }]
const TranslationLanguage = Type.String({ minLength: 1, maxLength: 35, examples: ['de'] })

const GivenTranslation = Type.Object({
  language: TranslationLanguage,
  data: Type.Record(Type.String(), Nullable(Type.String({ maxLength: 10_000 })), {
    maxProperties: 100,
    description: 'The translated fields by name: title, description',
    examples: translationExamples,
  }),
})

const editable = {
  brand_image_url: Maybe(ImageUrl),
  brand_logo_url: Maybe(ImageUrl),
  cta_url: Maybe(Url),
  title: Maybe(Title),
  description: Maybe(Description),
  translations: Maybe(Type.Array(GivenTranslation, { maxItems: 100 })),
}

export const DealFilter = PagedQuery({
  uuid: Type.Optional(Uuid),
  q: Type.Optional(
    Type.String({ minLength: 1, maxLength: 255, description: 'A part of the title or of the code of the discount' }),
  ),
  discount_id: Type.Optional(Uuid),
})
export type DealFilter = Static<typeof DealFilter>

const Rank = Type.Integer({
  minimum: 1,
  maximum: 1_000_000,
  description: 'Its place among the deals of the shop, from 1',
  examples: [1],
})

export const DealRank = Named('DealRank', Type.Object({ rank: Rank }))

export const DealCreation = Named('DealCreation', Type.Object({ discount_id: Uuid, ...editable }))
export type DealCreation = Static<typeof DealCreation>

export const DealUpdate = Named('DealUpdate', Type.Object({ discount_id: Maybe(Uuid), ...editable }))
export type DealUpdate = Static<typeof DealUpdate>

export const Translation = Type.Object({
  language: TranslationLanguage,
  data: Type.Record(Type.String(), Type.String(), { examples: translationExamples }),
})
export type Translation = Static<typeof Translation>

export const Deal = Named(
  'Deal',
  Type.Object({
    uuid: Uuid,
    shop_slug: Type.String({ examples: ['river-and-pine'] }),
    shop_name: Type.String({ examples: ['River & Pine'] }),
    discount_id: Uuid,
    brand_image_url: Nullable(ImageUrl),
    brand_logo_url: Nullable(ImageUrl),
    cta_url: Nullable(Url),
    title: Nullable(Title),
    description: Nullable(Description),
    rank: Rank,
    discount: Discount,
    translations: Type.Array(Translation),
  }),
)
export type Deal = Static<typeof Deal>
