import { Named, Nullable, OneOf, type Static, Type, Uuid } from '../../platform/foundation/schema.ts'
import { Announcement } from '../announcements/schema.ts'
import { Campaign } from '../campaigns/schema.ts'
import { Deal } from '../deals/schema.ts'

const reasonCodes = [
  'chosen',
  'variant',
  'segment',
  'disabled',
  'not_started',
  'ended',
  'test',
  'other_variant',
  'holdout',
  'more_specific',
  'newer',
  'later_id',
  'language',
] as const
export type ReasonCode = (typeof reasonCodes)[number]

export const OfferReason = Named(
  'OfferReason',
  Type.Object({
    kind: OneOf(['campaign', 'ab_test', 'deal', 'announcement']),
    uuid: Uuid,
    name: Type.String({ examples: ['Warm socks in November'] }),
    reason: OneOf(reasonCodes, { description: '`chosen` and `variant` are shown; the others say why not' }),
    explanation: Type.String({ examples: ['No other campaign comes before it.'] }),
  }),
)
export type OfferReason = Static<typeof OfferReason>

export const Offers = Named(
  'Offers',
  Type.Object({
    campaign: Nullable(Campaign),
    deals: Type.Array(Deal),
    announcements: Type.Array(Announcement),
    reasons: Type.Array(OfferReason, { description: 'Why each was chosen, or was not' }),
  }),
)
export type Offers = Static<typeof Offers>

export const ExposureReport = Named(
  'ExposureReport',
  Type.Object({
    campaign_id: Nullable({
      ...Uuid,
      description: 'The campaign that the page showed; null if the customer is shown none',
    }),
  }),
)

export const ClickReport = Named('ClickReport', Type.Object({ campaign_id: Uuid }))

export const PageToken = Type.String({
  maxLength: 255,
  description: "The last part of the address of the customer's tracking page",
  examples: ['AZLzxHsefMCdOi9vehtMXQGS88R7HnzAnTovb3obTF21p0x5mD2sYv8nQ4tJkW3c'],
})
