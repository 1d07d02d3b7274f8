import { expect } from 'vitest'
import { createOrder, uniqueNumber } from './orders.ts'
import type { ShopCaller } from './shop.ts'

export interface FeedEvent {
  cursor: string
  ref: string
  event_group: string
  event_data: { tracking_number: string; event_name: string }
}

/** A parcel whose events can be reported; its order has published two. */
export async function sendParcel(shop: ShopCaller): Promise<{ number: string; shipmentId: string; email: string }> {
  const number = uniqueNumber('F')
  const order = await createOrder(shop, { order_placed_at: undefined }, [{ tracking_number: number }])
  return { number, shipmentId: order.trackings[0].id, email: order.email_id }
}

export async function report(shop: ShopCaller, number: string, event_name: string): Promise<void> {
  const { status, text } = await shop.post('/shipment-events?notify=true', { id: number, event_name })
  expect(status, text).toBe(200)
}

/** Reads to the end, in parts of the given size. */
export async function readOn(shop: ShopCaller, after: string | undefined, limit = 2): Promise<FeedEvent[]> {
  const events: FeedEvent[] = []
  for (let next = after; ; ) {
    const { status, body, text } = await shop.get('/events', { limit, ...(next === undefined ? {} : { after: next }) })
    expect(status, text).toBe(200)
    if (body.events.length === 0) return events
    events.push(...body.events)
    next = body.next
  }
}

export const refs = (events: FeedEvent[]) => events.map(({ ref }) => ref)
