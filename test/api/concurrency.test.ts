import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hourMs, minuteMs } from '../../src/platform/foundation/clock.ts'
import { createDatabase } from '../../src/platform/store/database.ts'
import { openPostgres } from '../../src/platform/store/postgres.ts'
import type { Service } from '../../src/service.ts'
import { createOrder, orderOf, readOrder, uniqueNumber, upsertOf } from '../harness/orders.ts'
import { createMigratedPostgresDatabase } from '../harness/prepared-stores.ts'
import { call, clock, engine, type Reply, startTestService } from '../harness/service.ts'
import { makeShop } from '../harness/shop.ts'

const shop = (await makeShop()).as('editor')
const connections = 20

const atOnce = <Result>(send: (index: number) => Promise<Result>, count = connections) =>
  Promise.all(Array.from({ length: count }, (_, index) => send(index)))

const statusesOf = (replies: Reply[]) => replies.map(({ status }) => status).sort()
const inAnHour = (minutes: number) => new Date(clock.now().getTime() + hourMs + minutes * minuteMs).toISOString()

interface Tracking {
  carrier: { tracking_number: string | null }
  events: { event_key: string }[]
}

const keysOf = ({ events }: Tracking) => events.map((event) => event.event_key)
const numbersOf = (trackings: Tracking[]) => trackings.map(({ carrier }) => carrier.tracking_number).sort()

async function sent() {
  const trackingNumber = uniqueNumber('RACE')
  const order = await createOrder(shop, {}, [{ tracking_number: trackingNumber }])
  const read = async () => (await shop.get(`/shipments/${order.trackings[0].uuid}`)).body
  return { order, trackingNumber, read }
}

describe('orders that are sent at the same time', () => {
  it('become one order with one draft if they are the same', async () => {
    const number = uniqueNumber()
    const replies = await atOnce(() => shop.put('/orders', upsertOf(number)))
    expect(statusesOf(replies)).toEqual(Array(connections).fill(200))
    expect(new Set(replies.map(({ headers }) => headers.location)).size).toBe(1)
    const found = (await shop.get('/orders', { order_number: number })).body
    expect(found).toHaveLength(1)
    expect(found[0].trackings.map(keysOf)).toEqual([['ORDER_CREATED']])
  })

  it('become one order, whichever identifier each uses', async () => {
    const number = uniqueNumber()
    const order = orderOf(number)
    const names = [
      { id_type: 'order_number', id: number },
      { id_type: 'external_id', id: order.external_id },
    ]
    const trackings = [{ tracking_number: uniqueNumber('BOTH') }]
    const replies = await atOnce((index) => shop.put('/orders', { ...names[index % 2], order, trackings }))
    expect(statusesOf(replies)).toEqual(Array(connections).fill(200))
    expect((await readOrder(shop, number)).trackings.map(keysOf)).toEqual([['ORDER_CREATED', 'ORDER_PROCESSED']])
  })

  it('that fulfil one draft twice make two shipments', async () => {
    const order = await createOrder(shop)
    const numbers = [uniqueNumber('TWO'), uniqueNumber('TWO')]
    const replies = await atOnce(
      (index) => shop.put('/orders', { id: order.order_number, trackings: [{ tracking_number: numbers[index] }] }),
      2,
    )
    expect(statusesOf(replies)).toEqual([200, 200])
    const { trackings, status } = await readOrder(shop, order.order_number)
    expect(numbersOf(trackings)).toEqual(numbers)
    expect(trackings.map(keysOf).sort()).toEqual([['ORDER_CREATED', 'ORDER_PROCESSED'], ['ORDER_PROCESSED']])
    expect(status).toBe('fulfilled')
  })

  it('that fulfil ten drafts in twenty parts store each number once', async () => {
    const order = await createOrder(shop, { expected_number_of_shipments: 10 })
    const numbers = Array.from({ length: connections }, () => uniqueNumber('PART'))
    await atOnce((index) =>
      shop.put('/orders', { id: order.order_number, trackings: [{ tracking_number: numbers[index % 12] }] }),
    )
    expect(numbersOf((await readOrder(shop, order.order_number)).trackings)).toEqual(numbers.slice(0, 12).sort())
  })

  it('each get their own response', async () => {
    const known = await createOrder(shop)
    const number = uniqueNumber()
    const replies = await Promise.all([
      shop.put('/orders', upsertOf(number)),
      shop.put('/orders', { id: uniqueNumber(), trackings: [] }),
      shop.put('/orders', upsertOf(uniqueNumber(), { external_id: known.external_id })),
      shop.put('/orders', upsertOf(uniqueNumber(), {}, [{ tracking_number: 'X', carrier_reference: 'none' }])),
      shop.put('/orders', upsertOf(uniqueNumber())),
    ])
    expect(replies.map(({ status }) => status)).toEqual([200, 404, 409, 422, 200])
  })
})

describe('shipments that are created at the same time', () => {
  it('with the same number are one', async () => {
    const order = await createOrder(shop, { expected_number_of_shipments: 0 })
    const creation = { order_id: order.uuid, order_id_type: 'uuid', tracking_number: uniqueNumber('ONE') }
    const replies = await atOnce(() => shop.post('/shipments', creation))
    expect(statusesOf(replies)).toEqual([200, ...Array(connections - 1).fill(409)])
    expect((await readOrder(shop, order.order_number)).trackings.map(keysOf)).toEqual([['ORDER_PROCESSED']])
  })
})

describe('events that come at the same time', () => {
  it('are all recorded, and the latest gives the phase', async () => {
    const { trackingNumber, read } = await sent()
    const latest = 7
    const replies = await atOnce((index) =>
      shop.post('/shipment-events', {
        id: trackingNumber,
        event_name: index === latest ? 'SUCCESSFULLY_DELIVERED' : 'DELAY_EXPECTED',
        event_time: inAnHour(index === latest ? 100 : index),
      }),
    )
    expect(statusesOf(replies)).toEqual(Array(connections).fill(200))
    const { events, phase, flag } = await read()
    expect(events).toHaveLength(2 + connections)
    expect({ phase, flag }).toEqual({ phase: 'delivered', flag: 'normal' })
  })

  it('are recorded once if they are the same', async () => {
    const { trackingNumber, read } = await sent()
    const event = { id: trackingNumber, event_name: 'IN_DELIVERY', event_time: inAnHour(0) }
    const replies = await atOnce(() => shop.post('/shipment-events', event))
    expect(statusesOf(replies)).toEqual([200, ...Array(connections - 1).fill(409)])
    expect(keysOf(await read())).toEqual(['ORDER_CREATED', 'ORDER_PROCESSED', 'IN_DELIVERY'])
  })

  it('each get their own response, whatever their neighbours get', async () => {
    const { trackingNumber, order } = await sent()
    const draft = await createOrder(shop)
    const key = uniqueNumber('key')
    const event = (id: string, event_name: string, fields: Record<string, unknown> = {}) => ({
      id,
      event_name,
      event_time: inAnHour(0),
      ...fields,
    })
    const post = (body: unknown, headers: Record<string, string> = {}) =>
      shop.post('/shipment-events', body, { headers })
    const once = event(trackingNumber, 'OUT_FOR_DELIVERY')
    const replies = await Promise.all([
      post(event(trackingNumber, 'IN_DELIVERY')),
      post(event('unknown', 'IN_DELIVERY')),
      post(event('unknown', 'ORDER_CANCELLED')),
      post(event(draft.trackings[0].uuid, 'IN_DELIVERY', { id_type: 'shipment_uuid' })),
      post(event(draft.trackings[0].uuid, 'ORDER_CANCELLED', { id_type: 'shipment_uuid' })),
      post(event(order.order_number, 'SUCCESSFULLY_DELIVERED', { id_type: 'order_number' })),
      post(event('not-a-uuid', 'IN_DELIVERY', { id_type: 'shipment_uuid' })),
      post(once, { 'idempotency-key': key }),
      post(once, { 'idempotency-key': key }),
    ])
    expect(replies.map(({ status }) => status)).toEqual([200, 404, 404, 422, 200, 200, 422, 200, 200])
    expect(replies[8]?.body).toEqual(replies[7]?.body)
    expect((await post(once)).status).toBe(409)
  })
})

describe('two services on one database', () => {
  const services: Service[] = []
  const slug = 'raced'

  beforeAll(async () => {
    if (engine === 'embedded') return
    const url = await createMigratedPostgresDatabase()
    for (let index = 0; index < 2; index += 1) {
      services.push(await startTestService({}, await createDatabase(await openPostgres(url, 10))))
    }
    await call('POST', '/v1/shops', { body: { name: 'Raced', slug } }, services[0])
  })
  afterAll(() => Promise.all(services.map((service) => service.stop())))

  const send = (index: number, method: string, path: string, body?: unknown) =>
    call(method, `/v1/shops/${slug}${path}`, { body }, services[index % 2])

  const isOneNode = engine === 'embedded'

  it.skipIf(isOneNode)('create one order from the same upsert, and one shipment per number', async () => {
    for (let round = 0; round < 5; round += 1) {
      const number = uniqueNumber()
      const placed = await atOnce((index) => send(index, 'PUT', '/orders', upsertOf(number)))
      expect(statusesOf(placed)).toEqual(Array(connections).fill(200))
      const numbers = [uniqueNumber('A'), uniqueNumber('B')]
      const fulfilled = await atOnce((index) =>
        send(index, 'PUT', '/orders', { id: number, trackings: [{ tracking_number: numbers[index % 2] }] }),
      )
      expect(statusesOf(fulfilled)).toEqual(Array(connections).fill(200))
      const { body } = await send(round, 'GET', `/orders?order_number=${number}`)
      expect(body).toHaveLength(1)
      expect(body[0].trackings.map(keysOf).sort()).toEqual([['ORDER_CREATED', 'ORDER_PROCESSED'], ['ORDER_PROCESSED']])
      expect(numbersOf(body[0].trackings)).toEqual(numbers)
    }
  })

  it.skipIf(isOneNode)('record each event once, and the latest gives the phase', async () => {
    const trackingNumbers = [uniqueNumber('N'), uniqueNumber('N')]
    for (const tracking_number of trackingNumbers) {
      await send(0, 'PUT', '/orders', upsertOf(uniqueNumber(), {}, [{ tracking_number }]))
    }
    for (let round = 0; round < 5; round += 1) {
      const times = Array.from({ length: 6 }, (_, minutes) => inAnHour(round * 10 + minutes))
      // Each event of both parcels at both services: in order at the first, in reverse order at the second.
      const events = times.flatMap((event_time, index) =>
        trackingNumbers.map((id) => ({
          id,
          event_name: index === times.length - 1 ? 'SUCCESSFULLY_DELIVERED' : 'DELAY_EXPECTED',
          event_time,
        })),
      )
      const replies = await Promise.all([
        ...events.map((event) => send(0, 'POST', '/shipment-events', event)),
        ...events.toReversed().map((event) => send(1, 'POST', '/shipment-events', event)),
      ])
      expect(statusesOf(replies)).toEqual([...Array(events.length).fill(200), ...Array(events.length).fill(409)])
    }
    for (const trackingNumber of trackingNumbers) {
      const { body } = await send(0, 'GET', `/shipments?tracking_number=${trackingNumber}`)
      expect(body.shipments[0]).toMatchObject({ phase: 'delivered', current_event_key: 'SUCCESSFULLY_DELIVERED' })
      expect(body.shipments[0].events).toHaveLength(2 + 30)
    }
  })

  it.skipIf(isOneNode)('record the latest event of a draft that is sent while it is cancelled', async () => {
    for (let round = 0; round < 20; round += 1) {
      const number = uniqueNumber()
      await send(0, 'PUT', '/orders', upsertOf(number))
      const cancelled = { id: number, id_type: 'order_number', event_name: 'ORDER_CANCELLED', event_time: inAnHour(0) }
      const replies = await Promise.all([
        send(0, 'PUT', '/orders', { id: number, trackings: [{ tracking_number: number }] }),
        send(1, 'POST', '/shipment-events', cancelled),
      ])
      expect(statusesOf(replies)).toEqual([200, 200])
      const { body } = await send(0, 'GET', `/shipments?tracking_number=${number}`)
      const [{ events, current_event_key }] = body.shipments
      expect(current_event_key).toBe(events.at(-1).event_key)
    }
  })

  it.skipIf(isOneNode)('fulfil and scan the same parcels without a deadlock', async () => {
    const orders = Array.from({ length: 6 }, () => uniqueNumber())
    const expected = { expected_number_of_shipments: 3 }
    await Promise.all(orders.map((number, index) => send(index, 'PUT', '/orders', upsertOf(number, expected))))
    const { body } = await send(0, 'GET', '/shipments?per_page=100&include_drafts=true')
    const drafts = body.shipments.filter((shipment: { tracking_number: string | null }) => !shipment.tracking_number)
    expect(drafts).toHaveLength(18)
    const [fulfilled, scanned] = await Promise.all([
      atOnce((index) =>
        send(index, 'PUT', '/orders/bulk', [
          ...orders.map((id) => ({ id, trackings: [{ tracking_number: `${id}-${index % 3}` }] })),
        ]),
      ),
      atOnce((index) =>
        send(index, 'POST', `/shipments/${drafts[drafts.length - 1 - (index % 18)].uuid}/events`, {
          event_name: 'ORDER_DELAYED',
          event_time: `2020-01-01T00:00:${String(index).padStart(2, '0')}Z`,
        }),
      ),
    ])
    expect(statusesOf(fulfilled)).toEqual(Array(connections).fill(200))
    expect(statusesOf(scanned)).toEqual(Array(connections).fill(200))
    for (const number of orders) {
      const found = await send(0, 'GET', `/orders?order_number=${number}`)
      expect(numbersOf(found.body[0].trackings)).toEqual([`${number}-0`, `${number}-1`, `${number}-2`])
    }
  })
})
