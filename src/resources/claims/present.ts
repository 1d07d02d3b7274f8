import type { Context, ShopIdentity } from '../../foundation/context.ts'
import { signPrivateImageUrl } from './images.ts'
import { mapImageUrls, netInvoiceAmount } from './rules.ts'
import type { Claim } from './schema.ts'
import type { StoredClaim } from './store.ts'

/** Who a claim is presented to, in a response or an event payload, and how long they can see its images. */
export interface ClaimViewer extends Pick<Context, 'services'> {
  shop: Pick<ShopIdentity, 'id' | 'slug'>
  imagesUntil: Date
}

export function toClaim(viewer: ClaimViewer, stored: StoredClaim): Claim {
  const { shop, imagesUntil } = viewer
  return {
    uuid: stored.id,
    created_at: toIso(stored.created_at),
    updated_at: toIso(stored.updated_at),
    deleted_at: stored.deleted_at === null ? null : toIso(stored.deleted_at),
    order_id: stored.order_id,
    shipment_id: stored.shipment_id,
    shop_id: shop.id,
    order_number: stored.order_number,
    shop_slug: shop.slug,
    reason: stored.reason as Claim['reason'], // the schema allows only these
    resolution_preference: stored.resolution_preference as Claim['resolution_preference'], // the same
    status: stored.status,
    description: stored.description,
    ...mapImageUrls(stored.details, (url) => signPrivateImageUrl(viewer, shop.id, url, imagesUntil)),
    address: stored.address,
    net_invoice_amount: netInvoiceAmount(stored.details, { total: stored.total, shipping: stored.shipping }),
    weight_kg: stored.weight_grams === null ? null : stored.weight_grams / 1_000,
    tracking_number: stored.tracking_number,
    carrier_reference: stored.carrier_reference,
    scan_date: stored.scan_date === null ? null : toIso(stored.scan_date),
  }
}

function toIso(text: string): string {
  return new Date(text).toISOString()
}
