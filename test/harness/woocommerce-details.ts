import type { Service } from '../../src/service.ts'
import { clock } from './service.ts'
import { makeShop, type TestShop } from './shop.ts'
import {
  consumerKey,
  consumerSecret,
  type FakeWooCommerce,
  startWooCommerce,
} from './shop-system-servers/woocommerce.ts'
import { type Payload, payload, senderOf } from './shop-systems.ts'

/** A WooCommerce with one order, which a shop is connected to. */
export interface StoreWithOrder {
  shop: TestShop
  fake: FakeWooCommerce
  order: Payload
  /** Changes the order in the store, a minute later, and returns the body that its webhook carries. */
  change(fields: Payload): Payload
  /** Sends a webhook; without a body, of the order as it is. */
  send(body?: Payload): Promise<void>
  /** Refunds pieces of line items; the order itself then has only the total. */
  refund(pieces: Record<number, number>, total: string): void
  /** Makes these the fulfilments of the order, of which it has the status only. */
  fulfil(...fulfilments: Payload[]): void
  /** Lets the time pass that fetches wait, and fetches what is due. */
  fetchAll(): Promise<void>
  /** The order as our API shows it. */
  read(): Promise<Payload>
}

export async function openStoreWithOrder(
  service: Service,
  options: { hasKey?: boolean; fields?: Payload } = {},
): Promise<StoreWithOrder> {
  const fake = await startWooCommerce()
  const shop = await makeShop({}, service)
  const sender = await senderOf(shop, 'woocommerce')
  let minutes = 0
  const order = payload('woocommerce-order', { ...times(-60), id: 727, ...options.fields })
  fake.orders = [order]
  if (options.hasKey ?? true) {
    const keys = { store_url: fake.url, consumer_key: consumerKey, consumer_secret: consumerSecret }
    await shop.as('admin').put('/keys/woocommerce', keys)
  }
  const change = (fields: Payload) => {
    minutes += 1
    Object.assign(order, modified(minutes - 60), fields)
    return structuredClone(order)
  }
  return {
    shop,
    fake,
    order,
    change,
    async send(body = order) {
      const reply = await sender.send('order.updated', body)
      if (reply.status !== 200) throw new Error(reply.text)
    },
    refund(pieces, total) {
      const id = 900 + order.refunds.length
      const known = fake.refunds.get(order.id) ?? []
      fake.refunds.set(order.id, [...known, refundOf(order, id, pieces, total)])
      change({ refunds: [...order.refunds, { id, reason: '', total: `-${total}` }] })
    },
    fulfil(...fulfilments) {
      fake.fulfilments?.set(order.id, fulfilments)
      const sent = fulfilments.filter(({ is_fulfilled }) => is_fulfilled)
      const status = sent.length === 0 ? 'unfulfilled' : 'partially_fulfilled'
      const others = order.meta_data.filter(({ key }: Payload) => key !== '_fulfillment_status')
      const meta = { id: 77, key: '_fulfillment_status', value: status }
      change({ meta_data: fulfilments.length === 0 ? others : [...others, meta] })
    },
    async fetchAll() {
      clock.advance(3_000)
      await service.workers?.orderFetcher.runDue()
    },
    async read() {
      const { body } = await shop.as('viewer').get('/orders')
      if (body.length !== 1) throw new Error(`there are ${body.length} orders`)
      return body[0]
    },
  }
}

/** A fulfilment as GET orders/{id}/fulfillments has it: `pieces` are quantities by the ids of line items. */
export function fulfilmentOf(id: number, pieces: Record<number, number>, meta: Payload, isFulfilled = true): Payload {
  const items = Object.entries(pieces).map(([item, qty]) => ({ item_id: Number(item), qty }))
  const fields: Payload = {
    _items: items,
    ...meta,
    ...(isFulfilled ? { _date_fulfilled: '2026-11-10 12:30:00' } : {}),
  }
  return {
    id,
    entity_type: 'WC_Order',
    entity_id: '727',
    status: isFulfilled ? 'fulfilled' : 'unfulfilled',
    is_fulfilled: isFulfilled,
    date_updated: '2026-11-10 12:30:00',
    date_deleted: null,
    meta_data: Object.entries(fields).map(([key, value], index) => ({ id: id * 100 + index, key, value })),
  }
}

/** A refund as GET orders/{id}/refunds has it: quantities and amounts are negative. */
function refundOf(order: Payload, id: number, pieces: Record<number, number>, total: string): Payload {
  return {
    id,
    date_created: '2026-11-10T12:30:00',
    date_created_gmt: '2026-11-10T11:30:00',
    amount: total,
    reason: '',
    refunded_by: 1,
    refunded_payment: false,
    meta_data: [],
    line_items: Object.entries(pieces).map(([item, quantity], index) => {
      const { name, product_id, variation_id, sku } = order.line_items.find(({ id }: Payload) => String(id) === item)
      return {
        id: id * 10 + index,
        name,
        product_id,
        variation_id,
        sku,
        quantity: -quantity,
        subtotal: `-${total}`,
        total: `-${total}`,
        meta_data: [{ id: id * 100 + index, key: '_refunded_item_id', value: item }],
      }
    }),
    shipping_lines: [],
    tax_lines: [],
    fee_lines: [],
  }
}

function times(minutes: number): Payload {
  return { ...modified(minutes), date_created: gmt(minutes, 60), date_created_gmt: gmt(minutes) }
}

/** The store is an hour ahead of GMT. */
function modified(minutes: number): Payload {
  return { date_modified: gmt(minutes, 60), date_modified_gmt: gmt(minutes) }
}

function gmt(minutes: number, offsetMinutes = 0): string {
  return new Date(clock.now().getTime() + (minutes + offsetMinutes) * 60_000).toISOString().slice(0, 19)
}
