import type { StepName } from '../../customer-view/order-page/progress.ts'
import type { Flag } from '../../platform/catalogue/catalogue.ts'
import type { Language } from '../../platform/foundation/languages.ts'

/**
 * Everything that a message to a customer shows, ready to be laid out: no store and no service is needed any more. Dates are
 * text in the customer's language, addresses are absolute, and whatever is missing is null.
 */
export interface MailView {
  /** The event group that it is about: `shipment_out_for_delivery`, `claim_created`, `withdrawal_received`. */
  group: string
  language: Language
  shop: {
    name: string
    url: string | null
    logoUrl: string | null
    /** Only the colours that the merchant has chosen. */
    palette: Record<string, string>
    contactEmail: string | null
    contactPhone: string | null
    faqUrl?: string | null
    serviceUrl?: string | null
    /** Postal address and legal line, as the merchant wrote it. */
    footer: string | null
  }
  customer: { firstName: string | null; fullName: string | null }
  order: { number: string; name: string | null; placedOn: string; total: string | null; trackingUrl: string }
  /** The promise made when the order was placed, while it is still on its way. */
  promise: MailPromise | null
  /** All parcels of the order; `isSubject` marks the one that the event is about. */
  parcels: MailParcel[]
  products: MailProduct[]
  /** Whether the products are those of the subject's parcel, and not the whole order. */
  isOneParcelOnly?: boolean
  claim: MailClaim | null
  /** The promotion; null if the customer or the shop does not want it in mails. */
  promotion: {
    campaign: MailCampaign | null
    deals: MailDeal[]
    announcements: { title: string; text: string; url: string | null }[]
    unsubscribeUrl: string
  } | null
  /** The merchant's changes for this group and language. */
  template: MailTemplate | null
}

export interface MailPromise {
  stage: 'open' | 'at_risk' | 'late'
  /** The whole window: "Tue 18 – Thu 20 Nov". */
  days: string
  /** Its last day. */
  by: string
}

export interface MailParcel {
  isSubject: boolean
  /** The customer sends it back. */
  isReturn: boolean
  carrier: string | null
  trackingNumber: string | null
  /** The carrier's own page. */
  carrierUrl: string | null
  /** As text: "On its way". */
  status: string
  flag: Flag
  /** Of the latest event, as text. */
  lastEvent: string | null
  /** The time of that event: "Tuesday, 3 November, 14:30". */
  lastEventAt: string | null
  /** Usually 0 placed, 1 packed, 2 on its way, 3 out for delivery, 4 delivered; -1: it is not on any way. */
  step: number
  /** The steps of its way; a parcel that goes back has others. */
  steps: readonly StepName[]
  /** The expected window, as text: "Tue 18 – Thu 20 Nov". */
  expected: string | null
  expectedFromIso: string | null
  expectedUntilIso: string | null
  pickup: {
    name: string | null
    address: string | null
    until: string | null
    /** shop, locker, neighbor or letterbox. */
    type: string
    /** By day, as the carrier words it. */
    hours: readonly (readonly [day: string, hours: string])[]
    url: string | null
  } | null
  destination: {
    street: string | null
    zip: string | null
    city: string | null
    country: string | null
    name: string | null
  } | null
}

export interface MailProduct {
  title: string
  variant: string | null
  quantity: number
  price: string | null
  imageUrl: string | null
  url: string | null
}

export interface MailClaim {
  kind: 'claim' | 'withdrawal'
  number: string
  /** One of the reasons for claims: `damage`. */
  reason: string
  /** pending, accepted, rejected or closed. */
  status: string
  /** The text about what happens next, such as `accepted.next.refund`. */
  statusKey: string
  reply: string | null
  items: { title: string; quantity: number }[]
  receivedAt: string
  /** Of a withdrawal: the statement in the customer's own words. */
  statement: string | null
}

export interface MailCampaign {
  /** Null: it has none, and the layout says "For you". */
  title: string | null
  text: string | null
  imageUrl: string | null
  ctaLabel: string | null
  ctaUrl: string | null
  discountCode: string | null
  /** The products of a product campaign. */
  products: MailProduct[]
}

export interface MailDeal {
  title: string | null
  text: string | null
  imageUrl: string | null
  url: string | null
  code: string | null
}

/** The parts of a message, in the order in which they are shown unless the merchant has changed it. */
export const mailBlocks = ['status', 'pickup', 'window', 'products', 'claim', 'campaign', 'deals', 'help'] as const
export type MailBlock = (typeof mailBlocks)[number]

/** A merchant's changes for one group in one language; null: ours. Texts may name variables: {first_name}. */
export interface MailTemplate {
  subject: string | null
  preheader: string | null
  heading: string | null
  introduction: string | null
  footer: string | null
  blocks: MailBlock[] | null
}

/** The variables that a merchant may use in a template. */
export const mailVariables = [
  'first_name',
  'full_name',
  'shop_name',
  'order_number',
  'tracking_number',
  'carrier',
  'expected_date',
  'pickup_name',
  'pickup_until',
] as const
export type MailVariable = (typeof mailVariables)[number]

export interface RenderedMail {
  subject: string
  html: string
  text: string
}
