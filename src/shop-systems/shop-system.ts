import type { SignedMessage } from '../foundation/operation.ts'

/** The shop systems that orders come from, as the API names them. */
export const shopSystemNames = ['shopify', 'shopware', 'woocommerce'] as const
export type ShopSystemName = (typeof shopSystemNames)[number]

/** A shop system that tells us what happens in a shop. Each adapter lives in a folder of its own. */
export interface ShopSystem {
  name: ShopSystemName
  /** Whether the message carries the signature that the holder of this secret makes. */
  isSigned(message: SignedMessage, secret: string): boolean
  /** Whether it asks nothing but whether we are here: such a message is not signed, and changes nothing. */
  isPing?(message: SignedMessage): boolean
  /** What a message means for us; nothing for what we do not follow. Refuses what lacks what we need. */
  read(message: SignedMessage): ReportedChange[]
}

export type ReportedChange =
  | { kind: 'order'; order: ReportedOrder }
  /** A parcel reported by itself, maybe before its order. */
  | { kind: 'fulfilment'; orderId: string; fulfilment: ReportedFulfilment }
  /** A step on a parcel's way, maybe before its fulfilment. */
  | { kind: 'scan'; orderId: string; fulfilmentId: string; scan: ReportedScan }
  | { kind: 'order deleted'; orderId: string; sentAt: Date | undefined }
  /** The message names orders only, each once: what they are now has to be fetched. */
  | { kind: 'orders changed'; orders: ChangedOrder[] }
  /** The merchant has removed our app: its secret and its credentials are void. */
  | { kind: 'disconnected' }
  | { kind: 'product'; product: ReportedProduct }
  | { kind: 'product deleted'; productId: string; sentAt: Date | undefined }

export interface ChangedOrder {
  orderId: string
  /** Whether its deletion was reported. */
  isDeleted: boolean
}

/** When a shop system had something in the state that it reports. */
export interface Version {
  /** The system's own time of the last change; undefined where the message does not say. */
  changedAt: Date | undefined
  /** When the message was made: of two states of the same second the later counts. */
  sentAt: Date | undefined
}

/** An order as the shop system has it now, as a whole. */
export interface ReportedOrder extends Version {
  /** The system's own id. */
  id: string
  orderNumber: string
  /**
   * Whether the customer has placed it. An order that is `unpaid` or, where the merchant says so, `on hold` is neither
   * taken over nor announced before it is `placed`. Undefined: it is placed.
   */
  stage?: OrderStage
  fields: OrderFields
  /** Null: it is not cancelled; undefined: the message does not say. */
  cancelledAt: Date | null | undefined
  /** Taken out of the bin: it counts again, whatever was said of its deletion. */
  isRestored: boolean
  /** How many items are to be sent in all; undefined where that is not known. */
  quantity: number | undefined
  fulfilments: ReportedFulfilment[]
  /** Whether the order has these fulfilments only: what is not among them is no more. */
  hasAllFulfilments: boolean
  /** True: every product is digital, a gift card, refunded or removed. Undefined: the message does not say. */
  nothingToSend?: boolean
  /** True: the system calls it fulfilled, and something of it was sent without a number. Undefined: it does not say. */
  handedOverWithoutTracking?: boolean
  /** The currency that the shop itself works in, where the message tells it from the customer's. */
  shopCurrency?: string
  /** What rules of the shop's mappings may take over. */
  attributes: Attribute[]
}

export type OrderStage = 'placed' | 'on hold' | 'unpaid'

/** A value that a merchant can map: a note attribute, a meta field, a custom field, or a plain field of their order. */
export interface Attribute {
  type: string
  key: string
  value: string
}

/** The fields of our own order that the systems have a word for. */
export interface OrderFields {
  order_name?: string
  order_placed_at?: string
  total_order_price?: number
  shipping_price?: number
  sub_total_price?: number
  discount_price?: number
  products?: ReportedItem[]
  discounts?: { code?: string; amount?: string; type?: string }[]
  /** What is charged beside products and shipping. */
  fees?: { name?: string; amount?: number }[]
  email_id?: string
  address?: ReportedAddress
  currency?: string
  weight?: number
  external_customer_id?: string
  order_status_url?: string
  user_agent?: string
  financial_status?: string
  order_analytics?: {
    landing_site?: string
    landing_site_ref?: string
    note_attributes?: { name: string; value: string }[]
  }
}

export interface ReportedAddress {
  address_line_1?: string
  address_line_2?: string
  city?: string
  country?: string
  country_code?: string
  name?: string
  phone?: string
  province?: string
  province_code?: string
  street?: string
  company?: string
  /** Null where the country has none. */
  zip_code: string | null
}

export interface ReportedItem {
  title?: string
  quantity?: number
  price?: number
  sku?: string
  weight?: number
  variant_title?: string
  requires_shipping?: boolean
  /** What the customer chose or entered for this item, such as an engraving. */
  properties?: { name: string; value: string }[]
  images?: { src: string; alt?: string }[]
  type?: string
  product_id?: string
  variant_id?: string
}

/** Items that were sent together, in one parcel or in several. */
export interface ReportedFulfilment extends Version {
  id: string
  /** False where it was cancelled or has failed: what was reported of it holds no more. */
  isActive: boolean
  /** How many items it covers; undefined: all that there are. */
  quantity: number | undefined
  parcels: ReportedParcel[]
  /** How far its parcels have come, as far as the shop system knows. */
  scans?: ReportedScan[]
}

/** A step on a parcel's way, under the name of our catalogue. */
export interface ReportedScan {
  /** The system's own word for it. */
  code: string
  eventName: string
  time: Date
  /** True: read from the state that the fulfilment is in, so its time is only when that was last changed. */
  isState: boolean
}

export interface ReportedParcel {
  tracking_number: string
  tracking_company?: string
  tracking_url?: string
  tracking_placed_at?: string
  products?: ReportedItem[]
}

export interface ReportedProduct extends Version {
  /** What its versions are reported apart by: a system may tell of each variant by itself. */
  id: string
  productId: string
  /** False where customers cannot buy it: it is archived, hidden or a draft. */
  isSold: boolean
  /** Taken out of the bin: it counts again, whatever was said of its deletion. */
  isRestored: boolean
  variants: ReportedVariant[]
  /** Whether the product has these variants only. */
  hasAllVariants: boolean
}

export interface ReportedVariant {
  variant_id: string
  title: string
  variant_title?: string
  price?: number
  sku?: string
  /** A whole address, or one below the shop's own. */
  product_url?: string
  image_url?: string
  category?: string
}
