import type { Result } from 'doorstep-client'
import { z } from 'zod'
import type { ToolContext } from '../connection.ts'
import { customerReference, type FoundOrder, findOrders } from '../find-orders.ts'
import { readTool } from '../tool.ts'
import { count, phaseInWords, timeInWords } from '../words.ts'

/** An address may have hundreds of orders: the newest are shown. */
const maxOrders = 5

type Tracking = Result<'getOrder'>['trackings'][number]

const Window = z.object({ from: z.string(), to: z.string(), source: z.string() })

const Parcel = z.object({
  shipment_id: z.string(),
  tracking_number: z.string().nullable(),
  carrier: z.string().nullable(),
  tracking_url: z.string().nullable(),
  is_return: z.boolean(),
  phase: z.string(),
  flag: z.string().describe('normal, delay or error'),
  status: z.string().describe('The last event, in words'),
  since: z.string().describe('The time of the last event'),
  expected_delivery: Window.nullable().describe('source: carrier, or history (predicted from earlier parcels)'),
  pickup_point: z.string().nullable(),
  proof_of_delivery: z
    .object({ received_by: z.string().nullable(), time: z.string(), place: z.string().nullable() })
    .nullable()
    .describe('Who took a delivered parcel, when and where, if the carrier reports it'),
})

export const whereIsOrder = readTool({
  name: 'where_is_order',
  title: 'Where is this order?',
  description:
    'Finds orders by order number, e-mail address or tracking number, and says where each parcel is and when it is expected. Give exactly one of the three. The text has to be complete; for a part of it use search_orders.',
  input: customerReference,
  output: {
    orders: z.array(
      z.object({
        order_id: z.string(),
        order_number: z.string(),
        placed_at: z.string(),
        status: z.string().describe('placed, partially_fulfilled or fulfilled'),
        customer_name: z.string().nullable(),
        country_code: z.string().nullable(),
        open_claims: z.number(),
        parcel_count: z.number(),
        parcels: z.array(Parcel).describe('The first ten'),
      }),
    ),
    more_orders: z.number().describe('Older orders that match and are not listed'),
  },
  async run(context, given) {
    const found = await findOrders(context, given)
    const shown = found.slice(0, maxOrders)
    const orders = await Promise.all(shown.map((order) => present(context, order)))
    const more = found.length - shown.length
    return {
      explanation: found.length === 0 ? [nothingFound] : [...found.flatMap(explain).slice(0, 20), ...explainMore(more)],
      orders,
      more_orders: more,
    }
  },
})

const nothingFound =
  'No order in this shop is exactly that. Call search_orders with a part of it; the customer may have mistyped it.'

function explain(order: FoundOrder): string[] {
  if (order.nothing_to_send) return ['The order has nothing to send: its products are digital, refunded or removed.']
  if (order.parcels.length === 0) return ['The order has no parcel yet.']
  const claims = order.claims > 0 ? [`The order has ${count(order.claims, 'open claim')}.`] : []
  const handedOver = order.handed_over_without_tracking
    ? ['The shop system calls the order sent, but gave no tracking number, so its journey is not known.']
    : []
  const parcels = order.parcels.map(({ phase, flag, current_event_at }, n) => {
    const which = order.parcels.length === 1 ? 'The parcel' : `Parcel ${n + 1} of ${order.parcels.length}`
    const trouble = { normal: '', delay: ' It is delayed.', error: ' There is a problem with it.' }[flag]
    return `${which} ${phaseInWords(phase)}. Its last event was on ${timeInWords(current_event_at)}.${trouble}`
  })
  return [...handedOver, ...parcels, ...claims]
}

function explainMore(more: number): string[] {
  return more > 0 ? [`Not listed: ${count(more, 'older order')}.`] : []
}

async function present({ client, shop }: ToolContext, order: FoundOrder) {
  const path = { slug: shop, order_id: order.order_id }
  const { trackings } = await client.get('/v1/shops/{slug}/orders/{order_id}', { params: { path } })
  const byId = new Map<string, Tracking>(trackings.map((tracking) => [tracking.uuid, tracking]))
  return {
    order_id: order.order_id,
    order_number: order.order_number,
    placed_at: order.placed_at,
    status: order.status,
    customer_name: order.customer_name,
    country_code: order.country_code,
    open_claims: order.claims,
    parcel_count: order.parcel_count,
    parcels: order.parcels.map((parcel) => presentParcel(parcel, byId.get(parcel.shipment_id))),
  }
}

function presentParcel(parcel: FoundOrder['parcels'][number], tracking: Tracking | undefined) {
  const expected = tracking?.estimated_arrival
  const proof = tracking?.proof_of_delivery
  return {
    shipment_id: parcel.shipment_id,
    tracking_number: parcel.tracking_number,
    carrier: parcel.carrier_name,
    tracking_url: tracking?.carrier.tracking_url ?? null,
    is_return: parcel.is_return,
    phase: parcel.phase,
    flag: parcel.flag,
    status: parcel.event_status,
    since: parcel.current_event_at,
    expected_delivery: expected ? { from: expected.from, to: expected.to, source: expected.source } : null,
    pickup_point: tracking?.pickup?.name ?? null,
    proof_of_delivery: proof ? { received_by: proof.received_by, time: proof.time, place: proof.place } : null,
  }
}
