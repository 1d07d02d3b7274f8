import { type Fields, fieldsOf, given, instantOf, isoOf, listOf, quantityOf, textOf } from '../read-fields.ts'
import type { ParcelItems } from '../settle.ts'
import type { ReportedFulfilment, ReportedItem, Version } from '../shop-system.ts'
import type { Line } from './lines.ts'

/**
 * The state of each delivery. A state event carries deliveries without their states: a single delivery has the state
 * that the event names, otherwise the states are unknown.
 */
export function statesOf(deliveries: Fields[], event: string): (string | undefined)[] {
  const entered = /^state_enter\.order_delivery\.state\.(\w+)$/.exec(event)?.[1]
  return deliveries.map(
    ({ stateMachineState }) =>
      textOf(fieldsOf(stateMachineState).technicalName) ?? (deliveries.length === 1 ? entered : undefined),
  )
}

/** A delivery shipped without a tracking code is a fulfilment too. */
const shippedStates = ['shipped', 'shipped_partially', 'returned', 'returned_partially']

/** A delivery with its tracking codes, which may exist before it is shipped. */
export function readDelivery(
  delivery: Fields,
  state: string,
  goods: Goods,
  { changedAt, sentAt }: Version,
): ReportedFulfilment[] {
  const id = textOf(delivery.id, 255)
  const codes = Array.isArray(delivery.trackingCodes) ? delivery.trackingCodes : []
  const numbers = [...new Set(codes.flatMap((code) => textOf(code, 255) ?? []))]
  if (id === undefined || (numbers.length === 0 && !shippedStates.includes(state))) return []
  const method = fieldsOf(delivery.shippingMethod)
  const products = productsOf(delivery, goods)
  return [
    {
      id,
      changedAt,
      sentAt,
      isActive: state !== 'cancelled',
      quantity: quantityIn(state, products),
      parcels: numbers.map((tracking_number) => ({
        tracking_number,
        ...given({
          tracking_company: methodName(method),
          tracking_url: trackingUrl(method, tracking_number),
          tracking_placed_at: isoOf(delivery.updatedAt) ?? instantOf(delivery.createdAt)?.toISOString(),
          products,
        }),
      })),
    },
  ]
}

/** The name of a shipping method, in the language of the order if the message has it. */
export function methodName(method: Fields): string | undefined {
  return textOf(fieldsOf(method.translated).name, 255) ?? textOf(method.name, 255)
}

/** After a partial shipment more is to be sent, whatever its positions say. */
function quantityIn(state: string, products: ReportedItem[] | undefined): number | undefined {
  if (state === 'shipped_partially') return 0
  return products?.reduce((sum, { quantity }) => sum + (quantity ?? 1), 0)
}

/** What the deliveries of an order divide among them. */
interface Goods {
  lines: Line[]
  parcels: ParcelItems
}

function productsOf(delivery: Fields, { lines, parcels }: Goods): ReportedItem[] | undefined {
  const all = new Map(lines.flatMap((line) => [line, ...line.contents]).map((line) => [line.id, line.item]))
  const products = listOf(delivery.positions).flatMap((position) => {
    const id = textOf(position.orderLineItemId, 255)
    const item = id === undefined ? undefined : all.get(id)
    if (id === undefined || item === undefined) return []
    const stated = quantityOf(position.quantity ?? fieldsOf(position.price).quantity) ?? item.quantity ?? 1
    // An ERP may take goods out of a line, and leave the delivery as it was.
    return [parcels.take(id, item, Math.min(stated, item.quantity ?? stated))]
  })
  return products.length === 0 ? undefined : products
}

/** The shipping method's tracking URL, with `%s` for the number. */
function trackingUrl(method: Fields, number: string): string | undefined {
  const template = textOf(fieldsOf(method.translated).trackingUrl, 2_048) ?? textOf(method.trackingUrl, 2_048)
  if (template === undefined || !/^https?:\/\//i.test(template) || !template.includes('%s')) return undefined
  const url = template.replaceAll('%s', encodeURIComponent(number))
  return URL.canParse(url) ? url : undefined
}
