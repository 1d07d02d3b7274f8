import type { SignedMessage } from '../../platform/foundation/operation.ts'
import type { CredentialForm } from '../credentials.ts'
import type { SystemDescription } from '../description.ts'

/**
 * A shop system that orders come from, described by its folder. The description is data that everything else is derived from,
 * and loads no adapter code.
 */
export interface ShopSystemDescription extends SystemDescription {
  credentials: CredentialForm
  /** The secret that signs its webhooks: one that the shop has chosen for all such systems, or that of an app in it. */
  signsWith: 'shop secret' | 'app secret'
  /** Its webhooks, for the description of the operation that receives them; of an app, that operation is its own. */
  webhook?: {
    /** How they are signed, and what is special about them. */
    description: string
    /** An example of one. */
    example: object
  }
  /** The steps in which recent orders are read again. */
  catchUp: readonly [CatchUpStep, ...CatchUpStep[]]
  /** Its adapter, loaded with the first message. */
  load(): Promise<{ adapter: ShopSystemAdapter }>
}

/**
 * placed and changed: the orders of the period. open: our orders that have no tracking number yet, by their ids, because
 * plug-ins write numbers without moving any date.
 */
export type CatchUpStep = 'placed' | 'changed' | 'open'

/** Keeps the description as exact as it is written. Without an app, only what every shop system may report is applied. */
export function describeShopSystem<const Described extends ShopSystemDescription>(
  description: Described & {
    load(): Promise<{
      adapter: ShopSystemAdapter<Described['signsWith'] extends 'shop secret' ? ShopChange : ReportedChange>
    }>
  },
): Described {
  return description
}

/** The code of a shop system that sends us webhooks. */
export interface ShopSystemAdapter<Reported extends ReportedChange = ReportedChange> {
  /** Whether the message is signed with this secret. */
  isSigned(message: SignedMessage, secret: string): boolean
  /** Whether the message only tests our URL. Such a message is not signed and changes nothing. */
  isPing?(message: SignedMessage): boolean
  /**
   * The changes that a message reports; none for topics that we ignore. Rejects a message that lacks required fields.
   */
  read(message: SignedMessage): Reported[]
}

export type ReportedChange = ShopChange | AppChange

/** Changes that every shop system may report. */
export type ShopChange =
  | { kind: 'order'; order: ReportedOrder }
  /** A fulfilment on its own; it may arrive before its order. */
  | { kind: 'fulfilment'; orderId: string; fulfilment: ReportedFulfilment }
  /** A tracking step; it may arrive before its fulfilment. */
  | { kind: 'scan'; orderId: string; fulfilmentId: string; scan: ReportedScan }
  | { kind: 'order deleted'; orderId: string; sentAt: Date | undefined }
  | { kind: 'product'; product: ReportedProduct }
  | { kind: 'product deleted'; productId: string; sentAt: Date | undefined }

/** Changes that a shop system also reports if it has installed an app of ours, as Shopware does. */
export type AppChange =
  /** The message carries order ids only, each once. The orders have to be fetched. */
  | { kind: 'orders changed'; orders: ChangedOrder[] }
  /** The merchant removed our app, so its secret and credentials are void. */
  | { kind: 'disconnected' }

export interface ChangedOrder {
  orderId: string
  /** True if the message reports its deletion. */
  isDeleted: boolean
}

/** The point in time that a reported state belongs to. */
export interface Version {
  /** The system's own time of the last change; undefined if the message does not say. */
  changedAt: Date | undefined
  /** The time the message was sent; decides between two states of the same second. */
  sentAt: Date | undefined
}

/** The complete current state of an order in the shop system. */
export interface ReportedOrder extends Version {
  /** The system's own id. */
  id: string
  orderNumber: string
  /**
   * Whether the customer has placed it. An `unpaid` order, or one `on hold` if the merchant chose so, is neither stored
   * nor announced before it is `placed`. Undefined means placed.
   */
  stage?: OrderStage
  fields: OrderFields
  /** Null: not cancelled; undefined: the message does not say. */
  cancelledAt: Date | null | undefined
  /** Restored from the trash: an earlier deletion no longer counts. */
  isRestored: boolean
  /** How many items have to be sent in total; undefined if unknown. */
  quantity: number | undefined
  fulfilments: ReportedFulfilment[]
  /** Whether the list is complete: a fulfilment that is not in it no longer exists. */
  hasAllFulfilments: boolean
  /** Details that the message lacks: a known order keeps its own until they are fetched. */
  lacks?: OrderDetail[]
  /** True: every product is digital, a gift card, refunded or removed. Undefined: the message does not say. */
  nothingToSend?: boolean
  /** True: the system calls it fulfilled, and some of it was sent without a tracking number. Undefined: unknown. */
  handedOverWithoutTracking?: boolean
  /** The currency of the shop, if the message distinguishes it from the customer's. */
  shopCurrency?: string
  /** Values that the shop's mapping rules can use. */
  attributes: Attribute[]
}

export type OrderDetail = 'refunded items' | 'fulfilments'

export type OrderStage = 'placed' | 'on hold' | 'unpaid'

/**
 * A value that a merchant can map: a note attribute, a meta field, a custom field, or a scalar field of the system's
 * order.
 */
export interface Attribute {
  type: string
  key: string
  value: string
}

/** The fields of our order that shop systems can fill. Amounts are what the customer pays, tax included. */
export interface OrderFields {
  order_name?: string
  order_placed_at?: string
  total_order_price?: number
  shipping_price?: number
  sub_total_price?: number
  discount_price?: number
  products?: ReportedItem[]
  discounts?: { code?: string; amount?: string; type?: string }[]
  /** Charges other than products and shipping. */
  fees?: { name?: string; amount?: number }[]
  email_id?: string
  address?: ReportedAddress
  currency?: string
  weight?: number
  external_customer_id?: string
  order_status_url?: string
  user_agent?: string
  financial_status?: string
  shipping_method?: string
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
  /** Null if the country has none. */
  zip_code: string | null
}

export interface ReportedItem {
  title?: string
  quantity?: number
  /** Of a piece, tax included, before the discount. */
  price?: number
  /** The exact amounts of the line, tax included: before the discount and as sold. */
  line_subtotal?: number
  line_total?: number
  sku?: string
  weight?: number
  variant_title?: string
  requires_shipping?: boolean
  /** The customer's choices and texts for this item, such as an engraving. */
  properties?: { name: string; value: string }[]
  images?: { src: string; alt?: string }[]
  type?: string
  product_id?: string
  variant_id?: string
  /** The contents of a bundle. */
  bundled_products?: ReportedItem[]
}

/** Items that were sent together, in one parcel or in several. */
export interface ReportedFulfilment extends Version {
  id: string
  /** False if it was cancelled or has failed: its parcels no longer count. */
  isActive: boolean
  /** How many items it covers; undefined: all. */
  quantity: number | undefined
  parcels: ReportedParcel[]
  /** The tracking steps that the shop system knows of. */
  scans?: ReportedScan[]
}

/** A tracking step, with the event name of our catalogue. */
export interface ReportedScan {
  /** The system's own code. */
  code: string
  eventName: string
  time: Date
  /** True if taken from the fulfilment's current state: `time` is then only the time of its last change. */
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
  /** The key that versions are compared by. Some systems report each variant on its own. */
  id: string
  productId: string
  /** False if customers cannot buy it: archived, hidden or a draft. */
  isSold: boolean
  /** Restored from the trash: an earlier deletion no longer counts. */
  isRestored: boolean
  variants: ReportedVariant[]
  /** Whether the list is complete: other variants no longer exist. */
  hasAllVariants: boolean
}

export interface ReportedVariant {
  variant_id: string
  title: string
  variant_title?: string
  price?: number
  sku?: string
  /** An absolute URL, or a path below the shop's URL. */
  product_url?: string
  image_url?: string
  category?: string
}
