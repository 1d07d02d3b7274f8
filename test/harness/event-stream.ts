import { expect } from 'vitest'
import { uniqueNumber, upsertOf } from './orders.ts'
import { until } from './patience.ts'
import { type Credentials, callApi, makeShop } from './process.ts'
import type { Receiver } from './receiver.ts'

/** Some of the events that are published, in an order in which a parcel could have them. */
const eventNames = [
  'PARCEL_DISPATCHED',
  'ARRIVED_AT_SORTING_CENTER',
  'AT_TRANSPORT_HUB',
  'CUSTOMS_PROCESSING',
  'ARRIVAL_IN_DESTINATION_COUNTRY',
  'DELAY_IN_TRANSPORT',
  'ARRIVAL_AT_FINAL_DELIVERY_CENTER',
  'OUT_FOR_DELIVERY',
  'DELIVERY_ATTEMPTED',
  'SUCCESSFULLY_DELIVERED',
]

type Place = { url: string }

/** A stream of events over several connections, each of which posts the events of its own parcels in order. */
export interface EventStream {
  /** The events that were accepted with 200, as `<tracking number> <event name>`. */
  accepted: Set<string>
  /** The number of responses by other statuses; 0 is no response. */
  refused: Map<number, number>
  /** Waits until that many events have been accepted. */
  until(count: number): Promise<void>
  /** Stops posting, after the requests in flight. */
  stop(): Promise<void>
}

const connections = 8

/**
 * Places orders of one parcel each and posts the events of each parcel, until it is stopped. A failed request is not
 * repeated, and its connection pauses briefly.
 */
export function streamEvents(service: () => Place | Promise<Place>, credentials: Credentials): EventStream {
  const accepted = new Set<string>()
  const refused = new Map<number, number>()
  let isStopped = false
  const send = async (method: string, path: string, body: unknown): Promise<boolean> => {
    const status = await callApi(await service(), credentials, `${method} /v1/shops/${streamShop}${path}`, {
      body,
    }).then(
      (response) => response.status,
      () => 0,
    )
    if (status === 200) return true
    refused.set(status, (refused.get(status) ?? 0) + 1)
    await pause(50)
    return false
  }
  const post = async (): Promise<void> => {
    while (!isStopped) {
      const parcel = uniqueNumber('F')
      const order = upsertOf(parcel, { order_placed_at: undefined }, [{ tracking_number: parcel }])
      if (!(await send('PUT', '/orders', order))) continue
      for (const event_name of eventNames) {
        if (isStopped) return
        const isAccepted = await send('POST', '/shipment-events?notify=true', { id: parcel, event_name })
        if (isAccepted) accepted.add(`${parcel} ${event_name}`)
      }
    }
  }
  const posting = Promise.all(Array.from({ length: connections }, post))
  return {
    accepted,
    refused,
    async until(count) {
      await until(() => (accepted.size < count ? undefined : true))
    },
    async stop() {
      isStopped = true
      await posting
    },
  }
}

/** The slug of the shop of `makeStreamShop`. */
export const streamShop = 'stream'

/** A shop for a stream, with the receiver as its only endpoint. */
export async function makeStreamShop(service: Place, credentials: Credentials, receiver: Receiver): Promise<void> {
  await makeShop(service, credentials, streamShop)
  const path = `/v1/shops/${streamShop}/webhooks`
  expect((await callApi(service, credentials, `POST ${path}`, { body: { url: receiver.url } })).status).toBe(200)
}

/** Waits until all accepted events were received, checks the delivery guarantees and prints the counts. */
export async function expectAllDelivered(stream: EventStream, receiver: Receiver): Promise<void> {
  const missing = () => {
    const come = new Set(receiver.received.map(keyOf))
    return [...stream.accepted].filter((key) => !come.has(key))
  }
  await until(() => (missing().length === 0 ? true : undefined)).catch(() => {})
  expect(missing(), 'accepted, and never received').toEqual([])
  const ids = new Map<string, Set<unknown>>()
  for (const received of receiver.received) {
    const key = keyOf(received)
    ids.set(key, (ids.get(key) ?? new Set()).add(received.headers['webhook-id']))
  }
  const changed = [...ids].filter(([, webhookIds]) => webhookIds.size !== 1)
  expect(changed, 'repeated under another webhook-id').toEqual([])
  const refused = [...stream.refused].map(([status, count]) => `${count} × ${status === 0 ? 'no answer' : status}`)
  console.log(
    `${stream.accepted.size} events accepted, ${ids.size} received, ` +
      `${receiver.received.length - ids.size} duplicates; not accepted: ${refused.join(', ') || 'none'}`,
  )
}

function keyOf({ body }: Receiver['received'][number]): string {
  return `${body.event_data.tracking_number} ${body.event_data.event_name}`
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
