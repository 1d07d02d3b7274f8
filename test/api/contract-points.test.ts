import { describe, expect, it } from 'vitest'
import { dayMs, hourMs } from '../../src/platform/foundation/clock.ts'
import { createOrder, uniqueNumber } from '../harness/orders.ts'
import { clock } from '../harness/service.ts'
import { makeShop } from '../harness/shop.ts'

const shop = (await makeShop()).as('editor')
const ago = (ms: number) => new Date(clock.now().getTime() - ms).toISOString()
const address = { name: 'Ada Example', zip_code: '10115', country_code: 'DE' }

const orderBy = async (filter: Record<string, string>) => (await shop.get('/orders', filter)).body[0]

describe('upsert by a name', () => {
  it('uses that name as its id', async () => {
    const [order_name, external_id] = [uniqueNumber('#N'), uniqueNumber('E')]
    const numbers = [uniqueNumber('O'), uniqueNumber('O')]
    const upsert = (id: string, id_type: string, order_number: string | undefined) =>
      shop.put('/orders', { id, id_type, order: { order_number, address }, trackings: [] })
    expect((await upsert(order_name, 'order_name', numbers[0])).status).toBe(200)
    expect((await upsert(external_id, 'external_id', numbers[1])).status).toBe(200)
    expect(await orderBy({ order_name })).toMatchObject({ order_name, order_number: numbers[0] })
    expect(await orderBy({ external_id })).toMatchObject({ external_id, order_number: numbers[1] })
    expect((await upsert(order_name, 'order_name', numbers[0])).status).toBe(200)
    const other = { order_number: uniqueNumber('O'), order_name: 'another', address }
    const contradicted = { id: uniqueNumber('#N'), id_type: 'order_name', order: other, trackings: [] }
    expect((await shop.put('/orders', contradicted)).status).toBe(422)
  })
})

describe('status of an order', () => {
  const statusOf = async (order_number: string) => (await orderBy({ order_number })).status
  const fulfil = (id: string, ...numbers: string[]) =>
    shop.put('/orders', { id, trackings: numbers.map((tracking_number) => ({ tracking_number })) })

  it('is partial only if several shipments are expected', async () => {
    const { order_number } = await createOrder(shop)
    await shop.post('/shipments', {
      order_id: order_number,
      order_id_type: 'order_number',
      direction: 'merchant_customer',
    })
    await fulfil(order_number, uniqueNumber('P'))
    expect(await statusOf(order_number)).toBe('fulfilled')
  })

  it('is partial again after one of several shipments is deleted', async () => {
    const { order_number } = await createOrder(shop, { expected_number_of_shipments: 2 })
    const [first, second] = [uniqueNumber('P'), uniqueNumber('P')]
    expect(await statusOf(order_number)).toBe('placed')
    await fulfil(order_number, first)
    expect(await statusOf(order_number)).toBe('partially_fulfilled')
    await fulfil(order_number, second)
    expect(await statusOf(order_number)).toBe('fulfilled')
    await shop.delete(`/orders/${order_number}/shipments/${second}`)
    expect(await statusOf(order_number)).toBe('partially_fulfilled')
  })
})

describe('times', () => {
  it('are returned in one format, however they were written', async () => {
    const order = await createOrder(shop, {
      order_placed_at: '2026-11-01 10:30:00+01',
      preferred_delivery_date: { start: '2026-11-05T09:00:00+01:00', end: '2026-11-05', source: 'checkout' },
      order_analytics: { captured_at: '2026-11-01T10:00+0100' },
    })
    expect(order).toMatchObject({
      order_placed_at: '2026-11-01T09:30:00.000Z',
      preferred_delivery_date: { start: '2026-11-05T08:00:00.000Z', end: '2026-11-05T00:00:00.000Z' },
      order_analytics: { captured_at: '2026-11-01T09:00:00.000Z' },
    })
    const attribution = { id: order.order_number, captured_at: '2026-11-02T10:00:00+02:00' }
    expect((await shop.put('/orders/analytics', attribution)).status).toBe(200)
    const { order_analytics } = await orderBy({ order_number: order.order_number })
    expect(order_analytics.captured_at).toBe('2026-11-02T08:00:00.000Z')
  })

  it('reach back at most 90 days in the search of shipments', async () => {
    const search = (ms: number) => shop.get('/shipments', { updated_from: ago(ms) })
    expect((await search(90 * dayMs)).status).toBe(200)
    expect((await search(90 * dayMs + hourMs)).status).toBe(422)
  })
})

describe('order analytics', () => {
  it('store fields that the contract does not name, also when attribution is written', async () => {
    const order = await createOrder(shop, { order_analytics: { landing_site: '/a', gclid: 'abc', nested: { a: [1] } } })
    expect(order.order_analytics).toMatchObject({ landing_site: '/a', gclid: 'abc', nested: { a: [1] } })
    await shop.put('/orders/analytics', { id: order.order_number, campaign: 'autumn' })
    const beside = { id: order.order_number, trackings: [], order_analytics: { fbclid: 'x', gone: null } }
    await shop.put('/orders', beside)
    const { order_analytics } = await orderBy({ order_number: order.order_number })
    expect(order_analytics).toMatchObject({ landing_site: '/a', gclid: 'abc', campaign: 'autumn', fbclid: 'x' })
    expect(order_analytics).not.toHaveProperty('gone')
  })

  it('leave out a field called __proto__, however deep, and store those beside it', async () => {
    const order_number = uniqueNumber('O')
    const analytics = '{"__proto__":{"a":1},"gclid":"abc","nested":{"__proto__":{"a":2},"b":[{"__proto__":3,"c":4}]}}'
    const order = `{"address":{"zip_code":"1"},"order_analytics":${analytics}}`
    const sent = await shop.put('/orders', JSON.parse(`{"id":"${order_number}","trackings":[],"order":${order}}`))
    expect(sent.status).toBe(200)
    const { order_analytics } = await orderBy({ order_number })
    expect(JSON.stringify(order_analytics)).toBe('{"gclid":"abc","nested":{"b":[{"c":4}]}}')
    expect(({} as { a?: number }).a).toBeUndefined()
  })
})

describe('errors', () => {
  it('list problems for 422 only', async () => {
    const { order_number, external_id } = await createOrder(shop)
    const again = { order_number: uniqueNumber('O'), external_id, address }
    expect(await shop.post('/orders', again)).toMatchObject({ status: 409, body: { key: 'order_exists', errors: [] } })
    const items = [{ id: uniqueNumber('O'), trackings: [] }]
    expect(await shop.put('/orders/bulk', items)).toMatchObject({ status: 404, body: { errors: [] } })
    expect((await shop.put('/orders', { id: order_number })).body.errors).toHaveLength(1)
  })
})

describe('product campaign', () => {
  it('keeps its subtitle and discount code', async () => {
    const campaign = {
      name: uniqueNumber('Campaign'),
      segment: 'default',
      promotion_type: 'product',
      promotion_properties: {
        title: 'Socks',
        subtitle: 'Two for one',
        discount_code: 'WARM',
        products: [{ product_url: 'https://shop.example/socks', currency: 'EUR' }],
        translations: [{ language: 'de', values: { subtitle: 'Zwei für eins' } }],
      },
    }
    const made = await shop.post('/campaigns', campaign)
    expect(made.body.promotion_properties).toMatchObject({ subtitle: 'Two for one', discount_code: 'WARM' })
    const { body } = await shop.get(`/campaigns/${made.body.uuid}`, {}, { 'accept-language': 'de' })
    expect(body.promotion_properties).toMatchObject({ subtitle: 'Zwei für eins', discount_code: 'WARM' })
  })
})
