import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { hourMs, minuteMs } from '../../src/platform/foundation/clock.ts'
import { createOrder, uniqueNumber } from '../harness/orders.ts'
import { call, clock, theService } from '../harness/service.ts'
import { makeShop, type ShopCaller } from '../harness/shop.ts'

const testShop = await makeShop({ name: 'River & Pine' })
const shop = testShop.as('editor')
const nobody = '0192f3c4-7b1e-7cc0-9d3a-2f6f7a1b4c5d'

const catalogue = readFileSync(new URL('../../src/platform/catalogue/catalogue.csv', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => {
    const [name = '', phase, , , flag, movesPhase] = line.trim().split(',')
    return { name, phase, flag, movesPhase: movesPhase === 'yes' }
  })

const inAnHour = (minutes: number) => new Date(Date.now() + hourMs + minutes * minuteMs).toISOString()

/** An order that has been sent in one parcel. */
async function sent(fields: Record<string, unknown> = {}) {
  const trackingNumber = uniqueNumber('EV')
  const order = await createOrder(shop, fields, [
    { tracking_number: trackingNumber, external_shipment_id: `parcel-${trackingNumber}` },
  ])
  return { order, trackingNumber, uuid: order.trackings[0].uuid as string }
}

const report = (id: string, event_name: string, fields: Record<string, unknown> = {}) =>
  shop.post('/shipment-events', { id, event_name, ...fields })

async function record(trackingNumber: string, caller: ShopCaller = shop) {
  return (await caller.get('/shipments', { tracking_number: trackingNumber })).body.shipments[0]
}

const keysOf = (shipment: { events: { event_key: string }[] }) => shipment.events.map((event) => event.event_key)

describe('naming the shipment of an event', () => {
  it('works under both spellings of the path and under the shipment itself', async () => {
    const { trackingNumber, uuid } = await sent()
    const time = inAnHour(1)
    const body = { id: trackingNumber, event_name: 'OUT_FOR_DELIVERY', event_time: time }
    const auth = await testShop.credentials('editor')
    expect(await call('POST', `/v1/shop/${testShop.slug}/shipment-events`, { auth, body })).toMatchObject({
      status: 200,
      body: {
        events: [{ event_key: 'OUT_FOR_DELIVERY', time, timezone: null, location: null }],
        expected_delivery: null,
        additional_info: null,
        pickup_location: null,
      },
    })
    expect((await shop.post('/shipment-events', { ...body, event_name: 'IN_DELIVERY' })).status).toBe(200)
    const own = { event_name: 'SUCCESSFULLY_DELIVERED', event_time: inAnHour(2), external_id: 'scan-7' }
    expect((await shop.post(`/shipments/${uuid}/events`, own)).status).toBe(200)
    expect(keysOf(await record(trackingNumber)).sort()).toEqual(
      ['ORDER_CREATED', 'ORDER_PROCESSED', 'OUT_FOR_DELIVERY', 'IN_DELIVERY', 'SUCCESSFULLY_DELIVERED'].sort(),
    )
  })

  it('accepts every id_type', async () => {
    const { order, trackingNumber, uuid } = await sent()
    const ids = {
      external_order_id: order.external_id,
      external_shipment_id: `parcel-${trackingNumber}`,
      order_number: order.order_number,
      order_uuid: order.uuid,
      shipment_uuid: uuid,
      tracking_number: trackingNumber,
    }
    for (const [index, [id_type, id]] of Object.entries(ids).entries()) {
      const reply = await report(id, 'IN_DELIVERY', { id_type, event_time: inAnHour(index) })
      expect(reply.status, id_type).toBe(200)
      for (const event_name of ['IN_DELIVERY', 'ORDER_CANCELLED']) {
        const unknown = { id: id_type.endsWith('uuid') ? nobody : 'unknown', id_type, event_name }
        expect(await shop.post('/shipment-events', unknown), id_type).toMatchObject({
          status: 404,
          body: { key: 'shipment_not_found' },
        })
      }
    }
    expect(keysOf(await record(trackingNumber)).filter((key) => key === 'IN_DELIVERY')).toHaveLength(6)
    for (const id_type of ['order_uuid', 'shipment_uuid']) {
      expect(await report('not-a-uuid', 'IN_DELIVERY', { id_type })).toMatchObject({
        status: 422,
        body: { errors: [{ loc: ['body', 'id'] }] },
      })
    }
    expect((await shop.post(`/shipments/${nobody}/events`, { event_name: 'ORDER_CREATED' })).status).toBe(404)
  })

  it('finds the newest shipment for a number that is on two orders', async () => {
    const tracking = { tracking_number: uniqueNumber('TWO'), external_shipment_id: uniqueNumber('parcel') }
    const older = await createOrder(shop, {}, [tracking])
    const newer = await createOrder(shop, {}, [tracking])
    await report(tracking.tracking_number, 'IN_DELIVERY', { event_time: inAnHour(0) })
    await report(tracking.external_shipment_id, 'DELIVERY_ATTEMPTED', { id_type: 'external_shipment_id' })
    expect(keysOf((await shop.get(`/shipments/${newer.trackings[0].uuid}`)).body)).toContain('IN_DELIVERY')
    expect(keysOf((await shop.get(`/shipments/${newer.trackings[0].uuid}`)).body)).toContain('DELIVERY_ATTEMPTED')
    expect(keysOf((await shop.get(`/shipments/${older.trackings[0].uuid}`)).body)).toEqual([
      'ORDER_CREATED',
      'ORDER_PROCESSED',
    ])
  })

  it('rejects an order with several shipments, or with none', async () => {
    const several = await createOrder(shop, { expected_number_of_shipments: 2 })
    const none = await createOrder(shop, { expected_number_of_shipments: 0 })
    for (const order of [several, none]) {
      const ids = { order_number: order.order_number, external_order_id: order.external_id, order_uuid: order.uuid }
      for (const [id_type, id] of Object.entries(ids)) {
        expect(await report(id, 'ORDER_CANCELLED', { id_type })).toMatchObject({
          status: 404,
          body: { key: 'shipment_not_found' },
        })
      }
    }
  })

  it("does not find another shop's shipments", async () => {
    const { trackingNumber, uuid } = await sent()
    const stranger = (await makeShop()).as('editor')
    const event = { id: trackingNumber, event_name: 'IN_DELIVERY' }
    expect((await stranger.post('/shipment-events', event)).status).toBe(404)
    expect((await stranger.post(`/shipments/${uuid}/events`, event)).status).toBe(404)
    expect(keysOf(await record(trackingNumber))).toEqual(['ORDER_CREATED', 'ORDER_PROCESSED'])
  })
})

describe('recording an event', () => {
  it('rejects the same event at the same time; at another time it is a new one', async () => {
    const { trackingNumber } = await sent()
    const time = inAnHour(0)
    const [first, again, later] = [
      await report(trackingNumber, 'IN_DELIVERY', { event_time: time }),
      await report(trackingNumber, 'IN_DELIVERY', { event_time: time.replace('Z', '+00:00') }),
      await report(trackingNumber, 'IN_DELIVERY', { event_time: inAnHour(1) }),
    ]
    expect([first.status, again.status, later.status]).toEqual([200, 409, 200])
    expect(again.body.key).toBe('shipment_exists')
    expect((await report(trackingNumber, 'OUT_FOR_DELIVERY', { event_time: time })).status).toBe(200)
    expect(keysOf(await record(trackingNumber))).toHaveLength(5)
  })

  it('uses the present time if none is given', async () => {
    const { trackingNumber } = await sent()
    try {
      clock.advance(hourMs)
      for (const fields of [{}, { event_time: null }]) {
        const from = clock.now()
        const { body } = await report(trackingNumber, 'IN_DELIVERY', fields)
        const time = new Date(body.events[0].time)
        expect(time.getTime()).toBeGreaterThanOrEqual(from.getTime())
        expect(time.getTime()).toBeLessThanOrEqual(clock.now().getTime())
        clock.advance(minuteMs)
      }
    } finally {
      clock.reset()
    }
  })

  it('allows drafts only the events of the order', async () => {
    const order = await createOrder(shop)
    const id = order.order_number
    for (const { name, phase } of catalogue) {
      const { status } = await report(id, name, { id_type: 'order_number', event_time: inAnHour(0) })
      expect(status, name).toBe(phase === 'order_created' || phase === 'order_cancelled' ? 200 : 422)
    }
    expect(await report(id, 'IN_DELIVERY', { id_type: 'order_number' })).toMatchObject({
      body: { key: 'invalid_payload', errors: [{ loc: ['body', 'event_name'] }] },
    })
  })

  it('accepts every event of the catalogue, with its phase and flag', async () => {
    const { trackingNumber } = await sent()
    expect(catalogue).toHaveLength(159)
    let expected = { phase: 'order_processed', flag: 'normal', current_event_key: 'ORDER_PROCESSED' }
    for (const [index, { name, phase = '', flag = '', movesPhase }] of catalogue.entries()) {
      expect((await report(trackingNumber, name, { event_time: inAnHour(index) })).status, name).toBe(200)
      // The first event of the catalogue is a scan: labels no longer count.
      const isLabel = phase === 'order_created' || phase === 'order_processed'
      if (movesPhase && !isLabel) expected = { phase, flag, current_event_key: name }
      expect(await record(trackingNumber), name).toMatchObject(expected)
    }
    const { events } = await record(trackingNumber)
    expect(
      events.slice(2).map(({ event_key, phase }: { event_key: string; phase: string }) => [event_key, phase]),
    ).toEqual(catalogue.map(({ name, phase }) => [name, phase]))
  })

  it('rejects bad input and names the field', async () => {
    const { trackingNumber } = await sent()
    const refused = async (body: Record<string, unknown>) => {
      const reply = await shop.post('/shipment-events', body)
      expect(reply.status, JSON.stringify(body)).toBe(422)
      return reply.body.errors.map(({ loc }: { loc: string[] }) => loc.join('.'))
    }
    expect((await refused({})).sort()).toEqual(['body.event_name', 'body.id'])
    const event = { id: trackingNumber, event_name: 'IN_DELIVERY' }
    expect(await refused({ ...event, event_name: 'ARRIVED_ON_THE_MOON' })).toEqual(['body.event_name'])
    expect(await refused({ ...event, id_type: 'email' })).toEqual(['body.id_type'])
    for (const event_time of [
      'soon',
      '2026-02-30T00:00:00Z',
      '0001-01-01T00:00:00+14:00',
      '9999-12-31T23:00:00-14:00',
    ]) {
      expect(await refused({ ...event, event_time }), event_time).toEqual(['body.event_time'])
    }
    const notify = await shop.post('/shipment-events', event, { query: { notify: 'perhaps' } })
    expect(notify).toMatchObject({ status: 422, body: { errors: [{ loc: ['query', 'notify'] }] } })
  })

  it('stores whether others are notified', async () => {
    const { trackingNumber, uuid } = await sent()
    const event = (minutes: number) => ({
      id: trackingNumber,
      event_name: 'IN_DELIVERY',
      event_time: inAnHour(minutes),
    })
    await shop.post('/shipment-events', event(1), { query: { notify: true } })
    await shop.post('/shipment-events', event(2), { query: { notify: false } })
    await shop.post(`/shipments/${uuid}/events`, event(3), { query: { notify: true } })
    await shop.post(`/shipments/${uuid}/events`, event(4))
    const { db } = (await theService()).database
    const rows = await db
      .selectFrom('shipment_events')
      .where('shipment_id', '=', uuid)
      .where('source', '=', 'api')
      .orderBy('event_time')
      .select('is_notified')
      .execute()
    expect(rows.map(({ is_notified }) => is_notified)).toEqual([true, false, true, false])
  })
})

describe('state of a shipment', () => {
  const delivered = { phase: 'delivered', flag: 'normal', current_event_key: 'SUCCESSFULLY_DELIVERED' }

  it('is never undone by a late scan', async () => {
    const { trackingNumber } = await sent()
    await report(trackingNumber, 'SUCCESSFULLY_DELIVERED', { event_time: inAnHour(10) })
    const before = await record(trackingNumber)
    expect(before).toMatchObject(delivered)
    await report(trackingNumber, 'DELAY_EXPECTED', { event_time: inAnHour(5) })
    await report(trackingNumber, 'SHIPMENT_LOST', { event_time: '2020-01-01T00:00:00Z' })
    const after = await record(trackingNumber)
    expect(after).toMatchObject(delivered)
    expect(keysOf(after)).toEqual([
      'SHIPMENT_LOST',
      'ORDER_CREATED',
      'ORDER_PROCESSED',
      'DELAY_EXPECTED',
      'SUCCESSFULLY_DELIVERED',
    ])
    expect(after.updated_at >= before.updated_at).toBe(true)
    await report(trackingNumber, 'SHIPMENT_LOST', { event_time: inAnHour(11) })
    expect(await record(trackingNumber)).toMatchObject({ phase: 'delivery_failed', flag: 'error' })
  })

  it('is that of the event stored later, of two at the same time', async () => {
    for (const names of [
      ['OUT_FOR_DELIVERY', 'DELAY_EXPECTED'],
      ['DELAY_EXPECTED', 'OUT_FOR_DELIVERY'],
    ]) {
      const { trackingNumber } = await sent()
      const event_time = inAnHour(0)
      for (const name of names) await report(trackingNumber, name, { event_time })
      expect((await record(trackingNumber)).current_event_key).toBe(names[1])
      expect(keysOf(await record(trackingNumber)).slice(2)).toEqual(names)
    }
  })

  it.each([['SUCCESSFULLY_DELIVERED'], ['SHIPMENT_RETURNED_TO_SENDER']])(
    'is that of the event that ends its journey, of two at the same time: %s',
    async (end) => {
      for (const names of [
        [end, 'DELAY_EXPECTED'],
        ['DELAY_EXPECTED', end],
      ]) {
        const { trackingNumber } = await sent()
        const event_time = inAnHour(0)
        for (const name of names) await report(trackingNumber, name, { event_time })
        expect((await record(trackingNumber)).current_event_key).toBe(end)
        expect(keysOf(await record(trackingNumber)).slice(2)).toEqual(['DELAY_EXPECTED', end])
      }
    },
  )

  it('is not changed by events that do not move it', async () => {
    const { trackingNumber } = await sent()
    await report(trackingNumber, 'SUCCESSFULLY_DELIVERED', { event_time: inAnHour(1) })
    for (const [index, { name }] of catalogue.filter(({ movesPhase }) => !movesPhase).entries()) {
      await report(trackingNumber, name, { event_time: inAnHour(10 + index) })
      expect(await record(trackingNumber), name).toMatchObject(delivered)
    }
    await report(trackingNumber, 'SHIPMENT_LOST', { event_time: inAnHour(2) })
    expect((await record(trackingNumber)).current_event_key).toBe('SHIPMENT_LOST')
  })

  it('of a cancelled draft moves on if it is sent anyway', async () => {
    const order = await createOrder(shop)
    await report(order.order_number, 'ORDER_CANCELLED', { id_type: 'order_number' })
    expect((await shop.get(`/shipments/${order.trackings[0].uuid}`)).body.phase).toBe('order_cancelled')
    const trackingNumber = uniqueNumber('LATE')
    await shop.put('/orders', { id: order.order_number, trackings: [{ tracking_number: trackingNumber }] })
    expect(await record(trackingNumber)).toMatchObject({ uuid: order.trackings[0].uuid, phase: 'order_processed' })
  })
})

describe('texts of an event', () => {
  const stringsOf = async (caller: ShopCaller, uuid: string, language?: string) => {
    const headers = language === undefined ? undefined : { 'accept-language': language }
    const { events } = (await caller.get(`/shipments/${uuid}`, {}, headers)).body
    return events.at(-1)
  }

  it("are in the viewer's language, or in the shop's", async () => {
    const dutch = (await makeShop({ language: 'nl' })).as('editor')
    const order = await createOrder(dutch, {}, [{ tracking_number: uniqueNumber('NL') }])
    const { uuid } = order.trackings[0]
    await dutch.post(`/shipments/${uuid}/events`, { event_name: 'OUT_FOR_DELIVERY', event_time: inAnHour(0) })
    const expected: [header: string | undefined, language: string][] = [
      ['de', 'de'],
      ['el', 'gr'],
      ['gr', 'gr'],
      ['de-AT;q=0.5, fr-CH;q=0.7, en;q=0.1', 'fr'],
      ['de-AT;q=0.5, ja', 'de'],
      ['ja, ko;q=0.5', 'nl'],
      ['de;q=0', 'nl'],
      ['*', 'nl'],
      [undefined, 'nl'],
    ]
    const seen = new Map<string, string>()
    for (const [header, language] of expected) {
      const event = await stringsOf(dutch, uuid, header)
      expect(event.language, header).toBe(language)
      for (const text of Object.values(event.event_strings)) expect(text).not.toBe('')
      seen.set(language, event.event_strings.header_title)
    }
    expect(new Set(seen.values()).size).toBe(seen.size)
    expect(await stringsOf(dutch, uuid, 'en')).toMatchObject({
      event_strings: { event_status: 'Out for delivery', header_headline: 'Your parcel is out for delivery' },
    })
  })

  it('describe a return if the parcel goes back', async () => {
    const { order } = await sent()
    for (const direction of ['customer_merchant', 'customer_partner', 'merchant_customer', 'partner_customer']) {
      const creation = { order_id: order.uuid, order_id_type: 'uuid', tracking_number: uniqueNumber('BACK'), direction }
      const { uuid } = (await shop.post('/shipments', creation)).body
      await shop.post(`/shipments/${uuid}/events`, { event_name: 'SUCCESSFULLY_DELIVERED', event_time: inAnHour(0) })
      const { event_strings } = await stringsOf(shop, uuid, 'en')
      const isReturn = direction.startsWith('customer')
      expect(event_strings.header_headline, direction).toBe(
        isReturn ? 'Your return has arrived' : 'Your parcel has arrived',
      )
    }
  })

  it('contain the name of the shop', async () => {
    const { trackingNumber, uuid } = await sent()
    await report(trackingNumber, 'SHIPMENT_LOST', { event_time: inAnHour(0) })
    const { event_strings } = await stringsOf(shop, uuid)
    expect(event_strings.header_subtitle).toContain('Team River & Pine')
    const odd = (await makeShop({ name: '$& {shop}' })).as('editor')
    const order = await createOrder(odd, {}, [{ tracking_number: uniqueNumber('ODD') }])
    await odd.post(`/shipments/${order.trackings[0].uuid}/events`, {
      event_name: 'SHIPMENT_LOST',
      event_time: inAnHour(0),
    })
    expect((await stringsOf(odd, order.trackings[0].uuid)).event_strings.header_subtitle).toContain('Team $& {shop} ')
  })
})
