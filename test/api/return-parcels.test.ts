import { afterEach, describe, expect, it } from 'vitest'
import { minuteMs } from '../../src/platform/foundation/clock.ts'
import { createOrder, readOrder, uniqueNumber, upsertOf } from '../harness/orders.ts'
import { reportOrder } from '../harness/reported-orders.ts'
import { clock } from '../harness/service.ts'
import { makeShop } from '../harness/shop.ts'

const made = await makeShop()
const shop = made.as('editor')
afterEach(() => clock.reset())

/** One parcel: which way it goes, and whether it has a tracking number. */
interface Parcel {
  direction: string
  isNumbered: boolean
}

const outward = (isNumbered: boolean): Parcel => ({ direction: 'merchant_customer', isNumbered })
const label: Parcel = { direction: 'customer_merchant', isNumbered: true }
const labelOfPartner: Parcel = { direction: 'customer_partner', isNumbered: true }
const announcedReturn: Parcel = { direction: 'customer_merchant', isNumbered: false }
const fromPartner: Parcel = { direction: 'partner_customer', isNumbered: true }

interface Placed {
  uuid: string
  order_number: string
  trackings: Tracking[]
}

interface Tracking {
  uuid: string
  direction: string
  products: { sku: string; quantity: number }[]
  carrier: { tracking_number: string | null }
  events: { event_key: string }[]
}

/** An order of today that expects so many parcels. Sent ones come with the order; the others are created one by one. */
async function place(expected: number, parcels: Parcel[], fields: Record<string, unknown> = {}): Promise<Placed> {
  const sent = parcels.filter(({ direction, isNumbered }) => isNumbered && direction === 'merchant_customer')
  const order = await createOrder(
    shop,
    { expected_number_of_shipments: expected, order_placed_at: clock.now().toISOString(), ...fields },
    sent.map(() => ({ tracking_number: uniqueNumber('OUT') })),
  )
  for (const { direction, isNumbered } of parcels.filter((parcel) => parcel.direction !== 'merchant_customer')) {
    await addParcel(order.order_number, direction, isNumbered ? { tracking_number: uniqueNumber('BACK') } : {})
  }
  return readOrder(shop, order.order_number)
}

async function addParcel(orderNumber: string, direction: string, fields: Record<string, unknown> = {}) {
  const parcel = { order_id: orderNumber, order_id_type: 'order_number', direction, ...fields }
  const { status, text, body } = await shop.post('/shipments', parcel)
  expect(status, text).toBe(200)
  return body
}

const shapesOf = ({ trackings }: Placed) =>
  trackings.map(({ direction, carrier }) => `${direction} ${carrier.tracking_number ?? 'draft'}`).sort()

const draftsOf = ({ trackings }: Placed) => trackings.filter(({ carrier }) => carrier.tracking_number === null)

describe('status of an order with return parcels', () => {
  const cases: [name: string, expected: number, parcels: Parcel[], status: string][] = [
    ['nothing', 1, [], 'placed'],
    ['a return label only', 1, [label], 'placed'],
    ["a partner's return label only", 1, [labelOfPartner], 'placed'],
    ['a return without a number', 1, [announcedReturn], 'placed'],
    ['as many return labels as parcels are expected', 2, [label, labelOfPartner], 'placed'],
    ['a part that was sent, and a return label', 2, [outward(true), label], 'partially_fulfilled'],
    ["a part that was sent, and a partner's label", 2, [outward(true), labelOfPartner], 'partially_fulfilled'],
    ['everything that was sent', 1, [outward(true)], 'fulfilled'],
    ['everything that was sent, and a return label', 2, [outward(true), outward(true), label], 'fulfilled'],
    ['everything that was sent, and a return without a number', 1, [outward(true), announcedReturn], 'fulfilled'],
    ['a parcel that a partner sent', 1, [fromPartner], 'fulfilled'],
    ['a part that a partner sent, and a return label', 2, [fromPartner, label], 'partially_fulfilled'],
  ]
  const statuses = ['placed', 'partially_fulfilled', 'fulfilled']

  it.each(cases)('counts what customers receive: %s', async (_name, expected, parcels, status) => {
    const order = await place(expected, parcels)
    const number = order.order_number
    expect((await shop.get(`/orders/${order.uuid}`)).body.status, 'the order').toBe(status)
    expect((await readOrder(shop, number)).status, 'the list of orders').toBe(status)
    const { matches } = (await shop.get('/search', { q: number })).body
    expect(matches, 'the search').toMatchObject([
      { order_number: number, status, parcel_count: order.trackings.length },
    ])
    const listed = (await shop.get('/lists/orders', { q: number })).body
    expect(listed.orders, 'the list on screen').toMatchObject([{ order_number: number, status }])
    const found = await Promise.all(
      statuses.map(async (wanted) => (await shop.get('/lists/orders', { q: number, status: wanted })).body),
    )
    const totals = found.map(({ pagination }) => pagination.total)
    expect(totals, 'its filter by each status').toEqual(statuses.map((wanted) => (wanted === status ? 1 : 0)))
  })

  it('is the same in the list as in its filter, for every order of a shop', async () => {
    const { orders } = (await shop.get('/lists/orders', { per_page: 100 })).body
    expect(new Set(orders.map(({ status }: { status: string }) => status))).toEqual(new Set(statuses))
    for (const status of statuses) {
      const filtered = (await shop.get('/lists/orders', { per_page: 100, status })).body
      const numbersOf = (list: { order_number: string }[]) => list.map(({ order_number }) => order_number)
      expect(numbersOf(filtered.orders)).toEqual(
        numbersOf(orders.filter((order: { status: string }) => order.status === status)),
      )
    }
  })
})

describe('drafts of an order with return parcels', () => {
  it('are not replaced by a return label: the next number fulfils the draft', async () => {
    const order = await place(1, [label])
    const [draft] = draftsOf(order)
    expect(draftsOf(order)).toHaveLength(1)
    const number = uniqueNumber('OUT')
    await shop.put('/orders', { id: order.order_number, trackings: [{ tracking_number: number }] })
    const sent: Placed = await readOrder(shop, order.order_number)
    expect(sent).toMatchObject({ status: 'fulfilled' })
    expect(sent.trackings.find(({ carrier }) => carrier.tracking_number === number)?.uuid).toBe(draft?.uuid)
    expect(sent.trackings).toHaveLength(2)
  })

  it('of a return never become a parcel to the customer', async () => {
    const order = await place(1, [announcedReturn])
    const [first, second] = [uniqueNumber('OUT'), uniqueNumber('OUT')]
    const trackings = [{ tracking_number: first }, { tracking_number: second }]
    await shop.put('/orders', { id: order.order_number, trackings })
    expect(shapesOf(await readOrder(shop, order.order_number))).toEqual([
      'customer_merchant draft',
      `merchant_customer ${first}`,
      `merchant_customer ${second}`,
    ])
  })

  it('are added and removed with the expected number, beside the returns', async () => {
    const order = await place(1, [outward(true), label, announcedReturn])
    const expectNumber = async (count: number) => {
      await shop.put('/orders', upsertOf(order.order_number, { expected_number_of_shipments: count }))
      const { trackings, ...shown } = await readOrder(shop, order.order_number)
      const drafts = draftsOf({ ...shown, trackings })
      const isReturn = ({ direction }: Tracking) => direction === 'customer_merchant'
      return {
        status: shown.status,
        drafts: drafts.filter((draft) => !isReturn(draft)).length,
        returns: trackings.filter(isReturn).length,
      }
    }
    expect(await expectNumber(3)).toEqual({ status: 'partially_fulfilled', drafts: 2, returns: 2 })
    expect(await expectNumber(2)).toEqual({ status: 'partially_fulfilled', drafts: 1, returns: 2 })
    expect(await expectNumber(1)).toEqual({ status: 'fulfilled', drafts: 0, returns: 2 })
  })

  it('go when nothing is left to send, but announced returns stay', async () => {
    const order = await place(1, [announcedReturn])
    const voucher = { title: 'Voucher', quantity: 1, requires_shipping: false }
    await shop.put('/orders', upsertOf(order.order_number, { products: [voucher] }))
    const emptied: Placed = await readOrder(shop, order.order_number)
    expect(emptied).toMatchObject({ nothing_to_send: true, status: 'placed' })
    expect(shapesOf(emptied)).toEqual(['customer_merchant draft'])
  })

  it('list everything that was not sent, whatever comes back', async () => {
    const jacket = { title: 'Rain jacket', quantity: 2, sku: 'RJ-42', product_id: 'p1' }
    const socks = { title: 'Socks', quantity: 1, sku: 'SO-1', product_id: 'p2' }
    const order = await createOrder(shop, { products: [jacket, socks], expected_number_of_shipments: 2 }, [
      { tracking_number: uniqueNumber('OUT'), products: [{ ...jacket, quantity: 1 }] },
    ])
    const back = { tracking_number: uniqueNumber('BACK'), products: [{ product_id: 'p2', quantity: 1 }] }
    await addParcel(order.order_number, 'customer_merchant', back)
    const announced = await addParcel(order.order_number, 'customer_merchant')
    const amounts = (products: Tracking['products']) => products.map(({ sku, quantity }) => `${quantity} ${sku}`)
    const shown: Placed = await readOrder(shop, order.order_number)
    const draft = draftsOf(shown).find(({ direction }) => direction === 'merchant_customer')
    expect(amounts(draft?.products ?? [])).toEqual(['1 RJ-42', '1 SO-1'])
    expect(amounts((await shop.get(`/shipments/${draft?.uuid}`)).body.products)).toEqual(['1 RJ-42', '1 SO-1'])
    // Nobody has said what is in the announced return: it may be anything of the order.
    expect(amounts((await shop.get(`/shipments/${announced.uuid}`)).body.products)).toEqual(['2 RJ-42', '1 SO-1'])
  })

  it('are cancelled with the order, but returns are not', async () => {
    const own = await makeShop()
    const number = uniqueNumber()
    await reportOrder(own, number)
    const returned = { order_id: number, order_id_type: 'order_number' }
    await own.as('editor').post('/shipments', returned)
    await own.as('editor').post('/shipments', { ...returned, tracking_number: uniqueNumber('BACK') })
    clock.advance(minuteMs)
    await reportOrder(own, number, { cancelledAt: clock.now() })
    const { trackings }: Placed = await readOrder(own.as('viewer'), number)
    const keys = trackings.map(({ direction, events }) => [direction, ...events.map(({ event_key }) => event_key)])
    expect(keys).toEqual([
      ['merchant_customer', 'ORDER_CREATED', 'ORDER_CANCELLED'],
      ['customer_merchant', 'ORDER_CREATED'],
      ['customer_merchant', 'ORDER_PROCESSED'],
    ])
  })
})

describe('figures of orders with return parcels', () => {
  it('count as waiting what customers wait for', async () => {
    const own = (await makeShop()).as('editor')
    const number = uniqueNumber()
    await own.put('/orders', upsertOf(number, { expected_number_of_shipments: 2 }))
    for (const fields of [{}, { tracking_number: uniqueNumber('BACK') }, { direction: 'partner_customer' }]) {
      await own.post('/shipments', { order_id: number, order_id_type: 'order_number', ...fields })
    }
    const { shipments } = (await own.get('/analytics/summary')).body
    expect(shipments).toMatchObject({ created: 5, waiting: 3, by_phase: { order_created: 4, order_processed: 1 } })
  })

  it('tell returns from parcels to customers in the list of shipments', async () => {
    const own = (await makeShop()).as('editor')
    const number = uniqueNumber()
    await own.put('/orders', upsertOf(number))
    for (const direction of ['customer_merchant', 'customer_partner', 'partner_customer', 'merchant_customer']) {
      const parcel = { order_id: number, order_id_type: 'order_number', tracking_number: uniqueNumber('D'), direction }
      await own.post('/shipments', parcel)
    }
    const listed = async (query: Record<string, boolean>) => {
      const { body } = await own.get('/lists/shipments', query)
      const shown = body.shipments.map(({ is_return }: { is_return: boolean }) => is_return)
      return { total: body.pagination.total, returns: shown.filter(Boolean).length }
    }
    expect(await listed({ is_return: true })).toEqual({ total: 2, returns: 2 })
    expect(await listed({ is_return: false })).toEqual({ total: 3, returns: 0 })
    expect(await listed({ is_return: false, include_drafts: false })).toEqual({ total: 2, returns: 0 })
  })
})
