import { Address, Reference } from '../../orders/orders/parts.ts'
import { PagedQuery } from '../../platform/foundation/operation.ts'
import { DateTime, Maybe, Named, Nullable, OneOf, type Static, Type, Uuid } from '../../platform/foundation/schema.ts'

export const claimReasons = [
  'partial_damage',
  'damage',
  'investigation',
  'support',
  'return',
  'dissatisfied_with_product',
  'wrong_product',
  'missing_product',
] as const
export type ClaimReason = (typeof claimReasons)[number]
export const resolutionPreferences = ['reorder', 'refund', 'keep_with_reward'] as const
export type ResolutionPreference = (typeof resolutionPreferences)[number]
export const claimStatuses = ['pending', 'accepted', 'rejected', 'closed'] as const
export type ClaimStatus = (typeof claimStatuses)[number]

/** A withdrawal is a customer's statement that they withdraw from the contract. */
export const claimKinds = ['claim', 'withdrawal'] as const
export type ClaimKind = (typeof claimKinds)[number]

/** Statuses of a claim that the shop still works on. */
export const openStatuses: readonly ClaimStatus[] = ['pending', 'accepted']

const Reason = OneOf(claimReasons, { examples: ['damage'] })
const Preference = OneOf(resolutionPreferences, { examples: ['refund'] })
const Kind = OneOf(claimKinds, {
  description: 'withdrawal: the customer withdraws from the contract',
  examples: ['claim'],
})
const Status = OneOf(claimStatuses, { examples: ['pending'] })
const Description = Type.String({ maxLength: 10_000, examples: ['The jacket came with a torn sleeve.'] })
const Reply = Type.String({
  maxLength: 10_000,
  description: 'What the shop writes to the customer, as plain text; shown on the tracking page',
  examples: ['We are sorry about that. A new jacket is on its way.'],
})
const ImageUrl = Type.String({
  minLength: 1,
  maxLength: 4_096,
  description: 'Private images stored by this service are returned with a signed URL that expires',
  examples: ['https://shop.example/evidence.jpg'],
})
const ImageUrls = Type.Array(ImageUrl, { maxItems: 100 })
const ItemText = Type.String({ maxLength: 2_000 })
const Quantity = Type.Integer({ minimum: 0, maximum: 1_000_000, examples: [1] })
const NetPrice = Type.Number({ minimum: -1e12, maximum: 1e12, examples: [75.55] })
const LineTotal = Type.Number({
  minimum: -1e12,
  maximum: 1e12,
  description:
    'What these pieces were sold for, tax included: the proposed refund. Without it, net_price times quantity',
  examples: [75.55],
})

const ClaimItemInput = Named(
  'ClaimedItem',
  Type.Object({
    sku: Maybe({ ...ItemText, examples: ['RJ-42'] }),
    title: Maybe({ ...ItemText, examples: ['Rain jacket'] }),
    quantity: Maybe({ ...Quantity, description: 'Default: 1' }),
    net_price: Maybe(NetPrice),
    line_total: Maybe(LineTotal),
    image_urls: Maybe(ImageUrls),
  }),
)
export type ClaimItemInput = Static<typeof ClaimItemInput>

const StepInput = Named(
  'ClaimStepInput',
  Type.Object({
    step_id: Type.String({ maxLength: 255, examples: ['packaging'] }),
    user_input: Type.Object({
      input_type: Type.String({ maxLength: 255, examples: ['choice'] }),
      input_value: Type.String({ maxLength: 10_000, examples: ['torn'] }),
      translated_question: Maybe(Type.String({ maxLength: 10_000, examples: ['How was it packed?'] })),
      translated_answer: Maybe(Type.String({ maxLength: 10_000, examples: ['The box was torn'] })),
    }),
  }),
)

const ItemInputs = Type.Union([Type.Array(ClaimItemInput, { maxItems: 1_000 }), Type.Null()], { default: [] })
const ImageUrlInputs = Type.Union([ImageUrls, Type.Null()], { default: [] })

/** The fields of a claim that cannot be searched. */
export const ClaimDetails = Type.Object({
  customer_signature_image_url: Maybe(ImageUrl),
  selected_items: Type.Optional(ItemInputs),
  damaged_product_items: Type.Optional({ ...ItemInputs, description: 'Deprecated: use selected_items' }),
  image_urls: Type.Optional(ImageUrlInputs),
  optional_image_urls: Type.Optional(ImageUrlInputs),
  dropoff_permission: Maybe(
    Type.Boolean({ description: 'Whether the customer allowed the parcel to be left at a designated spot' }),
  ),
  step_user_input: Maybe(Type.Array(StepInput, { maxItems: 200 })),
})
export type ClaimDetails = Static<typeof ClaimDetails>

export const ClaimCreation = Named(
  'ClaimCreation',
  Type.Object({
    shipment_id: Maybe(Uuid),
    tracking_number: Maybe({
      ...Reference,
      description: 'Required if shipment_id is absent; selects the newest shipment with this number',
      examples: ['00340434161094042557'],
    }),
    reason: Reason,
    resolution_preference: Maybe(Preference),
    status: Maybe({ ...Status, description: 'Default: pending' }),
    description: Maybe(Description),
    ...ClaimDetails.properties,
  }),
)
export type ClaimCreation = Static<typeof ClaimCreation>

export const ClaimUpdate = Named(
  'ClaimUpdate',
  Type.Object({
    status: Maybe(Status),
    resolution_preference: Maybe(Preference),
    description: Maybe(Description),
    reply: Maybe(Reply),
  }),
)
export type ClaimUpdate = Static<typeof ClaimUpdate>

const claimSorts = ['-created_at', 'created_at', '-updated_at', 'updated_at'] as const

export const ClaimFilter = PagedQuery({
  order_id: Type.Optional(Uuid),
  shipment_id: Type.Optional(Uuid),
  resolution_preference: Type.Optional(Preference),
  status: Type.Optional(Status),
  reason: Type.Optional(Reason),
  kind: Type.Optional(Kind),
  created_from: Type.Optional(DateTime),
  created_to: Type.Optional(DateTime),
  updated_from: Type.Optional(DateTime),
  updated_to: Type.Optional(DateTime),
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'The beginning of an order number, tracking number, e-mail address, zip code or customer name',
      examples: ['1001'],
    }),
  ),
  sort: Type.Optional(OneOf(claimSorts, { default: '-created_at' })),
})
export type ClaimFilter = Static<typeof ClaimFilter>

const Item = Named(
  'ClaimItem',
  Type.Object({
    sku: Nullable({ ...ItemText, examples: ['RJ-42'] }),
    title: Nullable({ ...ItemText, examples: ['Rain jacket'] }),
    quantity: Quantity,
    net_price: Nullable(NetPrice),
    line_total: Type.Optional(LineTotal),
    image_urls: ImageUrls,
  }),
)
export type ClaimItem = Static<typeof Item>

/** The statement of a customer who withdraws from a contract. It never changes. */
export const WithdrawalStatement = Named(
  'WithdrawalStatement',
  Type.Object({
    name: Nullable(Type.String({ description: 'Null once the customer is erased', examples: ['Ada Example'] })),
    contact_email: Nullable(Type.String({ description: 'The same', examples: ['ada@example.com'] })),
    stated_at: DateTime,
    time_zone: Type.String({ description: 'The time zone that the period is counted in', examples: ['Europe/Berlin'] }),
    last_day: Nullable(
      Type.String({
        format: 'date',
        description:
          'The last day of the period as it was known then; null: the order had not been delivered completely',
        examples: ['2026-11-30'],
      }),
    ),
    is_late: Type.Boolean({ description: 'Whether it was stated after the last day' }),
    is_whole_order: Type.Boolean({ description: 'Whether it is about everything in the order' }),
    language: Type.String({ examples: ['de'] }),
    text: Nullable(
      Type.String({
        description: 'The statement in the words that the customer has confirmed; null once they are erased',
        examples: ['I withdraw from the contract about order 1001 of 2 November 2026 with River & Pine.'],
      }),
    ),
  }),
)
export type WithdrawalStatement = Static<typeof WithdrawalStatement>

const claimFields = {
  uuid: Uuid,
  kind: Kind,
  created_at: DateTime,
  updated_at: DateTime,
  deleted_at: Nullable(DateTime),
  order_id: Uuid,
  shipment_id: Uuid,
  shop_id: Uuid,
  order_number: Type.String({ examples: ['1001'] }),
  shop_slug: Type.String({ examples: ['river-and-pine'] }),
  reason: Reason,
  resolution_preference: Nullable(Preference),
  status: Status,
  withdrawal: Nullable({ ...WithdrawalStatement, description: 'Of a withdrawal: what the customer states' }),
  description: Nullable(Description),
  reply: Nullable(Reply),
  decided_at: Nullable({
    ...DateTime,
    description: 'When it was accepted, rejected or closed; null while it is pending, or if that is not known',
  }),
  customer_signature_image_url: Nullable(ImageUrl),
  selected_items: Type.Array(Item),
  damaged_product_items: Type.Array(Item, { description: 'Deprecated: use selected_items' }),
  image_urls: ImageUrls,
  optional_image_urls: ImageUrls,
  dropoff_permission: Nullable(Type.Boolean()),
  step_user_input: Nullable(Type.Array(StepInput)),
  address: Nullable(Address),
  net_invoice_amount: Nullable(
    Type.Number({
      description:
        "What the selected items were sold for: the sum of their line_total, or of net price times quantity where that is absent; if none has a price, the order's total minus shipping",
      examples: [75.55],
    }),
  ),
  weight_kg: Nullable(Type.Number({ examples: [0.85] })),
  tracking_number: Nullable(Type.String({ examples: ['00340434161094042557'] })),
  carrier_reference: Nullable(Type.String({ examples: ['dhl'] })),
  scan_date: Nullable({ ...DateTime, description: "Time of the carrier's latest event" }),
}

/** A claim as events carry it. */
export const Claim = Named('Claim', Type.Object(claimFields))
export type Claim = Static<typeof Claim>

/** A claim as the API returns it. */
export const ClaimOnDesk = Named(
  'ClaimOnDesk',
  Type.Object({
    ...claimFields,
    currency: Nullable(Type.String({ description: "The currency of the order's prices", examples: ['EUR'] })),
    customer_name: Nullable(Type.String({ examples: ['Ada Example'] })),
    carrier_name: Nullable(Type.String({ examples: ['DHL'] })),
    pending_decision: Nullable(
      Type.Object(
        {
          status: Status,
          reply: Nullable(Reply),
          decided_by: Type.String({ examples: ['Ada Example'] }),
          takes_effect_at: DateTime,
        },
        { description: 'A decision that can still be undone' },
      ),
    ),
  }),
)
export type ClaimOnDesk = Static<typeof ClaimOnDesk>

const maxClaimsAtOnce = 100

export const ClaimDecision = Named(
  'ClaimDecision',
  Type.Object({
    claims: Type.Array(Uuid, { minItems: 1, maxItems: maxClaimsAtOnce }),
    status: Status,
    reply: Maybe(Reply),
    resolution_preference: Maybe(Preference),
  }),
)
export type ClaimDecision = Static<typeof ClaimDecision>

export const ClaimDecisions = Named(
  'ClaimDecisions',
  Type.Object({
    decisions: Type.Array(Type.Object({ claim: Uuid, status: Status, takes_effect_at: DateTime })),
  }),
)
export type ClaimDecisions = Static<typeof ClaimDecisions>

const uuid = '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}'

export const UndoneClaims = Type.Object({
  claims: Type.String({
    pattern: `^${uuid}(?:,${uuid}){0,${maxClaimsAtOnce - 1}}$`,
    maxLength: 37 * maxClaimsAtOnce,
    description: `Ids of claims, separated by commas, at most ${maxClaimsAtOnce}`,
    examples: ['0192f3c4-7b1e-7cc0-9d3a-2f6f7a1b4c5d'],
  }),
})

export const UndoneDecisions = Named(
  'UndoneDecisions',
  Type.Object({
    undone: Type.Array(Uuid, { description: 'Claims whose decision will not take effect' }),
    too_late: Type.Array(Uuid, {
      description: 'Claims without a pending decision: it has taken effect, or there was none',
    }),
  }),
)
export type UndoneDecisions = Static<typeof UndoneDecisions>
