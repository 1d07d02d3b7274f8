import type { Service } from '../../src/service.ts'
import { createOrder, uniqueNumber } from './orders.ts'
import { type Call, call, type Reply } from './service.ts'
import type { ShopCaller, TestShop } from './shop.ts'

/** The path of an order's tracking page. */
export async function pagePathOf(shop: ShopCaller, orderNumber: string): Promise<string> {
  const { body } = await shop.post('/orders/trackpage-url', { id: orderNumber })
  return new URL(body.url).pathname
}

/** Requests a page as a browser does, without credentials. */
export function visit(path: string, options: Call = {}, service?: Service): Promise<Reply> {
  const headers = { accept: 'text/html', 'accept-language': 'en', ...options.headers }
  return call('GET', path, { auth: null, ...options, headers }, service)
}

/** Sends a form as a browser does. */
export function submit(path: string, fields: Record<string, string>, options: Call = {}): Promise<Reply> {
  return call('POST', path, {
    auth: null,
    payload: new URLSearchParams(fields).toString(),
    ...options,
    headers: {
      accept: 'text/html',
      'accept-language': 'en',
      'content-type': 'application/x-www-form-urlencoded',
      ...options.headers,
    },
  })
}

/** The visible text of a page: without tags, styles and metadata. */
export function readable(html: string): string {
  return html
    .replaceAll(/<(style|script|head)\b[\s\S]*?<\/\1>/g, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll('&amp;', '&')
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

export interface SentOrder {
  /** As the API returns it. */
  order: Reply['body']
  trackingNumbers: string[]
  path: string
}

/** An order whose parcels were sent, and its page. */
export async function sendOrder(
  shop: TestShop,
  fields: Record<string, unknown> = {},
  trackings: Record<string, unknown>[] = [{}],
): Promise<SentOrder> {
  const caller = shop.as('editor')
  const given = trackings.map((tracking) => ({
    tracking_number: uniqueNumber('PARCEL'),
    carrier_reference: 'dhl',
    tracking_placed_at: '2026-11-02T15:00:00Z',
    ...tracking,
  }))
  const order = await createOrder(caller, fields, given)
  const path = await pagePathOf(caller, order.order_number)
  return { order, trackingNumbers: given.map((tracking) => String(tracking.tracking_number)), path }
}

/** Records a scan of a parcel. */
export async function scanParcel(
  shop: TestShop,
  trackingNumber: string,
  eventName: string,
  time?: string,
): Promise<void> {
  const body = { id: trackingNumber, event_name: eventName, ...(time ? { event_time: time } : {}) }
  const { status, text } = await shop.as('editor').post('/shipment-events', body)
  if (status !== 200) throw new Error(text)
}
