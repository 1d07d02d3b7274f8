import { type Dataset, orderBody, shopNumber, shopSlug, trackingNumber, uuidOf, zipCode } from './dataset.ts'

/** A request of one kind about one order. */
export interface Request {
  method: 'GET' | 'POST' | 'PUT'
  path: string
  body?: unknown
}

/** One kind of request to measure. */
export interface Kind {
  /** The orders it uses: any existing one, each draft once, or a new one each time. */
  about: 'orders' | 'drafts' | 'new orders'
  request(dataset: Dataset, order: number, now: Date): Request
}

export const kinds = {
  'upsert of a new order': {
    about: 'new orders',
    request: (dataset, order, now) => ({
      method: 'PUT',
      path: pathTo(dataset, order, '/orders'),
      body: {
        id: String(order),
        id_type: 'order_number',
        order: orderBody(dataset, order, now.toISOString()),
        trackings: [],
      },
    }),
  },
  'fulfilment of a draft': {
    about: 'drafts',
    request: (dataset, order) => ({
      method: 'PUT',
      path: pathTo(dataset, order, '/orders'),
      body: {
        id: String(order),
        id_type: 'order_number',
        trackings: [
          { tracking_number: trackingNumber(order), tracking_company: 'DHL Paket', carrier_reference: 'dhl' },
        ],
      },
    }),
  },
  'event by tracking number': {
    about: 'orders',
    request: (dataset, order, now) => ({
      method: 'POST',
      path: pathTo(dataset, order, '/shipment-events'),
      body: { id: trackingNumber(order), event_name: 'OUT_FOR_DELIVERY', event_time: now.toISOString() },
    }),
  },
  'get of an order': {
    about: 'orders',
    request: (dataset, order) => ({ method: 'GET', path: pathTo(dataset, order, `/orders/${uuidOf.order}${order}`) }),
  },
  'shipments, first page': shipmentSearch(() => ({})),
  'shipments by updated_at ascending': shipmentSearch(() => ({ sort: 'updated_at' })),
  'shipments by created_at descending': shipmentSearch(() => ({ sort: '-created_at' })),
  'shipments by created_at ascending': shipmentSearch(() => ({ sort: 'created_at' })),
  'shipments without drafts': shipmentSearch(() => ({ include_drafts: 'false' })),
  'shipments by tracking_number': shipmentSearch((_, order) => ({ tracking_number: trackingNumber(order) })),
  'shipments by updated_from': shipmentSearch((dataset) => ({ updated_from: daysBefore(dataset, 3) })),
  'shipments by updated_to': shipmentSearch((dataset) => ({ updated_to: daysBefore(dataset, 20) })),
  'shipments by created_from': shipmentSearch((dataset) => ({ created_from: daysBefore(dataset, 3) })),
  'shipments by created_to': shipmentSearch((dataset) => ({ created_to: daysBefore(dataset, 20) })),
  'orders, first page': orderSearch(() => ({})),
  'orders by email_id': orderSearch((_, order) => ({ email_id: `customer-${order}@example.com` })),
  'orders by external_id': orderSearch((_, order) => ({ external_id: `external-${order}` })),
  'orders by order_name': orderSearch((_, order) => ({ order_name: `#${order}` })),
  'orders by order_number': orderSearch((_, order) => ({ order_number: String(order) })),
  'orders by uuid': orderSearch((_, order) => ({ uuid: `${uuidOf.order}${order}` })),
  'orders by zip_code': orderSearch((dataset, order) => ({ zip_code: zipCode(dataset, order) })),
  'orders by order_placed_from': orderSearch((dataset) => ({ order_placed_from: daysBefore(dataset, 3) })),
  'orders by order_placed_to': orderSearch((dataset) => ({ order_placed_to: daysBefore(dataset, 20) })),
  'orders by shipment_updated_since': orderSearch((dataset) => ({ shipment_updated_since: daysBefore(dataset, 3) })),
} satisfies Record<string, Kind>

export type KindName = keyof typeof kinds
export const kindNames = Object.keys(kinds) as KindName[]

function pathTo(dataset: Dataset, order: number, rest: string): string {
  return `/v1/shops/${shopSlug(shopNumber(dataset, order))}${rest}`
}

type Query = (dataset: Dataset, order: number) => Record<string, string>

function shipmentSearch(query: Query): Kind {
  return search('/shipments', query)
}

function orderSearch(query: Query): Kind {
  return search('/orders', query)
}

function search(path: string, query: Query): Kind {
  return {
    about: 'orders',
    request: (dataset, order) => ({
      method: 'GET',
      path: `${pathTo(dataset, order, path)}?${new URLSearchParams(query(dataset, order))}`,
    }),
  }
}

function daysBefore({ now }: Dataset, days: number): string {
  return new Date(now.getTime() - days * 86_400_000).toISOString()
}
