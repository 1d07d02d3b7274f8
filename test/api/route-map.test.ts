import { describe, expect, it } from 'vitest'
import { createOrder } from '../harness/orders.ts'
import { sendOrder } from '../harness/pages.ts'
import { call, theService } from '../harness/service.ts'
import { makeShop } from '../harness/shop.ts'
import { scanAs } from '../harness/tracking-pages.ts'

const shop = await makeShop()
const viewer = shop.as('viewer')

describe('map of a route', () => {
  it('shows where a parcel was scanned, in order', async () => {
    const { order, trackingNumbers } = await sendOrder(shop)
    await scanAs(await theService(), shop.slug, trackingNumbers[0] ?? '', [
      { event: 'ACCEPTED_BY_ORIGIN_OFFICE', place: 0 },
      { event: 'ARRIVED_AT_SORTING_CENTER', place: 1 },
    ])
    const { status, body } = await viewer.get(`/shipments/${order.trackings[0].uuid}/map`)
    expect(status).toBe(200)
    expect(body.land).toMatch(/^M/)
    expect(body.stops.map(({ name }: { name: string }) => name)).toEqual(['Leipzig', 'Hannover'])
    for (const { x, y } of body.stops) {
      expect(x).toBeGreaterThan(0)
      expect(x).toBeLessThan(body.width)
      expect(y).toBeLessThan(body.height)
    }
  })

  it('has no stops before a scan says where', async () => {
    const order = await createOrder(shop.as('editor'))
    const path = `/shipments/${order.trackings[0].uuid}/map`
    expect((await viewer.get(path)).body).toEqual({ width: 0, height: 0, land: '', stops: [] })
    const other = await makeShop()
    expect(await other.as('viewer').get(path)).toMatchObject({ status: 404, body: { key: 'shipment_not_found' } })
    expect((await call('GET', `/v1/shops/${shop.slug}${path}`, { auth: null })).status).toBe(400)
  })
})
