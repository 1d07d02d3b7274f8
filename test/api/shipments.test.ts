import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { dayMs, hourMs, minuteMs } from '../../src/platform/foundation/clock.ts'
import { createOrder, readOrder, uniqueNumber } from '../harness/orders.ts'
import { clock, theService } from '../harness/service.ts'
import { makeShop, type ShopCaller } from '../harness/shop.ts'

const shop = (await makeShop()).as('editor')
const nobody = '0192f3c4-7b1e-7cc0-9d3a-2f6f7a1b4c5d'

interface ShipmentRecord {
  uuid: string
  tracking_number: string | null
  created_at: string
  updated_at: string
}

const keysOf = (shipment: { events: { event_key: string }[] }) => shipment.events.map((event) => event.event_key)

async function create(order: { uuid: string }, fields: Record<string, unknown> = {}) {
  return shop.post('/shipments', { order_id: order.uuid, order_id_type: 'uuid', ...fields })
}

describe('creating a shipment', () => {
  it('creates a draft without a tracking number, a return by default', async () => {
    const order = await createOrder(shop)
    const { status, body } = await create(order, { tracking_number: null, external_shipment_id: 'parcel-1' })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      order_id: order.uuid,
      external_shipment_id: 'parcel-1',
      tracking_number: null,
      carrier_reference: null,
      tracking_url: null,
      phase: 'order_created',
      flag: 'normal',
      current_event_key: 'ORDER_CREATED',
      zip_code: '10115',
      email_id: order.email_id,
    })
    expect(keysOf(body)).toEqual(['ORDER_CREATED'])
    const shown = (await shop.get(`/shipments/${body.uuid}`)).body
    expect(shown).toMatchObject({ direction: 'customer_merchant', is_return: true })
  })

  it('creates a fulfilled shipment with a tracking number, and finds its carrier', async () => {
    const order = await createOrder(shop)
    const { body } = await create(order, { tracking_number: '1Z999AA10123456784', direction: 'merchant_customer' })
    expect(body).toMatchObject({
      tracking_number: '1Z999AA10123456784',
      carrier_reference: 'ups',
      phase: 'order_processed',
      current_event_key: 'ORDER_PROCESSED',
    })
    expect(body.tracking_url).toContain('1Z999AA10123456784')
    expect(keysOf(body)).toEqual(['ORDER_PROCESSED'])
    const { trackings } = await readOrder(shop, order.order_number)
    expect(trackings).toHaveLength(2)
  })

  it('uses the given carrier, and rejects an unknown one', async () => {
    const order = await createOrder(shop)
    const given = await create(order, { tracking_number: '1Z999AA10123456784', carrier_reference: 'dhl' })
    expect(given.body.carrier_reference).toBe('dhl')
    expect((await create(order, { tracking_number: '?' })).body).toMatchObject({
      carrier_reference: null,
      tracking_url: null,
    })
    for (const tracking_number of ['X1', null]) {
      expect(await create(order, { tracking_number, carrier_reference: 'no-such-carrier' })).toMatchObject({
        status: 422,
        body: { key: 'carrier_reference_invalid', errors: [{ loc: ['body', 'carrier_reference'] }] },
      })
    }
    expect((await readOrder(shop, order.order_number)).trackings).toHaveLength(3)
  })

  it('stores the carrier of a draft', async () => {
    const { body } = await create(await createOrder(shop), { carrier_reference: 'DHL' })
    expect(body).toMatchObject({ tracking_number: null, carrier_reference: 'dhl', tracking_url: null })
  })

  it('finds the order by every order_id_type', async () => {
    const order = await createOrder(shop)
    const ids = {
      uuid: order.uuid,
      external_id: order.external_id,
      order_number: order.order_number,
      order_name: order.order_name,
    }
    for (const [order_id_type, order_id] of Object.entries(ids)) {
      const { status, body } = await shop.post('/shipments', { order_id, order_id_type })
      expect(status, order_id_type).toBe(200)
      expect(body.order_id).toBe(order.uuid)
      expect(
        await shop.post('/shipments', { order_id: order_id_type === 'uuid' ? nobody : 'unknown', order_id_type }),
      ).toMatchObject({ status: 404, body: { key: 'order_not_found' } })
    }
  })

  it('rejects a number that the order already has; another order may have it', async () => {
    const [order, other] = [await createOrder(shop), await createOrder(shop)]
    const tracking_number = uniqueNumber('TWICE')
    expect((await create(order, { tracking_number })).status).toBe(200)
    expect(await create(order, { tracking_number })).toMatchObject({ status: 409, body: { key: 'shipment_exists' } })
    expect((await create(other, { tracking_number })).status).toBe(200)
    expect((await readOrder(shop, order.order_number)).trackings).toHaveLength(2)
  })

  it('puts the chosen products in the parcel, or all of them if none is chosen', async () => {
    const order = await createOrder(shop)
    const products = [{ product_id: 'p2', quantity: 1 }, { variant_id: 'v1' }, { product_id: 99, quantity: null }]
    const { body } = await create(order, { products })
    expect((await shop.get(`/shipments/${body.uuid}`)).body.products).toMatchObject([
      { title: 'Socks', product_id: 'p2', variant_id: 'v2', quantity: 1 },
      { title: 'Rain jacket', product_id: 'p1', variant_id: 'v1', quantity: 1 },
      { product_id: '99', quantity: 1 },
    ])
    const whole = (await create(order)).body
    expect((await shop.get(`/shipments/${whole.uuid}`)).body.products).toMatchObject(order.products)
    const empty = (await create(order, { products: [] })).body
    expect((await shop.get(`/shipments/${empty.uuid}`)).body.products).toEqual([])
  })

  it('rejects bad input and names the field', async () => {
    const order = await createOrder(shop)
    const refused = async (body: Record<string, unknown>) => {
      const reply = await shop.post('/shipments', body)
      expect(reply.status, JSON.stringify(body)).toBe(422)
      return reply.body.errors.map(({ loc }: { loc: string[] }) => loc.join('.'))
    }
    expect((await refused({})).sort()).toEqual(['body.order_id', 'body.order_id_type'])
    expect(await refused({ order_id: 'x', order_id_type: 'uuid' })).toEqual(['body.order_id'])
    expect(await refused({ order_id: 'x', order_id_type: 'email' })).toEqual(['body.order_id_type'])
    const known = { order_id: order.uuid, order_id_type: 'uuid' }
    expect(await refused({ ...known, direction: 'sideways' })).toEqual(['body.direction'])
    expect(await refused({ ...known, tracking_number: '' })).toEqual(['body.tracking_number'])
    expect(await refused({ ...known, products: [{ quantity: -1 }] })).toEqual(['body.products.0.quantity'])
  })
})

describe('getting a shipment', () => {
  it('returns its whole journey', async () => {
    const order = await createOrder(shop, {}, [
      { tracking_number: '00340434161094042557', external_shipment_id: 'parcel-9' },
    ])
    const [tracking] = order.trackings
    const { body } = await shop.get(`/shipments/${tracking.uuid}`)
    expect(body).toEqual(tracking)
    expect(body).toMatchObject({
      id: body.uuid,
      order_id: order.uuid,
      merchant_slug: order.shop_slug,
      shop_slug: order.shop_slug,
      order_number: order.order_number,
      carrier: { tracking_number: '00340434161094042557', carrier_reference: 'dhl' },
      external_shipment_id: 'parcel-9',
      direction: 'merchant_customer',
      is_return: false,
      phase: 'order_processed',
      flag: 'normal',
      estimated_arrival: null,
      pickup: null,
    })
    expect(keysOf(body)).toEqual(['ORDER_CREATED', 'ORDER_PROCESSED'])
  })

  it('does not find an unknown shipment or one of another shop', async () => {
    const order = await createOrder(shop)
    const stranger = (await makeShop()).as('viewer')
    expect(await shop.get(`/shipments/${nobody}`)).toMatchObject({ status: 404, body: { key: 'shipment_not_found' } })
    expect(await stranger.get(`/shipments/${order.trackings[0].uuid}`)).toMatchObject({ status: 404 })
    expect((await shop.get('/shipments/not-a-uuid')).status).toBe(422)
  })
})

describe("updating an order's shipment", () => {
  it('replaces the given fields only', async () => {
    const order = await createOrder(shop, {}, [{ tracking_number: '00340434161094042557' }])
    const path = `/orders/${order.uuid}/shipments/${order.trackings[0].uuid}`
    const url = 'https://carrier.example/1'
    const product = { title: 'Hat', quantity: 1, product_id: 7, surprise: true, sku: null }
    expect((await shop.patch(path, { products: [product] })).body).toMatchObject({
      products: [{ title: 'Hat', quantity: 1, product_id: '7' }],
      carrier: order.trackings[0].carrier,
    })
    expect((await shop.patch(path, { tracking_url: url })).body).toMatchObject({
      products: [{ title: 'Hat' }],
      carrier: { tracking_url: url },
    })
    const before = (await shop.get(`/shipments/${order.trackings[0].uuid}`)).body
    expect(before.products).toEqual([{ title: 'Hat', quantity: 1, product_id: '7' }])
    expect((await shop.patch(path, {})).body).toEqual(before)
    expect((await shop.patch(path, { products: null })).body).toEqual(before)
    expect((await shop.patch(path, { tracking_url: null })).body.carrier).toEqual({
      ...before.carrier,
      tracking_url: null,
    })
    expect((await shop.patch(path, { products: [] })).body.products).toEqual([])
    expect(keysOf((await shop.get(`/shipments/${order.trackings[0].uuid}`)).body)).toEqual(keysOf(before))
  })

  it('accepts 50 products and rejects 51', async () => {
    const order = await createOrder(shop)
    const path = `/orders/${order.uuid}/shipments/${order.trackings[0].uuid}`
    const products = (length: number) => Array.from({ length }, (_, index) => ({ title: `Item ${index}` }))
    expect((await shop.patch(path, { products: products(50) })).body.products).toHaveLength(50)
    expect(await shop.patch(path, { products: products(51) })).toMatchObject({
      status: 422,
      body: { errors: [{ loc: ['body', 'products'] }] },
    })
  })

  it('corrects the carrier and the number, and the link with them', async () => {
    const order = await createOrder(shop, {}, [
      { tracking_number: '1Z999AA10123456784' },
      { tracking_number: 'TAKEN', carrier_reference: 'dhl' },
    ])
    const path = `/orders/${order.uuid}/shipments/${order.trackings[0].uuid}`
    const { body } = await shop.patch(path, { carrier_reference: 'dpd', tracking_number: '01234567890123' })
    expect(body.carrier).toMatchObject({ carrier_reference: 'dpd', tracking_number: '01234567890123' })
    expect(body.carrier.tracking_url).toContain('01234567890123')
    const linked = await shop.patch(path, { carrier_reference: 'gls', tracking_url: 'https://carrier.example/x' })
    expect(linked.body.carrier).toMatchObject({
      carrier_reference: 'gls',
      tracking_number: '01234567890123',
      tracking_url: 'https://carrier.example/x',
    })
    expect(await shop.patch(path, { tracking_number: 'TAKEN' })).toMatchObject({
      status: 409,
      body: { key: 'shipment_exists' },
    })
    expect(await shop.patch(path, { carrier_reference: 'no-such-carrier' })).toMatchObject({
      status: 422,
      body: { key: 'carrier_reference_invalid', errors: [{ loc: ['body', 'carrier_reference'] }] },
    })
    expect((await shop.get(`/shipments/${order.trackings[0].uuid}`)).body.carrier).toEqual(linked.body.carrier)
  })

  it('detects the carrier of a corrected number, unless the sender named it', async () => {
    const order = await createOrder(shop, {}, [
      { tracking_number: '?' },
      { tracking_number: '??', carrier_reference: 'dhl' },
    ])
    const patch = (n: number, tracking_number: string) =>
      shop.patch(`/orders/${order.uuid}/shipments/${order.trackings[n].uuid}`, { tracking_number })
    expect((await patch(0, '1Z999AA10123456784')).body.carrier.carrier_reference).toBe('ups')
    expect((await patch(1, '1Z999AA10123456785')).body.carrier.carrier_reference).toBe('dhl')
  })

  it('gives a draft a carrier, but no number: it is sent by fulfilling its order', async () => {
    const order = await createOrder(shop)
    const path = `/orders/${order.uuid}/shipments/${order.trackings[0].uuid}`
    expect((await shop.patch(path, { carrier_reference: 'ups' })).body.carrier.carrier_reference).toBe('ups')
    expect(await shop.patch(path, { tracking_number: 'X' })).toMatchObject({
      status: 422,
      body: { errors: [{ loc: ['body', 'tracking_number'] }] },
    })
  })

  it('finds both by uuid in any case, and rejects a shipment of another order', async () => {
    const [order, other] = [await createOrder(shop), await createOrder(shop)]
    const { uuid } = order.trackings[0]
    const loud = `/orders/${order.uuid.toUpperCase()}/shipments/${uuid.toUpperCase()}`
    expect((await shop.patch(loud, { products: [] })).status).toBe(200)
    expect(await shop.patch(`/orders/${other.uuid}/shipments/${uuid}`, {})).toMatchObject({
      status: 404,
      body: { key: 'shipment_not_found' },
    })
    expect(await shop.patch(`/orders/${nobody}/shipments/${uuid}`, {})).toMatchObject({
      status: 404,
      body: { key: 'order_not_found' },
    })
    const stranger = (await makeShop()).as('editor')
    expect((await stranger.patch(`/orders/${order.uuid}/shipments/${uuid}`, {})).status).toBe(404)
  })
})

describe('deleting a shipment', () => {
  it('finds the order by its uuid, its number and its external id', async () => {
    const order = await createOrder(shop, { expected_number_of_shipments: 4 }, [
      { tracking_number: 'D/1' },
      { tracking_number: 'D 2' },
      { tracking_number: 'D3' },
    ])
    const names = [order.uuid, order.order_number, order.external_id]
    for (const [index, trackingNumber] of ['D/1', 'D 2', 'D3'].entries()) {
      const path = `/orders/${names[index]}/shipments/${encodeURIComponent(trackingNumber)}`
      expect(await shop.delete(path)).toMatchObject({ status: 200, text: 'null' })
      expect(await shop.delete(path)).toMatchObject({ status: 404, body: { key: 'shipment_not_found' } })
    }
    const left = await readOrder(shop, order.order_number)
    expect(left.status).toBe('placed')
    expect(left.trackings).toMatchObject([{ carrier: { tracking_number: null } }])
  })

  it('rejects a draft, which has no number, and an unknown shipment', async () => {
    const order = await createOrder(shop)
    for (const name of ['null', order.trackings[0].uuid]) {
      expect(await shop.delete(`/orders/${order.uuid}/shipments/${name}`)).toMatchObject({
        status: 404,
        body: { key: 'shipment_not_found' },
      })
    }
    expect(await shop.delete('/orders/unknown/shipments/D3')).toMatchObject({
      status: 404,
      body: { key: 'order_not_found' },
    })
    expect((await readOrder(shop, order.order_number)).trackings).toHaveLength(1)
  })

  it('does not affect the same number of another order', async () => {
    const tracking = { tracking_number: uniqueNumber('SHARED') }
    const [order, other] = [await createOrder(shop, {}, [tracking]), await createOrder(shop, {}, [tracking])]
    await shop.delete(`/orders/${order.order_number}/shipments/${tracking.tracking_number}`)
    expect((await readOrder(shop, order.order_number)).trackings).toEqual([])
    expect((await readOrder(shop, other.order_number)).trackings).toHaveLength(1)
  })
})

describe('deleting a shipment while carriers report events', () => {
  it('leaves no event behind', async () => {
    const trackings = Array.from({ length: 12 }, () => ({ tracking_number: uniqueNumber('GOING') }))
    const order = await createOrder(shop, {}, trackings)
    const tell = (number: string, event_name: string) => shop.post('/shipment-events', { id: number, event_name })
    const responses = await Promise.all(
      trackings.flatMap(({ tracking_number }) => [
        tell(tracking_number, 'PARCEL_DISPATCHED'),
        shop.delete(`/orders/${order.uuid}/shipments/${tracking_number}`),
        tell(tracking_number, 'OUT_FOR_DELIVERY'),
      ]),
    )
    const deleted = responses.filter((_, index) => index % 3 === 1)
    expect(deleted.map(({ status }) => status)).toEqual(trackings.map(() => 200))
    expect((await readOrder(shop, order.order_number)).trackings).toEqual([])
    const ids = order.trackings.map(({ uuid }: { uuid: string }) => uuid)
    const { rows } = await sql`select event_key from shipment_events where shipment_id = any(${ids}::uuid[])`.execute(
      (await theService()).database.db,
    )
    expect(rows).toEqual([])
  })
})

describe('searching shipments', () => {
  const sorts = ['-updated_at', 'updated_at', '-created_at', 'created_at'] as const

  it('sorts drafts and fulfilled ones together, both ways, page by page', async () => {
    const { own, all } = await makeShipments()
    expect(all).toHaveLength(10)
    expect(all.filter(({ tracking_number }) => tracking_number === null)).toHaveLength(4)
    for (const sort of sorts) {
      const expected = sorted(all, sort)
      expect(await found(own, { sort }), sort).toEqual(expected)
      expect(await found(own, { sort, include_drafts: 'false' }), sort).toEqual(
        expected.filter((uuid) => all.some((one) => one.uuid === uuid && one.tracking_number !== null)),
      )
      const pages = await Promise.all(
        [1, 2, 3, 4].map((page) => found(own, { sort, page: String(page), per_page: '3' })),
      )
      expect(pages.flat(), sort).toEqual(expected)
    }
    expect(await found(own, {})).toEqual(sorted(all, '-updated_at'))
  })

  it('reports the position of a page', async () => {
    const { own } = await makeShipments()
    const pagination = async (query: Record<string, string>) => (await own.get('/shipments', query)).body.pagination
    const whole = { per_page: 4, total: 10, total_pages: 3, total_is_estimate: false }
    const at = (page: number, has_next: boolean, has_previous: boolean) => ({ page, ...whole, has_next, has_previous })
    expect(await pagination({ per_page: '4' })).toEqual(at(1, true, false))
    expect(await pagination({ per_page: '4', page: '2' })).toEqual(at(2, true, true))
    expect(await pagination({ per_page: '4', page: '3' })).toEqual(at(3, false, true))
    expect(await pagination({ per_page: '4', page: '9' })).toEqual(at(9, false, true))
    expect(await pagination({ per_page: '5', page: '2' })).toMatchObject({ total: 10, total_pages: 2, has_next: false })
    expect(await pagination({ per_page: '4', include_drafts: 'false' })).toMatchObject({ total: 6, total_pages: 2 })
    expect(await pagination({ tracking_number: 'unknown' })).toEqual({
      page: 1,
      per_page: 30,
      total: 0,
      total_pages: 0,
      has_next: false,
      has_previous: false,
      total_is_estimate: false,
    })
  })

  it('filters by number and by both times, ends included', async () => {
    const { own, all } = await makeShipments()
    const having = (matches: (shipment: ShipmentRecord) => boolean) => sorted(all.filter(matches), '-updated_at')
    const times = (name: 'created_at' | 'updated_at') => all.map((shipment) => shipment[name]).sort()
    const [, , , updated = ''] = times('updated_at')
    const [, , , created = ''] = times('created_at')
    const offset = created.replace('Z', '+00:00')
    expect(await found(own, { updated_from: updated })).toEqual(having(({ updated_at }) => updated_at >= updated))
    expect(await found(own, { updated_to: updated })).toEqual(having(({ updated_at }) => updated_at <= updated))
    expect(await found(own, { created_from: offset })).toEqual(having(({ created_at }) => created_at >= created))
    expect(await found(own, { created_to: created })).toEqual(having(({ created_at }) => created_at <= created))
    expect(await found(own, { created_from: created, created_to: created })).toEqual(
      having(({ created_at }) => created_at === created),
    )
    const [sent] = all.filter(({ tracking_number }) => tracking_number !== null)
    expect(await found(own, { tracking_number: sent?.tracking_number ?? '' })).toEqual([sent?.uuid])
    expect(await found(own, { updated_to: '2020-01-01' })).toEqual([])
  })

  it('finds what was created up to a time, however long after that it changed', async () => {
    const own = (await makeShop()).as('editor')
    const hoursUntilChange = [0, 0.5, 1, 5, 6, 23, 24, 60, 72, 160, 168, 300, 336, 700, 720, 900]
    const made = clock.now().getTime()
    const changes = hoursUntilChange.flatMap((hours, index) => [
      { atHour: index * 10, index, isChange: false },
      ...(hours === 0 ? [] : [{ atHour: index * 10 + hours, index, isChange: true }]),
    ])
    const numbers = hoursUntilChange.map(() => uniqueNumber('AGE'))
    try {
      for (const { atHour, index, isChange } of changes.sort((left, right) => left.atHour - right.atHour)) {
        clock.advance(made + atHour * hourMs - clock.now().getTime())
        const number = numbers[index] ?? ''
        if (isChange) await own.post('/shipment-events', { id: number, event_name: 'PARCEL_DISPATCHED' })
        else await createOrder(own, {}, [{ tracking_number: number }])
      }
      const query = { updated_from: new Date(made - dayMs).toISOString() }
      const all: ShipmentRecord[] = (await own.get('/shipments', { per_page: '100', ...query })).body.shipments
      expect(all).toHaveLength(hoursUntilChange.length)
      for (const { created_at: created } of all) {
        const expected = all.filter(({ created_at }) => created_at <= created)
        const reply = await own.get('/shipments', { ...query, created_to: created })
        expect(reply.body.shipments).toEqual(expected)
        expect(reply.body.pagination.total).toBe(expected.length)
        const updated = expected.at(Math.floor(expected.length / 2))?.updated_at ?? ''
        expect(await found(own, { ...query, created_to: created, updated_to: updated })).toEqual(
          expected.filter(({ updated_at }) => updated_at <= updated).map(({ uuid }) => uuid),
        )
        expect(await found(own, { ...query, created_to: created, per_page: '3', page: '2' })).toEqual(
          expected.slice(3, 6).map(({ uuid }) => uuid),
        )
      }
    } finally {
      clock.reset()
    }
  })

  it('looks back 30 days, and at most 90', async () => {
    const own = (await makeShop()).as('editor')
    const order = await createOrder(own)
    const before = (days: number) => new Date(clock.now().getTime() - days * dayMs).toISOString()
    try {
      clock.advance(29 * dayMs)
      expect(await found(own, {})).toHaveLength(1)
      clock.advance(2 * dayMs)
      expect(await found(own, {})).toEqual([])
      expect(await found(own, { updated_from: before(32) })).toEqual([order.trackings[0].uuid])
      expect(await own.get('/shipments', { updated_from: before(92) })).toMatchObject({
        status: 422,
        body: { errors: [{ loc: ['query', 'updated_from'] }] },
      })
      clock.advance(58 * dayMs)
      expect(await found(own, { updated_from: before(89.9) })).toEqual([order.trackings[0].uuid])
      expect(await found(own, { created_from: before(89.9) })).toEqual([])
      clock.advance(10 * dayMs)
      expect(await found(own, { updated_from: before(89.9) })).toEqual([])
    } finally {
      clock.reset()
    }
  })

  it('rejects bad values', async () => {
    const bad = {
      sort: 'phase',
      include_drafts: 'maybe',
      updated_from: 'yesterday',
      updated_to: '2026-02-30',
      created_from: '1',
      created_to: 'x',
      page: '0',
      per_page: '101',
      tracking_number: 'x'.repeat(256),
    }
    for (const [name, value] of Object.entries(bad)) {
      expect(await shop.get('/shipments', { [name]: value }), name).toMatchObject({
        status: 422,
        body: { key: 'invalid_payload', errors: [{ loc: ['query', name] }] },
      })
    }
  })

  it("shows nothing of another shop's", async () => {
    const order = await createOrder(shop, {}, [{ tracking_number: uniqueNumber('OURS') }])
    const stranger = (await makeShop()).as('viewer')
    expect(await found(stranger, {})).toEqual([])
    expect(await found(stranger, { tracking_number: order.trackings[0].carrier.tracking_number })).toEqual([])
  })
})

async function found(caller: ShopCaller, query: Record<string, string>): Promise<string[]> {
  const { body } = await caller.get('/shipments', { per_page: '100', ...query })
  return body.shipments.map((shipment: ShipmentRecord) => shipment.uuid)
}

/** Four drafts and six fulfilled ones, made and changed at different minutes. */
async function makeShipments(): Promise<{ own: ShopCaller; all: ShipmentRecord[] }> {
  const own = (await makeShop()).as('editor')
  try {
    clock.advance(-60 * minuteMs)
    for (let index = 0; index < 4; index += 1) {
      clock.advance(minuteMs)
      await createOrder(own, { expected_number_of_shipments: 2 }, [{ tracking_number: uniqueNumber('SORT') }])
    }
    const extra = await createOrder(own, { expected_number_of_shipments: 0 })
    clock.advance(minuteMs)
    const trackings = ['A', 'B'].map((letter) => ({ tracking_number: uniqueNumber(letter) }))
    await own.put('/orders', { id: extra.order_number, trackings })
    const { shipments } = (await own.get('/shipments', { sort: 'created_at' })).body
    for (const index of [7, 2, 0]) {
      clock.advance(minuteMs)
      await own.post(`/shipments/${shipments[index].uuid}/events`, { event_name: 'ORDER_CANCELLED' })
    }
    const { body } = await own.get('/shipments', { per_page: '100' })
    return { own, all: body.shipments }
  } finally {
    clock.reset()
  }
}

function sorted(shipments: ShipmentRecord[], sort: string): string[] {
  const field = sort.endsWith('updated_at') ? 'updated_at' : 'created_at'
  const keyed = shipments.map((shipment) => ({ key: `${shipment[field]} ${shipment.uuid}`, uuid: shipment.uuid }))
  keyed.sort((left, right) => (left.key < right.key ? -1 : 1))
  return (sort.startsWith('-') ? keyed.reverse() : keyed).map(({ uuid }) => uuid)
}
