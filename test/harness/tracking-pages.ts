import { type IncomingEvent, recordEvents } from '../../src/orders/events/store.ts'
import type { Pickup } from '../../src/orders/shipments/schema.ts'
import { getMeaning, isAllowedForDrafts } from '../../src/platform/catalogue/catalogue.ts'
import { dayMs } from '../../src/platform/foundation/clock.ts'
import type { Service } from '../../src/service.ts'
import { findShopIdentity } from '../../src/shops/shops/store.ts'
import { createCampaign } from './campaigns.ts'
import { createDiscount } from './catalogue.ts'
import { createOrder, uniqueNumber } from './orders.ts'
import { proveDelivery } from './proof.ts'
import { makeShop, type TestShop } from './shop.ts'

/** The states that a page is reviewed in, by name. */
export interface MadePages {
  paths: Record<string, string>
  /** Of the order that is on its way. */
  orderNumber: string
  sendAnother(): Promise<{ path: string; trackingNumber: string }>
}

const places = [
  { city: 'Leipzig', country: 'Germany', country_code: 'DE', latitude: 51.34, longitude: 12.37 },
  { city: 'Hannover', country: 'Germany', country_code: 'DE', latitude: 52.38, longitude: 9.73 },
  { city: 'Berlin', country: 'Germany', country_code: 'DE', latitude: 52.52, longitude: 13.4 },
]

/** Fills a shop with an order in every state, through the API; carriers' scans are stored as a provider's are. */
export async function makePages(service: Service, shop: TestShop): Promise<MadePages> {
  const editor = shop.as('editor')
  await fillShop(shop)
  const send = (fields: Record<string, unknown> = {}, count = 1) => sendParcels(shop, fields, count)
  const scan = (parcel: string, events: Scan[]) => scanAs(service, shop.slug, parcel, events)
  const journey: Scan[] = [
    { event: 'ACCEPTED_BY_ORIGIN_OFFICE', place: 0 },
    { event: 'ARRIVED_AT_SORTING_CENTER', place: 1 },
    { event: 'ARRIVAL_AT_FINAL_DELIVERY_CENTER', place: 2 },
  ]

  const onItsWay = await send()
  await scan(onItsWay.parcels[0] ?? '', [
    ...journey.slice(0, 2),
    { event: 'DEPARTURE_FROM_TRANSPORT_HUB', place: 1, expectedInDays: 2 },
  ])
  const delivered = await send()
  await scan(delivered.parcels[0] ?? '', [
    ...journey,
    { event: 'OUT_FOR_DELIVERY', place: 2 },
    { event: 'SUCCESSFULLY_DELIVERED', place: 2 },
  ])
  const [shown] = (await editor.get('/shipments', { tracking_number: delivered.parcels[0] ?? '' })).body.shipments
  await proveDelivery(service, shown.uuid)
  await editor.post('/claims', {
    tracking_number: delivered.parcels[0],
    reason: 'damage',
    resolution_preference: 'refund',
  })
  const late = await send()
  await scan(late.parcels[0] ?? '', [
    ...journey.slice(0, 1),
    { event: 'DELAY_IN_TRANSPORT', place: 1, expectedInDays: -1 },
  ])
  const failed = await send()
  await scan(failed.parcels[0] ?? '', [
    ...journey,
    { event: 'DELIVERY_ATTEMPTED_ADDRESS_COULD_NOT_BE_FOUND', place: 2 },
  ])
  const waiting = await send()
  await scan(waiting.parcels[0] ?? '', [...journey, { event: 'ARRIVED_AT_PARCEL_SHOP', place: 2, pickup }])
  const several = await send({}, 2)
  await scan(several.parcels[0] ?? '', [...journey, { event: 'SUCCESSFULLY_DELIVERED', place: 2 }])
  await scan(several.parcels[1] ?? '', [
    ...journey.slice(0, 2),
    { event: 'AT_SORTING_CENTER', place: 1, expectedInDays: 3 },
  ])
  const ten = await send({}, 10)
  for (const parcel of ten.parcels) await scan(parcel, journey)
  const long = await send()
  await scan(
    long.parcels[0] ?? '',
    Array.from({ length: 200 }, (_, index) => ({ event: 'ARRIVED_AT_SORTING_CENTER', place: index % 3 })),
  )
  const names = await send({
    order_name: 'N'.repeat(200),
    products: [
      { title: 'Unbrokenproductname'.repeat(16), variant_title: 'Variant '.repeat(40), quantity: 12, price: 1234.5 },
    ],
  })
  const sentBack = await send()
  await scan(sentBack.parcels[0] ?? '', [...journey, { event: 'SUCCESSFULLY_DELIVERED', place: 2 }])
  const returned = await editor.post('/shipments', {
    order_id: sentBack.order.order_number,
    order_id_type: 'order_number',
    tracking_number: uniqueNumber('BACK'),
    carrier_reference: 'dhl',
    products: [{ product_id: 'p1', variant_id: 'v1', quantity: 1 }],
  })
  if (returned.status !== 200) throw new Error(returned.text)
  const placed = await createOrder(editor)
  const cancelled = await createOrder(editor)
  await editor.post('/shipment-events', {
    id: cancelled.order_number,
    id_type: 'order_number',
    event_name: 'ORDER_CANCELLED',
  })
  const plain = await sendParcels(shop, {}, 1, { carrier_reference: null, tracking_company: null })
  const wrong = await wrongPalette(service)

  return {
    orderNumber: onItsWay.order.order_number,
    paths: {
      'on-its-way': onItsWay.path,
      delivered: delivered.path,
      late: late.path,
      failed: failed.path,
      waiting: waiting.path,
      several: several.path,
      'ten-parcels': ten.path,
      'many-events': long.path,
      'long-names': names.path,
      'sent-back': sentBack.path,
      placed: await pathOf(shop, placed.order_number),
      cancelled: await pathOf(shop, cancelled.order_number),
      'no-carrier': plain.path,
      'wrong-palette': wrong,
      'look-up': `/track/${shop.slug}`,
      'wrong-token': `${onItsWay.path.slice(0, -4)}AAAA`,
      'unknown-shop': '/track/no-such-shop',
      'not-found': '/track/a/b/c/d',
    },
    async sendAnother() {
      const { path, parcels } = await send()
      return { path, trackingNumber: parcels[0] ?? '' }
    },
  }
}

const pickup: Pickup = {
  type: 'shop',
  name: 'Kiosk at the corner',
  address: { street: 'Torstraße 7', zip_code: '10119', city: 'Berlin' },
  url: 'https://carrier.example/points/7',
  opening_hours: { monday: '08:00–20:00', saturday: '09:00–14:00', friday: '08:00–22:00' },
  date_to: '2026-12-24',
}

async function fillShop(shop: TestShop): Promise<void> {
  const editor = shop.as('editor')
  await editor.post('/announcements', { text: 'Parcels take a day longer before the holidays.', language: 'en' })
  await createCampaign(editor, {
    enabled: true,
    promotion_properties: {
      title: 'Warm feet all winter',
      subtitle: 'Two pairs of wool socks for the price of one.',
      cta_label: 'To the socks',
      cta_url: 'https://shop.example/socks',
      image_url: 'https://shop.example/socks.jpg',
      discount_code: 'WARM10',
    },
  })
  const discount_id = await createDiscount(editor, { type: 'order', code: 'WELCOME10' })
  await editor.post('/deals', {
    discount_id,
    title: 'A tenth off your next order',
    description: 'Thank you for your order.',
    cta_url: 'https://shop.example/deal',
  })
}

async function sendParcels(
  shop: TestShop,
  fields: Record<string, unknown>,
  count: number,
  tracking: Record<string, unknown> = {},
) {
  const parcels = Array.from({ length: count }, () => uniqueNumber('PAGE'))
  const trackings = parcels.map((tracking_number) => ({
    tracking_number,
    carrier_reference: 'dhl',
    tracking_placed_at: new Date(Date.now() - 5 * dayMs).toISOString(),
    ...tracking,
  }))
  const order = await createOrder(shop.as('editor'), fields, trackings)
  return { order, parcels, path: await pathOf(shop, order.order_number) }
}

async function pathOf(shop: TestShop, orderNumber: string): Promise<string> {
  const { body } = await shop.as('editor').post('/orders/trackpage-url', { id: orderNumber })
  return new URL(body.url).pathname
}

/** A shop with unreadable colours. */
async function wrongPalette(service: Service): Promise<string> {
  const shop = await makeShop({ name: 'Loud & Clear', logo_url: null }, service)
  const palette = {
    primary_dark: '#FFFF66',
    primary_light: '#FF00FF',
    secondary_dark: '#EEEEEE',
    secondary_light: '#00FF88',
    background: '#808080',
    surface: '#111111',
  }
  await shop.as('admin').patch('/settings/brand-palette', palette)
  await fillShop(shop)
  return (await sendParcels(shop, {}, 1)).path
}

interface Scan {
  event: string
  place: number
  expectedInDays?: number
  pickup?: Pickup
}

/** Records scans an hour apart, the last one an hour ago. */
export async function scanAs(service: Service, slug: string, trackingNumber: string, scans: Scan[]): Promise<void> {
  const context = service.context()
  const shop = await findShopIdentity(context, slug)
  if (shop === undefined) throw new Error(`there is no shop ${slug}`)
  const now = context.now
  const events = scans.map(({ event, place, expectedInDays, pickup: point }, index): IncomingEvent => {
    const meaning = getMeaning(event)
    const due = new Date(now.getTime() + (expectedInDays ?? 0) * dayMs)
    return {
      shopId: shop.id,
      shipmentId: null,
      trackingNumber,
      eventKey: meaning.name,
      phase: meaning.phase,
      flag: meaning.flag,
      movesPhase: meaning.movesPhase,
      isAllowedForDrafts: isAllowedForDrafts(meaning),
      eventTime: new Date(now.getTime() - (scans.length - index) * 3_600_000 * (scans.length > 20 ? 0.5 : 7)),
      externalId: null,
      timezone: 'Europe/Berlin',
      location: places[place] ?? null,
      additionalInfo: null,
      source: 'test',
      isNotified: false,
      now,
      ...(expectedInDays === undefined
        ? {}
        : { expectedDelivery: { start: due.toISOString(), end: new Date(due.getTime() + dayMs).toISOString() } }),
      ...(point ? { pickup: point } : {}),
    }
  })
  const outcomes = await recordEvents(context, events)
  for (const { result } of outcomes) if (result !== 'recorded') throw new Error(`${trackingNumber}: ${result}`)
}
