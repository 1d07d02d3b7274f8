import type { Client, Schemas } from 'doorstep-client'
import { z } from 'zod'
import { writeTool } from '../tool.ts'
import { nameInWords } from '../words.ts'

export const resendDelivery = writeTool({
  name: 'resend_delivery',
  title: 'Send a message again',
  description: 'Sends one delivery again, whatever its status is, such as one that was given up. Needs the role admin.',
  input: { delivery_id: z.uuid().describe('The delivery_id from why_messages or explain_parcel') },
  annotations: { idempotentHint: false, openWorldHint: true },
  async preview({ client, shop }, { delivery_id }) {
    const delivery = await client.get('/v1/shops/{slug}/deliveries/{delivery_id}', {
      params: { path: { slug: shop, delivery_id } },
    })
    const { integration, webhook_id, event_name, order_number, status, created_at } = delivery
    const receiver = integration ?? (webhook_id === null ? 'the address of an automation' : 'a webhook endpoint')
    return {
      action: `Send the message about ${nameInWords(event_name)} to ${receiver} again.`,
      subject: { delivery_id, order_number, status, created_at },
    }
  },
  async run({ client, shop }, { delivery_id }, repeatKey) {
    const { uuid, status, next_attempt_at } = await client.post('/v1/shops/{slug}/deliveries/{delivery_id}/resend', {
      params: { path: { slug: shop, delivery_id } },
      headers: once(repeatKey),
    })
    return { delivery_id: uuid, status, next_attempt_at }
  },
})

export const addNote = writeTool({
  name: 'add_note',
  title: 'Add a note to an order',
  description:
    'Adds a note for colleagues to an order or one of its parcels. Customers never see it. Needs the role editor.',
  input: {
    order_id: z.uuid().describe('The order_id from an earlier result'),
    shipment_id: z.uuid().optional().describe('Only if the note is about one parcel'),
    text: z.string().min(1).max(2_000).describe('The note'),
  },
  annotations: { idempotentHint: false, openWorldHint: false },
  async preview({ client, shop }, { order_id, shipment_id, text }) {
    const { order_number } = await client.get('/v1/shops/{slug}/orders/{order_id}', {
      params: { path: { slug: shop, order_id } },
    })
    return { action: 'Add a note to the order.', subject: { order_number, shipment_id, text } }
  },
  async run({ client, shop }, body, repeatKey) {
    const { uuid, created_at } = await client.post('/v1/shops/{slug}/notes', {
      params: { path: { slug: shop } },
      headers: once(repeatKey),
      body,
    })
    return { note_id: uuid, created_at }
  },
})

const parcelField = { shipment_id: z.uuid().describe('The shipment_id from list_exceptions') }

export const snoozeException = writeTool({
  name: 'snooze_exception',
  title: 'Snooze a parcel that needs a person',
  description:
    'Hides a parcel from the list of exceptions until a time; it comes back earlier if it gets worse. Needs the role editor.',
  input: { ...parcelField, until: z.iso.datetime({ offset: true }).describe('At most a year ahead') },
  annotations: { idempotentHint: true, openWorldHint: false },
  preview: async ({ client, shop }, { shipment_id, until }) => ({
    action: 'Snooze the parcel in the list of exceptions.',
    subject: { ...(await readParcel(client, shop, shipment_id)), until },
  }),
  run: ({ client, shop }, { shipment_id, until }) =>
    changeException(client, shop, shipment_id, { snoozed_until: until }),
})

export const resolveException = writeTool({
  name: 'resolve_exception',
  title: 'Resolve a parcel that needed a person',
  description:
    'Marks a parcel in the list of exceptions as resolved; it comes back if it gets worse. Needs the role editor.',
  input: parcelField,
  annotations: { idempotentHint: true, openWorldHint: false },
  preview: async ({ client, shop }, { shipment_id }) => ({
    action: 'Mark the parcel in the list of exceptions as resolved.',
    subject: await readParcel(client, shop, shipment_id),
  }),
  run: ({ client, shop }, { shipment_id }) => changeException(client, shop, shipment_id, { resolved: true }),
})

/** A confirmation is good for one change: the API runs repeated requests once. */
function once(repeatKey: string): Record<string, string> {
  return { 'idempotency-key': repeatKey }
}

async function readParcel(client: Client, slug: string, shipment_id: string) {
  const path = { slug, shipment_id }
  const { order_number, carrier, phase } = await client.get('/v1/shops/{slug}/shipments/{shipment_id}', {
    params: { path },
  })
  return { shipment_id, order_number, tracking_number: carrier.tracking_number, phase }
}

async function changeException(client: Client, slug: string, shipment_id: string, body: Schemas['ExceptionChange']) {
  const changed = await client.patch('/v1/shops/{slug}/exceptions/{shipment_id}', {
    params: { path: { slug, shipment_id } },
    body,
  })
  const { kind, state, snoozed_until, resolved_at } = changed
  return { shipment_id, kind, state, snoozed_until, resolved_at }
}
