import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { createClaimFor, updateClaimStatus } from '../../src/claims/claims/change.ts'
import { inTransaction } from '../../src/platform/foundation/transaction.ts'
import { settle } from '../harness/deliveries.ts'
import { createOrder, uniqueNumber } from '../harness/orders.ts'
import { type Receiver, startReceiver } from '../harness/receiver.ts'
import { clock, type Reply, theService } from '../harness/service.ts'
import { makeShop, type ShopCaller } from '../harness/shop.ts'

const receivers: Receiver[] = []

async function openReceiver(): Promise<Receiver> {
  const receiver = await startReceiver()
  receivers.push(receiver)
  return receiver
}

afterEach(() => clock.reset())
afterAll(async () => {
  for (const receiver of receivers) await receiver.close()
})

/** A shop with a receiver that listens to these events, and a parcel. */
async function listening(enabled_events: string[] = ['claims']) {
  const owner = await makeShop()
  const shop = owner.as('admin')
  const receiver = await openReceiver()
  await shop.post('/webhooks', { url: receiver.url, enabled_events })
  return { slug: owner.slug, shop, receiver, ...(await sendParcel(shop)) }
}

async function sendParcel(shop: ShopCaller) {
  const trackingNumber = uniqueNumber('CE-')
  const order = await createOrder(shop, { order_placed_at: undefined }, [{ tracking_number: trackingNumber }])
  return { order, trackingNumber, shipmentId: order.trackings[0].id as string }
}

/** Without what only the desk shows. */
function inEvents({
  currency: _currency,
  customer_name: _customer,
  carrier_name: _carrier,
  pending_decision: _pending,
  ...claim
}: Reply['body']) {
  return claim
}

const refsOf = (receiver: Receiver) => receiver.received.map(({ body }) => body.ref)

describe('claim events', () => {
  it('publish a new claim with the payload of the contract', async () => {
    const { slug, shop, receiver, order, shipmentId } = await listening()
    const { body: claim } = await shop.post('/claims', {
      shipment_id: shipmentId,
      reason: 'damage',
      resolution_preference: 'refund',
      description: 'torn',
      customer_signature_image_url: 'https://elsewhere.example/signature.png',
      selected_items: [{ sku: 'RJ-42', title: 'Rain jacket', quantity: 1, net_price: 75.5 }],
      image_urls: ['https://elsewhere.example/1.jpg'],
      optional_image_urls: ['https://elsewhere.example/2.jpg'],
      dropoff_permission: true,
    })
    await settle()
    expect(receiver.received).toHaveLength(1)
    const { body } = receiver.received[0] ?? { body: {} }
    expect(body).toEqual({
      source: 'claims',
      ref: 'claims/created',
      version: 1,
      triggered_at: claim.created_at,
      event_group: 'claim_created',
      event_data: {
        claim_id: claim.uuid,
        event_name: 'created',
        created_at: claim.created_at,
        updated_at: claim.updated_at,
        event_group: 'claim_created',
        kind: 'claim',
        withdrawal: null,
        resolution_preference: 'refund',
        reason: 'damage',
        status: 'pending',
        description: 'torn',
        reply: null,
        customer_signature_image_url: 'https://elsewhere.example/signature.png',
        selected_items: claim.selected_items,
        image_urls: ['https://elsewhere.example/1.jpg'],
        optional_image_urls: ['https://elsewhere.example/2.jpg'],
      },
      context: {
        order: expect.objectContaining({ order_number: order.order_number }),
        customer: expect.objectContaining({ email: order.email_id }),
        shipments: [expect.objectContaining({ id: shipmentId })],
        claims: [inEvents(claim)],
      },
      shop_slug: slug,
      shop_id: claim.shop_id,
    })
  })

  it('publish each change, and nothing if nothing changes or a change is rejected', async () => {
    const { shop, receiver, shipmentId } = await listening()
    const { uuid } = (await shop.post('/claims', { shipment_id: shipmentId, reason: 'damage' })).body
    for (const body of [
      { status: 'accepted' },
      { status: 'accepted' },
      {},
      { status: 'pending' },
      { description: 'x' },
    ]) {
      clock.advance(1_000)
      await shop.put(`/claims/${uuid}`, body)
    }
    await settle()
    expect(refsOf(receiver)).toEqual(['claims/created', 'claims/updated', 'claims/updated'])
    expect(receiver.received[1]?.body).toMatchObject({
      event_group: 'claim_updated',
      event_data: { claim_id: uuid, event_name: 'updated', event_group: 'claim_updated', status: 'accepted' },
    })
    const last = receiver.received[2]?.body
    expect(last.event_data).toMatchObject({ description: 'x', updated_at: last.context.claims[0].updated_at })
    expect(last.event_data.updated_at > last.event_data.created_at).toBe(true)
  })

  it('go to endpoints whose filter they pass, under their own names in the log', async () => {
    const shop = (await makeShop()).as('admin')
    const filters = [['*'], ['claims'], ['claims/created'], ['claims/updated'], ['shipments']]
    const listeners = await Promise.all(filters.map(() => openReceiver()))
    const { shipmentId } = await sendParcel(shop)
    const endpoints: { uuid: string }[] = []
    for (const [index, enabled_events] of filters.entries()) {
      endpoints.push((await shop.post('/webhooks', { url: listeners[index]?.url, enabled_events })).body)
    }
    const { uuid } = (await shop.post('/claims', { shipment_id: shipmentId, reason: 'damage' })).body
    await shop.put(`/claims/${uuid}`, { status: 'rejected' })
    await settle()
    expect(listeners.map(refsOf)).toEqual([
      ['claims/created', 'claims/updated'],
      ['claims/created', 'claims/updated'],
      ['claims/created'],
      ['claims/updated'],
      [],
    ])
    const log = (await shop.get(`/webhooks/${endpoints[0]?.uuid}/deliveries`)).body
    expect(log).toMatchObject([
      { event_name: 'CLAIM_UPDATED', event_group: 'claim_updated', shipment_id: shipmentId },
      { event_name: 'CLAIM_CREATED', event_group: 'claim_created', shipment_id: shipmentId },
    ])
  })

  it('notify integrations of every claim and of every change', async () => {
    const shop = (await makeShop()).as('admin')
    const receiver = await openReceiver()
    receiver.respond = () => ({ status: 201, body: '{"message":"success","events_processed":1}' })
    const { shipmentId } = await sendParcel(shop)
    await shop.put('/keys/braze', { api_key: 'a-key-of-braze-that-is-long' })
    await shop.patch('/settings/triggers/braze', { status: true, rest_endpoint: receiver.url })
    const reasons = ['damage', 'support']
    for (const reason of reasons) {
      const { uuid } = (await shop.post('/claims', { shipment_id: shipmentId, reason })).body
      await shop.put(`/claims/${uuid}`, { status: 'rejected' })
      await shop.put(`/claims/${uuid}`, { status: 'closed' })
      await settle()
    }
    const sent = receiver.received.map(({ body }) => body.events[0].properties)
    expect(sent.map(({ event_group, reason, status }) => [event_group, reason, status])).toEqual(
      reasons.flatMap((reason) => [
        ['claim_created', reason, 'pending'],
        ['claim_updated', reason, 'rejected'],
        ['claim_updated', reason, 'closed'],
      ]),
    )
  })

  it('of one shipment arrive in order with its other events', async () => {
    const { shop, receiver, shipmentId, trackingNumber } = await listening(['claims', 'shipments/delivered'])
    receiver.respond = () => ({ status: 503 })
    await shop.post('/shipment-events?notify=true', { id: trackingNumber, event_name: 'SUCCESSFULLY_DELIVERED' })
    await settle()
    receiver.respond = () => ({ status: 200 })
    await shop.post('/claims', { shipment_id: shipmentId, reason: 'damage' })
    await settle()
    expect(receiver.received).toHaveLength(1)
    clock.advance(6_000)
    await settle()
    expect(refsOf(receiver).slice(1)).toEqual(['shipments/delivered/SUCCESSFULLY_DELIVERED', 'claims/created'])
  })

  it('are not published if the claim is rolled back', async () => {
    const { slug, shop, receiver, order, shipmentId } = await listening()
    const service = await theService()
    const { id: shopId } = await service.database.db
      .selectFrom('shops')
      .where('slug', '=', slug)
      .select('id')
      .executeTakeFirstOrThrow()
    const shipment = { shopId, id: shipmentId, orderId: order.uuid as string }
    const undone = inTransaction(service.context(), async (context) => {
      const id = await createClaimFor(context, shipment, { reason: 'damage' })
      expect(await updateClaimStatus(context, { shopId, id }, 'accepted')).toBe(true)
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    await settle()
    expect(receiver.received).toHaveLength(0)
    expect((await shop.get('/claims')).body).toEqual({ claims: [] })

    const id = await createClaimFor(service.context(), shipment, { reason: 'damage' })
    expect(await updateClaimStatus(service.context(), { shopId, id }, 'accepted')).toBe(true)
    expect(await updateClaimStatus(service.context(), { shopId, id }, 'accepted')).toBe(false)
    expect(await updateClaimStatus(service.context(), { shopId, id }, 'rejected')).toBe(false)
    await settle()
    expect(refsOf(receiver)).toEqual(['claims/created', 'claims/updated'])
  })
})

describe('events of a shipment', () => {
  it("show the order's claims, oldest first, without the deleted ones", async () => {
    const { shop, receiver, shipmentId, trackingNumber } = await listening([
      'shipments/in_transit',
      'shipments/delivered',
    ])
    const claims: Reply['body'][] = []
    for (const reason of ['damage', 'support', 'return']) {
      clock.advance(1_000)
      claims.push((await shop.post('/claims', { shipment_id: shipmentId, reason })).body)
    }
    await shop.delete(`/claims/${claims[1].uuid}`)
    const elsewhere = await sendParcel(shop)
    await shop.post('/claims', { shipment_id: elsewhere.shipmentId, reason: 'damage' })
    await shop.post('/shipment-events?notify=true', { id: trackingNumber, event_name: 'SUCCESSFULLY_DELIVERED' })
    await settle()
    const shown = await Promise.all([0, 2].map(async (index) => (await shop.get(`/claims/${claims[index].uuid}`)).body))
    expect(receiver.received).toHaveLength(1)
    expect(receiver.received[0]?.body.context.claims).toEqual(shown.map(inEvents))
    expect(shown[0].scan_date).not.toBeNull()
  })
})
