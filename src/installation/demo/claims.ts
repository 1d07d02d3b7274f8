import { type ClaimFields, changeClaim, createClaimFor } from '../../claims/claims/change.ts'
import { toClaimedItem } from '../../claims/claims/form-items.ts'
import type { ClaimStatus } from '../../claims/claims/schema.ts'
import { findShipmentForClaim } from '../../orders/shipments/store.ts'
import { after, hourMs } from '../../platform/foundation/clock.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { customers } from './customers.ts'
import { type NumberedOrder, numberedOrders } from './orders.ts'
import type { DemoParts } from './parts.ts'
import type { ClaimPhoto } from './pictures.ts'
import { countries } from './places.ts'
import { pricedProducts } from './products.ts'

/** A claim, and what the shop has decided. */
interface DemoClaim {
  trackingNumber: string
  hoursAgo: number
  fields: ClaimFields
  /** The order lines that it is about. */
  lines: readonly number[]
  photos?: readonly ClaimPhoto[]
  decisions?: readonly { status: ClaimStatus; hoursAgo: number; reply?: string }[]
}

/** Filed after their parcels arrived or were lost; oldest first. */
export const demoClaims: readonly DemoClaim[] = [
  {
    trackingNumber: '00340434161056353448',
    hoursAgo: 330,
    fields: { reason: 'wrong_product', resolution_preference: 'reorder', description: 'I ordered M and got S.' },
    lines: [0],
    photos: ['claim-size'],
    decisions: [
      {
        status: 'accepted',
        hoursAgo: 310,
        reply:
          'Sorry, that was our mistake. The right size is on its way.\nPlease keep the other one for us: the label for its way back is in the new parcel.',
      },
      { status: 'closed', hoursAgo: 240 },
    ],
  },
  {
    trackingNumber: '00340434161084002110',
    hoursAgo: 300,
    fields: {
      reason: 'dissatisfied_with_product',
      resolution_preference: 'keep_with_reward',
      description: 'The colour is darker than in the picture.',
    },
    lines: [0],
    decisions: [
      {
        status: 'rejected',
        hoursAgo: 280,
        reply:
          'Colours look different on every screen, so we cannot offer a reward. You can send it back within 30 days.',
      },
      { status: 'closed', hoursAgo: 200 },
    ],
  },
  {
    trackingNumber: 'H00HXK1357734804',
    hoursAgo: 120,
    fields: { reason: 'investigation', resolution_preference: 'reorder', description: 'It never arrived.' },
    lines: [0, 1],
    decisions: [
      { status: 'accepted', hoursAgo: 96, reply: 'The carrier cannot find it. We have sent everything again today.' },
    ],
  },
  {
    trackingNumber: '00340434161002203513',
    hoursAgo: 110,
    fields: { reason: 'missing_product', resolution_preference: 'refund', description: 'The hood is not in the box.' },
    lines: [0],
    decisions: [
      {
        status: 'rejected',
        hoursAgo: 90,
        reply: 'The hood is rolled up in the collar. Open the zip at the neck to find it.',
      },
    ],
  },
  {
    trackingNumber: '00340434161053508827',
    hoursAgo: 70,
    fields: { reason: 'return', resolution_preference: 'refund', description: 'The beanie is too small.' },
    lines: [1],
    decisions: [{ status: 'accepted', hoursAgo: 50 }],
  },
  {
    trackingNumber: '00340434161071360032',
    hoursAgo: 40,
    fields: {
      reason: 'partial_damage',
      resolution_preference: 'keep_with_reward',
      description: 'A seam at the pocket is open.',
      step_user_input: [
        {
          step_id: 'packaging',
          user_input: {
            input_type: 'choice',
            input_value: 'intact',
            translated_question: 'How was it packed?',
            translated_answer: 'The box was intact',
          },
        },
      ],
    },
    lines: [0],
    photos: ['claim-seam'],
  },
  {
    trackingNumber: '00340434161013355393',
    hoursAgo: 20,
    fields: { reason: 'damage', resolution_preference: 'refund', description: 'The carrier says it was damaged.' },
    lines: [0],
    photos: ['claim-box', 'claim-sleeve'],
  },
  {
    trackingNumber: '00340434161068480071',
    hoursAgo: 3,
    fields: { reason: 'support', description: 'How do I wash it?' },
    lines: [],
  },
]

/** Creates the claims and the decisions about them, each at its own time. */
export async function fileClaims(context: ShopContext, { pictures }: DemoParts): Promise<void> {
  for (const { trackingNumber, hoursAgo, fields, lines, photos = [], decisions } of demoClaims) {
    const shipment = await findShipmentForClaim(context, { column: 'tracking_number', value: trackingNumber })
    if (shipment === undefined) throw new Error(`the demo shop has no parcel ${trackingNumber}`)
    const shopId = context.shop.id
    const items = itemsOf(orderOf(trackingNumber), lines)
    const at = (hoursAgo: number) => ({ ...context, now: after(context.now, -hoursAgo * hourMs) })
    const image_urls = photos.map((name) => pictures.photoUrl(name))
    const claim = { ...fields, selected_items: items, image_urls }
    const id = await createClaimFor(at(hoursAgo), { shopId, ...shipment }, claim)
    for (const { hoursAgo, status, reply } of decisions ?? []) {
      await changeClaim(at(hoursAgo), { shopId, id }, { status, reply })
    }
  }
}

function orderOf(trackingNumber: string): NumberedOrder {
  const order = numberedOrders.find(({ parcels }) => parcels.some((parcel) => parcel.trackingNumber === trackingNumber))
  if (order === undefined) throw new Error(`no order of the demo shop has the parcel ${trackingNumber}`)
  return order
}

function itemsOf(order: NumberedOrder, lines: readonly number[]): ClaimFields['selected_items'] {
  const { currency } = countries[customers[order.customer].country]
  return pricedProducts(order.lines, currency, order.discount?.percent ?? 0)
    .filter((_product, index) => lines.includes(index))
    .map((product) => toClaimedItem({ product, quantity: product.quantity ?? 1, currency }, product.quantity ?? 1))
}
