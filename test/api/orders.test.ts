import { describe, expect, it } from 'vitest'
import { createOrder, orderOf, readOrder, uniqueNumber, upsertOf } from '../harness/orders.ts'
import { makeShop } from '../harness/shop.ts'

const shop = (await makeShop()).as('editor')

const keysOf = (tracking: { events: { event_key: string }[] }) => tracking.events.map((event) => event.event_key)

describe('upserting an order', () => {
  it('creates an order with a draft shipment, and returns it in full', async () => {
    const number = uniqueNumber()
    const reply = await shop.put('/orders', upsertOf(number))
    expect(reply).toMatchObject({ status: 200, text: 'null' })
    const order = await readOrder(shop, number)
    expect(reply.headers.location).toContain(order.uuid)
    expect(order).toMatchObject({
      ...orderOf(number),
      order_placed_at: '2026-11-01T09:30:00.000Z',
      status: 'placed',
      discount_price: 0,
      expected_number_of_shipments: 1,
      order_analytics: {},
    })
    expect(order.trackings).toHaveLength(1)
    expect(order.trackings[0]).toMatchObject({
      carrier: { tracking_number: null, carrier_reference: null, tracking_url: null },
      direction: 'merchant_customer',
      is_return: false,
      flag: 'normal',
      phase: 'order_created',
      order_number: number,
      estimated_arrival: null,
      pickup: null,
    })
    expect(order.trackings[0].events).toMatchObject([
      { event_key: 'ORDER_CREATED', phase: 'order_created', time: '2026-11-01T09:30:00.000Z', language: 'en' },
    ])
    expect(order.trackings[0].products).toHaveLength(2)
  })

  it('changes nothing and emits nothing when it is sent again', async () => {
    const number = uniqueNumber()
    const upsert = upsertOf(number, {}, [{ tracking_number: '00340434161094042557', tracking_company: 'DHL Paket' }])
    await shop.put('/orders', upsert)
    const before = await readOrder(shop, number)
    for (let time = 0; time < 3; time += 1) expect((await shop.put('/orders', upsert)).status).toBe(200)
    expect(await shop.put('/orders', { ...upsert, trackings: [] })).toMatchObject({ status: 200 })
    expect(await readOrder(shop, number)).toEqual(before)
    expect(before.trackings).toHaveLength(1)
    expect(keysOf(before.trackings[0])).toEqual(['ORDER_CREATED', 'ORDER_PROCESSED'])
  })

  it('replaces given fields and does not change the others', async () => {
    const number = uniqueNumber()
    await shop.put('/orders', upsertOf(number))
    await shop.put('/orders', {
      id: number,
      order: { order_number: number, email_id: 'new@example.com', total_order_price: 1, products: null, address: null },
      trackings: [],
    })
    expect(await readOrder(shop, number)).toMatchObject({
      email_id: 'new@example.com',
      total_order_price: 1,
      shipping_price: 4.95,
      address: { zip_code: '10115' },
      products: [{ title: 'Rain jacket' }, { title: 'Socks' }],
    })
  })

  it('fulfils drafts oldest first and adds shipments if there are more trackings', async () => {
    const order = await createOrder(shop, { expected_number_of_shipments: 3 })
    const number = order.order_number
    const fulfil = (...trackings: string[]) =>
      shop.put('/orders', { id: number, trackings: trackings.map((tracking_number) => ({ tracking_number })) })
    expect(order.trackings).toHaveLength(3)
    await fulfil('A1')
    const partly = await readOrder(shop, number)
    expect(partly.status).toBe('partially_fulfilled')
    expect(partly.trackings.map((tracking: { id: string }) => tracking.id).sort()).toEqual(
      order.trackings.map((tracking: { id: string }) => tracking.id).sort(),
    )
    await fulfil('A1', 'A2', 'A3', 'A4', 'A2')
    const full = await readOrder(shop, number)
    expect(full.status).toBe('fulfilled')
    expect(
      full.trackings
        .map((tracking: { carrier: { tracking_number: string } }) => tracking.carrier.tracking_number)
        .sort(),
    ).toEqual(['A1', 'A2', 'A3', 'A4'])
    expect(full.trackings.map(keysOf)).toEqual([
      ['ORDER_CREATED', 'ORDER_PROCESSED'],
      ['ORDER_CREATED', 'ORDER_PROCESSED'],
      ['ORDER_CREATED', 'ORDER_PROCESSED'],
      ['ORDER_PROCESSED'],
    ])
  })

  it('creates an order together with its fulfilment', async () => {
    const order = await createOrder(shop, { expected_number_of_shipments: 2 }, [
      {
        tracking_number: '1Z999AA10123456784',
        tracking_placed_at: '2026-11-02T08:00:00Z',
        products: [{ title: 'Only this', quantity: 1 }],
      },
    ])
    expect(order.status).toBe('partially_fulfilled')
    const sent = order.trackings.find(
      (tracking: { carrier: { tracking_number: string | null } }) => tracking.carrier.tracking_number,
    )
    expect(sent).toMatchObject({
      carrier: { carrier_reference: 'ups' },
      phase: 'order_processed',
      products: [{ title: 'Only this', quantity: 1 }],
    })
    expect(sent.carrier.tracking_url).toContain('1Z999AA10123456784')
    expect(sent.events.at(-1)).toMatchObject({ event_key: 'ORDER_PROCESSED', time: '2026-11-02T08:00:00.000Z' })
  })

  it('finds the order by every id_type', async () => {
    const order = await createOrder(shop)
    const ids = {
      uuid: order.uuid,
      external_id: order.external_id,
      order_name: order.order_name,
      order_number: order.order_number,
    }
    for (const [id_type, id] of Object.entries(ids)) {
      const reply = await shop.put('/orders', { id, id_type, trackings: [{ tracking_number: `by-${id_type}` }] })
      expect(reply.status, id_type).toBe(200)
    }
    expect((await readOrder(shop, order.order_number)).trackings).toHaveLength(4)
  })

  it('rejects invalid input, and names the field', async () => {
    const number = uniqueNumber()
    expect(await shop.put('/orders', { id: number, trackings: [] })).toMatchObject({
      status: 404,
      body: { key: 'order_not_found' },
    })
    expect(await shop.put('/orders', { ...upsertOf(number), id: 'another' })).toMatchObject({
      status: 422,
      body: { errors: [{ loc: ['body', 'order', 'order_number'] }] },
    })
    expect(await shop.put('/orders', { id: number, id_type: 'uuid', trackings: [] })).toMatchObject({
      status: 422,
      body: { errors: [{ loc: ['body', 'id'] }] },
    })
    expect(
      await shop.put('/orders', { id: 'x-1', id_type: 'external_id', order: { external_id: 'x-1' }, trackings: [] }),
    ).toMatchObject({ status: 422, body: { errors: [{ loc: ['body', 'order', 'order_number'], type: 'missing' }] } })
    expect(await shop.put('/orders', upsertOf(number, { address: { city: 'Berlin', zip_code: '  ' } }))).toMatchObject({
      status: 422,
      body: { key: 'zip_code_invalid', errors: [{ loc: ['body', 'order', 'address', 'zip_code'] }] },
    })
    expect(
      await shop.put('/orders', upsertOf(number, {}, [{ tracking_number: 'T', carrier_reference: 'no-such-carrier' }])),
    ).toMatchObject({
      status: 422,
      body: { key: 'carrier_reference_invalid', errors: [{ loc: ['body', 'trackings', 0, 'carrier_reference'] }] },
    })
    expect(await readOrder(shop, number)).toBeUndefined()
    const tooMany = Array.from({ length: 51 }, (_, index) => ({ tracking_number: `T${index}` }))
    expect((await shop.put('/orders', upsertOf(number, {}, tooMany))).status).toBe(422)
    expect((await shop.put('/orders', upsertOf(number, { expected_number_of_shipments: 101 }))).status).toBe(422)
  })

  it('accepts what real clients send: nulls, extra fields, numbers for amounts', async () => {
    const number = uniqueNumber()
    const reply = await shop.put('/orders', {
      id: number,
      id_type: null,
      order: {
        order_number: number,
        external_id: null,
        order_name: null,
        total_order_price: null,
        products: [{ title: 'Hat', quantity: 1, sku: null, price: null, product_id: 77, surprise: { deep: true } }],
        discounts: [
          { code: 'A', amount: 10.5, type: 'fixed' },
          { code: 'B', amount: '5', type: null },
        ],
        address: { zip_code: '1010', name: null, unknown: 1 },
        email_id: null,
        segments: null,
        user_agent: null,
        preferred_delivery_date: null,
        order_analytics: null,
        expected_number_of_shipments: null,
        something_new: [1, 2],
      },
      trackings: [
        { tracking_number: 'N1', tracking_placed_at: null, tracking_company: null, products: null, extra: 1 },
      ],
      extra: true,
    })
    expect(reply.status).toBe(200)
    const order = await readOrder(shop, number)
    expect(order).toMatchObject({
      external_id: number,
      order_name: null,
      currency: 'EUR',
      products: [{ title: 'Hat', quantity: 1, product_id: '77' }],
      discounts: [
        { code: 'A', amount: '10.5', type: 'fixed' },
        { code: 'B', amount: '5' },
      ],
    })
    expect(JSON.stringify(order)).not.toContain('surprise')
  })

  it('rejects a new order whose external id belongs to another', async () => {
    const order = await createOrder(shop)
    const clash = upsertOf(uniqueNumber(), { external_id: order.external_id })
    expect(await shop.put('/orders', clash)).toMatchObject({ status: 409, body: { key: 'order_exists' } })
    const other = await createOrder(shop)
    const rename = { id: other.order_number, order: { external_id: order.external_id }, trackings: [] }
    expect(await shop.put('/orders', rename)).toMatchObject({ status: 409, body: { key: 'order_exists' } })
  })

  it('merges order_analytics given beside the order', async () => {
    const order = await createOrder(shop, { order_analytics: { landing_site: '/a', campaign: 'x' } })
    await shop.put('/orders', { id: order.order_number, trackings: [], order_analytics: { medium: 'basic_promotion' } })
    expect((await readOrder(shop, order.order_number)).order_analytics).toEqual({
      landing_site: '/a',
      campaign: 'x',
      medium: 'basic_promotion',
    })
  })
})

describe('placing an order', () => {
  it('creates drafts, and ignores a number that exists', async () => {
    const number = uniqueNumber()
    const first = await shop.post('/orders', orderOf(number, { expected_number_of_shipments: 2 }))
    expect(first).toMatchObject({ status: 200, text: 'null' })
    expect(first.headers.location).toContain('/orders/')
    const before = await readOrder(shop, number)
    expect(before.trackings).toHaveLength(2)
    expect(
      await shop.post('/orders', orderOf(number, { external_id: 'other', email_id: 'x@example.com' })),
    ).toMatchObject({
      status: 200,
      text: 'null',
    })
    expect(await readOrder(shop, number)).toEqual(before)
    expect(await shop.post('/orders', orderOf(uniqueNumber(), { external_id: before.external_id }))).toMatchObject({
      status: 409,
      body: { key: 'order_exists' },
    })
  })

  it('needs number, external id and address', async () => {
    const { status, body } = await shop.post('/orders', { email_id: 'a@example.com' })
    expect(status).toBe(422)
    expect(body.errors.map((error: { loc: string[] }) => error.loc.join('.')).sort()).toEqual([
      'body.address',
      'body.external_id',
      'body.order_number',
    ])
  })
})

describe('updating an order', () => {
  it('adds and removes drafts only', async () => {
    const order = await createOrder(shop, { expected_number_of_shipments: 2 }, [{ tracking_number: 'U1' }])
    const grown = await shop.patch(`/orders/${order.uuid}`, { expected_number_of_shipments: 4 })
    expect(grown.body).toMatchObject({ expected_number_of_shipments: 4, status: 'partially_fulfilled' })
    expect(grown.body.trackings).toHaveLength(4)
    const shrunk = await shop.patch(`/orders/${order.uuid}`, { expected_number_of_shipments: 0 })
    expect(shrunk.body).toMatchObject({ expected_number_of_shipments: 0, status: 'fulfilled' })
    expect(shrunk.body.trackings).toMatchObject([{ carrier: { tracking_number: 'U1' } }])
  })

  it('merges the address and skips what is absent', async () => {
    const order = await createOrder(shop)
    const { body } = await shop.patch(`/orders/${order.uuid}`, { address: { city: 'Potsdam', zip_code: '14467' } })
    expect(body).toMatchObject({ address: { city: 'Potsdam', zip_code: '14467', name: 'Ada Example' } })
    expect((await shop.get('/orders', { zip_code: '14467' })).body).toHaveLength(1)
    expect((await shop.patch(`/orders/${order.uuid}`, {})).status).toBe(200)
    expect(await shop.patch('/orders/0192f3c4-7b1e-7cc0-9d3a-2f6f7a1b4c5d', {})).toMatchObject({
      status: 404,
      body: { key: 'order_not_found' },
    })
    expect((await shop.patch('/orders/not-a-uuid', {})).status).toBe(422)
  })
})

describe('attribution', () => {
  it('overwrites every attribution field and no other analytics', async () => {
    const order = await createOrder(shop, {
      order_analytics: { landing_site: '/kept', note_attributes: [{ name: 'a', value: 'b' }] },
    })
    const put = (fields: Record<string, unknown>) =>
      shop.put('/orders/analytics', { id: order.order_number, ...fields })
    await put({ campaign: 'autumn', medium: 'product_promotion', landing_path: '/sale' })
    await put({ source: 'newsletter', campaign: null })
    const { order_analytics } = await readOrder(shop, order.order_number)
    expect(order_analytics).toEqual({
      landing_site: '/kept',
      note_attributes: [{ name: 'a', value: 'b' }],
      source: 'newsletter',
      campaign: null,
      medium: null,
      landing_url: null,
      landing_path: null,
      referrer: null,
      captured_at: null,
      reference_order_id: null,
      order_external_id: null,
      order_number: null,
      order_name: null,
    })
    expect((await put({ campaign: 'x'.repeat(101) })).status).toBe(422)
    expect((await shop.put('/orders/analytics', { id: 'unknown' })).status).toBe(404)
  })
})

describe('bulk fulfilment', () => {
  it('writes all items, also several of one order, or nothing', async () => {
    const numbers = Array.from({ length: 300 }, () => uniqueNumber('bulk'))
    const items = numbers.map((number) => upsertOf(number, {}, [{ tracking_number: `B-${number}` }]))
    const [first = '', second = ''] = numbers
    items.push({ ...upsertOf(first, {}, [{ tracking_number: 'B-second' }]) })
    expect(await shop.put('/orders/bulk', items)).toMatchObject({ status: 200, text: 'null' })
    expect((await readOrder(shop, first)).trackings).toHaveLength(2)
    expect((await readOrder(shop, second)).status).toBe('fulfilled')
    const fresh = uniqueNumber('bulk')
    const failing = await shop.put('/orders/bulk', [upsertOf(fresh), { id: 'no-such-order', trackings: [] }])
    expect(failing).toMatchObject({ status: 404, body: { key: 'order_not_found', errors: [] } })
    expect(failing.body.message).toMatch(/^item 1: /)
    expect(await readOrder(shop, fresh)).toBeUndefined()
    expect(await shop.put('/orders/bulk', [{ id: 'x', trackings: [{}] }])).toMatchObject({
      status: 422,
      body: { errors: [{ loc: ['body', 0, 'trackings', 0, 'tracking_number'], type: 'missing' }] },
    })
    expect((await shop.put('/orders/bulk', [])).status).toBe(422)
  })
})

describe('searching orders', () => {
  it('finds by every filter', async () => {
    const own = (await makeShop()).as('editor')
    const since = new Date(Date.now() - 1_000).toISOString()
    const first = await createOrder(own, {
      order_placed_at: '2026-10-01T00:00:00Z',
      email_id: 'Mixed.Case@Example.com',
    })
    const second = await createOrder(own, { order_placed_at: '2026-10-05T00:00:00Z', address: { zip_code: '80331' } })
    const found = async (query: Record<string, string>) =>
      (await own.get('/orders', query)).body.map((order: { uuid: string }) => order.uuid)
    expect(await found({})).toEqual([second.uuid, first.uuid])
    expect(await found({ email_id: 'mixed.case@example.com' })).toEqual([first.uuid])
    expect(await found({ external_id: second.external_id })).toEqual([second.uuid])
    expect(await found({ order_name: first.order_name })).toEqual([first.uuid])
    expect(await found({ order_number: first.order_number })).toEqual([first.uuid])
    expect(await found({ uuid: second.uuid })).toEqual([second.uuid])
    expect(await found({ zip_code: '80331' })).toEqual([second.uuid])
    expect(await found({ order_placed_from: '2026-10-03' })).toEqual([second.uuid])
    expect(await found({ order_placed_to: '2026-10-03T00:00:00' })).toEqual([first.uuid])
    expect((await found({ shipment_updated_since: since })).sort()).toEqual([first.uuid, second.uuid].sort())
    await own.put('/orders', {
      id: first.order_number,
      trackings: [{ tracking_number: 'S1' }, { tracking_number: 'S2' }],
    })
    expect(await found({ shipment_updated_since: since })).toEqual([first.uuid, second.uuid])
    expect(await found({ shipment_updated_since: '2100-01-01T00:00:00Z' })).toEqual([])
    expect((await own.get('/orders', { order_placed_from: 'yesterday' })).status).toBe(422)
    expect((await own.get('/orders', { per_page: '1' })).headers['x-total-count']).toBe('2')
    const changed = await own.get('/orders', { per_page: '1', shipment_updated_since: since })
    expect(changed.headers['x-total-count'], 'an order with three shipments counts once').toBe('2')
  })
})
