import { findCarrier } from '../../adapters/carriers/find.ts'
import type { Context, ShopIdentity } from '../../platform/foundation/context.ts'
import { signPrivateImageUrl } from './images.ts'
import { mapImageUrls, netInvoiceAmount } from './rules.ts'
import type { Claim, ClaimOnDesk, WithdrawalStatement } from './schema.ts'
import type { ClaimRow, StoredClaim } from './store.ts'

/** The viewer of a claim, in a response or an event payload, and the time until which they can see its images. */
export interface ClaimViewer extends Pick<Context, 'services'> {
  shop: Pick<ShopIdentity, 'id' | 'slug'>
  imagesUntil: Date
}

export function toClaim(viewer: ClaimViewer, stored: StoredClaim): Claim {
  const { shop, imagesUntil } = viewer
  return {
    uuid: stored.id,
    kind: stored.kind,
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
    withdrawal: statementOf(stored),
    description: stored.description,
    reply: stored.reply,
    decided_at: stored.decided_at === null ? null : toIso(stored.decided_at),
    ...mapImageUrls(stored.details, (url) => signPrivateImageUrl(viewer, shop.id, url, imagesUntil)),
    address: stored.address,
    net_invoice_amount: netInvoiceAmount(stored.details, { total: stored.total, shipping: stored.shipping }),
    weight_kg: stored.weight_grams === null ? null : stored.weight_grams / 1_000,
    tracking_number: stored.tracking_number,
    carrier_reference: stored.carrier_reference,
    scan_date: stored.scan_date === null ? null : toIso(stored.scan_date),
  }
}

export function toClaimOnDesk(viewer: ClaimViewer, row: ClaimRow): ClaimOnDesk {
  const { pending } = row
  const known = row.carrier_reference === null ? undefined : findCarrier(row.carrier_reference)
  return {
    ...toClaim(viewer, row),
    currency: row.currency,
    customer_name: row.address?.name ?? null,
    carrier_name: known?.name ?? row.tracking_company,
    pending_decision: pending && {
      status: pending.status,
      reply: pending.reply,
      decided_by: pending.decided_by,
      takes_effect_at: toIso(pending.due_at),
    },
  }
}

function statementOf({ statement, is_late, created_at }: StoredClaim): WithdrawalStatement | null {
  if (statement === null) return null
  const { name, email, language, time_zone, last_day, is_whole_order, text } = statement
  return {
    name,
    contact_email: email,
    stated_at: toIso(created_at),
    time_zone,
    last_day,
    is_late,
    is_whole_order,
    language,
    text,
  }
}

function toIso(text: string): string {
  return new Date(text).toISOString()
}
