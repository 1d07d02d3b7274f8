import { sumOf } from '../../platform/foundation/amounts.ts'
import { createKnownFields } from '../../platform/foundation/known-fields.ts'
import { isWebAddress, webAddress } from '../../platform/foundation/web-address.ts'
import { ClaimDetails, type ClaimItem, type ClaimItemInput, type ClaimStatus } from './schema.ts'

const nextStatuses: Record<ClaimStatus, readonly ClaimStatus[]> = {
  pending: ['accepted', 'rejected', 'closed'],
  accepted: ['closed'],
  rejected: ['pending', 'closed'],
  closed: [],
}

/** Setting the current status again is allowed, so that clients can repeat a request. */
export function isAllowedTransition(from: ClaimStatus, to: ClaimStatus): boolean {
  return from === to || nextStatuses[from].includes(to)
}

export function describeTransitions(from: ClaimStatus): string {
  const next = nextStatuses[from]
  return next.length === 0
    ? `a claim that is ${from} cannot change`
    : `a claim that is ${from} can become ${next.join(', ')}`
}

/** The fields of a claim in the column `details`. All are present: what was not given is null or empty. */
export interface StoredClaimDetails {
  customer_signature_image_url: string | null
  selected_items: ClaimItem[]
  damaged_product_items: ClaimItem[]
  image_urls: string[]
  optional_image_urls: string[]
  dropoff_permission: boolean | null
  step_user_input: NonNullable<ClaimDetails['step_user_input']> | null
}

/** A withdrawal's column `statement`. */
export interface StoredStatement {
  name: string | null
  email: string | null
  language: string
  time_zone: string
  last_day: string | null
  is_whole_order: boolean
  text: string | null
  /** By the key that the form gives them. */
  items: { key: string; quantity: number }[]
  /** The address that the receipt was mailed to: the order's, another or none. Older statements do not have it. */
  receipt?: 'order' | 'other' | 'none'
}

const knownDetails = createKnownFields<ClaimDetails>(ClaimDetails)

export function toStoredDetails(input: ClaimDetails): StoredClaimDetails {
  const known = knownDetails(input)
  return {
    customer_signature_image_url: webAddress(known.customer_signature_image_url) ?? null,
    selected_items: (known.selected_items ?? []).map(toStoredItem),
    damaged_product_items: (known.damaged_product_items ?? []).map(toStoredItem),
    image_urls: webAddresses(known.image_urls),
    optional_image_urls: webAddresses(known.optional_image_urls),
    dropoff_permission: known.dropoff_permission ?? null,
    step_user_input: known.step_user_input ?? null,
  }
}

function toStoredItem(item: ClaimItemInput): ClaimItem {
  return {
    sku: item.sku ?? null,
    title: item.title ?? null,
    quantity: item.quantity ?? 1,
    net_price: item.net_price ?? null,
    ...(typeof item.line_total === 'number' ? { line_total: item.line_total } : {}),
    image_urls: webAddresses(item.image_urls),
  }
}

/** Drops invalid URLs instead of rejecting the claim: the claim matters more than one of its images. */
function webAddresses(urls: readonly string[] | null | undefined): string[] {
  return (urls ?? []).flatMap((url) => webAddress(url) ?? [])
}

export function mapImageUrls(details: StoredClaimDetails, change: (url: string) => string): StoredClaimDetails {
  // Claims that were stored before URLs were validated may contain invalid ones.
  const changeAll = (urls: string[]) => urls.filter(isWebAddress).map(change)
  const changeItem = (item: ClaimItem): ClaimItem => ({ ...item, image_urls: changeAll(item.image_urls) })
  const signature = details.customer_signature_image_url
  return {
    ...details,
    customer_signature_image_url: isWebAddress(signature) ? change(signature) : null,
    selected_items: details.selected_items.map(changeItem),
    damaged_product_items: details.damaged_product_items.map(changeItem),
    image_urls: changeAll(details.image_urls),
    optional_image_urls: changeAll(details.optional_image_urls),
  }
}

/**
 * The value of the claimed goods: the sum of the items if any of them has a price, otherwise the order's total without
 * shipping. Older clients send the items in damaged_product_items.
 */
export function netInvoiceAmount(
  details: StoredClaimDetails,
  order: { total: number | null; shipping: number | null },
): number | null {
  const items = details.selected_items.length > 0 ? details.selected_items : details.damaged_product_items
  const amounts = items.flatMap((item) => amountOf(item) ?? [])
  if (amounts.length > 0) return sumOf(amounts)
  return order.total === null ? null : sumOf([order.total, -(order.shipping ?? 0)])
}

/** Exactly if the claim says what its pieces were sold for; the price of a piece is rounded. */
function amountOf({ line_total, net_price, quantity }: ClaimItem): number | undefined {
  return line_total ?? (net_price === null ? undefined : net_price * quantity)
}
