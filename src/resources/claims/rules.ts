import { createKnownFields } from '../../foundation/keep-known.ts'
import { isWebAddress, webAddress } from '../../foundation/web-address.ts'
import { ClaimDetails, type ClaimItem, type ClaimStatus, type GivenItem } from './schema.ts'

const nextStatuses: Record<ClaimStatus, readonly ClaimStatus[]> = {
  pending: ['accepted', 'rejected', 'closed'],
  accepted: ['closed'],
  rejected: ['pending', 'closed'],
  closed: [],
}

/** Staying as it is, is always allowed: a decision that is sent again is no mistake. */
export function isAllowedTransition(from: ClaimStatus, to: ClaimStatus): boolean {
  return from === to || nextStatuses[from].includes(to)
}

/** Says what a claim may become, for who asked for something else. */
export function describeTransitions(from: ClaimStatus): string {
  const next = nextStatuses[from]
  return next.length === 0
    ? `a claim that is ${from} stays so`
    : `a claim that is ${from} may become ${next.join(', ')}`
}

/** What is kept of a claim beside its columns, with nothing left out: what was not said is null or empty. */
export interface StoredDetails {
  customer_signature_image_url: string | null
  selected_items: ClaimItem[]
  damaged_product_items: ClaimItem[]
  image_urls: string[]
  optional_image_urls: string[]
  dropoff_permission: boolean | null
  step_user_input: NonNullable<ClaimDetails['step_user_input']> | null
}

const knownDetails = createKnownFields<ClaimDetails>(ClaimDetails)

export function toStoredDetails(given: ClaimDetails): StoredDetails {
  const known = knownDetails(given)
  return {
    customer_signature_image_url: webAddress(known.customer_signature_image_url) ?? null,
    selected_items: (known.selected_items ?? []).map(toStoredItem),
    damaged_product_items: (known.damaged_product_items ?? []).map(toStoredItem),
    image_urls: usableUrls(known.image_urls),
    optional_image_urls: usableUrls(known.optional_image_urls),
    dropoff_permission: known.dropoff_permission ?? null,
    step_user_input: known.step_user_input ?? null,
  }
}

function toStoredItem(item: GivenItem): ClaimItem {
  return {
    sku: item.sku ?? null,
    title: item.title ?? null,
    quantity: item.quantity ?? 1,
    net_price: item.net_price ?? null,
    image_urls: usableUrls(item.image_urls),
  }
}

/** What is no address of the web is left out: a claim is worth more than one of its pictures. */
function usableUrls(urls: readonly string[] | null | undefined): string[] {
  return (urls ?? []).flatMap((url) => webAddress(url) ?? [])
}

export function mapImageUrls(details: StoredDetails, change: (url: string) => string): StoredDetails {
  // What was kept before addresses were checked is not handed on.
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
 * What the claimed goods are worth: the selected items where any of them has a price, as older clients send them in
 * damaged_product_items too; otherwise all that the order's goods cost.
 */
export function netInvoiceAmount(
  details: StoredDetails,
  order: { total: number | null; shipping: number | null },
): number | null {
  const items = details.selected_items.length > 0 ? details.selected_items : details.damaged_product_items
  if (items.some(({ net_price }) => net_price !== null)) {
    return withoutNoise(items.reduce((sum, { net_price, quantity }) => sum + (net_price ?? 0) * quantity, 0))
  }
  return order.total === null ? null : withoutNoise(order.total - (order.shipping ?? 0))
}

/** 0.1 + 0.2 is 0.3: no currency has more than four decimals. */
function withoutNoise(amount: number): number {
  return Math.round(amount * 10_000) / 10_000
}
