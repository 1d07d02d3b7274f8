import { amountOf, type Fields, instantOf, listOf } from '../read-fields.ts'
import type { OrderStage } from '../shop-system.ts'

/** Without the `wc-` prefix that some plug-ins add. */
export function statusOf(order: Fields): string | undefined {
  return typeof order.status === 'string' ? order.status.toLowerCase().replace(/^wc-/, '') : undefined
}

/** A cart that is still being filled. */
export function isDraft(order: Fields): boolean {
  return ['checkout-draft', 'auto-draft', 'draft', 'new'].includes(statusOf(order) ?? '')
}

/**
 * An order is placed once it is paid or needs no prepayment: it is then `processing`, `completed`, or in a plug-in's
 * own status. WooCommerce cancels unpaid orders after an hour, so an order cancelled before payment may never have been
 * placed.
 */
export function stageOf(order: Fields): OrderStage {
  switch (statusOf(order)) {
    case 'on-hold':
      return 'on hold'
    case 'pending':
    case 'failed':
      return 'unpaid'
    case 'cancelled':
    case 'trash':
      return isPaid(order) ? 'placed' : 'unpaid'
    default:
      return 'placed'
  }
}

/** Null: not cancelled; undefined: the message does not say. After a failed payment nothing is sent. */
export function cancelledAt(order: Fields, changedAt: Date | undefined): Date | null | undefined {
  const status = statusOf(order)
  if (status === undefined) return undefined
  if (!['cancelled', 'trash', 'failed'].includes(status)) return null
  // The time of cancellation is not sent; the last change is the closest.
  return changedAt ?? null
}

/** In Shopify's terms. */
export function financialStatus(order: Fields): string | undefined {
  const status = statusOf(order)
  if (isFullyRefunded(order)) return 'refunded'
  if (refundedTotal(order) > 0) return 'partially_refunded'
  if (status === 'failed') return 'failed'
  if (isPaid(order)) return 'paid'
  if (status === undefined) return undefined
  return status === 'cancelled' || status === 'trash' ? 'voided' : 'pending'
}

export function isFullyRefunded(order: Fields): boolean {
  const total = amountOf(order.total) ?? 0
  // Sums of decimal amounts have rounding errors.
  return statusOf(order) === 'refunded' || (total > 0 && refundedTotal(order) > total - 0.005)
}

/** Refunds have negative totals. */
function refundedTotal(order: Fields): number {
  return listOf(order.refunds).reduce((sum, refund) => sum + Math.abs(amountOf(refund.total) ?? 0), 0)
}

function isPaid(order: Fields): boolean {
  return instantOf(order.date_paid_gmt) !== undefined
}
