import { afterEach, describe, expect, it } from 'vitest'
import { after, hourMs, minuteMs } from '../../src/platform/foundation/clock.ts'
import { replaySome } from '../../src/tracking/unmapped/replay.ts'
import { aftershipKeys, type Checkpoint, pushOf } from '../harness/aftership.ts'
import { settle } from '../harness/deliveries.ts'
import { eventKeys, followParcels, sendParcel } from '../harness/parcels.ts'
import { startReceiver } from '../harness/receiver.ts'
import { call, clock, theService } from '../harness/service.ts'
import { makeShop } from '../harness/shop.ts'

afterEach(() => clock.reset())

const unknown = 'MORE_INFO_ON_CARRIER_WEBSITE'

/** A shop with a parcel that was sent four hours ago, tracked by AfterShip's pushes. */
async function withParcel() {
  const made = await makeShop({ settings: { carriers_enabled: true } })
  const shop = made.as('admin')
  await shop.put('/keys/aftership', aftershipKeys)
  await shop.patch('/settings/carriers/providers', { aftership: { status: 'live', enabled_carriers: ['gls'] } })
  const parcel = await sendParcel(shop)
  clock.advance(4 * hourMs)
  const push = async (number: string, checkpoints: Checkpoint[]) => {
    const { payload, headers } = pushOf(number, checkpoints)
    const reply = await call('POST', `/v1/inbound/${made.slug}/carriers/aftership`, { auth: null, payload, headers })
    expect(reply.status).toBe(200)
  }
  const map = (code: string, event_name: string) =>
    shop.put('/carriers/unmapped', { provider: 'aftership', code, event_name })
  return { shop, parcel, push, map }
}

const ago = (ms: number) => after(clock.now(), -ms)

async function replayAll(): Promise<void> {
  await followParcels()
}

describe('unknown codes', () => {
  it('are recorded as a neutral movement, not published, and listed with their scans', async () => {
    const { shop, parcel, push } = await withParcel()
    const receiver = await startReceiver()
    await shop.post('/webhooks', { url: receiver.url })
    const scans = [
      { at: ago(hourMs), subtag: 'Strange_001', message: 'In the big hall' },
      { at: ago(minuteMs), subtag: 'Strange_001', message: 'In the big hall' },
    ]
    await push(parcel.number, scans)
    await push(parcel.number, scans)
    await settle()
    expect(await eventKeys(shop, parcel.id)).toEqual(['ORDER_CREATED', 'ORDER_PROCESSED', unknown, unknown])
    expect((await shop.get(`/shipments/${parcel.id}`)).body.phase).toBe('order_processed')
    expect(receiver.received).toEqual([])
    const listed = await shop.get('/carriers/unmapped')
    expect(listed.body).toEqual([
      {
        provider: 'aftership',
        code: 'Strange_001',
        text: 'In the big hall',
        scans: 2,
        first_seen_at: expect.any(String),
        last_seen_at: expect.any(String),
        event_name: null,
        shipment_ids: [parcel.id],
        parcels: 1,
        shipments: [{ shipment_id: parcel.id, tracking_number: parcel.number }],
        suggestion: null,
      },
    ])
    expect(listed.headers['x-total-count']).toBe('1')
    await receiver.close()
  })

  it('become the event that the shop chooses, at their own times, and are published unless they are too old', async () => {
    const { shop, parcel, push, map } = await withParcel()
    const old = await sendParcel(shop)
    clock.advance(40 * hourMs)
    await push(old.number, [{ at: ago(39 * hourMs), subtag: 'Strange_002' }])
    const at = ago(2 * minuteMs)
    await push(parcel.number, [
      { at: ago(hourMs), subtag: 'InTransit_003' },
      { at, subtag: 'Strange_002' },
    ])
    await settle()
    const receiver = await startReceiver()
    await shop.post('/webhooks', { url: receiver.url })
    expect(await map('Strange_002', 'OUT_FOR_DELIVERY')).toMatchObject({ status: 200, text: 'null' })
    await replayAll()
    const { body } = await shop.get(`/shipments/${parcel.id}`)
    expect(body.phase).toBe('in_delivery')
    expect(body.events.at(-1)).toMatchObject({
      event_key: 'OUT_FOR_DELIVERY',
      time: new Date(Math.floor(at.getTime() / 1_000) * 1_000).toISOString(),
      location: { city: 'Leipzig' },
    })
    expect(await eventKeys(shop, parcel.id)).not.toContain(unknown)
    expect((await shop.get(`/shipments/${old.id}`)).body.phase).toBe('in_delivery')
    // The other scan is 39 hours old; endpoints are notified up to 24 hours.
    expect(receiver.received.map((each) => each.body.event_data.tracking_number)).toEqual([parcel.number])
    expect((await shop.get('/carriers/unmapped')).body).toEqual([])
    expect((await shop.get('/carriers/unmapped', { mapped: true })).body).toMatchObject([
      { code: 'Strange_002', event_name: 'OUT_FOR_DELIVERY', scans: 2 },
    ])
    await receiver.close()
  })

  it('are recorded as mapped from then on', async () => {
    const { shop, parcel, push, map } = await withParcel()
    await map('Strange_003', 'OUT_FOR_DELIVERY')
    await push(parcel.number, [{ at: ago(minuteMs), subtag: 'Strange_003' }])
    expect(await eventKeys(shop, parcel.id)).toEqual(['ORDER_CREATED', 'ORDER_PROCESSED', 'OUT_FOR_DELIVERY'])
    expect((await shop.get('/carriers/unmapped', { mapped: true })).body[0]).toMatchObject({ scans: 1 })
  })

  it('can be mapped again to another event, as if they had always been mapped to it', async () => {
    const { shop, parcel, push, map } = await withParcel()
    const strange = { at: ago(hourMs), subtag: 'Strange_004' }
    await push(parcel.number, [{ at: ago(2 * hourMs), subtag: 'InTransit_003' }, strange])
    await map('Strange_004', 'SUCCESSFULLY_DELIVERED')
    await replayAll()
    expect((await shop.get(`/shipments/${parcel.id}`)).body.phase).toBe('delivered')
    await map('Strange_004', 'DISPATCHED_FROM_SORTING_CENTER')
    await replayAll()
    const { body } = await shop.get(`/shipments/${parcel.id}`)
    expect(body.phase).toBe('in_transit')
    expect(await eventKeys(shop, parcel.id)).toEqual([
      'ORDER_CREATED',
      'ORDER_PROCESSED',
      'ARRIVED_AT_SORTING_CENTER',
      'DISPATCHED_FROM_SORTING_CENTER',
    ])
    const { database } = await theService()
    const row = await database.db
      .selectFrom('shipments')
      .where('id', '=', parcel.id)
      .select(['delivered_at', 'in_transit_at', 'current_event_key'])
      .executeTakeFirstOrThrow()
    expect(row).toMatchObject({ delivered_at: null, current_event_key: 'DISPATCHED_FROM_SORTING_CENTER' })
    expect(row.in_transit_at).not.toBeNull()
    // Reported again by the carrier, it is unchanged.
    await push(parcel.number, [strange])
    expect(await eventKeys(shop, parcel.id)).toHaveLength(4)
  })

  it('are kept separate from other codes at the same time, and from events of other sources', async () => {
    const { shop, parcel, push, map } = await withParcel()
    const at = ago(hourMs)
    await push(parcel.number, [
      { at, subtag: 'Strange_005' },
      { at, subtag: 'Strange_006' },
    ])
    const known = new Date(Math.floor(ago(30 * minuteMs).getTime() / 1_000) * 1_000)
    await shop.post('/shipment-events', {
      id: parcel.number,
      event_name: 'OUT_FOR_DELIVERY',
      event_time: known.toISOString(),
    })
    await push(parcel.number, [{ at: known, subtag: 'Strange_007' }])
    await map('Strange_005', 'ARRIVED_AT_SORTING_CENTER')
    await map('Strange_007', 'OUT_FOR_DELIVERY')
    await replayAll()
    const expected = ['ORDER_CREATED', 'ORDER_PROCESSED', 'ARRIVED_AT_SORTING_CENTER', unknown, 'OUT_FOR_DELIVERY']
    expect((await eventKeys(shop, parcel.id)).sort()).toEqual([...expected].sort())
    await map('Strange_006', 'DISPATCHED_FROM_SORTING_CENTER')
    await map('Strange_007', 'SUCCESSFULLY_DELIVERED')
    await replayAll()
    expect((await eventKeys(shop, parcel.id)).sort()).toEqual(
      [
        'ORDER_CREATED',
        'ORDER_PROCESSED',
        'ARRIVED_AT_SORTING_CENTER',
        'DISPATCHED_FROM_SORTING_CENTER',
        'OUT_FOR_DELIVERY',
        'SUCCESSFULLY_DELIVERED',
      ].sort(),
    )
  })

  it('are replaced a batch at a time, each scan once, whichever worker claims the next batch', async () => {
    const { shop, push, map } = await withParcel()
    const parcels = [await sendParcel(shop), await sendParcel(shop), await sendParcel(shop), await sendParcel(shop)]
    clock.advance(4 * hourMs)
    for (const { number } of parcels) await push(number, [{ at: ago(minuteMs), subtag: 'Strange_008' }])
    await settle()
    const receiver = await startReceiver()
    await shop.post('/webhooks', { url: receiver.url })
    const service = await theService()
    await service.workers?.parcels.idle()
    // As if the worker died after each batch: every batch is its own transaction.
    await map('Strange_008', 'OUT_FOR_DELIVERY')
    const rounds = await Promise.all([1, 2, 3, 4, 5, 6].map(() => replaySome(service.context(), 1)))
    expect(rounds).toContain(true)
    await replayAll()
    for (const { id } of parcels) expect((await eventKeys(shop, id)).slice(2)).toEqual(['OUT_FOR_DELIVERY'])
    expect(receiver.received.map((each) => each.body.event_data.tracking_number).sort()).toEqual(
      parcels.map(({ number }) => number).sort(),
    )
    await receiver.close()
  })

  it('are mapped by admins, to known events', async () => {
    const { shop, map } = await withParcel()
    expect(await map('Strange_009', 'NO_SUCH_EVENT')).toMatchObject({ status: 422, body: { key: 'invalid_payload' } })
    expect(await map('', 'OUT_FOR_DELIVERY')).toMatchObject({ status: 422 })
    const body = { provider: 'nobody', code: 'x', event_name: 'OUT_FOR_DELIVERY' }
    expect(await shop.put('/carriers/unmapped', body)).toMatchObject({ status: 422 })
    expect((await shop.get('/carriers/unmapped', { mapped: true })).body).toEqual([])
  })
})

describe('mapping of a code', () => {
  it('is suggested by the words of known codes, and previewed without changing anything', async () => {
    const { shop, parcel, push } = await withParcel()
    await push(parcel.number, [{ at: ago(minuteMs), subtag: 'Strange_010', message: 'Shipment is out for delivery' }])
    const [code] = (await shop.get('/carriers/unmapped')).body
    expect(code).toMatchObject({ code: 'Strange_010', suggestion: { event_name: 'OUT_FOR_DELIVERY' } })
    const mapping = { provider: 'aftership', code: 'Strange_010', event_name: 'OUT_FOR_DELIVERY' }
    expect((await shop.post('/carriers/unmapped/preview', mapping)).body).toEqual({
      scans: 1,
      parcels: 1,
      is_complete: true,
      changes: [{ from: 'order_processed', to: 'in_delivery', parcels: 1 }],
      may_notify: true,
    })
    expect((await shop.get(`/shipments/${parcel.id}`)).body.phase).toBe('order_processed')
    const neutral = { ...mapping, event_name: unknown }
    expect((await shop.post('/carriers/unmapped/preview', neutral)).body).toMatchObject({
      changes: [],
      may_notify: false,
    })
    const nobody = { ...mapping, code: 'Never_seen' }
    expect((await shop.post('/carriers/unmapped/preview', nobody)).body).toMatchObject({
      scans: 0,
      parcels: 0,
      changes: [],
    })
  })

  it('of a provider that is being tested notifies nobody, as its preview says', async () => {
    const { shop, parcel, push } = await withParcel()
    await push(parcel.number, [{ at: ago(minuteMs), subtag: 'Strange_012' }])
    const mapping = { provider: 'aftership', code: 'Strange_012', event_name: 'OUT_FOR_DELIVERY' }
    const preview = async () => (await shop.post('/carriers/unmapped/preview', mapping)).body
    expect(await preview()).toMatchObject({ parcels: 1, may_notify: true })
    await shop.patch('/settings/carriers/providers', { aftership: { status: 'testing' } })
    expect(await preview()).toMatchObject({ parcels: 1, may_notify: false })
    await shop.patch('/settings/carriers/providers', { aftership: { status: 'live' } })
    await shop.patch('/settings/carriers', { shipment_updates: false })
    expect(await preview()).toMatchObject({ parcels: 1, may_notify: false })
  })

  it('does what its preview said, and can be undone', async () => {
    const { shop, parcel, push, map } = await withParcel()
    await push(parcel.number, [{ at: ago(minuteMs), subtag: 'Strange_011' }])
    await map('Strange_011', 'OUT_FOR_DELIVERY')
    await replayAll()
    expect((await shop.get(`/shipments/${parcel.id}`)).body.phase).toBe('in_delivery')
    expect((await shop.delete('/carriers/unmapped?provider=aftership&code=Strange_011')).status).toBe(200)
    await replayAll()
    expect((await shop.get(`/shipments/${parcel.id}`)).body.phase).toBe('order_processed')
    expect(await eventKeys(shop, parcel.id)).toEqual(['ORDER_CREATED', 'ORDER_PROCESSED', unknown])
    expect((await shop.get('/carriers/unmapped')).body).toMatchObject([{ code: 'Strange_011', event_name: null }])
    // Nothing is left to undo.
    expect((await shop.delete('/carriers/unmapped?provider=aftership&code=Strange_011')).status).toBe(200)
    const [entry] = (await shop.get('/audit-log')).body
    expect(JSON.stringify(entry)).toContain('carrier_code')
  })
})
