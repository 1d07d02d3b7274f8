import { afterAll, describe, expect, it } from 'vitest'
import { dayMs, hourMs, minuteMs } from '../../src/platform/foundation/clock.ts'
import { newId } from '../../src/platform/foundation/ids.ts'
import { evaluateExceptions } from '../../src/tracking/exceptions/evaluate.ts'
import { placesOf } from '../harness/catalogue.ts'
import { createOrder, uniqueNumber } from '../harness/orders.ts'
import { call, clock, openTestDatabase, startTestService } from '../harness/service.ts'
import { makeShop, type ShopCaller, type TestShop } from '../harness/shop.ts'

// A store of its own: a colleague for all shops, made by another test, would be one of these shops too.
const service = await startTestService({}, await openTestDatabase())
afterAll(async () => {
  clock.reset()
  await service.stop()
})

const attention = async (shop: ShopCaller) => (await shop.get('/attention')).body

async function send(shop: ShopCaller, event_name: string) {
  const order = await createOrder(shop, { order_placed_at: clock.now().toISOString() }, [
    { tracking_number: uniqueNumber('A'), carrier_reference: 'dhl' },
  ])
  const id = order.trackings[0].uuid as string
  await shop.post(`/shipments/${id}/events`, { event_name, event_time: clock.now().toISOString() })
  return { id, orderNumber: order.order_number as string }
}

async function shopIdOf({ slug }: TestShop): Promise<string> {
  const { db } = service.database
  return (await db.selectFrom('shops').where('slug', '=', slug).select('id').executeTakeFirstOrThrow()).id
}

describe('attention', () => {
  it('of a new shop is the checklist alone', async () => {
    const shop = await makeShop({}, service)
    expect(await attention(shop.as('viewer'))).toEqual({
      exceptions: [],
      claims: { count: 0, oldest_at: null },
      webhooks: { count: 0, endpoints: [] },
      integrations: [],
      unmapped_codes: { count: 0, parcels: 0 },
      providers: [],
      checklist: {
        steps: [
          { step: 'orders', done: false },
          { step: 'tracking', done: expect.any(Boolean) },
          { step: 'messages', done: false },
          { step: 'palette', done: false },
          { step: 'colleague', done: false },
        ],
        dismissed: false,
      },
    })
  })

  it('counts exceptions by kind and shows the first parcels', async () => {
    const shop = (await makeShop({}, service)).as('admin')
    const lost = []
    for (let parcel = 0; parcel < 4; parcel += 1) {
      lost.push(await send(shop, 'SHIPMENT_LOST'))
      clock.advance(minuteMs)
    }
    const failed = await send(shop, 'DELIVERY_ATTEMPTED_RECIPIENT_NOT_AT_HOME')
    clock.advance(minuteMs)
    await evaluateExceptions(service.context())
    const { exceptions } = await attention(shop)
    expect(exceptions).toMatchObject([
      { kind: 'lost', count: 4, parcels: lost.slice(0, 3).map(({ id }) => ({ shipment_id: id })) },
      { kind: 'failed', count: 1, parcels: [{ order_number: failed.orderNumber, customer_name: 'Ada Example' }] },
    ])
    await shop.patch(`/exceptions/${failed.id}`, { resolved: true })
    expect((await attention(shop)).exceptions).toMatchObject([{ kind: 'lost' }])
  })

  it('counts open claims, with the oldest', async () => {
    const shop = (await makeShop({}, service)).as('editor')
    const first = await send(shop, 'SUCCESSFULLY_DELIVERED')
    const second = await send(shop, 'SUCCESSFULLY_DELIVERED')
    const file = async (shipment_id: string) =>
      (await shop.post('/claims', { shipment_id, reason: 'damage', resolution_preference: 'refund' })).status
    expect(await file(first.id)).toBe(200)
    clock.advance(dayMs)
    expect(await file(second.id)).toBe(200)
    const claims = (await shop.get('/claims', { sort: 'created_at' })).body
    const [oldest] = Array.isArray(claims) ? claims : claims.claims
    expect((await attention(shop)).claims).toEqual({ count: 2, oldest_at: oldest.created_at })
    await shop.put(`/claims/${oldest.uuid}`, { status: 'closed' })
    expect((await attention(shop)).claims.count).toBe(1)
  })

  it('does not count deleted claims', async () => {
    const shop = (await makeShop({}, service)).as('admin')
    const uuids = []
    for (const parcel of [await send(shop, 'SUCCESSFULLY_DELIVERED'), await send(shop, 'SUCCESSFULLY_DELIVERED')]) {
      const { headers } = await shop.post('/claims', { shipment_id: parcel.id, reason: 'damage' })
      uuids.push(String(headers.location).split('/').at(-1))
    }
    expect((await shop.delete(`/claims/${uuids[0]}`)).status).toBe(200)
    expect((await attention(shop)).claims.count).toBe(1)
  })

  it('names an endpoint as soon as its circuit is open, with the time of the next attempt', async () => {
    const shop = (await makeShop({}, service)).as('admin')
    const { uuid } = (await shop.post('/webhooks', { url: 'https://hook.example/down' })).body
    const [now, probe_at] = [clock.now(), new Date(clock.now().getTime() + minuteMs)]
    await service.database.db
      .updateTable('webhook_endpoints')
      .set({ failing_since: now, circuit_opened_at: now, probe_at })
      .where('id', '=', uuid)
      .execute()
    expect((await attention(shop)).webhooks.endpoints).toMatchObject([
      { uuid, failing_since: now.toISOString(), waits_until: probe_at.toISOString(), undelivered: 0 },
    ])
  })

  it('names failing receivers, and their addresses to admins only', async () => {
    const made = await makeShop({}, service)
    const admin = made.as('admin')
    const shopId = await shopIdOf(made)
    const { db } = service.database
    const endpoint = (await admin.post('/webhooks', { url: 'https://hook.example/secret-path' })).body.uuid
    const since = (ms: number) => new Date(clock.now().getTime() - ms)
    await db
      .updateTable('webhook_endpoints')
      .set({ failing_since: since(minuteMs) })
      .where('id', '=', endpoint)
      .execute()
    expect((await attention(admin)).webhooks.count).toBe(0)
    await db
      .updateTable('webhook_endpoints')
      .set({ failing_since: since(hourMs) })
      .where('id', '=', endpoint)
      .execute()
    await admin.patch('/settings/triggers', { klaviyo: true })
    await kill(shopId, 'klaviyo', since(dayMs))
    await kill(shopId, 'klaviyo', since(8 * dayMs))
    await kill(shopId, endpoint, since(2 * dayMs))
    const found = await attention(admin)
    expect(found.webhooks).toEqual({
      count: 1,
      endpoints: [
        {
          uuid: endpoint,
          url: 'https://hook.example/***',
          failing_since: expect.any(String),
          waits_until: null,
          undelivered: 1,
        },
      ],
    })
    expect(found.integrations).toEqual([{ integration: 'klaviyo', failing_since: null, undelivered: 1 }])
    const failingSince = since(hourMs)
    await db
      .insertInto('receiver_health')
      .values({ shop_id: shopId, target: 'klaviyo', failing_since: failingSince, consecutive_failures: 3 })
      .execute()
    expect((await attention(admin)).integrations).toEqual([
      { integration: 'klaviyo', failing_since: failingSince.toISOString(), undelivered: 1 },
    ])
    expect((await attention(made.as('editor'))).webhooks).toEqual({ count: 1, endpoints: [] })
  })

  it('names failing providers in words, and counts unmapped codes with their parcels', async () => {
    const made = await makeShop({}, service)
    const shopId = await shopIdOf(made)
    const { db } = service.database
    const parcel = await send(made.as('editor'), 'PARCEL_DISPATCHED')
    const failing_since = clock.now()
    const failure = { last_failure_detail: 'key x is invalid', failing_since, next_free_at: failing_since }
    await db
      .insertInto('provider_accounts')
      .values([
        { shop_id: shopId, provider: 'dhl', last_failure_status: 401, ...failure },
        { shop_id: shopId, provider: 'ups', last_failure_status: 0, ...failure },
      ])
      .execute()
    await db
      .insertInto('unmapped_codes')
      .values({
        shop_id: shopId,
        provider: 'dhl',
        code: 'ZZ',
        text: 'Odd',
        scans: 2,
        first_seen_at: null,
        last_seen_at: failing_since,
        event_name: null,
      })
      .execute()
    await db
      .insertInto('unmapped_scans')
      .values(
        [0, 1].map((hours) => ({
          shop_id: shopId,
          provider: 'dhl',
          code: 'ZZ',
          shipment_id: parcel.id,
          event_time: new Date(failing_since.getTime() - hours * hourMs),
          event_key: 'MORE_INFO_ON_CARRIER_WEBSITE',
          is_recorded: true,
        })),
      )
      .execute()
    const found = await attention(made.as('admin'))
    expect(found.unmapped_codes).toEqual({ count: 1, parcels: 1 })
    expect(found.providers).toEqual([
      {
        provider: 'dhl',
        failing_since: failing_since.toISOString(),
        status: 401,
        error: 'It rejects the credentials. Check them.',
        detail: 'key x is invalid',
      },
      expect.objectContaining({ provider: 'ups', status: null, error: 'It does not respond.' }),
    ])
    expect((await attention(made.as('viewer'))).providers.map(({ detail }: { detail: unknown }) => detail)).toEqual([
      null,
      null,
    ])
  })

  it('shows the first steps until they are done or dismissed', async () => {
    const made = await makeShop({ settings: { carriers_enabled: true } }, service)
    const admin = made.as('admin')
    const done = async () =>
      (await attention(admin)).checklist.steps
        .filter((step: { done: boolean }) => step.done)
        .map(({ step }: { step: string }) => step)
    expect(await done()).toEqual(['tracking'])
    await createOrder(admin)
    await admin.post('/webhooks', { url: 'https://hook.example/' })
    await admin.patch('/settings/brand-palette', { primary_dark: '#123456' })
    const shops = [{ shop_slug: made.slug, role: 'viewer' }]
    const grace = { name: 'Grace', email: `${made.slug}@example.com`, shops }
    const { status } = await call('POST', '/v1/people', { body: grace }, service)
    expect(status).toBe(200)
    const { checklist } = await attention(admin)
    expect(checklist.steps.filter((step: { done: boolean }) => !step.done)).toEqual([])
    expect(checklist.dismissed).toBe(true)
  })

  it('lets an editor dismiss the checklist, and show it again', async () => {
    const made = await makeShop({}, service)
    const editor = made.as('editor')
    expect((await editor.patch('/attention/checklist', { dismissed: true })).body.dismissed).toBe(true)
    expect((await attention(editor)).checklist.dismissed).toBe(true)
    expect((await editor.patch('/attention/checklist', { dismissed: false })).body.dismissed).toBe(false)
    expect(placesOf((await editor.patch('/attention/checklist', {})).body)).toEqual(['body.dismissed missing'])
    expect((await made.as('viewer').patch('/attention/checklist', { dismissed: true })).status).toBe(403)
  })
})

/** A delivery that was given up then. */
async function kill(shopId: string, target: string, at: Date): Promise<void> {
  const { db } = service.database
  const notification_id = newId(at)
  await db
    .insertInto('notifications')
    .values({
      shop_id: shopId,
      id: notification_id,
      source: 'shipments',
      ref: 'ref',
      event_name: 'OUT_FOR_DELIVERY',
      event_group: 'group',
      shipment_id: null,
      order_id: null,
      body: '{}',
      triggered_at: at,
    })
    .execute()
  await db
    .insertInto('deliveries')
    .values({
      shop_id: shopId,
      id: newId(at),
      notification_id,
      target,
      shipment_id: null,
      event_name: 'OUT_FOR_DELIVERY',
      event_group: 'group',
      status: 'dead',
      next_attempt_at: at,
      created_at: at,
      finished_at: at,
    })
    .execute()
}
