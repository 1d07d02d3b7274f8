import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { dayMs, minuteMs } from '../../src/platform/foundation/clock.ts'
import { createOrder, uniqueNumber } from '../harness/orders.ts'
import { type Receiver, startReceiver } from '../harness/receiver.ts'
import { clock, startTestService, theService } from '../harness/service.ts'
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

/** Processes what is due now, and waits until nothing is in flight. */
async function settle(): Promise<void> {
  const workers = (await theService()).workers
  await workers?.deliveries.sweep()
  workers?.automations.wake()
  await workers?.deliveries.idle()
}

async function sendParcel(shop: ShopCaller) {
  const trackingNumber = uniqueNumber('AU-')
  const order = await createOrder(shop, { order_placed_at: undefined }, [{ tracking_number: trackingNumber }])
  return { order, trackingNumber, shipmentId: order.trackings[0].id as string }
}

const scan = (shop: ShopCaller, id: string, event_name: string) =>
  shop.post('/shipment-events?notify=true', { id, event_name })

async function automate(shop: ShopCaller, fields: Record<string, unknown>): Promise<string> {
  const { status, body, text } = await shop.post('/automations', {
    name: uniqueNumber('automation '),
    trigger: { events: ['shipments/delivered'] },
    ...fields,
  })
  if (status !== 200) throw new Error(text)
  return body.uuid
}

const runsOf = async (shop: ShopCaller, id: string) => (await shop.get(`/automations/${id}/runs`)).body
const claimsOf = async (shop: ShopCaller) => (await shop.get('/claims', { sort: 'created_at' })).body.claims

/** A shop with a parcel, whose delivery is the event of these tests. */
async function open() {
  const shop = (await makeShop()).as('admin')
  const parcel = await sendParcel(shop)
  return { shop, ...parcel, deliver: () => scan(shop, parcel.trackingNumber, 'SUCCESSFULLY_DELIVERED') }
}

const segment = { type: 'add_segment', segment: 'happy' }

describe('automation', () => {
  it('acts if the event passes its trigger and every condition', async () => {
    const { shop, trackingNumber, deliver, order } = await open()
    const vip = { field: 'context.order.segments', operator: 'contains', value: 'vip' }
    const dear = { field: 'context.order.total_order_price', operator: 'gt', value: 94 }
    const dearer = { field: 'context.order.total_order_price', operator: 'gt', value: 95 }
    const matching = await automate(shop, { conditions: [vip, dear], actions: [segment] })
    const others = [
      await automate(shop, { conditions: [vip, dearer], actions: [{ ...segment, segment: 'no' }] }),
      await automate(shop, { trigger: { events: ['claims'] }, actions: [{ ...segment, segment: 'no' }] }),
      await automate(shop, { enabled: false, actions: [{ ...segment, segment: 'no' }] }),
    ]
    await scan(shop, trackingNumber, 'OUT_FOR_DELIVERY')
    await deliver()
    await settle()
    expect((await shop.get(`/orders/${order.uuid}`)).body.segments).toEqual(['vip', 'happy'])
    const runs = await runsOf(shop, matching)
    expect(runs).toMatchObject([
      {
        automation_id: matching,
        ref: 'shipments/delivered/SUCCESSFULLY_DELIVERED',
        order_id: order.uuid,
        shipment_id: order.trackings[0].id,
        hops: 0,
        status: 'done',
        reason: null,
        actions: [{ action: segment, status: 'done', detail: null, delivery_id: null, claim_ids: [] }],
      },
    ])
    expect(runs[0].due_at).toBe(runs[0].triggered_at)
    for (const id of others) expect(await runsOf(shop, id)).toEqual([])
  })

  it('adds a segment once', async () => {
    const { shop, order, deliver } = await open()
    for (const name of ['happy', 'vip', 'happy']) {
      await automate(shop, { actions: [{ type: 'add_segment', segment: name }, segment] })
    }
    await deliver()
    await settle()
    expect((await shop.get(`/orders/${order.uuid}`)).body.segments).toEqual(['vip', 'happy'])
  })

  it('sends the event to an address, unsigned, and retries like any delivery', async () => {
    const { shop, shipmentId, deliver } = await open()
    const receiver = await openReceiver()
    receiver.respond = () => ({ status: 503 })
    const url = `${receiver.url}/hook?a=1`
    const id = await automate(shop, { actions: [{ type: 'webhook', url }] })
    await deliver()
    await settle()
    expect(await runsOf(shop, id)).toMatchObject([{ status: 'done', actions: [{ status: 'sending' }] }])
    receiver.respond = () => ({ status: 200 })
    clock.advance(6_000)
    await settle()
    expect(receiver.received).toHaveLength(2)
    const [first, second] = receiver.received
    expect(second?.path).toBe('/hook?a=1')
    expect(second?.body).toMatchObject({ ref: 'shipments/delivered/SUCCESSFULLY_DELIVERED', version: 1 })
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
    expect(Object.keys(second?.headers ?? {}).filter((name) => name.includes('signature'))).toEqual([])
    const [run] = await runsOf(shop, id)
    expect(run.actions).toMatchObject([{ status: 'done', delivery_id: second?.headers['webhook-id'] }])
    const delivery = (await shop.get(`/deliveries/${run.actions[0].delivery_id}`)).body
    const shown = `${receiver.url}/***`
    expect(delivery).toMatchObject({
      url: shown,
      integration: null,
      webhook_id: null,
      status: 'delivered',
      attempt_count: 2,
    })
    const timeline = (await shop.get(`/shipments/${shipmentId}/timeline`)).body
    expect(timeline.events.at(-1)).toMatchObject({
      reason: 'told',
      notifications: [
        { deliveries: [{ url: shown }], automations: [{ automation_id: id, run_id: run.uuid, status: 'done' }] },
      ],
    })
  })

  it('notifies an integration, also one that is switched off for other events, under the group it names', async () => {
    const { shop, shipmentId, deliver } = await open()
    const receiver = await openReceiver()
    receiver.respond = () => ({ status: 201, body: '{"message":"success","events_processed":1}' })
    await shop.put('/keys/braze', { api_key: 'a-key-of-braze-that-is-long' })
    await shop.patch('/settings/triggers/braze', { status: false, rest_endpoint: receiver.url })
    const notify = { type: 'notify', integration: 'braze' }
    await automate(shop, { actions: [{ ...notify, event_group: 'shipment_cheered' }] })
    await automate(shop, { actions: [notify] })
    const failing = await automate(shop, { actions: [{ type: 'notify', integration: 'klaviyo' }] })
    await deliver()
    await settle()
    const groups = receiver.received.map(({ body }) => body.events[0].properties.event_group)
    expect(groups.sort()).toEqual(['shipment_cheered', 'shipment_delivered'])
    expect(await runsOf(shop, failing)).toMatchObject([{ status: 'failed', actions: [{ status: 'failed' }] }])
    const { notifications } = (await shop.get(`/shipments/${shipmentId}/timeline`)).body.events.at(-1)
    expect(notifications[0].deliveries.map(({ integration }: { integration: string }) => integration).sort()).toEqual([
      'braze',
      'braze',
      'klaviyo',
    ])
  })

  it('creates a claim about the shipment of the event', async () => {
    const { shop, shipmentId, deliver } = await open()
    const action = { type: 'create_claim', reason: 'investigation', resolution_preference: 'reorder' }
    const id = await automate(shop, { actions: [action] })
    await deliver()
    await settle()
    const claims = await claimsOf(shop)
    expect(claims).toMatchObject([
      { shipment_id: shipmentId, reason: 'investigation', resolution_preference: 'reorder', status: 'pending' },
    ])
    expect(await runsOf(shop, id)).toMatchObject([{ actions: [{ status: 'done', claim_ids: [claims[0].uuid] }] }])
  })

  it('changes the claim of the event, or those of its shipment, if their status allows it', async () => {
    const { shop, shipmentId, deliver } = await open()
    const elsewhere = await sendParcel(shop)
    const make = async (shipment_id: string, reason: string) =>
      (await shop.post('/claims', { shipment_id, reason })).body.uuid
    const open1 = await make(shipmentId, 'damage')
    const closed = await make(shipmentId, 'support')
    await shop.put(`/claims/${closed}`, { status: 'closed' })
    const other = await make(elsewhere.shipmentId, 'damage')
    const ofShipment = await automate(shop, { actions: [{ type: 'update_claim', status: 'accepted' }] })
    const ofClaim = await automate(shop, {
      trigger: { events: ['claims/created'] },
      conditions: [{ field: 'event_data.reason', operator: 'eq', value: 'return' }],
      actions: [{ type: 'update_claim', status: 'rejected' }],
    })
    await deliver()
    await settle()
    const statusOf = async (uuid: string) => (await shop.get(`/claims/${uuid}`)).body.status
    expect(await Promise.all([open1, closed, other].map(statusOf))).toEqual(['accepted', 'closed', 'pending'])
    expect(await runsOf(shop, ofShipment)).toMatchObject([{ actions: [{ status: 'done', claim_ids: [open1] }] }])
    const returned = await make(shipmentId, 'return')
    await settle()
    expect(await statusOf(returned)).toBe('rejected')
    expect(await runsOf(shop, ofClaim)).toMatchObject([{ actions: [{ claim_ids: [returned] }] }])
    await shop.delete(`/claims/${other}`)
    await scan(shop, elsewhere.trackingNumber, 'SUCCESSFULLY_DELIVERED')
    await settle()
    const [latest] = await runsOf(shop, ofShipment)
    expect(latest.actions).toMatchObject([{ status: 'skipped', detail: 'there is no claim that can become accepted' }])
  })

  it('has its runs listed newest first, in pages', async () => {
    const { shop } = await open()
    const id = await automate(shop, { actions: [segment] })
    for (let count = 0; count < 3; count += 1) {
      const { trackingNumber } = await sendParcel(shop)
      await scan(shop, trackingNumber, 'SUCCESSFULLY_DELIVERED')
      await settle()
    }
    const first = await shop.get(`/automations/${id}/runs`, { per_page: 2 })
    const second = await shop.get(`/automations/${id}/runs`, { per_page: 2, page: 2 })
    expect(first.headers['x-total-count']).toBe('3')
    const times = [...first.body, ...second.body].map(({ triggered_at }) => triggered_at)
    expect(times).toHaveLength(3)
    expect(times).toEqual([...times].sort().reverse())
  })
})

describe('delay', () => {
  it('postpones the action by exactly its length', async () => {
    const { shop, order, deliver } = await open()
    const id = await automate(shop, { delay_minutes: 60, actions: [segment] })
    await deliver()
    await settle()
    clock.advance(59 * minuteMs)
    await settle()
    expect(await runsOf(shop, id)).toMatchObject([{ status: 'pending', actions: [{ status: 'waiting' }] }])
    expect((await shop.get(`/orders/${order.uuid}`)).body.segments).toEqual(['vip'])
    clock.advance(2 * minuteMs)
    await settle()
    expect(await runsOf(shop, id)).toMatchObject([{ status: 'done' }])
    expect((await shop.get(`/orders/${order.uuid}`)).body.segments).toEqual(['vip', 'happy'])
  })

  it('survives the process that received the event, and its action runs once on any node', async () => {
    const { shop, deliver } = await open()
    const receiver = await openReceiver()
    const id = await automate(shop, { delay_minutes: 60, actions: [{ type: 'webhook', url: receiver.url }] })
    await deliver()
    await settle()
    const { database } = await theService()
    // It shares only the database with the first.
    const second = await startTestService({}, { ...database, close: async () => {} })
    try {
      clock.advance(61 * minuteMs)
      second.workers?.automations.wake()
      await settle()
      await second.workers?.deliveries.idle()
      await settle()
      await receiver.until(1)
      expect(receiver.received).toHaveLength(1)
      expect(await runsOf(shop, id)).toMatchObject([{ status: 'done' }])
    } finally {
      await second.stop()
    }
  })

  it('ends without an action if the automation is deleted or switched off meanwhile', async () => {
    const { shop, order, deliver } = await open()
    const deleted = await automate(shop, { delay_minutes: 5, actions: [segment] })
    const off = await automate(shop, { delay_minutes: 5, actions: [segment] })
    await deliver()
    await settle()
    await shop.delete(`/automations/${deleted}`)
    const { body } = await shop.get(`/automations/${off}`)
    await shop.put(`/automations/${off}`, { ...body, enabled: false })
    clock.advance(6 * minuteMs)
    await settle()
    expect(await runsOf(shop, deleted)).toMatchObject([
      { status: 'cancelled', reason: 'the automation was deleted', actions: [{ status: 'skipped' }] },
    ])
    expect(await runsOf(shop, off)).toMatchObject([{ status: 'cancelled', reason: 'the automation was switched off' }])
    const next = await sendParcel(shop)
    await scan(shop, next.trackingNumber, 'SUCCESSFULLY_DELIVERED')
    await settle()
    expect(await runsOf(shop, deleted)).toHaveLength(1)
    expect((await shop.get(`/orders/${order.uuid}`)).body.segments).toEqual(['vip'])
  })

  it('runs the actions that were defined when the event occurred', async () => {
    const { shop, order, deliver } = await open()
    const id = await automate(shop, { delay_minutes: 5, actions: [segment] })
    await deliver()
    await settle()
    const { body } = await shop.get(`/automations/${id}`)
    await shop.put(`/automations/${id}`, { ...body, actions: [{ type: 'add_segment', segment: 'other' }] })
    clock.advance(6 * minuteMs)
    await settle()
    expect((await shop.get(`/orders/${order.uuid}`)).body.segments).toEqual(['vip', 'happy'])
  })
})

describe('run that fails', () => {
  it('is retried later and does not delay others; its partial changes are undone', async () => {
    const { shop, order, deliver } = await open()
    const broken = await automate(shop, { delay_minutes: 5, actions: [create('support'), segment] })
    const sound = await automate(shop, { delay_minutes: 5, actions: [segment] })
    await deliver()
    await settle()
    const { database } = await theService()
    const setActions = (actions: unknown[]) =>
      database.db
        .updateTable('automation_runs')
        .set({ actions: JSON.stringify(actions) })
        .where('automation_id', '=', broken)
        .execute()
    await setActions([create('support'), { type: 'webhook', url: 'nonsense' }])
    clock.advance(6 * minuteMs)
    await settle()
    expect(await runsOf(shop, sound)).toMatchObject([{ status: 'done' }])
    expect((await shop.get(`/orders/${order.uuid}`)).body.segments).toEqual(['vip', 'happy'])
    const [waiting] = await database.db
      .selectFrom('automation_runs')
      .where('automation_id', '=', broken)
      .select(['status', 'attempts', 'reason'])
      .execute()
    expect(waiting).toEqual({ status: 'pending', attempts: 1, reason: expect.stringContaining('the log') })
    expect(await claimsOf(shop)).toEqual([])
    await setActions([create('support')])
    clock.advance(minuteMs)
    await settle()
    expect(await runsOf(shop, broken)).toMatchObject([{ status: 'done', reason: null }])
    expect(await claimsOf(shop)).toHaveLength(1)
  })
})

describe('loops', () => {
  it('are not caused by an automation that listens to its own action', async () => {
    const { shop, shipmentId } = await open()
    const id = await automate(shop, {
      trigger: { events: ['claims'] },
      actions: [{ type: 'create_claim', reason: 'support' }],
    })
    await shop.post('/claims', { shipment_id: shipmentId, reason: 'damage' })
    await settle()
    expect(await claimsOf(shop)).toMatchObject([{ reason: 'damage' }, { reason: 'support' }])
    expect(await runsOf(shop, id)).toMatchObject([
      { status: 'prevented', hops: 1, reason: 'an automation does not run itself', actions: [{ status: 'skipped' }] },
      { status: 'done', hops: 0 },
    ])
  })

  it('are not caused by two that trigger each other', async () => {
    const { shop, shipmentId } = await open()
    const trigger = { events: ['claims/created'] }
    const when = (value: string) => [{ field: 'event_data.reason', operator: 'eq', value }]
    const first = await automate(shop, { trigger, conditions: when('damage'), actions: [create('support')] })
    const second = await automate(shop, { trigger, conditions: when('support'), actions: [create('damage')] })
    await shop.post('/claims', { shipment_id: shipmentId, reason: 'damage' })
    await settle()
    const statuses = async (id: string) => (await runsOf(shop, id)).map(({ status }: { status: string }) => status)
    expect(await statuses(first)).toEqual(['prevented', 'done'])
    expect(await statuses(second)).toEqual(['done'])
    expect(await claimsOf(shop)).toHaveLength(3)
  })

  it('end after five automations that follow from one event', async () => {
    const { shop, deliver } = await open()
    const reasons = [
      'damage',
      'investigation',
      'support',
      'return',
      'wrong_product',
      'missing_product',
      'partial_damage',
    ]
    const ids = [await automate(shop, { actions: [create(reasons[0] ?? '')] })]
    for (const [index, reason] of reasons.slice(1).entries()) {
      ids.push(
        await automate(shop, {
          trigger: { events: ['claims/created'] },
          conditions: [{ field: 'event_data.reason', operator: 'eq', value: reasons[index] }],
          actions: [create(reason)],
        }),
      )
    }
    await deliver()
    await settle()
    const claims = await claimsOf(shop)
    expect(claims.map(({ reason }: { reason: string }) => reason)).toEqual(reasons.slice(0, 5))
    const logs = await Promise.all(ids.map((id) => runsOf(shop, id)))
    expect(logs.map(([run]) => run && `${run.hops} ${run.status}`)).toEqual([
      '0 done',
      '1 done',
      '2 done',
      '3 done',
      '4 done',
      '5 prevented',
      undefined,
    ])
  })
})

const create = (reason: string) => ({ type: 'create_claim', reason })

describe('dry run', () => {
  it('shows what would have happened, sends nothing and changes nothing', async () => {
    const { shop, shipmentId, order, deliver } = await open()
    const endpoint = await openReceiver()
    const receiver = await openReceiver()
    await shop.post('/webhooks', { url: endpoint.url })
    const claim = (await shop.post('/claims', { shipment_id: shipmentId, reason: 'damage' })).body
    await deliver()
    await settle()
    const sentBefore = endpoint.received.length
    const id = await automate(shop, {
      enabled: false,
      delay_minutes: 30,
      conditions: [{ field: 'context.claims.reason', operator: 'contains', value: 'damage' }],
      actions: [
        { type: 'webhook', url: receiver.url },
        { type: 'notify', integration: 'braze' },
        { type: 'add_segment', segment: 'vip' },
        segment,
        create('support'),
        { type: 'update_claim', status: 'accepted' },
      ],
    })
    const { body } = await shop.post(`/automations/${id}/dry-run`, {})
    expect(body).toMatchObject({ evaluated: 1, matched: 1, is_complete: true })
    const [run] = body.runs
    expect(run).toMatchObject({ order_id: order.uuid, shipment_id: shipmentId, prevented: null })
    expect(Date.parse(run.due_at) - Date.parse(run.triggered_at)).toBe(30 * minuteMs)
    expect(
      run.actions.map(({ would_act, detail }: { would_act: boolean; detail: string }) => [would_act, detail]),
    ).toEqual([
      [true, `would send it to ${receiver.url}/***`],
      [true, 'would notify braze'],
      [false, 'the order already has the segment vip'],
      [true, 'would add the segment happy'],
      [true, 'would create a claim for support'],
      [true, `would set ${claim.uuid} to accepted`],
    ])
    clock.advance(31 * minuteMs)
    await settle()
    expect(endpoint.received).toHaveLength(sentBefore)
    expect(receiver.received).toHaveLength(0)
    expect(await runsOf(shop, id)).toEqual([])
    expect(await claimsOf(shop)).toMatchObject([{ uuid: claim.uuid, status: 'pending' }])
    expect((await shop.get(`/orders/${order.uuid}`)).body.segments).toEqual(['vip'])
    clock.advance(8 * dayMs)
    expect((await shop.post(`/automations/${id}/dry-run`, {})).body).toMatchObject({ evaluated: 0, matched: 0 })
    expect((await shop.post(`/automations/${id}/dry-run`, { days: 30 })).body).toMatchObject({ matched: 1 })
  })
})

describe('event with automations only', () => {
  it('has a notification without receivers, and the timeline says so', async () => {
    const { shop, shipmentId, deliver } = await open()
    const id = await automate(shop, { actions: [segment] })
    await deliver()
    await settle()
    const timeline = (await shop.get(`/shipments/${shipmentId}/timeline`)).body
    expect(timeline.events.at(-1)).toMatchObject({
      reason: 'no receiver',
      notifications: [{ deliveries: [], automations: [{ automation_id: id, status: 'done' }] }],
    })
  })
})
