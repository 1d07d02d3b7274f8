import { describe, expect, it } from 'vitest'
import { hourMs } from '../../src/platform/foundation/clock.ts'
import { uniqueNumber } from '../harness/orders.ts'
import { call, clock } from '../harness/service.ts'
import { makeShop, type TestShop } from '../harness/shop.ts'

const shop = await makeShop()
const editor = shop.as('editor')
const viewer = shop.as('viewer')

interface Placed {
  orderId: string
  number: string
  parcels: { id: string; number: string }[]
}

let placedOrders = 0

/** Orders are placed an hour apart. */
async function place(fields: Record<string, unknown> = {}, trackings: Record<string, unknown>[] = []): Promise<Placed> {
  placedOrders += 1
  const number = uniqueNumber('L')
  const sent = trackings.map((tracking) => ({ tracking_number: uniqueNumber('T'), ...tracking }))
  const { headers, status, text } = await editor.put('/orders', {
    id: number,
    order: {
      external_id: number,
      order_name: `#${number}`,
      order_placed_at: new Date(Date.UTC(2026, 9, 1, placedOrders)).toISOString(),
      email_id: `${number}@example.com`,
      address: { name: 'Ada Example', country_code: 'DE', zip_code: '10115' },
      products: [],
      total_order_price: 20,
      ...fields,
    },
    trackings: sent,
  })
  expect(status, text).toBe(200)
  const orderId = String(headers.location).split('/').at(-1) ?? ''
  const { body } = await editor.get(`/orders/${orderId}`)
  return {
    orderId,
    number,
    parcels: body.trackings.map((each: { uuid: string; carrier: { tracking_number: string } }) => ({
      id: each.uuid,
      number: each.carrier.tracking_number,
    })),
  }
}

async function report(trackingNumber: string, event_name: string): Promise<void> {
  clock.advance(hourMs)
  const { status, text } = await editor.post('/shipment-events', { id: trackingNumber, event_name })
  expect(status, text).toBe(200)
}

async function list(kind: 'orders' | 'shipments', query: Record<string, string | number | boolean> = {}) {
  const { status, body, text } = await viewer.get(`/lists/${kind}`, query)
  expect(status, text).toBe(200)
  const rows = body[kind] as Record<string, unknown>[]
  return { rows, ids: rows.map((row) => row[kind === 'orders' ? 'order_id' : 'shipment_id']), ...body.pagination }
}

const draft = await place()
const transit = await place({ address: { name: 'Berta Beispiel', country_code: 'AT' } }, [{ carrier_reference: 'dhl' }])
const late = await place({}, [{ carrier_reference: 'ups' }])
const delivered = await place({ expected_number_of_shipments: 2 }, [{ carrier_reference: 'dhl' }])
const digital = await place({ products: [{ title: 'Voucher', quantity: 1, requires_shipping: false }] })
const returned = await editor.post('/shipments', {
  order_id: delivered.orderId,
  order_id_type: 'uuid',
  tracking_number: uniqueNumber('R'),
  carrier_reference: 'dhl',
})
await report(transit.parcels[0]?.number ?? '', 'ARRIVED_AT_SORTING_CENTER')
await report(late.parcels[0]?.number ?? '', 'DELAY_IN_TRANSPORT')
await report(delivered.parcels.find(({ number }) => number)?.number ?? '', 'SUCCESSFULLY_DELIVERED')

const firstOf = ({ parcels }: Placed) => parcels.find(({ number }) => number)?.id

describe('list of orders', () => {
  it('shows what a merchant reads of each, the newest first', async () => {
    const { rows, ids, ...paging } = await list('orders')
    expect(ids).toEqual([digital, delivered, late, transit, draft].map(({ orderId }) => orderId))
    expect(rows[3]).toMatchObject({
      order_number: transit.number,
      order_name: `#${transit.number}`,
      customer_name: 'Berta Beispiel',
      email_id: `${transit.number}@example.com`,
      country_code: 'AT',
      status: 'fulfilled',
      total_order_price: 20,
      currency: 'EUR',
      claims: 0,
      parcel_count: 1,
      parcels: [{ shipment_id: firstOf(transit), carrier_reference: 'dhl', phase: 'in_transit' }],
    })
    expect(paging).toEqual({
      page: 1,
      per_page: 30,
      total: 5,
      total_is_estimate: false,
      has_next: false,
      has_previous: false,
      is_complete: true,
    })
  })

  it('filters by status, by what there is to send, and by day', async () => {
    expect((await list('orders', { status: 'placed', nothing_to_send: false })).ids).toEqual([draft.orderId])
    expect((await list('orders', { nothing_to_send: true })).ids).toEqual([digital.orderId])
    expect((await list('orders', { status: 'partially_fulfilled' })).ids).toEqual([delivered.orderId])
    expect((await list('orders', { status: 'partially_fulfilled,fulfilled', sort: 'placed_at' })).ids).toEqual(
      [transit, late, delivered].map(({ orderId }) => orderId),
    )
    const days = { placed_from: '2026-10-01T02:00:00Z', placed_to: '2026-10-01T03:00:00Z' }
    expect((await list('orders', days)).ids).toEqual([late.orderId, transit.orderId])
    expect((await list('orders', { handed_over_without_tracking: true })).total).toBe(0)
  })

  it('filters what a search text finds', async () => {
    expect((await list('orders', { q: 'beispiel' })).ids).toEqual([transit.orderId])
    expect((await list('orders', { q: 'ada', status: 'fulfilled' })).ids).toEqual([late.orderId])
    expect((await list('orders', { q: late.parcels[0]?.number ?? '' })).ids).toEqual([late.orderId])
    expect(await list('orders', { q: 'nobody' })).toMatchObject({ ids: [], total: 0, is_complete: true })
  })

  it('is read in pages', async () => {
    const pages = await Promise.all([1, 2, 3].map((page) => list('orders', { page, per_page: 2 })))
    expect(pages.flatMap(({ ids }) => ids)).toEqual((await list('orders')).ids)
    expect(pages.map(({ total, has_next, has_previous }) => ({ total, has_next, has_previous }))).toEqual([
      { total: 5, has_next: true, has_previous: false },
      { total: 5, has_next: true, has_previous: true },
      { total: 5, has_next: false, has_previous: true },
    ])
  })
})

describe('list of shipments', () => {
  it('shows what a merchant reads of each, the last changed first', async () => {
    const { rows, ids } = await list('shipments', { include_drafts: false })
    expect(ids).toEqual([firstOf(delivered), firstOf(late), firstOf(transit), returned.body.uuid])
    expect(rows[1]).toMatchObject({
      order_id: late.orderId,
      order_number: late.number,
      customer_name: 'Ada Example',
      carrier_reference: 'ups',
      carrier_name: 'UPS',
      phase: 'in_transit',
      flag: 'delay',
      current_event_key: 'DELAY_IN_TRANSPORT',
      event_status: expect.stringMatching(/\w/),
      destination_country: 'DE',
      is_return: false,
      sent_at: expect.any(String),
      delivered_at: null,
    })
  })

  const filters: [name: string, filter: Record<string, string | boolean>, expected: () => unknown[]][] = [
    ['a phase', { phase: 'in_transit' }, () => [firstOf(late), firstOf(transit)]],
    ['phases', { phase: 'delivered,in_transit' }, () => [firstOf(delivered), firstOf(late), firstOf(transit)]],
    ['a flag', { flag: 'delay,error' }, () => [firstOf(late)]],
    ['a phase and a flag', { phase: 'delivered', flag: 'delay' }, () => []],
    ['the usual flag', { flag: 'normal', phase: 'in_transit' }, () => [firstOf(transit)]],
    ['a carrier', { carrier_reference: 'DHL', is_return: false }, () => [firstOf(delivered), firstOf(transit)]],
    ['a country', { country_code: 'at' }, () => [firstOf(transit)]],
    ['returns', { is_return: true }, () => [returned.body.uuid]],
    ['a text', { q: 'berta' }, () => [firstOf(transit)]],
    ['a text and a phase', { q: 'ada', phase: 'in_transit' }, () => [firstOf(late)]],
    [
      'an order of creation',
      { include_drafts: false, sort: 'created_at', phase: 'in_transit' },
      () => [firstOf(transit), firstOf(late)],
    ],
  ]

  it.each(filters)('filters by %s', async (_, filter, expected) => {
    const { ids, total, is_complete } = await list('shipments', filter)
    expect(ids).toEqual(expected())
    expect(total).toBe(ids.length)
    expect(is_complete).toBe(true)
  })

  it('has parcels that are not sent yet, unless they are left out, however it is filtered', async () => {
    const [id] = draft.parcels.map((parcel) => parcel.id)
    const filters: Record<string, string>[] = [
      {},
      { q: draft.number },
      { phase: 'order_created' },
      { sort: 'created_at' },
    ]
    for (const filter of filters) {
      expect((await list('shipments', filter)).ids, JSON.stringify(filter)).toContain(id)
      const { ids, total } = await list('shipments', { ...filter, include_drafts: false })
      expect(ids, JSON.stringify(filter)).not.toContain(id)
      expect(total).toBe(ids.length)
    }
  })

  it('finds one parcel by its number, and all parcels of an order by its number', async () => {
    const parcel = delivered.parcels.find(({ number }) => number)
    expect((await list('shipments', { q: parcel?.number ?? '' })).ids).toEqual([parcel?.id])
    expect((await list('shipments', { q: delivered.number })).total).toBe(3)
  })

  it('filters by times of creation and change', async () => {
    const { rows } = await list('shipments', { include_drafts: false })
    const [newest, second] = rows as { updated_at: string; created_at: string }[]
    expect((await list('shipments', { updated_from: newest?.updated_at ?? '' })).ids).toEqual([firstOf(delivered)])
    const until = { updated_to: second?.updated_at ?? '', include_drafts: false }
    expect((await list('shipments', until)).total).toBe(3)
    expect((await list('shipments', { created_from: newest?.updated_at ?? '' })).total).toBe(0)
    expect((await list('shipments', { created_to: '2020-01-01T00:00:00Z', sort: '-created_at' })).total).toBe(0)
  })
})

describe.each(['orders', 'shipments'] as const)('list of %s', (kind) => {
  it('rejects what it does not know', async () => {
    const bad: Record<string, string | number>[] = [
      { sort: 'customer' },
      { page: 0 },
      { page: 101, per_page: 100 },
      { q: '' },
      kind === 'orders' ? { status: 'fulfilled,lost' } : { phase: 'in_transit,' },
      kind === 'orders' ? { placed_from: 'yesterday' } : { country_code: 'Germany' },
    ]
    for (const query of bad) {
      const { status, body } = await viewer.get(`/lists/${kind}`, query)
      expect({ status, key: body.key }, JSON.stringify(query)).toEqual({ status: 422, key: 'invalid_payload' })
    }
  })

  it('is for keys of the shop only', async () => {
    const other: TestShop = await makeShop()
    expect((await other.as('viewer').get(`/lists/${kind}`)).body).toMatchObject({
      [kind]: [],
      pagination: { total: 0 },
    })
    const auth = await other.credentials('admin')
    expect((await call('GET', `/v1/shops/${shop.slug}/lists/${kind}`, { auth })).status).toBe(403)
    expect((await call('GET', `/v1/shops/${shop.slug}/lists/${kind}`, { auth: null })).status).toBe(400)
  })
})
