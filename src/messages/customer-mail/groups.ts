import { type MailBlock, mailBlocks } from './view.ts'

/** The subject of messages of one event group, and how they are treated. */
export interface MailGroup {
  name: string
  about: 'parcel' | 'return' | 'order' | 'claim' | 'withdrawal'
  /** Sent at once, whatever the hour: the customer has to act, or asked for it just now. */
  isUrgent: boolean
  /** Nobody wants an offer beside bad news. */
  mayPromote: boolean
  /** Its blocks in order, unless the merchant has changed them. Blocks without content are left out. */
  blocks: readonly MailBlock[]
}

const parcel: Omit<MailGroup, 'name'> = {
  about: 'parcel',
  isUrgent: false,
  mayPromote: true,
  blocks: mailBlocks.filter((block) => block !== 'claim'),
}
const problem = { ...parcel, mayPromote: false }
const failed = { ...problem, isUrgent: true }
const back: Omit<MailGroup, 'name'> = { ...parcel, about: 'return' }
const claim: Omit<MailGroup, 'name'> = {
  about: 'claim',
  isUrgent: false,
  mayPromote: false,
  blocks: ['claim', 'products', 'help'],
}

/** Every group that customers get a message about. A test compares it with the catalogue. */
export const mailGroups: readonly MailGroup[] = [
  { name: 'shipment_pre_transit', ...parcel },
  { name: 'shipment_in_transit', ...parcel },
  { name: 'shipment_carrier_changed', ...parcel },
  { name: 'shipment_carrier_delay', ...problem },
  { name: 'shipment_customs_action_needed', ...failed },
  { name: 'shipment_at_risk', ...problem },
  { name: 'shipment_delayed_due_to_customer_request', ...parcel },
  { name: 'shipment_out_for_delivery', ...parcel, isUrgent: true },
  { name: 'shipment_delivery_second_attempt', ...failed },
  { name: 'shipment_delivery_failed', ...failed },
  { name: 'shipment_delivery_failed_address_issue', ...failed },
  { name: 'shipment_delivery_failed_forwarded_to_parcel_shop', ...failed },
  { name: 'shipment_damaged', ...failed },
  { name: 'shipment_delivered_to_parcel_shop', ...parcel, isUrgent: true },
  { name: 'shipment_delivered_to_parcel_locker', ...parcel, isUrgent: true },
  { name: 'shipment_picked_up', ...parcel },
  { name: 'shipment_delivered', ...parcel },
  { name: 'shipment_delivered_all_events', ...parcel },
  { name: 'shipment_delivered_to_letterbox', ...parcel },
  { name: 'shipment_delivered_to_neighbour', ...parcel },
  { name: 'shipment_refused_then_returned', ...problem },
  { name: 'shipment_not_picked_up_then_returned', ...problem },
  { name: 'shipment_failed_returned', ...problem },
  { name: 'shipment_order_cancelled', ...problem, about: 'order', blocks: ['products', 'help'] },
  { name: 'shipment_internal_trigger', ...parcel },
  { name: 'return_shipment_pre_transit', ...back },
  { name: 'return_shipment_in_transit', ...back },
  { name: 'return_shipment_carrier_delay', ...back, mayPromote: false },
  { name: 'return_shipment_delivery_failed', ...back, mayPromote: false, isUrgent: true },
  { name: 'return_shipment_delivered', ...back },
  { name: 'claim_created', ...claim, isUrgent: true },
  { name: 'claim_updated', ...claim },
  { name: 'withdrawal_received', ...claim, about: 'withdrawal', isUrgent: true, blocks: ['claim', 'help'] },
]

const byName = new Map(mailGroups.map((group) => [group.name, group]))

/** Undefined: there is no message for this group. */
export function findMailGroup(name: string): MailGroup | undefined {
  return byName.get(name)
}
