import { PagedQuery } from '../../foundation/operation.ts'
import { DateTime, Maybe, Named, Nullable, OneOf, type Static, Type, Uuid } from '../../foundation/schema.ts'
import { Address, Reference } from '../../journey/orders/parts.ts'

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

/** Statuses of a claim that the shop still works on. */
export const openStatuses: readonly ClaimStatus[] = ['pending', 'accepted']

const Reason = OneOf(claimReasons, { examples: ['damage'] })
const Preference = OneOf(resolutionPreferences, { examples: ['refund'] })
const Status = OneOf(claimStatuses, { examples: ['pending'] })
const Description = Type.String({ maxLength: 10_000, examples: ['The jacket came with a torn sleeve.'] })
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

const ClaimItemInput = Named(
  'ClaimedItem',
  Type.Object({
    sku: Maybe({ ...ItemText, examples: ['RJ-42'] }),
    title: Maybe({ ...ItemText, examples: ['Rain jacket'] }),
    quantity: Maybe({ ...Quantity, description: 'Default: 1' }),
    net_price: Maybe(NetPrice),
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
  created_from: Type.Optional(DateTime),
  created_to: Type.Optional(DateTime),
  updated_from: Type.Optional(DateTime),
  updated_to: Type.Optional(DateTime),
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
    image_urls: ImageUrls,
  }),
)
export type ClaimItem = Static<typeof Item>

export const Claim = Named(
  'Claim',
  Type.Object({
    uuid: Uuid,
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
    description: Nullable(Description),
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
          "Sum of net price times quantity of the selected items; if none has a price, the order's total minus shipping",
        examples: [75.55],
      }),
    ),
    weight_kg: Nullable(Type.Number({ examples: [0.85] })),
    tracking_number: Nullable(Type.String({ examples: ['00340434161094042557'] })),
    carrier_reference: Nullable(Type.String({ examples: ['dhl'] })),
    scan_date: Nullable({ ...DateTime, description: "Time of the carrier's latest event" }),
  }),
)
export type Claim = Static<typeof Claim>
