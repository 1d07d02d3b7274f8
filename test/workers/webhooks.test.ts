import { createHmac } from 'node:crypto'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { dayMs, hourMs, minuteMs } from '../../src/platform/foundation/clock.ts'
import { settle } from '../harness/deliveries.ts'
import { createOrder } from '../harness/orders.ts'
import { type Receiver, startReceiver } from '../harness/receiver.ts'
import { clock } from '../harness/service.ts'
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

async function listen(shop: ShopCaller, url: string, fields: Record<string, unknown> = {}) {
  return (await shop.post('/webhooks', { url, ...fields })).body
}

let parcels = 0

async function sendParcel(shop: ShopCaller) {
  parcels += 1
  const trackingNumber = `W-${process.pid}-${parcels}`
  const order = await createOrder(shop, { order_placed_at: undefined }, [{ tracking_number: trackingNumber }])
  return { order, trackingNumber, shipmentId: order.trackings[0].id as string }
}

const scan = (shop: ShopCaller, trackingNumber: string, event_name: string, fields: Record<string, unknown> = {}) =>
  shop.post('/shipment-events?notify=true', { id: trackingNumber, event_name, ...fields })

describe('webhook endpoints', () => {
  it('are created, listed, changed and deleted; the secret is shown once', async () => {
    const shop = (await makeShop()).as('admin')
    const made = await listen(shop, 'https://receiver.example/a', { description: 'A' })
    expect(made).toMatchObject({
      enabled_events: ['*'],
      status: 'active',
      description: 'A',
      health: { failing_since: null },
    })
    expect(made.secret).toMatch(/^.{16,64}$/)
    expect(await shop.post('/webhooks', { url: 'https://receiver.example/a' })).toMatchObject({
      status: 409,
      body: { key: 'webhook_exists' },
    })
    const given = await listen(shop, 'https://receiver.example/b', {
      secret: 'a-secret-that-is-given',
      status: 'inactive',
    })
    expect(given.secret).toBe('a-secret-that-is-given')
    expect((await shop.get(`/webhooks/${made.uuid}`)).body.secret).toBeNull()
    expect((await shop.get('/webhooks', { status: 'inactive' })).body).toMatchObject([{ uuid: given.uuid }])
    expect((await shop.get('/webhooks', { url: made.url })).body).toMatchObject([{ uuid: made.uuid }])
    expect((await shop.get('/webhooks', { uuid: made.uuid })).body).toHaveLength(1)
    expect(
      await shop.patch(`/webhooks/${made.uuid}`, { status: 'inactive', enabled_events: ['claims'] }),
    ).toMatchObject({ text: 'null' })
    expect((await shop.get(`/webhooks/${made.uuid}`)).body).toMatchObject({
      status: 'inactive',
      enabled_events: ['claims'],
    })
    expect(await shop.patch(`/webhooks/${made.uuid}`, { url: given.url })).toMatchObject({ status: 409 })
    expect((await shop.delete(`/webhooks/${made.uuid}`)).status).toBe(200)
    expect(await shop.get(`/webhooks/${made.uuid}`)).toMatchObject({ status: 404, body: { key: 'webhook_not_found' } })
    for (const secret of ['short', 'x'.repeat(65)]) {
      expect((await shop.post('/webhooks', { url: 'https://r.example', secret })).status).toBe(422)
    }
  })

  it('accept every form of filter and reject anything else', async () => {
    const shop = (await makeShop()).as('admin')
    const good = [
      '*',
      'shipments',
      'claims',
      'shipments/delivered',
      'shipments/in_delivery/OUT_FOR_DELIVERY',
      'claims/created',
      'claims/updated',
    ]
    expect((await shop.post('/webhooks', { url: 'https://r.example/1', enabled_events: good })).status).toBe(200)
    const bad = [
      '',
      'orders',
      'shipments/nowhere',
      'shipments/delivered/OUT_FOR_DELIVERY',
      'claims/deleted',
      '*/x',
      'shipments/',
      'shipments/delivered/SUCCESSFULLY_DELIVERED/x',
    ]
    const { status, body } = await shop.post('/webhooks', { url: 'https://r.example/2', enabled_events: bad })
    expect(status).toBe(422)
    expect(body.errors.map((error: { loc: unknown[] }) => error.loc)).toEqual(
      bad.map((_, index) => ['body', 'enabled_events', index]),
    )
  })
})

describe('deliveries', () => {
  it('have the payload of the contract, signed over timestamp and raw body', async () => {
    const shop = (await makeShop({ language: 'de' })).as('admin')
    const receiver = await openReceiver()
    const endpoint = await listen(shop, `${receiver.url}/hook`)
    const { order, trackingNumber } = await sendParcel(shop)
    await settle()
    const before = receiver.received.length
    await scan(shop, trackingNumber, 'OUT_FOR_DELIVERY')
    await receiver.until(before + 1)
    const { headers, text, body } = receiver.received[before] ?? {
      headers: {} as Record<string, string>,
      text: '',
      body: {},
    }
    expect(headers).toMatchObject({ 'content-type': 'application/json', accept: 'application/json' })
    const [, timestamp, signature] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['service-signature'])) ?? []
    expect(signature).toBe(createHmac('sha256', endpoint.secret).update(`${timestamp}.${text}`).digest('hex'))
    const { url: pageUrl } = (await shop.post('/orders/trackpage-url', { id: order.order_number })).body
    expect(body).toMatchObject({
      source: 'shipments',
      ref: 'shipments/in_delivery/OUT_FOR_DELIVERY',
      version: 1,
      event_group: 'shipment_out_for_delivery',
      event_data: {
        event_name: 'OUT_FOR_DELIVERY',
        phase: 'in_delivery',
        tracking_number: trackingNumber,
        order_number: order.order_number,
        event_group: 'shipment_out_for_delivery',
        customer_first_name: 'Ada',
        customer_last_name: 'Example',
        zip_code: '10115',
        total_order_value: 94.85,
        number_of_shipments: 1,
      },
      context: {
        order: { order_number: order.order_number, order_status_url: pageUrl },
        customer: { email: order.email_id, first_name: 'Ada', full_name: 'Ada Example' },
        shipments: [{ phase: 'in_delivery' }],
        claims: [],
      },
    })
    expect(Object.keys(body).sort()).toEqual(
      [
        'context',
        'event_data',
        'event_group',
        'ref',
        'shop_id',
        'shop_slug',
        'source',
        'triggered_at',
        'version',
      ].sort(),
    )
    expect(body.context.shipments[0].events.at(-1)).toMatchObject({ event_key: 'OUT_FOR_DELIVERY', language: 'de' })
    expect(body.context.order.trackings).toBeUndefined()
  })

  it('are made for order creation and fulfilment, and for an event only with notify', async () => {
    const shop = (await makeShop()).as('admin')
    const receiver = await openReceiver()
    await listen(shop, receiver.url)
    const { trackingNumber } = await sendParcel(shop)
    await settle()
    expect(receiver.received.map(({ body }) => body.event_data.event_name)).toEqual([
      'ORDER_CREATED',
      'ORDER_PROCESSED',
    ])
    await shop.post('/shipment-events', { id: trackingNumber, event_name: 'IN_DELIVERY' })
    await settle()
    expect(receiver.received).toHaveLength(2)
  })

  it('go only to active endpoints whose filter the event passes, and not when stale or without a group', async () => {
    const shop = (await makeShop()).as('admin')
    const [all, delivered, idle, claims] = [
      await openReceiver(),
      await openReceiver(),
      await openReceiver(),
      await openReceiver(),
    ]
    await listen(shop, all.url)
    await listen(shop, delivered.url, { enabled_events: ['shipments/delivered'] })
    await listen(shop, idle.url, { status: 'inactive' })
    await listen(shop, claims.url, { enabled_events: ['claims'] })
    const { trackingNumber } = await sendParcel(shop)
    await scan(shop, trackingNumber, 'SUCCESSFULLY_DELIVERED')
    await scan(shop, trackingNumber, 'MORE_INFO_ON_CARRIER_WEBSITE')
    await scan(shop, trackingNumber, 'IN_DELIVERY', { event_time: new Date(Date.now() - 25 * hourMs).toISOString() })
    await settle()
    expect(all.received.map(({ body }) => body.event_data.event_name)).toEqual([
      'ORDER_CREATED',
      'ORDER_PROCESSED',
      'SUCCESSFULLY_DELIVERED',
    ])
    expect(delivered.received).toHaveLength(1)
    expect(idle.received).toHaveLength(0)
    expect(claims.received).toHaveLength(0)
  })

  it('are retried with growing pauses under the same id, then stored as dead letters that can be recovered', async () => {
    const shop = (await makeShop()).as('admin')
    const receiver = await openReceiver()
    const endpoint = await listen(shop, receiver.url, { enabled_events: ['shipments/delivered'] })
    const { trackingNumber } = await sendParcel(shop)
    receiver.respond = () => ({ status: 500, body: 'broken'.repeat(500) })
    await scan(shop, trackingNumber, 'SUCCESSFULLY_DELIVERED')
    await settle()
    const read = async () => (await shop.get(`/webhooks/${endpoint.uuid}/deliveries`)).body[0]
    const first = await read()
    expect(first).toMatchObject({
      status: 'pending',
      attempt_count: 1,
      attempts: [{ number: 1, status_code: 500, stage: 'status' }],
    })
    expect(first.attempts[0].answer).toHaveLength(1_024)
    expect((await shop.get(`/webhooks/${endpoint.uuid}`)).body).toMatchObject({
      status: 'active',
      health: { failing_since: expect.any(String) },
    })
    for (let retry = 1; retry <= 15; retry += 1) {
      const pauseMs = Math.min(12 * hourMs, 5_000 * 2 ** (retry - 1))
      clock.advance(pauseMs * 0.9)
      await settle()
      expect(receiver.received, `retry ${retry} came too early`).toHaveLength(retry)
      clock.advance(pauseMs * 0.3)
      await settle()
      expect(receiver.received, `retry ${retry} is missing`).toHaveLength(retry + 1)
    }
    expect(await read()).toMatchObject({ status: 'dead', attempt_count: 16, next_attempt_at: null })
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(new Set(receiver.received.map(({ text }) => text)).size).toBe(1)
    clock.advance(30 * dayMs)
    await settle()
    expect(receiver.received).toHaveLength(16)
    const recovered = await shop.post(`/webhooks/${endpoint.uuid}/recover`, { since: '2026-01-01' })
    expect(recovered.body).toEqual({ recovered: 1 })
    await settle()
    expect(await read(), 'the schedule begins anew').toMatchObject({ status: 'pending', attempt_count: 17 })
    receiver.respond = () => ({ status: 204 })
    clock.advance(6_000)
    await settle()
    expect(await read()).toMatchObject({ status: 'delivered' })
    expect((await shop.get(`/webhooks/${endpoint.uuid}`)).body.health).toMatchObject({
      failing_since: null,
      last_success_at: expect.any(String),
    })
    const { uuid } = await read()
    expect((await shop.post(`/deliveries/${uuid}/resend`)).body).toMatchObject({ status: 'pending' })
    await settle()
    expect(receiver.received).toHaveLength(19)
    expect((await shop.get(`/deliveries/${uuid}`)).body).toMatchObject({ payload: { version: 1 }, status: 'delivered' })
  })

  it.each(['one', 'several'] as const)('begin their retries again after a resend of %s', async (what) => {
    const shop = (await makeShop()).as('admin')
    const receiver = await openReceiver()
    const endpoint = await listen(shop, receiver.url, { enabled_events: ['shipments/delivered'] })
    const { trackingNumber } = await sendParcel(shop)
    receiver.respond = () => ({ status: 500 })
    await scan(shop, trackingNumber, 'SUCCESSFULLY_DELIVERED')
    await settle()
    for (let retry = 1; retry <= 15; retry += 1) {
      clock.advance(14 * hourMs)
      await settle()
    }
    const read = async () => (await shop.get(`/webhooks/${endpoint.uuid}/deliveries`)).body[0]
    const dead = await read()
    expect(dead).toMatchObject({ status: 'dead', attempt_count: 16 })
    if (what === 'one') await shop.post(`/deliveries/${dead.uuid}/resend`)
    else await shop.post('/deliveries/resend', { deliveries: [dead.uuid] })
    await settle()
    expect(await read()).toMatchObject({ status: 'pending', attempt_count: 17 })
    // The first pauses, not those after the last attempts before.
    for (const [pauseMs, attempts] of [
      [5_000, 18],
      [10_000, 19],
    ] as const) {
      clock.advance(pauseMs * 1.2)
      await settle()
      expect(await read()).toMatchObject({ status: 'pending', attempt_count: attempts })
    }
  })

  it('wait as long as Retry-After says, and follow no redirect', async () => {
    const shop = (await makeShop()).as('admin')
    const [receiver, elsewhere] = [await openReceiver(), await openReceiver()]
    await listen(shop, receiver.url, { enabled_events: ['shipments/delivered'] })
    const { trackingNumber } = await sendParcel(shop)
    receiver.respond = () => ({ status: 429, headers: { 'retry-after': '600' } })
    await scan(shop, trackingNumber, 'SUCCESSFULLY_DELIVERED')
    await settle()
    clock.advance(9 * minuteMs)
    await settle()
    expect(receiver.received).toHaveLength(1)
    receiver.respond = () => ({ status: 302, headers: { location: elsewhere.url } })
    clock.advance(2 * minuteMs)
    await settle()
    expect(receiver.received).toHaveLength(2)
    expect(elsewhere.received).toHaveLength(0)
  })

  it('of one shipment arrive in order, even if an earlier one has to be retried', async () => {
    const shop = (await makeShop()).as('admin')
    const receiver = await openReceiver()
    await listen(shop, receiver.url, {
      enabled_events: ['shipments/in_transit', 'shipments/in_delivery', 'shipments/delivered'],
    })
    const { trackingNumber } = await sendParcel(shop)
    const names = () => receiver.received.map(({ body }) => body.event_data.event_name)
    receiver.respond = () => ({ status: 503 })
    await scan(shop, trackingNumber, 'PARCEL_DISPATCHED')
    await settle()
    receiver.respond = () => ({ status: 200 })
    await scan(shop, trackingNumber, 'OUT_FOR_DELIVERY')
    await settle()
    expect(names()).toEqual(['PARCEL_DISPATCHED'])
    clock.advance(6_000)
    await settle()
    expect(names()).toEqual(['PARCEL_DISPATCHED', 'PARCEL_DISPATCHED', 'OUT_FOR_DELIVERY'])
    receiver.respond = () => ({ status: 503, headers: { 'retry-after': '3600' } })
    await scan(shop, trackingNumber, 'DELIVERY_ATTEMPTED')
    await settle()
    receiver.respond = () => ({ status: 200 })
    await scan(shop, trackingNumber, 'SUCCESSFULLY_DELIVERED')
    await settle()
    expect(names().slice(3)).toEqual(['DELIVERY_ATTEMPTED', 'SUCCESSFULLY_DELIVERED'])
  })

  it('of one shipment wait neither for another receiver nor for another shipment', async () => {
    const shop = (await makeShop()).as('admin')
    const [failing, well] = [await openReceiver(), await openReceiver()]
    failing.respond = () => ({ status: 503 })
    const enabled_events = ['shipments/in_transit', 'shipments/in_delivery']
    for (const { url } of [failing, well]) await listen(shop, url, { enabled_events })
    const [first, second] = [await sendParcel(shop), await sendParcel(shop)]
    const seenBy = ({ received }: Receiver) => received.map(({ body }) => body.event_data.event_name)
    await scan(shop, first.trackingNumber, 'PARCEL_DISPATCHED')
    await settle()
    await scan(shop, first.trackingNumber, 'OUT_FOR_DELIVERY')
    await settle()
    expect(seenBy(well)).toEqual(['PARCEL_DISPATCHED', 'OUT_FOR_DELIVERY'])
    expect(seenBy(failing)).toEqual(['PARCEL_DISPATCHED'])
    await scan(shop, second.trackingNumber, 'OUT_FOR_DELIVERY')
    await settle()
    expect(seenBy(failing)).toEqual(['PARCEL_DISPATCHED', 'OUT_FOR_DELIVERY'])
    expect(failing.received.at(-1)?.body.event_data.tracking_number).toBe(second.trackingNumber)
  })

  it('to one endpoint that hangs do not delay others', async () => {
    const shop = (await makeShop()).as('admin')
    const [hanging, well] = [await openReceiver(), await openReceiver()]
    hanging.respond = () => 'hang'
    const endpoint = await listen(shop, hanging.url, { enabled_events: ['shipments/delivered'] })
    await listen(shop, well.url, { enabled_events: ['shipments/delivered'] })
    const parcels = await Promise.all(Array.from({ length: 30 }, () => sendParcel(shop)))
    await Promise.all(parcels.map(({ trackingNumber }) => scan(shop, trackingNumber, 'SUCCESSFULLY_DELIVERED')))
    await well.until(30)
    expect(hanging.received.length).toBeLessThan(30)
    const waiting = (await shop.get(`/webhooks/${endpoint.uuid}/deliveries`, { status: 'pending', per_page: 100 })).body
    expect(waiting).toHaveLength(30)
    await shop.delete(`/webhooks/${endpoint.uuid}`)
    await hanging.close()
    receivers.splice(receivers.indexOf(hanging), 1)
  })

  it('to endpoints that hang do not block connections of others at the same origin', async () => {
    const shop = (await makeShop()).as('admin')
    const origin = await openReceiver()
    origin.respond = ({ path }) => (path === '/well' ? { status: 200 } : 'hang')
    const enabled_events = ['shipments/delivered']
    const hanging = []
    for (let index = 0; index < 5; index += 1) {
      hanging.push(await listen(shop, `${origin.url}/hanging-${index}`, { enabled_events }))
    }
    const parcels = await Promise.all(Array.from({ length: 20 }, () => sendParcel(shop)))
    await Promise.all(parcels.map(({ trackingNumber }) => scan(shop, trackingNumber, 'SUCCESSFULLY_DELIVERED')))
    // Five receiver queues are full, each with its maximum in flight.
    await origin.until(5 * 16)
    await listen(shop, `${origin.url}/well`, { enabled_events })
    const { trackingNumber } = await sendParcel(shop)
    await scan(shop, trackingNumber, 'SUCCESSFULLY_DELIVERED')
    await origin.until(5 * 16 + 1)
    expect(origin.received.at(-1)?.path).toBe('/well')
    for (const { uuid } of hanging) await shop.delete(`/webhooks/${uuid}`)
    await origin.close()
    receivers.splice(receivers.indexOf(origin), 1)
  })

  it('are signed with both secrets for a day after a rotation, newest first', async () => {
    const shop = (await makeShop()).as('admin')
    const receiver = await openReceiver()
    const endpoint = await listen(shop, receiver.url, { enabled_events: ['shipments/delivered'] })
    const { body: rotated } = await shop.post(`/webhooks/${endpoint.uuid}/rotate-secret`)
    const verify = (secret: string, entry: (typeof receiver.received)[number] | undefined, position: number) => {
      const [stamp = '', ...signatures] = String(entry?.headers['service-signature']).split(',')
      const expected = createHmac('sha256', secret)
        .update(`${stamp.slice(2)}.${entry?.text}`)
        .digest('hex')
      expect(signatures[position]).toBe(`v1=${expected}`)
      return signatures.length
    }
    expect((await shop.post(`/webhooks/${endpoint.uuid}/test`)).body).toMatchObject({
      status: 'pending',
      webhook_id: endpoint.uuid,
    })
    await settle()
    expect(verify(rotated.secret, receiver.received[0], 0)).toBe(2)
    verify(endpoint.secret, receiver.received[0], 1)
    expect(receiver.received[0]?.body).toMatchObject({ test: true })
    clock.advance(25 * hourMs)
    await shop.post(`/webhooks/${endpoint.uuid}/test`)
    await settle()
    expect(verify(rotated.secret, receiver.received[1], 0)).toBe(1)
  })
})
