import { sql } from 'kysely'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { dayMs } from '../../src/platform/foundation/clock.ts'
import { expireFeeds, keepUpFeeds } from '../../src/webhooks/event-feed/upkeep.ts'
import { shopIdOf } from '../harness/customers.ts'
import { runJob } from '../harness/deliveries.ts'
import { readOn, refs, report, sendParcel } from '../harness/event-feed.ts'
import { startReceiver } from '../harness/receiver.ts'
import { clock, theService } from '../harness/service.ts'
import { makeShop, type TestShop } from '../harness/shop.ts'

afterEach(() => clock.reset())

/** The rows that the feed adds for a shop. */
async function countRows(made: TestShop): Promise<Record<string, number>> {
  const { database } = await theService()
  const shopId = await shopIdOf(await theService(), made)
  const { rows } = await sql<Record<string, number>>`
    select (select count(*) from feed_arrivals where shop_id = ${shopId}) as arrivals,
      (select count(*) from feed_entries where shop_id = ${shopId}) as entries,
      (select count(*) from notifications where shop_id = ${shopId}) as notifications`.execute(database.db)
  return rows[0] ?? {}
}

describe('event feed', () => {
  it('is off until it is read: nothing is stored', async () => {
    const made = await makeShop()
    const { number } = await sendParcel(made.as('admin'))
    await report(made.as('admin'), number, 'OUT_FOR_DELIVERY')
    expect(await countRows(made)).toEqual({ arrivals: 0, entries: 0, notifications: 0 })
  })

  it('has every event with its payload from the first reading on, and each once', async () => {
    const made = await makeShop()
    const shop = made.as('admin')
    const { number, shipmentId } = await sendParcel(shop)
    const first = (await made.as('viewer').get('/events')).body
    expect(first.events).toEqual([])
    await report(shop, number, 'OUT_FOR_DELIVERY')
    await report(shop, number, 'SUCCESSFULLY_DELIVERED')
    const { body: claim } = await shop.post('/claims', { shipment_id: shipmentId, reason: 'damage' })
    expect(claim).not.toHaveProperty('key')
    const events = await readOn(made.as('editor'), first.next)
    expect(refs(events)).toEqual([
      'shipments/in_delivery/OUT_FOR_DELIVERY',
      'shipments/delivered/SUCCESSFULLY_DELIVERED',
      'claims/created',
    ])
    expect(events[0]).toMatchObject({ source: 'shipments', version: 1, shop_slug: made.slug })
    expect(new Set(events.map(({ cursor }) => cursor)).size).toBe(3)
    expect(await readOn(shop, events[0]?.cursor)).toEqual(events.slice(1))
    expect(await readOn(shop, undefined, 500)).toEqual(events)
    expect(await readOn(shop, events.at(-1)?.cursor)).toEqual([])
  })

  it('has the same payload as a webhook, and internal triggers of webhooks, but no test events', async () => {
    const shop = (await makeShop()).as('admin')
    const receiver = await startReceiver()
    onTestFinished(() => receiver.close())
    const { body: endpoint } = await shop.post('/webhooks', { url: receiver.url })
    const { next } = (await shop.get('/events')).body
    await shop.post('/settings/triggers/webhook/internal-triggers', {
      name: 'Stuck',
      operator: 'AND',
      time_threshold_type: 'latest_event_time',
      time_threshold_value: 48,
      phase_in: ['in_delivery'],
    })
    const { number } = await sendParcel(shop)
    await report(shop, number, 'OUT_FOR_DELIVERY')
    await shop.post(`/webhooks/${endpoint.uuid}/test`)
    clock.advance(3 * dayMs)
    await runJob('internal triggers')
    const events = await readOn(shop, next)
    expect(events.map(({ event_group }) => event_group)).toEqual([
      'shipment_pre_transit',
      'shipment_pre_transit',
      'shipment_out_for_delivery',
      'shipment_internal_trigger',
    ])
    const { body: deliveries } = await shop.get(`/webhooks/${endpoint.uuid}/deliveries`, { event: 'OUT_FOR_DELIVERY' })
    const payloads = await Promise.all(
      deliveries.map(async ({ uuid }: { uuid: string }) => (await shop.get(`/deliveries/${uuid}`)).body.payload),
    )
    const { cursor: _cursor, ...payload } = events[2] ?? { cursor: '' }
    expect(payloads).toContainEqual(payload)
  })

  it('is filtered by types as endpoints are, and next passes what was left out', async () => {
    const shop = (await makeShop()).as('admin')
    const { next } = (await shop.get('/events')).body
    const { number } = await sendParcel(shop)
    await report(shop, number, 'OUT_FOR_DELIVERY')
    await report(shop, number, 'SUCCESSFULLY_DELIVERED')
    const all = await readOn(shop, next)
    const read = async (types: string) => (await shop.get('/events', { after: next, types })).body
    expect(refs((await read('*')).events)).toEqual(refs(all))
    expect(refs((await read('shipments')).events)).toEqual(refs(all))
    const chosen = await read('shipments/in_delivery, claims/created')
    expect(refs(chosen.events)).toEqual(['shipments/in_delivery/OUT_FOR_DELIVERY'])
    expect(chosen.next).toBe(all.at(-1)?.cursor)
    const none = await read('claims')
    expect(none).toEqual({ events: [], next: all.at(-1)?.cursor })
    const unknown = await shop.get('/events', { types: 'shipments/nowhere' })
    expect(unknown).toMatchObject({ status: 422, body: { errors: [{ loc: ['query', 'types'] }] } })
  })

  it('begins at the end for a reader that wants only what is new', async () => {
    const shop = (await makeShop()).as('admin')
    await shop.get('/events')
    const { number } = await sendParcel(shop)
    const { body } = await shop.get('/events', { after: 'latest' })
    expect(body.events).toEqual([])
    await report(shop, number, 'OUT_FOR_DELIVERY')
    expect(refs(await readOn(shop, body.next))).toEqual(['shipments/in_delivery/OUT_FOR_DELIVERY'])
  })

  it('needs a key of the shop, and a cursor of its own feed', async () => {
    const [made, other] = [await makeShop(), await makeShop()]
    const theirs = (await other.as('admin').get('/events')).body.next
    const reader = made.as('viewer')
    await reader.get('/events')
    for (const after of [theirs, 'garbage', 'AAAA', `${theirs}AAAA`, '%00', '../../etc']) {
      const { status, body } = await reader.get('/events', { after })
      expect([status, body.key, body.errors[0].loc]).toEqual([422, 'invalid_payload', ['query', 'after']])
    }
    const { status } = await reader.get('/events', { limit: 501 })
    expect(status).toBe(422)
    expect((await reader.get('/events', { wait: 31 })).status).toBe(422)
  })
})

describe('cursor beyond the end', () => {
  it('gets 410 after a restore, instead of skipping the events that get these positions', async () => {
    const { database } = await theService()
    const made = await makeShop()
    const shop = made.as('admin')
    const { next } = (await shop.get('/events')).body
    const { number } = await sendParcel(shop)
    const kept = await readOn(shop, next)
    await report(shop, number, 'OUT_FOR_DELIVERY')
    const [lost] = await readOn(shop, kept.at(-1)?.cursor)
    expect(lost?.event_data.event_name).toBe('OUT_FOR_DELIVERY')
    // As a backup has it that was made before the last event.
    const shopId = await shopIdOf(await theService(), made)
    await sql`delete from feed_entries where shop_id = ${shopId} and position > ${kept.length}`.execute(database.db)
    await sql`update event_feeds set last_position = ${kept.length} where shop_id = ${shopId}`.execute(database.db)
    for (const wait of [0, 30]) {
      const { status, body } = await shop.get('/events', { after: lost?.cursor ?? '', wait })
      expect([status, body.key]).toEqual([410, 'cursor_expired'])
    }
    // The last one that is there is a place to continue from.
    await report(shop, number, 'SUCCESSFULLY_DELIVERED')
    expect(refs(await readOn(shop, kept.at(-1)?.cursor))).toEqual(['shipments/delivered/SUCCESSFULLY_DELIVERED'])
  })
})

describe('events of the feed', () => {
  it('expire with notifications, and a cursor before them gets 410', async () => {
    const service = await theService()
    const made = await makeShop()
    const shop = made.as('admin')
    const { next } = (await shop.get('/events')).body
    await sendParcel(shop)
    const old = await readOn(shop, next)
    // Fewer days than after which the job of this service switches a feed off.
    clock.advance(20 * dayMs)
    const { number } = await sendParcel(shop)
    await expireFeeds(service.context(), new Date(clock.now().getTime() - 10 * dayMs))
    const { status, body } = await shop.get('/events', { after: next })
    expect([status, body.key]).toEqual([410, 'cursor_expired'])
    expect(body.message).toContain('no longer kept')
    expect((await shop.get('/events', { after: old[0]?.cursor ?? '' })).status).toBe(410)
    // The last one that expired is still a place to continue from.
    const left = await readOn(shop, old.at(-1)?.cursor)
    expect(left.length).toBe(2)
    expect(await readOn(shop, undefined)).toEqual(left)
    await report(shop, number, 'OUT_FOR_DELIVERY')
    expect((await readOn(shop, undefined)).length).toBe(3)
  })

  it('are kept no longer if nobody reads them for 30 days', async () => {
    const service = await theService()
    const made = await makeShop()
    const shop = made.as('admin')
    const { next } = (await shop.get('/events')).body
    await sendParcel(shop)
    clock.advance(31 * dayMs)
    await keepUpFeeds(service.context())
    const rows = await countRows(made)
    expect(rows).toMatchObject({ arrivals: 0, entries: 0 })
    await sendParcel(shop)
    expect(await countRows(made)).toEqual(rows)
    expect((await shop.get('/events', { after: next })).status).toBe(410)
    const again = (await shop.get('/events')).body
    expect(again.events).toEqual([])
    await sendParcel(shop)
    expect((await readOn(shop, again.next)).length).toBe(2)
  })

  it('are kept for as long as somebody reads them, also if there is nothing new', async () => {
    const service = await theService()
    const shop = (await makeShop()).as('admin')
    const { next } = (await shop.get('/events')).body
    for (let round = 0; round < 3; round += 1) {
      clock.advance(20 * dayMs)
      expect((await shop.get('/events', { after: next })).body.events).toEqual([])
      await keepUpFeeds(service.context())
    }
    await sendParcel(shop)
    await keepUpFeeds(service.context())
    expect((await readOn(shop, next)).length).toBe(2)
  })

  it('lose the person when a customer is erased', async () => {
    const made = await makeShop()
    const shop = made.as('admin')
    const { next } = (await shop.get('/events')).body
    const { email } = await sendParcel(shop)
    expect(JSON.stringify(await readOn(shop, next))).toContain(email)
    await shop.post('/privacy/erase', { email })
    const events = await readOn(shop, next)
    expect(events.length).toBe(2)
    expect(JSON.stringify(events)).not.toContain(email)
    expect(events[0]).toMatchObject({ erased: true })
  })
})
