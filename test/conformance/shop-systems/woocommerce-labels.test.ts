import { describe, expect, it } from 'vitest'
import type { ReportedOrder } from '../../../src/adapters/shop-systems/shop-system.ts'
import { readOrder } from '../../../src/adapters/shop-systems/woocommerce/order.ts'
import { type Payload, payload } from '../../harness/shop-systems.ts'

const read = (fields: Payload): ReportedOrder => readOrder(payload('woocommerce-order', fields), false)
const withMeta = (key: string, value: unknown) => read({ meta_data: [{ id: 1, key, value }] })
const numbersOf = ({ fulfilments }: ReportedOrder) =>
  fulfilments.flatMap(({ parcels }) => parcels.map(({ tracking_number }) => tracking_number))

/** A label as the plug-in stores it after the purchase. */
const label = (fields: Payload): Payload => ({
  label_id: 4_811,
  tracking: '9400111202555842332669',
  refundable_amount: 7.15,
  created: 1_793_718_000_000,
  carrier_id: 'usps',
  service_name: 'USPS - Ground Advantage',
  status: 'PURCHASED',
  is_return: false,
  commercial_invoice_url: '',
  package_name: 'Small box',
  is_letter: false,
  product_names: ['Rain jacket', 'Socks', 'Socks'],
  product_ids: [94, 22, 22],
  id: '0',
  ...fields,
})

describe('WooCommerce Shipping', () => {
  it.each(['wcshipping_labels', 'wc_connect_labels'])('has a parcel for the label in %s', (key) => {
    const parcel = {
      tracking_number: '9400111202555842332669',
      tracking_company: 'usps',
      tracking_placed_at: '2026-11-03T15:00:00.000Z',
    }
    expect(withMeta(key, [label({})]).fulfilments).toEqual([
      {
        id: '4811',
        changedAt: expect.any(Date),
        sentAt: undefined,
        isActive: true,
        quantity: undefined,
        parcels: [parcel],
      },
    ])
    expect(numbersOf(withMeta(key, JSON.stringify([label({})])))).toEqual([parcel.tracking_number])
  })

  it('lists the contents of each of several parcels', () => {
    const labels = [
      label({ product_ids: [94, 22] }),
      label({ label_id: 4_812, tracking: '1Z999AA10123456784', carrier_id: 'upsdap', product_ids: [22], id: '1' }),
    ]
    expect(withMeta('wcshipping_labels', labels).fulfilments).toMatchObject([
      { quantity: 2, parcels: [{ products: [{ title: 'Rain jacket' }, { title: 'Socks', quantity: 1 }] }] },
      { quantity: 1, parcels: [{ tracking_company: 'ups', products: [{ title: 'Socks', quantity: 1 }] }] },
    ])
  })

  it.each([
    ['refunded', { refund: { status: 'pending', request_date: 1_793_804_400_000 } }],
    ['for the way back', { is_return: true, parent_shipment_id: '0' }],
    ['one whose purchase failed', { status: 'PURCHASE_ERROR', error: 'Rate not found' }],
    ['still being bought', { status: 'PURCHASE_IN_PROGRESS', tracking: null }],
  ])('has no parcel for a label that is %s', (_name, fields) => {
    const { fulfilments } = withMeta('wcshipping_labels', [
      label({ ...fields, label_id: 5 }),
      label({ tracking: 'A1' }),
    ])
    expect(fulfilments).toMatchObject([{ id: '4811', parcels: [{ tracking_number: 'A1' }] }])
  })
})

describe('DHL for WooCommerce', () => {
  const stored = (fields: Payload): Payload => ({
    label_url: 'https://shop.example/wp-content/uploads/woocommerce_dhl_label/dhl-label-727.pdf',
    label_path: '/var/www/wp-content/uploads/woocommerce_dhl_label/dhl-label-727.pdf',
    return_label_number: '',
    return_label_url: '',
    return_label_path: '',
    ...fields,
  })

  it('has a parcel for each number, and none for a return label', () => {
    const one = withMeta('_pr_shipment_dhl_label_tracking', stored({ tracking_number: '00340434161094042557' }))
    expect(one.fulfilments).toMatchObject([
      { parcels: [{ tracking_number: '00340434161094042557', tracking_company: 'DHL' }] },
    ])
    const several = stored({
      tracking_number: ['00340434161094042557', '00340434161094042564'],
      return_label_number: ['00340434161094099999', ''],
    })
    expect(numbersOf(withMeta('_pr_shipment_dhl_label_tracking', several))).toEqual(several.tracking_number)
    expect(numbersOf(withMeta('_pr_shipment_dhl_label_tracking', ''))).toEqual([])
  })

  it('leaves the carrier of a letter of Deutsche Post to its number', () => {
    const letter = stored({ tracking_number: 'LX123456785DE', tracking_status: '' })
    const [fulfilment] = withMeta('_pr_shipment_dhl_label_tracking', letter).fulfilments
    expect(fulfilment?.parcels[0]).toEqual({ tracking_number: 'LX123456785DE' })
  })
})

describe('MyParcel', () => {
  const shipment = (fields: Payload) => ({
    id: 190_412_007,
    shopId: 5_678,
    orderId: '727',
    barcode: '3SMYPA004211907',
    carrier: 'POSTNL',
    delayed: false,
    delivered: false,
    hidden: false,
    isReturn: false,
    multiCollo: false,
    linkConsumerPortal: 'https://shop.myparcel.example/track-trace/3SMYPA004211907/1015AB/NL',
    partnerTrackTraces: [],
    shipmentType: 1,
    status: 2,
    created: '2026-11-03 15:00:00',
    ...fields,
  })

  it.each([
    ['_myparcelcom_order_shipments', 'POSTNL', 'POSTNL'],
    ['_myparcelnl_order_shipments', 'postnl:8123', 'postnl'],
    ['_myparcelbe_order_shipments', { externalIdentifier: 'bpost' }, 'bpost'],
    ['_myparcelnl_order_shipments', { carrier: { name: 'dpd' } }, 'dpd'],
  ])('has a parcel for each shipment in %s', (key, carrier, company) => {
    expect(withMeta(key, [shipment({ carrier })]).fulfilments).toMatchObject([
      {
        id: '190412007',
        parcels: [
          {
            tracking_number: '3SMYPA004211907',
            tracking_company: company,
            tracking_url: 'https://shop.myparcel.example/track-trace/3SMYPA004211907/1015AB/NL',
            tracking_placed_at: '2026-11-03T15:00:00.000Z',
          },
        ],
      },
    ])
  })

  it('has none for concepts, returns and deleted shipments', () => {
    const others = [
      shipment({ barcode: null }),
      shipment({ barcode: 'B1', isReturn: true }),
      shipment({ barcode: 'B2', shipmentType: 2 }),
      shipment({ barcode: 'B3', deleted: '2026-11-04 09:00:00' }),
    ]
    expect(numbersOf(withMeta('_myparcelcom_order_shipments', others))).toEqual([])
  })

  it.each([
    ['4', { track_trace: '3SMYPA004211907' }],
    ['3', { tracktrace: '3SMYPA004211907' }],
  ])('of version %s has its numbers by the ids of the shipments', (_version, fields) => {
    const entry = {
      shipment_id: 190_412_007,
      status: 'pending - registered',
      shipment: { id: 190_412_007, parent_id: null, shipment_type: 1, carrier_id: 1, barcode: '3SMYPA004211907' },
    }
    const back = { ...entry, shipment_id: 8, track_trace: 'B1', shipment: { ...entry.shipment, shipment_type: 5 } }
    const value = { '190412007': { ...entry, ...fields }, '8': back }
    expect(withMeta('_myparcel_shipments', value).fulfilments).toMatchObject([
      { id: '190412007', parcels: [{ tracking_number: '3SMYPA004211907' }] },
    ])
  })
})

describe('Germanized and Shiptastic', () => {
  const shipment = (fields: Payload) => ({
    id: 61,
    shipment_number: '61',
    date_created: '2026-11-03T15:00:00',
    date_created_gmt: '2026-11-03T14:00:00',
    date_sent: '2026-11-03T16:00:00',
    date_sent_gmt: '2026-11-03T15:00:00',
    order_id: 727,
    status: 'shipped',
    type: 'simple',
    tracking_id: '00340434161094042557',
    tracking_url: 'https://dhl.example/track?number=00340434161094042557',
    tracking_instruction: '',
    shipping_provider: 'dhl',
    shipping_provider_title: 'DHL',
    items: [{ id: 71, name: 'Socks', order_item_id: 316, product_id: 22, sku: 'SO-1', quantity: 1 }],
    meta_data: [],
    ...fields,
  })

  it('have a parcel for each shipment in the order, with its contents', () => {
    expect(read({ shipments: [shipment({})] }).fulfilments).toMatchObject([
      {
        id: 'shipment-61',
        quantity: 1,
        parcels: [
          {
            tracking_number: '00340434161094042557',
            tracking_company: 'DHL',
            tracking_url: 'https://dhl.example/track?number=00340434161094042557',
            tracking_placed_at: '2026-11-03T15:00:00.000Z',
            products: [{ title: 'Socks', quantity: 1 }],
          },
        ],
      },
    ])
  })

  it.each([
    { type: 'return' },
    { status: 'draft' },
    { status: 'deleted' },
    { status: 'requested' },
    { tracking_id: '' },
  ])('have none for %o', (fields) => {
    expect(read({ shipments: [shipment(fields)] }).fulfilments).toEqual([])
  })

  it('are one parcel with the fulfilment that they are shown as', () => {
    const meta_data = [
      { id: 0, key: '_tracking_number', value: '00340434161094042557' },
      { id: 0, key: '_shipment_provider', value: 'dhl' },
      { id: 0, key: '_items', value: [{ item_id: 316, qty: 1 }] },
    ]
    const fulfillments = [{ id: 61, status: 'fulfilled', is_fulfilled: true, date_deleted: null, meta_data }]
    expect(read({ shipments: [shipment({})], fulfillments }).fulfilments).toMatchObject([
      { id: 'fulfillment-61', parcels: [{ tracking_number: '00340434161094042557' }] },
    ])
  })
})

describe("WooCommerce's own fulfilments", () => {
  it('have times in the zone of the store, and are handed over if the order is fulfilled', () => {
    const fulfilment = (id: number, meta: Payload) => ({
      id,
      entity_type: 'WC_Order',
      entity_id: '727',
      status: 'fulfilled',
      is_fulfilled: true,
      date_updated: '2026-11-10 12:30:00',
      date_deleted: null,
      meta_data: Object.entries(meta).map(([key, value], index) => ({ id: index, key, value })),
    })
    const order = read({
      date_modified: '2026-11-10T12:30:00',
      date_modified_gmt: '2026-11-10T11:30:00',
      meta_data: [{ id: 1, key: '_fulfillment_status', value: 'fulfilled' }],
      fulfillments: [
        fulfilment(3, {
          _items: [{ item_id: 315, qty: 1 }],
          _tracking_number: 'A1',
          _date_fulfilled: '2026-11-10 09:00:00',
        }),
        fulfilment(4, { _items: [{ item_id: 316, qty: 2 }] }),
      ],
    })
    expect(order).toMatchObject({
      hasAllFulfilments: true,
      handedOverWithoutTracking: true,
      fulfilments: [
        { id: 'fulfillment-3', quantity: 1, parcels: [{ tracking_placed_at: '2026-11-10T08:00:00.000Z' }] },
        { id: 'fulfillment-4', quantity: 2, parcels: [] },
      ],
    })
    expect(order.lacks).toBeUndefined()
  })
})
