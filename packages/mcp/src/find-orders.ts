import type { Result } from 'doorstep-client'
import { z } from 'zod'
import type { ToolContext } from './connection.ts'
import { ToolError } from './errors.ts'

export type FoundOrder = Result<'searchShop'>['matches'][number]

/** The details by which customers name their order. */
export const customerReference = {
  order_number: z.string().min(1).max(255).optional().describe('The order number or name, with or without #'),
  email: z.string().min(3).max(255).optional().describe("The customer's e-mail address; the newest order counts"),
  tracking_number: z.string().min(1).max(255).optional().describe('The tracking number of one of its parcels'),
}

/** The same, or the id that an earlier result has. */
export const orderReference = {
  ...customerReference,
  order_id: z.uuid().optional().describe('The order_id from an earlier result'),
}

type CustomerReference = { [Name in keyof typeof customerReference]?: string | undefined }
type OrderReference = { [Name in keyof typeof orderReference]?: string | undefined }

const matchedBy: Record<keyof typeof customerReference, readonly FoundOrder['matched'][]> = {
  order_number: ['order_number', 'order_name'],
  email: ['email_id'],
  tracking_number: ['tracking_number'],
}

/** The orders that this is exactly, newest first. */
export async function findOrders({ client, shop }: ToolContext, given: CustomerReference): Promise<FoundOrder[]> {
  const [name, text] = only(given, Object.keys(customerReference))
  const { matches } = await client.get('/v1/shops/{slug}/search', {
    params: { path: { slug: shop }, query: { q: text, limit: 20 } },
  })
  const kinds = matchedBy[name as keyof CustomerReference] // one of the names given to `only`
  return matches.filter(({ matched, is_exact }) => is_exact && kinds.includes(matched))
}

/** One order: its id, the parcel if a tracking number named it, and how many others there are. */
export async function getOrder(
  context: ToolContext,
  given: OrderReference,
): Promise<{ orderId: string; shipmentId: string | undefined; others: number }> {
  const { order_id: orderId, ...reference } = given
  only(given, Object.keys(orderReference))
  if (orderId !== undefined) return { orderId, shipmentId: undefined, others: 0 }
  const [order, ...others] = await findOrders(context, reference)
  if (order === undefined) throw new ToolError('order_not_found', 'No order has exactly this in the shop.')
  return { orderId: order.order_id, shipmentId: order.shipment_id ?? undefined, others: others.length }
}

/** The one field of these that is given. */
export function only(
  given: Record<string, string | undefined>,
  names: readonly string[],
): [name: string, text: string] {
  const present = names.flatMap((name): [string, string][] => {
    const text = given[name]
    return text === undefined ? [] : [[name, text]]
  })
  const [first] = present
  if (first === undefined || present.length > 1) {
    throw new ToolError('invalid_payload', `Give exactly one of ${names.join(', ')}.`)
  }
  return first
}
