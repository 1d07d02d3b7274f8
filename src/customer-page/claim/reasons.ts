import type { ClaimableOrder, ClaimableShipment, FiledClaim } from '../../claims/claims/form-store.ts'
import { type ClaimReason, claimReasons, openStatuses, type ResolutionPreference } from '../../claims/claims/schema.ts'
import { isReturn } from '../../platform/catalogue/catalogue.ts'

/** The fields that the form shows, by reason. */
export interface FormFields {
  /** Whether the claim is about items that the customer selects, all items, or none. */
  items: 'chosen' | 'all' | 'none'
  isDescriptionRequired: boolean
  hasPhotos: boolean
  signature: 'required' | 'optional' | 'none'
  hasDropoff: boolean
  resolutions: readonly ResolutionPreference[]
}

const goods: FormFields = {
  items: 'chosen',
  isDescriptionRequired: true,
  hasPhotos: true,
  signature: 'none',
  hasDropoff: false,
  resolutions: ['reorder', 'refund', 'keep_with_reward'],
}

export const fieldsByReason: Record<ClaimReason, FormFields> = {
  damage: { ...goods, items: 'all', signature: 'optional' },
  partial_damage: { ...goods, signature: 'optional' },
  wrong_product: goods,
  missing_product: { ...goods, isDescriptionRequired: false, resolutions: ['reorder', 'refund'] },
  dissatisfied_with_product: goods,
  return: { ...goods, isDescriptionRequired: false, hasPhotos: false, resolutions: ['refund', 'reorder'] },
  // Carriers search for a parcel only if the recipient has signed that it did not arrive.
  investigation: {
    items: 'all',
    isDescriptionRequired: false,
    hasPhotos: false,
    signature: 'required',
    hasDropoff: true,
    resolutions: ['reorder', 'refund'],
  },
  support: { ...goods, items: 'none', hasPhotos: true, resolutions: [] },
}

const beforeDelivery: readonly ClaimReason[] = ['investigation', 'support']
const afterDelivery: readonly ClaimReason[] = [
  'damage',
  'partial_damage',
  'missing_product',
  'wrong_product',
  'dissatisfied_with_product',
  'return',
]

/** The reasons, most likely first. All are offered, because scans can be wrong or missing. */
export function reasonsFor(shipment: Pick<ClaimableShipment, 'direction' | 'phase'>): readonly ClaimReason[] {
  if (isReturn(shipment.direction)) return beforeDelivery
  const [missing = 'investigation', ...others] = beforeDelivery
  return shipment.phase === 'delivered' || shipment.phase === 'returned'
    ? [...afterDelivery, missing, ...others]
    : [missing, ...afterDelivery, ...others]
}

/** The parcels of an order that can be claimed: those that were shipped. */
export function claimableShipments(order: ClaimableOrder): ClaimableShipment[] {
  return order.shipments.filter(({ tracking_number, phase }) => tracking_number !== null && phase !== 'order_cancelled')
}

/** The reason why nothing can be claimed; undefined if something can. */
export function obstacleOf(order: ClaimableOrder): 'cancelled' | 'not_sent' | undefined {
  if (claimableShipments(order).length > 0) return undefined
  const isCancelled = order.shipments.length > 0 && order.shipments.every(({ phase }) => phase === 'order_cancelled')
  return isCancelled ? 'cancelled' : 'not_sent'
}

/** The open claims about a parcel. */
export function openClaims(order: ClaimableOrder, shipmentId: string): FiledClaim[] {
  return order.claims.filter((claim) => claim.shipment_id === shipmentId && openStatuses.includes(claim.status))
}

export function isReason(text: string): text is ClaimReason {
  return claimReasons.some((reason) => reason === text)
}
