import { z } from 'zod'
import type { ToolContext } from '../connection.ts'
import { explainMessages, type MessageFacts, messagesOf, silentEventsOf } from '../explain-messages.ts'
import { getOrder, orderReference } from '../find-orders.ts'
import { readTool } from '../tool.ts'
import { count } from '../words.ts'

/** An order with more parcels is explained by its newest ones. */
const maxParcels = 5

export const whyMessages = readTool({
  name: 'why_messages',
  title: 'Why did this customer (not) hear from us?',
  description:
    'Explains what a customer was told about an order and what not, with the evidence: messages and whether they arrived, events that nobody was told about and why, whether the address bounced, complained or unsubscribed, and which systems are switched on. Give exactly one of order_number, email, tracking_number and order_id; by e-mail address, the newest order counts.',
  input: orderReference,
  output: {
    order_id: z.string(),
    order_number: z.string(),
    other_orders: z.number().describe('Older orders that match and are not explained'),
    address: z
      .object({ reason: z.string(), gets_mail: z.boolean(), gets_promotion: z.boolean(), since: z.string() })
      .nullable()
      .describe('What is known against the e-mail address; null: nothing'),
    receivers: z.array(
      z.object({
        receiver: z.string().describe('smtp: e-mail of our own; else a marketing system'),
        has_credentials: z.boolean(),
        health: z.string(),
        too_old_after_hours: z.number().describe('Older events are not sent to it'),
      }),
    ),
    quiet_hours: z.object({ enabled: z.boolean(), from: z.string(), to: z.string() }),
    messages: z.array(
      z.object({
        delivery_id: z.string(),
        receiver: z.string(),
        event_name: z.string(),
        status: z.string().describe('pending, delivered, skipped or dead (given up; it can be sent again)'),
        created_at: z.string(),
        finished_at: z.string().nullable(),
        next_attempt_at: z.string().nullable(),
        attempts: z.number(),
        reason: z.string().nullable(),
        detail: z.string().nullable(),
      }),
    ),
    silent_events: z.array(
      z.object({ event_name: z.string(), time: z.string(), recorded_at: z.string(), reason: z.string() }),
    ),
    page_views: z.number().describe('How often the customer looked at the tracking page'),
    is_complete: z.boolean().describe('False: older messages or parcels are left out'),
  },
  async run(context, given) {
    const { orderId, others } = await getOrder(context, given)
    const { facts, orderNumber, hasMoreParcels } = await readFacts(context, orderId)
    const { messages, isComplete } = messagesOf(facts.timelines)
    const { suppression, mail, receivers, timelines } = facts
    // The views are those of the order, in the timeline of each of its parcels.
    const views = timelines[0]?.page_views.reduce((sum, { views }) => sum + views, 0) ?? 0
    return {
      explanation: [
        ...explainMessages(facts),
        ...(others > 0 ? [`Only the newest order is explained; not the ${count(others, 'older one')}.`] : []),
        ...(views > 0 ? [`The customer looked at the tracking page ${count(views, 'time')}.`] : []),
      ],
      order_id: orderId,
      order_number: orderNumber,
      other_orders: others,
      address: suppression
        ? {
            reason: suppression.reason,
            gets_mail: suppression.gets_mail,
            gets_promotion: suppression.gets_promotion,
            since: suppression.since,
          }
        : null,
      receivers: receivers.map(({ receiver, tooOldAfterHours }) => ({
        receiver: receiver.integration,
        has_credentials: receiver.has_credentials,
        health: receiver.health.state,
        too_old_after_hours: tooOldAfterHours,
      })),
      quiet_hours: mail.quiet_hours,
      messages,
      silent_events: silentEventsOf(facts),
      page_views: views,
      is_complete: isComplete && !hasMoreParcels,
    }
  },
})

async function readFacts(
  context: ToolContext,
  orderId: string,
): Promise<{ facts: MessageFacts; orderNumber: string; hasMoreParcels: boolean }> {
  const { client, shop: slug } = context
  const order = await client.get('/v1/shops/{slug}/orders/{order_id}', {
    params: { path: { slug, order_id: orderId } },
  })
  const parcels = order.trackings.slice(-maxParcels)
  const [timelines, mail, receivers, suppression] = await Promise.all([
    Promise.all(
      parcels.map(({ uuid }) =>
        client.get('/v1/shops/{slug}/shipments/{shipment_id}/timeline', {
          params: { path: { slug, shipment_id: uuid } },
        }),
      ),
    ),
    client.get('/v1/shops/{slug}/settings/mail', { params: { path: { slug } } }),
    readReceivers(context),
    order.email_id ? findSuppression(context, order.email_id) : undefined,
  ])
  return {
    facts: {
      hasEmail: order.email_id !== null && order.email_id !== '',
      suppression,
      mail,
      receivers,
      timelines,
    },
    orderNumber: order.order_number,
    hasMoreParcels: order.trackings.length > parcels.length,
  }
}

async function readReceivers({ client, shop: slug }: ToolContext): Promise<MessageFacts['receivers']> {
  const { integrations } = await client.get('/v1/shops/{slug}/integrations', { params: { path: { slug } } })
  return Promise.all(
    integrations
      .filter(({ is_on }) => is_on)
      .map(async (receiver) => {
        const path = { slug, integration: receiver.integration }
        const settings = await client.get('/v1/shops/{slug}/settings/triggers/{integration}', { params: { path } })
        return { receiver, tooOldAfterHours: settings.stale_event_threshold }
      }),
  )
}

/** An order may have an address that is none: nothing is known against that. */
async function findSuppression({ client, shop: slug }: ToolContext, address: string) {
  if (!/^[^\s@]+@[^\s@]+$/.test(address) || address.length > 320) return undefined
  const { items } = await client.list('/v1/shops/{slug}/mail/suppressions', {
    params: { path: { slug }, query: { address } },
  })
  return items[0]
}
