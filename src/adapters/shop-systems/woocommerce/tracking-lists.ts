import { type Fields, fieldsOf, given, idOf, listOf, textOf } from '../read-fields.ts'
import { entriesOf, type Meta, type PluginTracking, texts, trackingOf } from './plugin-fields.ts'
import { readableText } from './text.ts'

/** WooCommerce Shipment Tracking, and Advanced Shipment Tracking, which adds the items: `[{ item_id, product, qty }]`. */
export function fromShipmentTracking(meta: Meta): PluginTracking[] {
  return entriesOf(meta.get('_wc_shipment_tracking_items')).flatMap((entry) => {
    const items = listOf(entry.products_list).map((item) => ({
      itemId: idOf(item.item_id),
      ...given({ productId: idOf(item.product) }),
      quantity: item.qty,
    }))
    return trackingOf(entry.tracking_number, {
      id: entry.tracking_id,
      company: [entry.custom_tracking_provider, entry.formatted_tracking_provider, entry.tracking_provider],
      url: [entry.custom_tracking_link, entry.ast_tracking_link, entry.formatted_tracking_link],
      placedAt: entry.date_shipped,
      items,
    })
  })
}

/** AfterShip; its first version stored one number, spread over several fields. */
export function fromAfterShip(meta: Meta): PluginTracking[] {
  const entries = entriesOf(meta.get('_aftership_tracking_items'))
  const trackings = entries.flatMap((entry) =>
    trackingOf(entry.tracking_number, {
      id: entry.tracking_id,
      company: [entry.slug],
      placedAt: fieldsOf(entry.additional_fields).ship_date || fieldsOf(entry.metrics).created_at,
      items: listOf(entry.line_items).map((item) => ({ itemId: idOf(item.id), quantity: item.quantity })),
    }),
  )
  if (trackings.length > 0) return trackings
  return trackingOf(meta.get('_aftership_tracking_number'), {
    company: [meta.get('_aftership_tracking_provider_name')],
    placedAt: meta.get('_aftership_tracking_shipdate'),
  })
}

/** ParcelPanel: an object keyed by number, as a JSON string. Its items are a string too: `Rain jacket x1, Socks x2`. */
export function fromParcelPanel(meta: Meta, order: Fields): PluginTracking[] {
  return entriesOf(meta.get('_parcelpanel_shipping_numbers')).flatMap((entry) => {
    const text = readableText(entry.items, 10_000) ?? ''
    const items = listOf(order.line_items).flatMap((item) => {
      const name = readableText(item.name, 2_000)
      const at = name === undefined ? -1 : text.indexOf(`${name} x`)
      if (name === undefined || at < 0) return []
      return [{ itemId: idOf(item.id), quantity: Number.parseFloat(text.slice(at + name.length + 2)) }]
    })
    return trackingOf(entry.tracking_number, { company: [entry.courier_code], placedAt: entry.fulfilled_at, items })
  })
}

/**
 * VillaTheme Orders Tracking: one number for the order, or numbers per line item, as a JSON string. The last number of
 * an item counts; those by quantity stand for one piece each.
 */
export function fromOrdersTracking(meta: Meta, order: Fields): PluginTracking[] {
  const whole = trackingOf(meta.get('_wot_tracking_number'), { company: [meta.get('_wot_tracking_carrier')] })
  if (whole.length > 0) return whole
  const parcels = new Map<string, PluginTracking>()
  for (const item of listOf(order.line_items)) {
    const own = new Map(listOf(item.meta_data).map(({ key, value }) => [key, value]))
    const [last] = entriesOf(own.get('_vi_wot_order_item_tracking_data')).slice(-1)
    const single = entriesOf(own.get('_vi_wot_order_item_tracking_data_by_quantity'))
    const rest = Number(item.quantity) - single.length
    const entries = [
      ...(last ? [{ entry: last, quantity: rest > 0 ? rest : 1 }] : []),
      ...single.map((entry) => ({ entry, quantity: 1 })),
    ]
    for (const { entry, quantity } of entries) {
      const [tracking] = trackingOf(entry.tracking_number, {
        company: [entry.carrier_name, entry.carrier_slug],
        url: [withNumber(entry.carrier_url, entry.tracking_number, order)],
        placedAt: entry.time,
      })
      if (tracking === undefined) continue
      const parcel = parcels.get(tracking.number) ?? { ...tracking, items: [] }
      parcel.items = [...(parcel.items ?? []), { itemId: idOf(item.id), quantity }]
      parcels.set(tracking.number, parcel)
    }
  }
  return [...parcels.values()]
}

/** YITH Order & Shipment Tracking, free and premium. */
export function fromYith(meta: Meta): PluginTracking[] {
  return trackingOf(meta.get('ywot_tracking_code'), {
    company: [meta.get('ywot_carrier_name'), meta.get('ywot_carrier_id')],
    url: [meta.get('ywot_carrier_url')],
    placedAt: meta.get('ywot_pick_up_date'),
  })
}

/** The fields of Shipment Tracking before 1.4, which ERPs and shipping tools still write. */
export function fromPlainFields(meta: Meta): PluginTracking[] {
  const [number] = texts(meta, ['_tracking_number', 'tracking_number', '_shipment_tracking_number'])
  return trackingOf(number, {
    company: texts(meta, [
      '_custom_tracking_provider',
      '_tracking_provider',
      'tracking_provider',
      '_tracking_company',
      'tracking_company',
    ]),
    url: texts(meta, ['_custom_tracking_link', '_tracking_link', '_tracking_url', 'tracking_url']),
    placedAt: texts(meta, ['_date_shipped', 'date_shipped', '_shipped_date', '_tracking_date'])[0],
  })
}

/** `https://carrier.example/?code={tracking_number}&zip={postal_code}` */
function withNumber(url: unknown, number: unknown, order: Fields): string | undefined {
  const text = textOf(url, 2_048)
  const zipCode = textOf(fieldsOf(order.shipping).postcode ?? fieldsOf(order.billing).postcode, 32) ?? ''
  return text
    ?.replaceAll('{tracking_number}', encodeURIComponent(textOf(number, 255) ?? ''))
    .replaceAll('{postal_code}', encodeURIComponent(zipCode))
}
