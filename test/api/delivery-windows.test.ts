import { describe, expect, it } from 'vitest'
import { dayMs, minuteMs } from '../../src/platform/foundation/clock.ts'
import { uniqueNumber, upsertOf } from '../harness/orders.ts'
import { clock } from '../harness/service.ts'
import { makeShop, type ShopCaller } from '../harness/shop.ts'

const firstMonday = new Date('2024-01-01T10:00:00Z')
const friday = '2024-06-07T10:00:00Z'

interface Sending {
  placedAt: string
  carrier?: string
  country?: string
}

/** Sends one parcel and returns its tracking number. */
async function send(shop: ShopCaller, sending: Sending): Promise<string> {
  const trackingNumber = uniqueNumber('WIN')
  expect((await shop.put('/orders', upsertFor(trackingNumber, sending))).status).toBe(200)
  return trackingNumber
}

function upsertFor(trackingNumber: string, { placedAt, carrier = 'dhl', country = 'DE' }: Sending) {
  const address = { zip_code: '10115', country_code: country }
  const tracking = { tracking_number: trackingNumber, tracking_placed_at: placedAt, carrier_reference: carrier }
  return upsertOf(uniqueNumber(), { order_placed_at: placedAt, address }, [tracking])
}

async function deliver(shop: ShopCaller, trackingNumber: string, event_time: string) {
  return shop.post('/shipment-events', { id: trackingNumber, event_name: 'SUCCESSFULLY_DELIVERED', event_time })
}

async function arrivalOf(shop: ShopCaller, trackingNumber: string, language = 'en') {
  const { shipments } = (await shop.get('/shipments', { tracking_number: trackingNumber })).body
  return (await shop.get(`/shipments/${shipments[0].uuid}`, {}, { 'accept-language': language })).body.estimated_arrival
}

/** Finished journeys of one, two and three working days or more, begun on each working day in turn. */
async function makeHistory(shop: ShopCaller, count: number, moreDays = 0): Promise<void> {
  const journeys = Array.from({ length: count }, (_, index) => {
    const placedAt = new Date(firstMonday.getTime() + (Math.floor(index / 5) * 7 + (index % 5)) * dayMs)
    return {
      trackingNumber: uniqueNumber('WIN'),
      placedAt,
      deliveredAt: workingDaysAfter(placedAt, 1 + (index % 3) + moreDays),
    }
  })
  const upserts = journeys.map(({ trackingNumber, placedAt }) =>
    upsertFor(trackingNumber, { placedAt: placedAt.toISOString() }),
  )
  expect((await shop.put('/orders/bulk', upserts)).status).toBe(200)
  const replies = await Promise.all(
    journeys.map(({ trackingNumber, deliveredAt }) => deliver(shop, trackingNumber, deliveredAt.toISOString())),
  )
  for (const { status } of replies) expect(status).toBe(200)
}

function workingDaysAfter(from: Date, days: number): Date {
  let day = from
  for (let left = days; left > 0; ) {
    day = new Date(day.getTime() + dayMs)
    if (day.getUTCDay() % 6 !== 0) left -= 1
  }
  return day
}

/** Routes are cached for ten minutes, and then learnt again. */
async function later<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    clock.advance(11 * minuteMs)
    return await work()
  } finally {
    clock.reset()
  }
}

describe('expected delivery window', () => {
  it('is not guessed from fewer than 20 journeys', async () => {
    const shop = (await makeShop()).as('editor')
    await makeHistory(shop, 19)
    await later(async () => expect(await arrivalOf(shop, await send(shop, { placedAt: friday }))).toBeNull())
  })

  it("is predicted from the shop's own journeys, in service days, and described in the viewer's language", async () => {
    const shop = (await makeShop()).as('editor')
    await makeHistory(shop, 40)
    await later(async () => {
      const trackingNumber = await send(shop, { placedAt: friday })
      const window = { from: '2024-06-10T00:00:00.000Z', to: '2024-06-12T23:59:59.999Z' }
      expect(await arrivalOf(shop, trackingNumber)).toMatchObject({
        ...window,
        start: window.from,
        end: window.to,
        source: 'history',
        language: 'en',
        time_prediction: expect.stringMatching(/Monday.*10.*Wednesday.*12.*June|Monday.*June 10.*Wednesday.*June 12/),
      })
      const words: [language: string, first: string, last: string][] = [
        ['de', 'Montag', 'Mittwoch'],
        ['el', 'Δευτέρα', 'Τετάρτη'],
        ['fr', 'lundi', 'mercredi'],
      ]
      for (const [language, first, last] of words) {
        const arrival = await arrivalOf(shop, trackingNumber, language)
        expect(arrival.language).toBe(language === 'el' ? 'gr' : language)
        expect(arrival.time_prediction).toMatch(new RegExp(`${first}.*${last}`))
      }
      const { body } = await deliver(shop, trackingNumber, '2024-06-11T12:00:00Z')
      expect(body.expected_delivery).toMatchObject({ start: window.from, end: window.to, source: 'history' })
    })
  })

  it('is not learnt from another carrier, country or shop, and not given for a return', async () => {
    const shop = (await makeShop()).as('editor')
    const stranger = (await makeShop()).as('editor')
    await makeHistory(shop, 20)
    await later(async () => {
      const home = await send(shop, { placedAt: friday })
      expect(await arrivalOf(shop, home)).toMatchObject({ source: 'history' })
      expect(await arrivalOf(shop, await send(shop, { placedAt: friday, carrier: 'ups' }))).toBeNull()
      expect(await arrivalOf(shop, await send(shop, { placedAt: friday, country: 'AT' }))).toBeNull()
      expect(await arrivalOf(stranger, await send(stranger, { placedAt: friday }))).toBeNull()
      const { shipments } = (await shop.get('/shipments', { tracking_number: home })).body
      for (const [direction, source] of [
        ['customer_merchant', undefined],
        ['merchant_customer', 'history'],
      ]) {
        const { body } = await shop.post('/shipments', {
          order_id: shipments[0].order_id,
          order_id_type: 'uuid',
          tracking_number: uniqueNumber('BACK'),
          carrier_reference: 'dhl',
          direction,
        })
        const { estimated_arrival } = (await shop.get(`/shipments/${body.uuid}`)).body
        expect(estimated_arrival?.source, direction).toBe(source)
      }
    })
  })

  it('is that of each shop, also if several write at the same moment', async () => {
    const [quick, slow, stranger] = [
      (await makeShop()).as('editor'),
      (await makeShop()).as('editor'),
      (await makeShop()).as('editor'),
    ] as const
    await makeHistory(quick, 20)
    await makeHistory(slow, 20, 5)
    await later(async () => {
      const expected = async (shop: ShopCaller) => {
        const arrival = await arrivalOf(shop, await send(shop, { placedAt: friday }))
        return arrival && { from: arrival.from, to: arrival.to }
      }
      const windows = [await expected(quick), await expected(slow), await expected(stranger)]
      expect(windows[0].to < windows[1].from).toBe(true)
      expect(windows[2]).toBeNull()
      // The first request is written alone, those that arrive meanwhile by one statement.
      const shops = [stranger, quick, slow, stranger, slow, quick]
      const sent = await Promise.all(shops.map((shop) => send(shop, { placedAt: friday })))
      for (const [index, shop] of shops.entries()) {
        const window = windows[[quick, slow, stranger].indexOf(shop)]
        const arrival = await arrivalOf(shop, sent[index] ?? '')
        expect(arrival && { from: arrival.from, to: arrival.to }).toEqual(window)
      }
    })
  })
})

describe('report of delivery windows', () => {
  it('counts what came early, within its window and late', async () => {
    const shop = (await makeShop()).as('editor')
    await makeHistory(shop, 20)
    const period = { from: '2024-06-01T00:00:00Z', to: '2024-06-30T00:00:00Z' }
    const path = '/analytics/delivery-windows'
    expect((await shop.get(path, period)).body).toMatchObject({ predicted: 0, held_share: null, carriers: [] })
    await later(async () => {
      const times = ['2024-06-09T12:00', '2024-06-10T00:00', '2024-06-12T23:59', '2024-06-13T00:00', '2024-07-13T00:00']
      for (const time of times) await deliver(shop, await send(shop, { placedAt: friday }), `${time}:00Z`)
      await deliver(shop, await send(shop, { placedAt: friday, carrier: 'ups' }), '2024-06-10T12:00:00Z')
    })
    const counts = { predicted: 4, early: 1, held: 2, late: 1, held_share: 0.5 }
    expect((await shop.get(path, period)).body).toEqual({
      from: '2024-06-01T00:00:00.000Z',
      to: '2024-06-30T00:00:00.000Z',
      ...counts,
      carriers: [{ carrier_reference: 'dhl', ...counts }],
    })
    expect((await shop.get(path)).body).toMatchObject({ predicted: 0, carriers: [] })
  })

  it('rejects a period that ends before it begins or is longer than 90 days', async () => {
    const shop = (await makeShop()).as('viewer')
    const refused = (from: string, to: string) => shop.get('/analytics/delivery-windows', { from, to })
    expect(await refused('2024-06-02', '2024-06-01')).toMatchObject({ body: { errors: [{ loc: ['query', 'to'] }] } })
    expect(await refused('2024-01-01', '2024-06-01')).toMatchObject({ body: { errors: [{ loc: ['query', 'from'] }] } })
    expect((await refused('soon', '2024-06-01')).status).toBe(422)
  })
})
