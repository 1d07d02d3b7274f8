import { sql } from 'kysely'
import { afterAll, afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { ImportWorker } from '../../src/orders/imports/import-worker.ts'
import { leaseDueImport, resumeImport } from '../../src/orders/imports/resume-import.ts'
import { ImportLost } from '../../src/orders/imports/write-batch.ts'
import { dayMs, hourMs, minuteMs } from '../../src/platform/foundation/clock.ts'
import { aftershipKeys, startAfterShip } from '../harness/aftership.ts'
import { runJobs, settle } from '../harness/deliveries.ts'
import { sendImport } from '../harness/imports.ts'
import { createOrder } from '../harness/orders.ts'
import { followParcels, sendParcel } from '../harness/parcels.ts'
import { type Receiver, startReceiver } from '../harness/receiver.ts'
import { call, clock, openTestDatabase, startTestService } from '../harness/service.ts'
import { makeShop, type TestShop } from '../harness/shop.ts'
import { payload, senderOf } from '../harness/shop-systems.ts'

const [aftership, brevo] = [await startAfterShip(), await startReceiver()]
const service = await startTestService({}, await openTestDatabase(), {
  providerUrls: { aftership: aftership.url },
  integrationUrls: { brevo: brevo.url },
})
// Imports are run by hand here.
await service.workers?.imports.stop()

let receiver: Receiver
beforeEach(async () => {
  receiver = await startReceiver()
  const { close } = receiver
  onTestFinished(close)
})
afterEach(() => clock.reset())
afterAll(async () => {
  await service.stop()
  await aftership.close()
  await brevo.close()
})

const remove = ({ slug }: TestShop) => call('DELETE', `/v1/shops/${slug}`, {}, service)
const undoDeletion = ({ slug }: TestShop) =>
  sql`update shops set deleted_at = null where slug = ${slug}`.execute(service.database.db)

describe('deleted shop', () => {
  it('has nothing delivered; its queue is sent if the deletion is undone', async () => {
    const made = await makeShop({}, service)
    const shop = made.as('admin')
    await shop.post('/webhooks', { url: receiver.url })
    receiver.respond = () => ({ status: 500 })
    await createOrder(shop, { order_placed_at: undefined })
    await settle(service)
    const tried = receiver.received.length
    expect(tried).toBeGreaterThan(0)
    receiver.respond = () => ({ status: 200 })
    await remove(made)
    clock.advance(hourMs)
    await settle(service)
    expect(receiver.received).toHaveLength(tried)
    await undoDeletion(made)
    await settle(service)
    expect(receiver.received.length).toBeGreaterThan(tried)
  })

  it('has no automation run, whether it is delayed or not evaluated yet', async () => {
    const made = await makeShop({}, service)
    const shop = made.as('admin')
    const automation = { trigger: { events: ['*'] }, actions: [{ type: 'webhook', url: `${receiver.url}/later` }] }
    await shop.post('/automations', { name: 'Later', delay_minutes: 30, ...automation })
    await createOrder(shop)
    await settle(service)
    await remove(made)
    clock.advance(hourMs)
    service.workers?.automations.wake()
    await settle(service)
    expect(receiver.received).toEqual([])
    const { rows } = await sql<{ status: string; reason: string }>`
      select distinct runs.status, runs.reason from automation_runs as runs
      join shops on shops.id = runs.shop_id
      where shops.slug = ${made.slug}`.execute(service.database.db)
    expect(rows).toEqual([{ status: 'cancelled', reason: 'the automation was deleted' }])
  })

  it('has no internal trigger fire', async () => {
    const made = await makeShop({}, service)
    const shop = made.as('admin')
    await shop.post('/webhooks', { url: receiver.url })
    const fired = () => receiver.received.filter(({ body }) => body.event_group === 'shipment_internal_trigger')
    await shop.post('/settings/triggers/webhook/internal-triggers', {
      name: 'Stuck',
      operator: 'AND',
      time_threshold_type: 'latest_event_time',
      time_threshold_value: 48,
    })
    await sendParcel(shop)
    await remove(made)
    clock.advance(3 * dayMs)
    await runJobs(service)
    expect(fired()).toEqual([])
    await undoDeletion(made)
    clock.advance(minuteMs)
    await runJobs(service)
    expect(fired()).toHaveLength(1)
  })

  it('has no parcel polled', async () => {
    const made = await makeShop({ settings: { carriers_enabled: true } }, service)
    const shop = made.as('admin')
    await shop.put('/keys/aftership', { api_key: aftershipKeys.api_key })
    await shop.patch('/settings/carriers/providers', { aftership: { status: 'live' } })
    const { number } = await sendParcel(shop)
    await followParcels(service)
    expect(aftership.registered).toContain(number)
    const callsBefore = aftership.polled.length
    await remove(made)
    clock.advance(dayMs)
    await followParcels(service)
    expect(aftership.polled).toHaveLength(callsBefore)
  })

  it('has no segments fetched from a marketing system', async () => {
    const made = await makeShop({}, service)
    const shop = made.as('admin')
    await shop.put('/keys/brevo', { api_key: 'xkeysib-a-key-that-is-long' })
    await shop.patch('/settings/segments', { brevo: true })
    brevo.respond = () => ({ status: 503, body: '{}' })
    await createOrder(shop)
    await remove(made)
    const callsBefore = brevo.received.length
    clock.advance(minuteMs)
    await runJobs(service)
    expect(brevo.received).toHaveLength(callsBefore)
  })

  it('has no file imported, and an import in progress is paused', async () => {
    const made = await makeShop({}, service)
    const shop = made.as('admin')
    await shop.post('/webhooks', { url: receiver.url })
    const runner = new ImportWorker(service.context)
    onTestFinished(() => runner.stop())
    await sendImport(shop, 'order_number,zip_code\n1,10115\n')
    const claimed = await leaseDueImport(service.context())
    if (claimed === undefined) throw new Error('there is no import')
    await remove(made)
    await expect(resumeImport(service.context, claimed, () => true)).rejects.toThrow(ImportLost)
    clock.advance(hourMs)
    await runner.runDue()
    await settle(service)
    expect(receiver.received).toEqual([])
    await undoDeletion(made)
    await runner.runDue()
    expect((await shop.get('/orders')).body).toHaveLength(1)
  })

  it('has no message of its shop system accepted', async () => {
    const made = await makeShop({}, service)
    const sender = await senderOf(made, 'shopify')
    await remove(made)
    expect((await sender.send('orders/updated', payload('shopify-order'))).status).toBe(404)
    // The new owner of the slug has another secret.
    await call('POST', '/v1/shops', { body: { name: 'New', slug: made.slug } }, service)
    expect((await sender.send('orders/updated', payload('shopify-order'))).status).toBe(401)
  })
})
