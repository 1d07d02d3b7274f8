import { afterAll, afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { after, dayMs, hourMs, minuteMs } from '../../src/platform/foundation/clock.ts'
import { aftershipKeys, type Checkpoint, pushOf } from '../harness/aftership.ts'
import { placesOf } from '../harness/customers.ts'
import { settle } from '../harness/deliveries.ts'
import { createOrder, uniqueNumber } from '../harness/orders.ts'
import { pagePathOf } from '../harness/pages.ts'
import { startReceiver } from '../harness/receiver.ts'
import { call, clock, openTestDatabase, startTestService } from '../harness/service.ts'
import { makeShop } from '../harness/shop.ts'

// A store of its own: every row of every table is searched for what must not be there.
const service = await startTestService({}, await openTestDatabase())
afterAll(() => service.stop())
afterEach(() => clock.reset())

const picture = { type: 'image', url: 'https://proofs.example/pictures/1.jpg' }

/** A shop whose parcels AfterShip pushes, with a parcel that was sent two hours ago. */
async function open() {
  const made = await makeShop({ settings: { carriers_enabled: true } }, service)
  const shop = made.as('admin')
  await shop.patch('/settings/carriers/providers', { aftership: { status: 'live', enabled_carriers: ['gls'] } })
  await shop.put('/keys/aftership', aftershipKeys)
  const receiver = await startReceiver()
  onTestFinished(() => receiver.close())
  await shop.post('/webhooks', { url: receiver.url })
  const email = `customer-${uniqueNumber()}@example.com`
  const number = uniqueNumber('P')
  const order = await createOrder(shop, { order_placed_at: undefined, email_id: email }, [
    { tracking_number: number, carrier_reference: 'dhl' },
  ])
  clock.advance(2 * hourMs)
  const name = `Eva Beispiel-${uniqueNumber()}`
  const push = async (checkpoints: Checkpoint[], more: Record<string, unknown> = {}) => {
    const { payload, headers } = pushOf(number, checkpoints, undefined, more)
    const path = `/v1/inbound/${made.slug}/carriers/aftership`
    expect((await call('POST', path, { auth: null, payload, headers }, service)).status).toBe(200)
    await settle(service)
  }
  const id = order.trackings[0].id as string // the shipment was just created
  const proof = async () => (await shop.get(`/shipments/${id}`)).body.proof_of_delivery
  return { made, shop, receiver, email, order, id, name, push, proof }
}

const ago = (ms: number) => after(clock.now(), -ms)
const loaded = () => ({ at: ago(hourMs), subtag: 'OutForDelivery_001' })
const handedOver = () => ({ at: ago(minuteMs), subtag: 'Delivered_001' })

describe('proof of delivery', () => {
  it('is shown to everybody with a key of the shop', async () => {
    const { made, shop, order, id, name, push } = await open()
    const delivered = handedOver()
    await push([loaded(), delivered], {
      signed_by: name,
      delivery_location_type: 'Front porch',
      proof_of_delivery: [picture],
    })
    const expected = {
      received_by: name,
      time: delivered.at.toISOString().replace(/\.\d+Z/, '.000Z'),
      place: 'Front porch',
      picture_url: picture.url,
      signature_url: null,
      source: 'aftership',
    }
    for (const role of ['viewer', 'editor', 'admin'] as const) {
      const caller = made.as(role)
      expect((await caller.get(`/shipments/${id}`)).body.proof_of_delivery).toEqual(expected)
      const [found] = (await caller.get('/orders', { order_number: order.order_number })).body
      expect(found.trackings[0].proof_of_delivery).toEqual(expected)
    }
    expect((await shop.get(`/orders/${order.uuid}`)).body.trackings[0].proof_of_delivery).toEqual(expected)
  })

  it('leaves the shop without name and picture: in webhooks, feed, automations, exports and stored messages', async () => {
    const { shop, receiver, id, name, push } = await open()
    const { next } = (await shop.get('/events')).body
    const automation = {
      name: 'Proofs',
      trigger: { events: ['shipments/delivered'] },
      actions: [{ type: 'webhook', url: `${receiver.url}/automation` }],
    }
    expect((await shop.post('/automations', automation)).status).toBe(200)
    const delivered = handedOver()
    const proof = { signed_by: name, delivery_location_type: 'Front porch', proof_of_delivery: [picture] }
    await push([loaded(), delivered], proof)
    const shared = {
      time: delivered.at.toISOString().replace(/\.\d+Z/, '.000Z'),
      place: 'Front porch',
      source: 'aftership',
    }
    const sent = receiver.received.filter(({ body }) => body.event_data?.event_name === 'SUCCESSFULLY_DELIVERED')
    expect(sent.map(({ path }) => path).sort()).toEqual(['/', '/automation'])
    for (const { body } of sent) expect(body.context.shipments[0].proof_of_delivery).toEqual(shared)
    const { events } = (await shop.get('/events', { after: next })).body
    expect(events.at(-1).context.shipments[0].proof_of_delivery).toEqual(shared)
    const exported = await shop.get('/exports/shipments.csv')
    expect(exported.text).toContain(id)
    const texts = [JSON.stringify(receiver.received.map(({ text }) => text)), JSON.stringify(events), exported.text]
    for (const text of texts) {
      expect(text).not.toContain(name)
      expect(text).not.toContain(picture.url)
    }
    // Nothing else keeps them, whether it is sent later or only logged.
    expect(await placesOf(service, name, picture.url)).toEqual(['shipments.proof_of_delivery'])
  })

  it('is shown to the customer without the picture', async () => {
    const { order, name, push, shop } = await open()
    await push([loaded(), handedOver()], { signed_by: name, proof_of_delivery: [picture] })
    const path = await pagePathOf(shop, order.order_number)
    const page = await call('GET', path, { auth: null }, service)
    expect(page.status).toBe(200)
    expect(page.text).toContain(name)
    expect(page.text).toContain('Received by')
    expect(page.text).toContain('Leipzig')
    expect(page.text).not.toContain(picture.url)
  })

  it('is kept when a later report has none, and completed by one with a name', async () => {
    const { name, push, proof } = await open()
    const scans = [loaded(), handedOver()]
    await push(scans, { delivery_location_type: 'Front porch' })
    expect(await proof()).toMatchObject({ received_by: null, place: 'Front porch' })
    clock.advance(hourMs)
    await push(scans, { signed_by: name })
    expect(await proof()).toMatchObject({ received_by: name, place: 'Front porch' })
    const before = await proof()
    await push(scans)
    await push([scans[0] as Checkpoint]) // one was just made
    expect(await proof()).toEqual(before)
  })

  it('moves updated_at of the shipment, once', async () => {
    const { shop, id, name, push } = await open()
    const scans = [loaded(), handedOver()]
    await push(scans)
    const updatedAt = async () => (await shop.get(`/shipments/${id}`)).body.updated_at
    const first = await updatedAt()
    clock.advance(hourMs)
    await push(scans, { signed_by: name })
    const second = await updatedAt()
    expect(second > first).toBe(true)
    clock.advance(hourMs)
    await push(scans, { signed_by: name })
    expect(await updatedAt()).toBe(second)
  })

  it('of a delivery after which the parcel went back, or was delivered again, does not stand', async () => {
    const { name, push, proof } = await open()
    const first = [loaded(), handedOver()]
    await push(first, { signed_by: name })
    expect(await proof()).toMatchObject({ received_by: name })
    clock.advance(dayMs)
    const back = { at: ago(hourMs), subtag: 'Exception_011' }
    await push([...first, back], { signed_by: name })
    expect(await proof()).toBeNull()
    clock.advance(dayMs)
    const again = [
      { at: ago(2 * hourMs), subtag: 'OutForDelivery_001' },
      { at: ago(hourMs), subtag: 'Delivered_001' },
    ]
    await push([...first, back, ...again])
    expect(await proof()).toBeNull()
    await push([...first, back, ...again], { signed_by: 'Second Person' })
    expect(await proof()).toMatchObject({ received_by: 'Second Person' })
  })

  it('is in the export of the customer’s data, and erased with them', async () => {
    const { shop, id, email, name, push, proof } = await open()
    const scans = [loaded(), handedOver()]
    const fields = { signed_by: name, delivery_location_type: 'Behind the blue shed', proof_of_delivery: [picture] }
    await push(scans, fields)
    const exported = JSON.stringify((await shop.post('/privacy/export', { email })).body)
    expect(exported).toContain(name)
    expect(exported).toContain(picture.url)
    await shop.post('/privacy/erase', { email })
    expect(await proof()).toBeNull()
    // A late message does not bring it back.
    await push(scans, fields)
    expect(await proof()).toBeNull()
    expect(await placesOf(service, name)).toEqual([])
    expect(await placesOf(service, 'behind the blue shed')).toEqual([])
    expect((await shop.get(`/shipments/${id}`)).body.phase).toBe('delivered')
  })

  it('is removed by a node that erases without knowing of it', async () => {
    const { order, id, name, push } = await open()
    await push([loaded(), handedOver()], { signed_by: name })
    const { db } = service.database
    await db.updateTable('orders').set({ erased_at: clock.now() }).where('id', '=', order.uuid).execute()
    const row = await db.selectFrom('shipments').select('proof_of_delivery').where('id', '=', id).executeTakeFirst()
    expect(row).toEqual({ proof_of_delivery: null })
  })
})
