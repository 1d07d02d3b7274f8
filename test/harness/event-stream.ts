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

/** Posts events until it is stopped. A failed event is not posted again, and its connection pauses briefly. */
export function streamEvents(
  service: () => Place | Promise<Place>,
  credentials: Credentials,
  shop: StreamShop,
): EventStream {
  const accepted = new Set<string>()
  const refused = new Map<number, number>()
  let isStopped = false
  let parcels = 0
  const nextParcel = (): string | undefined => {
    parcels += 1
    return shop.trackingNumbers[parcels - 1]
  }
  const post = async (): Promise<void> => {
    for (let parcel = nextParcel(); parcel !== undefined; parcel = nextParcel()) {
      for (const event_name of eventNames) {
        if (isStopped) return
        const path = `/v1/shops/${shop.slug}/shipment-events?notify=true`
        const status = await callApi(await service(), credentials, 'POST', path, { id: parcel, event_name }).then(
          (response) => response.status,
          () => 0,
        )
        if (status === 200) accepted.add(`${parcel} ${event_name}`)
        else {
          refused.set(status, (refused.get(status) ?? 0) + 1)
          await pause(50)
        }
      }
    }
    throw new Error('the stream has run out of parcels')
  }
  const posting = Promise.all(Array.from({ length: connections }, post))
  return {
    accepted,
    refused,
    async until(count) {
      await Promise.race([until(() => (accepted.size < count ? undefined : true)), posting])
    },
    async stop() {
      isStopped = true
      await posting
    },
  }
}

export interface StreamShop {
  slug: string
  trackingNumbers: string[]
}

/** A shop with parcels for a stream, and the receiver as its only endpoint. */
export async function makeStreamShop(
  service: Place,
  credentials: Credentials,
  receiver: Receiver,
  parcels: number,
): Promise<StreamShop> {
  const slug = 'stream'
  await makeShop(service, credentials, slug)
  const trackingNumbers = Array.from({ length: parcels }, () => uniqueNumber('F'))
  const waiting = [...trackingNumbers]
  const place = async (): Promise<void> => {
    for (let number = waiting.pop(); number !== undefined; number = waiting.pop()) {
      const order = upsertOf(number, { order_placed_at: undefined }, [{ tracking_number: number }])
      expect((await callApi(service, credentials, 'PUT', `/v1/shops/${slug}/orders`, order)).status).toBe(200)
    }
  }
  await Promise.all(Array.from({ length: connections }, place))
  const endpoint = await callApi(service, credentials, 'POST', `/v1/shops/${slug}/webhooks`, { url: receiver.url })
  expect(endpoint.status).toBe(200)
  return { slug, trackingNumbers }
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
