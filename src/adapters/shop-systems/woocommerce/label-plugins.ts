import { type Fields, fieldsOf, given, idOf, listOf, textOf } from '../read-fields.ts'
import { entriesOf, type Meta, type PluginTracking, trackingOf } from './plugin-fields.ts'

/** Plug-ins that buy labels. Labels that were refunded, failed, or are for the way back do not count. */

/** WooCommerce Shipping, and WooCommerce Tax & Shipping before it. Each label lists a product once for each piece. */
export function fromWooCommerceShipping(meta: Meta, order: Fields): PluginTracking[] {
  const entries = [meta.get('wcshipping_labels'), meta.get('wc_connect_labels')].flatMap(entriesOf)
  const labels = entries.filter(
    ({ refund, is_return, status }) => !isSet(refund) && !isSet(is_return) && status !== 'PURCHASE_ERROR',
  )
  return labels.flatMap((label) =>
    trackingOf(label.tracking, {
      id: label.label_id,
      company: [label.carrier_id === 'upsdap' ? 'ups' : label.carrier_id],
      placedAt: label.created,
      // A single label is for the whole order, as the plug-in reads it too.
      items: labels.length > 1 ? labelItems(label, order) : [],
    }),
  )
}

function labelItems({ product_ids }: Fields, order: Fields): NonNullable<PluginTracking['items']> {
  const pieces = new Map<string, number>()
  for (const value of Array.isArray(product_ids) ? product_ids.slice(0, 10_000) : []) {
    const id = idOf(value)
    if (id !== undefined) pieces.set(id, (pieces.get(id) ?? 0) + 1)
  }
  const lineItems = listOf(order.line_items)
  return [...pieces].map(([productId, quantity]) => {
    const item =
      lineItems.find(({ variation_id }) => idOf(variation_id) === productId) ??
      lineItems.find(({ product_id }) => idOf(product_id) === productId)
    return { itemId: idOf(item?.id), productId, quantity }
  })
}

/** DHL for WooCommerce: one number, or a list; the number of a return label is in a field of its own. */
export function fromDhl(meta: Meta): PluginTracking[] {
  const { tracking_number } = fieldsOf(meta.get('_pr_shipment_dhl_label_tracking'))
  return trackingOf(tracking_number, { company: ['DHL'] }).map(({ company, ...tracking }) =>
    // It also buys letters and stamps of Deutsche Post, whose numbers have the form of the Universal Postal Union.
    /^[A-Z]{2}\d{9}[A-Z]{2}$/.test(tracking.number) ? tracking : { company, ...tracking },
  )
}

/** MyParcel since version 5, under the names of its editions. */
const myParcelKeys = ['_myparcelcom_order_shipments', '_myparcelnl_order_shipments', '_myparcelbe_order_shipments']
/** Returns, by the numbers of their types. */
const myParcelReturns = new Set(['2', '5', '6'])

export function fromMyParcel(meta: Meta): PluginTracking[] {
  const current = myParcelKeys.flatMap((key) => entriesOf(meta.get(key)))
  const trackings = current
    .filter(({ deleted, isReturn, shipmentType }) => !isSet(deleted) && !isSet(isReturn) && !isReturnType(shipmentType))
    .flatMap((shipment) =>
      trackingOf(shipment.barcode, {
        id: shipment.id,
        company: myParcelCarriers(shipment.carrier),
        url: [shipment.linkConsumerPortal],
        placedAt: createdAt(shipment.created),
      }),
    )
  if (current.length > 0) return trackings
  // Before version 5: `{ shipment_id, track_trace, shipment }`; before version 4, the number was in `tracktrace`.
  return entriesOf(meta.get('_myparcel_shipments')).flatMap((entry) => {
    const shipment = fieldsOf(entry.shipment)
    if (isReturnType(shipment.shipment_type)) return []
    return trackingOf(entry.track_trace || entry.tracktrace || shipment.barcode, {
      id: entry.shipment_id,
      company: [],
      url: [shipment.link_consumer_portal],
      placedAt: createdAt(shipment.created),
    })
  })
}

function isReturnType(type: unknown): boolean {
  return myParcelReturns.has(textOf(type, 10) ?? '')
}

/** A name, with the number of a contract or without; older versions store an object. */
function myParcelCarriers(carrier: unknown): unknown[] {
  const fields = fieldsOf(carrier)
  const name = textOf(carrier, 255) ?? fields.externalIdentifier ?? fields.name ?? fields.carrier
  return [typeof name === 'string' ? name.split(':')[0] : fieldsOf(name).name]
}

/** A text, or PHP's own form of a time, `{ date, timezone }`. */
function createdAt(value: unknown): unknown {
  return textOf(value, 40) ?? textOf(fieldsOf(value).date, 40)?.slice(0, 19)
}

const unsentStatuses = new Set(['draft', 'requested', 'rejected', 'deleted'])

/** Germanized and Shiptastic add their shipments to the order itself. */
export function fromShiptastic(_meta: Meta, order: Fields): PluginTracking[] {
  return listOf(order.shipments)
    .filter(({ type, status }) => type !== 'return' && !unsentStatuses.has(textOf(status, 100) ?? ''))
    .flatMap((shipment) =>
      trackingOf(shipment.tracking_id, {
        id: idOf(shipment.id) && `shipment-${idOf(shipment.id)}`,
        company: [shipment.shipping_provider_title, shipment.shipping_provider],
        url: [shipment.tracking_url],
        placedAt: shipment.date_sent_gmt ?? shipment.date_created_gmt,
        items: listOf(shipment.items).map((item) => ({
          itemId: idOf(item.order_item_id),
          ...given({ productId: idOf(item.product_id) }),
          quantity: item.quantity,
        })),
      }),
    )
}

/** PHP writes false, 0, an empty text or an empty list for "no". */
function isSet(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== '0' && Boolean(value)
}
