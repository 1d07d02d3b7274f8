import { AnnouncementCreation } from '../../offers/announcements/schema.ts'
import { CampaignWrite, promotionTypes } from '../../offers/campaigns/schema.ts'
import { DealUpdate } from '../../offers/deals/schema.ts'
import { DiscountUpdate } from '../../offers/discounts/schema.ts'
import { LanguageCode, Maybe, Named, OneOf, type Static, Type } from '../../platform/foundation/schema.ts'
import { ContrastQuery } from '../../shops/settings/contrast-schema.ts'

/** A palette in the address; colours that are absent are those of the shop. */
export const PalettePreviewQuery = Type.Object({
  ...ContrastQuery.properties,
  language: Type.Optional({ ...LanguageCode, description: "Default: the shop's language" }),
  scheme: Type.Optional(OneOf(['light', 'dark'], { default: 'light', examples: ['light'] })),
})

/** How far the made-up order has come. */
const previewScenes = ['placed', 'in_transit', 'in_delivery', 'delivered', 'failed'] as const
export type PreviewScene = (typeof previewScenes)[number]

/** A discount that need not be saved; `discount_id` names one that is. */
const discount = Maybe(DiscountUpdate)

const { discount_id, promotion_properties } = CampaignWrite.properties

const CampaignDraft = Named(
  'CampaignDraft',
  Type.Object({ promotion_type: OneOf(promotionTypes), promotion_properties, discount_id, discount }),
)
export type CampaignDraft = Static<typeof CampaignDraft>

const DealDraft = Named('DealDraft', Type.Object({ ...DealUpdate.properties, discount }))
export type DealDraft = Static<typeof DealDraft>

export const PagePreview = Named(
  'PagePreview',
  Type.Object({
    language: Maybe({ ...LanguageCode, description: "Default: the shop's language" }),
    color_scheme: Maybe(OneOf(['light', 'dark'], { default: 'light', examples: ['light'] })),
    scene: Maybe(
      OneOf(previewScenes, {
        description: 'How far the order has come',
        default: 'in_delivery',
        examples: ['delivered'],
      }),
    ),
    campaign: Maybe(CampaignDraft),
    deals: Maybe(Type.Array(DealDraft, { maxItems: 20 })),
    announcements: Maybe(
      Type.Array(AnnouncementCreation, {
        maxItems: 20,
        description: 'As on every page, only those in the language of the reader are shown',
      }),
    ),
  }),
)
export type PagePreview = Static<typeof PagePreview>
