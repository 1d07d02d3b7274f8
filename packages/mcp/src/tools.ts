import type { Tool } from './tool.ts'
import { deliveryFigures } from './tools/delivery-figures.ts'
import { explainParcel } from './tools/explain-parcel.ts'
import { listExceptions } from './tools/list-exceptions.ts'
import { searchOrders } from './tools/search-orders.ts'
import { whereIsOrder } from './tools/where-is-order.ts'
import { whyCampaign } from './tools/why-campaign.ts'
import { whyMessages } from './tools/why-messages.ts'
import { addNote, resendDelivery, resolveException, snoozeException } from './tools/writes.ts'

/** Everything that agents may do. */
export const tools: readonly Tool[] = [
  whereIsOrder,
  explainParcel,
  whyMessages,
  whyCampaign,
  listExceptions,
  searchOrders,
  deliveryFigures,
  resendDelivery,
  addNote,
  snoozeException,
  resolveException,
]
