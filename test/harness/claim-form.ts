import { type FormPart, multipart } from './multipart.ts'
import { createOrder, uniqueNumber } from './orders.ts'
import { fieldsOf, withFields } from './page-form.ts'
import { type Call, call, type Reply } from './service.ts'
import type { TestShop } from './shop.ts'

/** An order with parcels in transit, and the address of its claim form. */
export async function orderToClaim(shop: TestShop, fields: Record<string, unknown> = {}, parcels = 1) {
  const trackings = Array.from({ length: parcels }, () => ({
    tracking_number: uniqueNumber('00340'),
    carrier_reference: 'dhl',
  }))
  const order = await createOrder(shop.as('editor'), fields, trackings)
  const address = await addressOf(shop, order.order_number)
  return {
    order,
    orderAddress: address,
    address: `${address}/claim`,
    shipments: order.trackings.map(({ uuid }: { uuid: string }) => uuid) as string[],
  }
}

export async function addressOf(shop: TestShop, orderNumber: string): Promise<string> {
  const { body } = await shop.as('editor').post('/orders/trackpage-url', { id: orderNumber })
  return new URL(body.url).pathname
}

export function open(address: string, options: Call = {}): Promise<Reply> {
  return call('GET', address, { auth: null, ...options })
}

/** Fills the form of a page in and sends it, as a browser does. */
export async function fillIn(
  address: string,
  page: string,
  changes: Record<string, string | undefined>,
  files: FormPart[] = [],
): Promise<Reply> {
  return sendParts(address, [...withFields(fieldsOf(page), changes), ...files])
}

export function sendParts(address: string, parts: FormPart[]): Promise<Reply> {
  return call('POST', address, { auth: null, ...multipart(parts) })
}

export function photo(content: Uint8Array | string, filename = 'photo.jpg'): FormPart {
  return { name: 'photos', content, filename, contentType: 'image/jpeg' }
}

/** The name of the field for an item, by its title. */
export function itemField(page: string, title: string): string {
  const row = page.split('<li class="item">').find((part) => part.includes(`>${title}<`)) ?? ''
  return /\bname="(item-[\w-]+)"/.exec(row)?.[1] ?? 'no such item'
}

/** The claims of an order as the shop sees them, oldest first. */
export async function claimsOf(shop: TestShop, orderId: string) {
  return (await shop.as('viewer').get('/claims', { order_id: orderId, sort: 'created_at' })).body.claims
}
