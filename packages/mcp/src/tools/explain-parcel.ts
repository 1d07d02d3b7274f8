import type { Result } from 'doorstep-client'
import { z } from 'zod'
import type { ToolContext } from '../connection.ts'
import { ToolError } from '../errors.ts'
import { getOrder, only, orderReference } from '../find-orders.ts'
import { readTool } from '../tool.ts'
import { count, nameInWords, phaseInWords, timeInWords } from '../words.ts'

/** Of a longer story, the newest entries. */
const maxEntries = 60

type Entry = Result<'getOrderTimeline'>['entries'][number]

const { order_number, tracking_number } = orderReference
const reference = {
  tracking_number,
  order_number: order_number.describe('The order number; only if the order has one parcel'),
  shipment_id: z.uuid().optional().describe('The shipment_id from an earlier result'),
}

export const explainParcel = readTool({
  name: 'explain_parcel',
  title: "Explain a parcel's timeline",
  description:
    'Tells the story of one parcel, oldest first: what the carrier reported and where, which messages were sent about it and whether they arrived, which automations ran, when the customer looked at the tracking page, and claims. Give exactly one of tracking_number, shipment_id and order_number. For why a customer was not told something, use why_messages.',
  input: reference,
  output: {
    shipment_id: z.string(),
    order_id: z.string(),
    entries: z.array(
      z.object({
        at: z.string(),
        kind: z.string().describe('order_placed, event, message, rule, page_view or claim'),
        what: z.string(),
        where: z.string().nullable(),
        source: z.string().nullable().describe('Who reported it: api, system, or a tracking provider'),
        status: z.string().nullable().describe('Of a message, rule or claim'),
        id: z.string().describe('Of a message: its delivery_id'),
        caused_by: z.string().nullable().describe('The id of the entry that led to it'),
      }),
    ),
    is_complete: z.boolean().describe('False: older entries are left out'),
  },
  async run(context, given) {
    const { orderId, shipmentId } = await findParcel(context, given)
    const path = { slug: context.shop, order_id: orderId }
    const timeline = await context.client.get('/v1/shops/{slug}/orders/{order_id}/timeline', { params: { path } })
    const entries = timeline.entries.filter(({ shipment_id }) => shipment_id === shipmentId || shipment_id === null)
    return {
      explanation: explain(entries),
      shipment_id: shipmentId,
      order_id: orderId,
      entries: entries.slice(-maxEntries).map(present),
      is_complete: entries.length <= maxEntries,
    }
  },
})

async function findParcel(
  context: ToolContext,
  given: { tracking_number?: string | undefined; order_number?: string | undefined; shipment_id?: string | undefined },
): Promise<{ orderId: string; shipmentId: string }> {
  const { client, shop } = context
  const { shipment_id: shipmentId, ...order } = given
  only(given, Object.keys(reference))
  if (shipmentId !== undefined) {
    const path = { slug: shop, shipment_id: shipmentId }
    const { order_id: orderId } = await client.get('/v1/shops/{slug}/shipments/{shipment_id}', { params: { path } })
    return { orderId, shipmentId: shipmentId.toLowerCase() }
  }
  const found = await getOrder(context, order)
  if (found.shipmentId !== undefined) return { orderId: found.orderId, shipmentId: found.shipmentId }
  const path = { slug: shop, order_id: found.orderId }
  const { trackings } = await client.get('/v1/shops/{slug}/orders/{order_id}', { params: { path } })
  const [parcel, ...others] = trackings
  if (parcel === undefined) throw new ToolError('shipment_not_found', 'The order has no parcel.')
  if (others.length === 0) return { orderId: found.orderId, shipmentId: parcel.uuid }
  const ids = trackings.slice(0, 20).map(({ uuid }) => uuid)
  throw new ToolError('shipment_required', `The order has several parcels. Give one shipment_id: ${ids.join(', ')}.`)
}

function explain(entries: Entry[]): string[] {
  const events = entries.flatMap(({ at, event }) => (event ? [{ at, ...event }] : []))
  const last = events.at(-1)
  const messages = entries.flatMap(({ message }) => (message ? [message] : []))
  const arrived = messages.filter(({ status }) => status === 'delivered').length
  const failed = messages.filter(({ status }) => status === 'dead').length
  const views = entries.reduce((sum, { page_views }) => sum + (page_views?.views ?? 0), 0)
  return [
    last === undefined
      ? 'Nothing has been reported about the parcel.'
      : `The last report, of ${timeInWords(last.at)}: ${nameInWords(last.event_key)}. The parcel ${phaseInWords(last.phase)}.`,
    messages.length === 0
      ? 'Nobody was sent anything about it. Call why_messages to find out why.'
      : `${count(messages.length, 'message')} about it: ${arrived} arrived, ${failed} failed for good, ${messages.length - arrived - failed} are waiting or were not needed.`,
    views === 0
      ? 'The customer has not looked at the tracking page.'
      : `The customer looked at the tracking page ${count(views, 'time')}.`,
  ]
}

function present(entry: Entry) {
  const { id, at, kind, caused_by } = entry
  const { what, ...details } = describe(entry)
  return { at, kind, what, where: null, source: null, status: null, ...details, id, caused_by }
}

function describe({ kind, event, message, rule, page_views, claim }: Entry): {
  what: string
  where?: string | null
  source?: string
  status?: string
} {
  if (event) return { what: event.label, where: event.location, source: event.source }
  if (message) {
    const receiver = message.integration ?? (message.webhook_id ? 'a webhook endpoint' : 'an address of an automation')
    return { what: `${message.event_name} to ${receiver}`, status: message.status }
  }
  if (rule) return { what: `automation: ${rule.name}`, status: rule.status }
  if (page_views) return { what: `the tracking page was viewed ${count(page_views.views, 'time')}` }
  if (claim) return { what: `${claim.kind}: ${claim.reason}`, status: claim.status }
  return { what: nameInWords(kind) }
}
