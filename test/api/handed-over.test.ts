import { afterEach, describe, expect, it } from 'vitest'
import { minuteMs } from '../../src/platform/foundation/clock.ts'
import { readOrder, uniqueNumber } from '../harness/orders.ts'
import { reportOrder, reportParcel } from '../harness/reported-orders.ts'
import { clock } from '../harness/service.ts'
import { makeShop } from '../harness/shop.ts'
import type { Payload } from '../harness/shop-systems.ts'

afterEach(() => clock.reset())

const keysOf = ({ events }: Payload) => events.map(({ event_key }: Payload) => event_key)

describe('order that was handed over without a tracking number', () => {
  it('says so until a number arrives, and is unchanged by messages that do not mention it', async () => {
    const shop = await makeShop()
    const number = uniqueNumber()
    await reportOrder(shop, number)
    expect(await readOrder(shop.as('viewer'), number)).toMatchObject({ handed_over_without_tracking: false })
    clock.advance(minuteMs)
    await reportOrder(shop, number, { handedOverWithoutTracking: true })
    const handedOver = await readOrder(shop.as('viewer'), number)
    expect(handedOver).toMatchObject({ handed_over_without_tracking: true, status: 'placed' })
    expect(handedOver.trackings).toHaveLength(1)
    clock.advance(minuteMs)
    await reportOrder(shop, number, { fields: { email_id: 'new@example.com' } })
    const search = { handed_over_without_tracking: true }
    expect((await shop.as('viewer').get('/orders', search)).body).toMatchObject([{ email_id: 'new@example.com' }])
    const { orders, shipments } = (await shop.as('viewer').get('/analytics/summary')).body
    expect(orders.handed_over_without_tracking).toBe(1)
    expect(shipments).toMatchObject({ created: 1, waiting: 0 })
    clock.advance(minuteMs)
    await reportParcel(shop, number, `${number}-1`)
    expect(await readOrder(shop.as('viewer'), number)).toMatchObject({
      handed_over_without_tracking: false,
      status: 'fulfilled',
      trackings: [{ id: handedOver.trackings[0].id, carrier: { tracking_number: `${number}-1` } }],
    })
  })

  it('no longer says so once a shipment to the customer is created with a number', async () => {
    const shop = await makeShop()
    const number = uniqueNumber()
    await reportOrder(shop, number, { handedOverWithoutTracking: true })
    const shipment = { order_id: number, order_id_type: 'order_number', tracking_number: `${number}-1` }
    await shop.as('editor').post('/shipments', shipment)
    expect((await readOrder(shop.as('viewer'), number)).handed_over_without_tracking).toBe(true)
    const outward = { ...shipment, tracking_number: `${number}-2`, direction: 'merchant_customer' }
    await shop.as('editor').post('/shipments', outward)
    expect((await readOrder(shop.as('viewer'), number)).handed_over_without_tracking).toBe(false)
  })
})

describe('order with nothing to send, according to its shop system', () => {
  it('has its products but no draft, and gets a draft when an item is added', async () => {
    const shop = await makeShop()
    const number = uniqueNumber()
    await reportOrder(shop, number)
    clock.advance(minuteMs)
    await reportOrder(shop, number, { nothingToSend: true, fields: { products: [] }, quantity: 0 })
    const refunded = await readOrder(shop.as('viewer'), number)
    expect(refunded).toMatchObject({ nothing_to_send: true, trackings: [], products: [{ sku: 'RJ-42' }] })
    clock.advance(minuteMs)
    await reportOrder(shop, number, { fields: { email_id: 'new@example.com' }, quantity: undefined })
    expect(await readOrder(shop.as('viewer'), number)).toMatchObject({ nothing_to_send: true, trackings: [] })
    clock.advance(minuteMs)
    await reportOrder(shop, number, { nothingToSend: false })
    const again = await readOrder(shop.as('viewer'), number)
    expect(again.nothing_to_send).toBe(false)
    expect(again.trackings.map(keysOf)).toEqual([['ORDER_CREATED']])
  })

  it('is published as cancelled if it was cancelled and refunded at once', async () => {
    const shop = await makeShop()
    const number = uniqueNumber()
    await reportOrder(shop, number)
    clock.advance(minuteMs)
    await reportOrder(shop, number, { nothingToSend: true, cancelledAt: clock.now() })
    const order = await readOrder(shop.as('viewer'), number)
    expect(order.nothing_to_send).toBe(false)
    expect(order.trackings.map(keysOf)).toEqual([['ORDER_CREATED', 'ORDER_CANCELLED']])
  })
})
