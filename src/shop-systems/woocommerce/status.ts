import { amountOf, type Fields, instantOf, listOf } from '../read-fields.ts'
import type { OrderStage } from '../shop-system.ts'

/** Without the prefix that some plug-ins leave on it. */
export function statusOf(order: Fields): string | undefined {
  return typeof order.status === 'string' ? order.status.toLowerCase().replace(/^wc-/, '') : undefined
}

/** A basket that somebody is still filling. */
export function isDraft(order: Fields): boolean {
  return ['checkout-draft', 'auto-draft', 'draft', 'new'].includes(statusOf(order) ?? '')
}

/**
 * An order is placed when it is paid for, or needs no payment beforehand: then it is `processing`, `completed`, or in a
 * state of a plug-in's own. WooCommerce cancels unpaid orders by itself after an hour, so one that was cancelled
 * without being paid may never have been an order either.
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

/** Null: it is not; undefined: the message does not say. A payment that failed in the end leaves nothing to send. */
export function cancelledAt(order: Fields, changedAt: Date | undefined): Date | null | undefined {
  const status = statusOf(order)
  if (status === undefined) return undefined
  if (!['cancelled', 'trash', 'failed'].includes(status)) return null
  // When it was cancelled is not reported: that it is, since its last change.
  return changedAt ?? null
}

/** In the words that Shopify has for it. */
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
  // Amounts are decimal fractions, which a sum of them may miss by a little.
  return statusOf(order) === 'refunded' || (total > 0 && refundedTotal(order) > total - 0.005)
}

/** Refunds are reported by negative totals. */
function refundedTotal(order: Fields): number {
  return listOf(order.refunds).reduce((sum, refund) => sum + Math.abs(amountOf(refund.total) ?? 0), 0)
}

function isPaid(order: Fields): boolean {
  return instantOf(order.date_paid_gmt) !== undefined
}
