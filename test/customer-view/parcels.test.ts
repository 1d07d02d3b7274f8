import { describe, expect, it } from 'vitest'
import { parcelsOf } from '../../src/customer-view/order-page/parcels.ts'
import type { PageOrderRecord, PageShipment } from '../../src/customer-view/order-page/store.ts'

const at = (hour: number) => new Date(Date.UTC(2026, 10, 3, hour)).toISOString()
const event = (event_key: string, hour: number, additional_info: Record<string, unknown> | null = null) => ({
  event_key,
  event_time: at(hour),
  timezone: null,
  location: null,
  additional_info,
})

const jacket = { title: 'Jacket', product_id: 'p1', variant_id: 'm', sku: 'RJ-M', quantity: 2 }
const larger = { ...jacket, variant_id: 'l', sku: 'RJ-L', quantity: 1 }

const shipmentOf = (fields: Partial<PageShipment> = {}): PageShipment => ({
  id: 'parcel',
  order_id: 'order',
  tracking_number: 'P-1',
  carrier_reference: 'dhl',
  tracking_company: null,
  service: null,
  tracking_url: 'https://carrier.example/P-1',
  external_shipment_id: null,
  direction: 'merchant_customer',
  phase: 'in_transit',
  flag: 'normal',
  current_event_key: 'PARCEL_DISPATCHED',
  products: null,
  expected_delivery: null,
  pickup: null,
  proof_of_delivery: null,
  created_at: at(1),
  updated_at: at(1),
  events: [],
  ...fields,
})

function shown(fields: Partial<PageShipment>, order: Partial<PageOrderRecord> = {}, others: PageShipment[] = []) {
  const [parcel] = parcelsOf({
    id: 'order',
    order_number: '1001',
    order_name: null,
    order_placed_at: new Date(at(0)),
    currency: 'EUR',
    products: [jacket, larger],
    country_code: 'DE',
    expected_number_of_shipments: 1,
    nothing_to_send: false,
    handed_over_without_tracking: false,
    promise: null,
    shipments: [shipmentOf(fields), ...others],
    claims: [],
    state: '',
    offered: { segments: [], productIds: [], customer: '', assignments: {}, version: 1 },
    ...order,
  })
  if (parcel === undefined) throw new Error('the order has a parcel')
  return parcel
}

describe('parcel on the page', () => {
  it('was handed over without a number only if it goes to the customer and has none', () => {
    const order = { handed_over_without_tracking: true }
    expect(shown({ tracking_number: null }, order).isHandedOver).toBe(true)
    expect(shown({}, order).isHandedOver).toBe(false)
    expect(shown({ tracking_number: null, direction: 'customer_merchant' }, order).isHandedOver).toBe(false)
    expect(shown({ tracking_number: null }).isHandedOver).toBe(false)
  })

  it('has the details that the order has of a returned product, of the same variant', () => {
    const back = { direction: 'customer_merchant' }
    const products = (given: unknown[]) =>
      shown({ ...back, products: given }).products?.map(({ sku, quantity }) => `${quantity} ${sku}`)
    expect(products([{ product_id: 'p1', variant_id: 'l', quantity: 1 }])).toEqual(['1 RJ-L'])
    expect(products([{ product_id: 'p1', variant_id: 'm' }])).toEqual(['2 RJ-M'])
    expect(products([{ product_id: 'p1' }])).toEqual(['2 RJ-M'])
    expect(products([{ product_id: 'other', quantity: 3, sku: 'X' }])).toEqual(['3 X'])
    expect(products([{ title: 'Scarf', sku: 'S', quantity: 1 }])).toEqual(['1 S'])
  })

  it('lists what is left to be sent if it has no number, but a return may be anything', () => {
    const sent = shipmentOf({ id: 'sent', products: [jacket] })
    const draft = { tracking_number: null }
    expect(shown(draft, {}, [sent]).products?.map(({ sku }) => sku)).toEqual(['RJ-L'])
    expect(shown({ ...draft, direction: 'customer_merchant' }, {}, [sent]).products).toBeUndefined()
    expect(shown(draft).products).toBeUndefined()
  })

  it('has its events newest first, without labels that were stored after a scan', () => {
    const events = [event('ORDER_PROCESSED', 1), event('PARCEL_DISPATCHED', 2), event('ORDER_PROCESSED', 3)]
    expect(shown({ events }).events.map(({ event_time }) => event_time)).toEqual([at(2), at(1)])
    const labels = [event('ORDER_CREATED', 1), event('ORDER_PROCESSED', 2)]
    expect(shown({ events: labels }).events).toHaveLength(2)
  })

  it('was delivered at the last time its carrier said so', () => {
    const delivered = { phase: 'delivered', current_event_key: 'SUCCESSFULLY_DELIVERED' }
    const events = [event('SUCCESSFULLY_DELIVERED', 2), event('SUCCESSFULLY_DELIVERED', 5)]
    expect(shown({ ...delivered, events }).deliveredAt?.toISOString()).toBe(at(5))
    expect(shown({ events }).deliveredAt).toBeUndefined()
  })

  it('is of the carrier that is known, else of the company that was named', () => {
    expect(shown({ tracking_company: 'Our van' }).carrierName).toBe('DHL')
    expect(shown({ carrier_reference: null, tracking_company: 'Our van' }).carrierName).toBe('Our van')
    expect(shown({ carrier_reference: null, tracking_company: '' }).carrierName).toBeUndefined()
    expect(shown({ tracking_url: 'javascript:alert(1)' }).carrierLink).toBeUndefined()
  })

  it('has the time zone of its last scan that names one, else of its destination', () => {
    const events = [{ ...event('PARCEL_DISPATCHED', 1), timezone: 'Europe/Lisbon' }, event('OUT_FOR_DELIVERY', 2)]
    expect(shown({ events }).timeZone).toBe('Europe/Lisbon')
    const nowhere = [{ ...event('PARCEL_DISPATCHED', 1), timezone: 'Europe/Atlantis' }]
    expect(shown({ events: nowhere }).timeZone).toBe('Europe/Berlin')
    expect(shown({}, { country_code: null }).timeZone).toBe('UTC')
  })
})

describe('pick-up point on the page', () => {
  const pickup = (type: string, fields: Record<string, unknown> = {}) => ({
    type,
    name: 'Kiosk',
    address: { street: 'Example Street 1', zip_code: '10115', city: 'Berlin' },
    url: 'https://carrier.example/kiosk',
    opening_hours: { monday: '9-18' },
    date_to: '2026-11-09',
    ...fields,
  })

  it('has its address only if it is open to everybody', () => {
    for (const type of ['shop', 'locker']) {
      expect(shown({ pickup: pickup(type) }).pickup?.lines).toEqual(['Example Street 1', '10115 Berlin'])
    }
    for (const type of ['neighbor', 'letterbox']) expect(shown({ pickup: pickup(type) }).pickup?.lines).toEqual([])
  })

  it('has what is known of it', () => {
    expect(shown({ pickup: pickup('shop') }).pickup).toMatchObject({
      type: 'shop',
      name: 'Kiosk',
      link: 'https://carrier.example/kiosk',
      hours: [['monday', '9-18']],
      until: new Date('2026-11-09'),
    })
    const bare = pickup('shop', { name: null, address: null, url: null, opening_hours: null, date_to: 'soon' })
    expect(shown({ pickup: bare }).pickup).toEqual({
      type: 'shop',
      name: undefined,
      lines: [],
      link: undefined,
      hours: [],
      until: undefined,
    })
  })

  it('is that of the last scan that names one, if the parcel has none', () => {
    const events = [
      event('ARRIVED_AT_PARCEL_SHOP', 1, { pickup_point: 'First' }),
      event('ARRIVED_AT_PARCEL_SHOP', 2, { pickup_point: 'Second' }),
      event('OUT_FOR_DELIVERY', 3),
    ]
    expect(shown({ events }).pickup).toMatchObject({ type: 'shop', name: 'Second', lines: [] })
    expect(shown({ events, pickup: pickup('locker') }).pickup).toMatchObject({ type: 'locker', name: 'Kiosk' })
    expect(shown({}).pickup).toBeUndefined()
  })
})
