import { beforeAll, describe, expect, it } from 'vitest'
import { dayMs } from '../../src/platform/foundation/clock.ts'
import { writeHistory } from '../harness/history.ts'
import { uniqueNumber, upsertOf } from '../harness/orders.ts'
import { call, theService } from '../harness/service.ts'
import { makeShop, type TestShop } from '../harness/shop.ts'

const path = '/delivery-promises/backtest'

describe('back-test of delivery promises', () => {
  let shop: TestShop
  beforeAll(async () => {
    shop = await makeShop()
    await writeHistory(await theService(), shop, 20)
  })

  it('holds each parcel against what was known before, next to three baselines', async () => {
    const { status, body } = await shop.as('viewer').get(path, { days: 30, percentile: 0.8 })
    expect(status).toBe(200)
    const today = Date.parse((await theService()).context().now.toISOString().slice(0, 10))
    const day = (ago: number) => new Date(today - ago * dayMs).toISOString().slice(0, 10)
    expect(body).toMatchObject({ from: day(50), to: day(21), percentile: 0.8, plot: null })
    expect(body.parcels).toBeGreaterThan(200)
    expect(body.learnt_from).toBeGreaterThan(body.parcels)
    expect(body.methods.map(({ method }: { method: string }) => method)).toEqual([
      'model',
      'carrier_table',
      'fixed_days',
      'plain_percentile',
    ])
    expect(body.methods[0].width_at_equal_coverage).toBe(body.methods[0].mean_width)
    expect(body.methods[0].in_time).toBeGreaterThan(0.7)
    expect(body.stated).toBeGreaterThanOrEqual(0.8)
    for (const { stated, realised, promises } of body.calibration) {
      expect(stated).toBeGreaterThanOrEqual(0.5)
      expect(realised).toBeLessThanOrEqual(1)
      expect(promises).toBeGreaterThan(0)
    }
  })

  it('is drawn if asked for', async () => {
    const { body } = await shop.as('viewer').get(path, { days: 7, plot: true })
    expect(body.plot).toMatch(/^<svg .*\n<style>/)
  })

  it('has nothing to try in a new shop, and looks at no other', async () => {
    const { status, body } = await (await makeShop()).as('viewer').get(path)
    expect(status).toBe(200)
    expect(body).toMatchObject({ parcels: 0, learnt_from: 0, stated: 0, calibration: [] })
  })

  it('tells regions of the zip code apart, and reads no more of it', async () => {
    const small = await makeShop()
    const editor = small.as('editor')
    const tracking = { tracking_number: uniqueNumber('ZIP'), carrier_reference: 'dhl' }
    const address = { zip_code: '10115', country_code: 'DE' }
    expect((await editor.put('/orders', upsertOf(uniqueNumber(), { address }, [tracking]))).status).toBe(200)
    const event = { id: tracking.tracking_number, event_name: 'SUCCESSFULLY_DELIVERED' }
    expect((await editor.post('/shipment-events', event)).status).toBe(200)
    expect((await small.as('viewer').get(path)).body).toMatchObject({ learnt_from: 1, parcels: 0 })
  })

  it('rejects percentiles and periods that make no sense, and strangers', async () => {
    const viewer = shop.as('viewer')
    const senseless: Record<string, number>[] = [{ percentile: 0.3 }, { percentile: 1 }, { days: 3 }, { days: 900 }]
    for (const query of senseless) expect((await viewer.get(path, query)).status, JSON.stringify(query)).toBe(422)
    expect((await call('GET', `/v1/shops/${shop.slug}${path}`, { auth: null })).status).toBe(400)
    const auth = await (await makeShop()).credentials('admin')
    expect((await call('GET', `/v1/shops/${shop.slug}${path}`, { auth })).status).toBe(403)
  })
})
