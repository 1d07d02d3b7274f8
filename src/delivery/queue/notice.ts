/** A notice about one event: the payload, and everyone who receives it. A row of `notifications`. */
export interface Notice {
  shopId: string
  id: string
  source: string
  ref: string
  eventName: string
  eventGroup: string
  shipmentId: string | null
  orderId: string | null
  /** The payload, as JSON. */
  body: string
  triggeredAt: Date
  /** The automations whose actions led to it, first one first. */
  causedBy: readonly string[]
  receivers: NoticeReceiver[]
  /** Whether the shop's event feed has it. */
  isInFeed: boolean
}

/** One receiver of a notice; becomes one delivery. */
export interface NoticeReceiver {
  deliveryId: string
  receiverId: string
  eventGroup: string
  /** An integration is notified of a group once per this key (a shipment, or all with its number); null: every time. */
  onceKey: string | null
}
