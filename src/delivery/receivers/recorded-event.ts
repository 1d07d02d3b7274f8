/** Something that was recorded in this transaction and that receivers may have to be notified of. */
export interface RecordedEvent {
  source: 'shipments' | 'claims'
  shopId: string
  orderId: string
  /** Deliveries about one shipment are sent in order. */
  shipmentId: string
  /** The claim, if it is an event of one. */
  claimId?: string
  /** A name of the catalogue, or SHIPMENT_AT_RISK, CLAIM_CREATED or CLAIM_UPDATED. */
  eventName: string
  /** The reference that endpoints filter by, such as `shipments/delivered/SUCCESSFULLY_DELIVERED`. */
  ref: string
  eventGroup: string
  /** A second group that integrations are notified under if the shop wants all of its events. */
  additionalGroup: string | null
  /** Whether an integration is notified of the group once per shipment, or of every event. */
  isOncePerGroup: boolean
  /** A receiver that is not notified, because it gets a message of its own. */
  notTo?: string
  /** A receipt for the order's own address, because another one was given. */
  isCopyToCustomer?: true
  /** The internal trigger that fired. */
  triggerName?: string
  eventTime: Date
  now: Date
}
