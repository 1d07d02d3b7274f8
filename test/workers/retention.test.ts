import { sql } from 'kysely'
import { afterAll, afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { dayMs, minuteMs } from '../../src/platform/foundation/clock.ts'
import { shopIdOf } from '../harness/customers.ts'
import { runJob, settle } from '../harness/deliveries.ts'
import { createOrder, uniqueNumber } from '../harness/orders.ts'
import { startReceiver } from '../harness/receiver.ts'
import { clock, openTestDatabase, startTestService } from '../harness/service.ts'
import { makeShop } from '../harness/shop.ts'

// Of its own: in the shared service, it would remove the rows of other tests.
const service = await startTestService({ RETENTION_DAYS: '5', AUDIT_DAYS: '40' }, await openTestDatabase())
afterAll(() => service.stop())
afterEach(() => clock.reset())

const applyRetention = () => runJob('retention', service)

async function openShop() {
  const made = await makeShop({}, service)
  const shop = made.as('admin')
  const number = uniqueNumber('RE-')
  const order = await createOrder(shop, { order_placed_at: undefined }, [{ tracking_number: number }])
  const shopId = await shopIdOf(service, made)
  return {
    shop,
    shopId,
    orderId: order.uuid as string,
    scan: (event_name: string) => shop.post('/shipment-events?notify=true', { id: number, event_name }),
    segments: async () => (await shop.get(`/orders/${order.uuid}`)).body.segments,
    async names(): Promise<string[]> {
      const { rows } = await sql<{ name: string }>`
        select split_part(ref, '/', 3) as name from notifications where shop_id = ${shopId} order by id`.execute(
        service.database.db,
      )
      return rows.map(({ name }) => name)
    },
  }
}

async function listenWith(respond: () => { status: number }) {
  const receiver = await startReceiver()
  onTestFinished(() => receiver.close())
  receiver.respond = respond
  return receiver
}

describe('retention', () => {
  it('removes deliveries that are finished and old enough, with their notices, and no younger ones', async () => {
    const receiver = await listenWith(() => ({ status: 200 }))
    const { shop, scan, names } = await openShop()
    await shop.post('/webhooks', { url: receiver.url, enabled_events: ['shipments'] })
    await scan('PARCEL_DISPATCHED')
    await settle(service)
    clock.advance(2 * dayMs)
    await scan('OUT_FOR_DELIVERY')
    await settle(service)
    clock.advance(2.9 * dayMs)
    await applyRetention()
    expect(await names()).toEqual(['PARCEL_DISPATCHED', 'OUT_FOR_DELIVERY'])
    clock.advance(0.2 * dayMs)
    await applyRetention()
    expect(await names()).toEqual(['OUT_FOR_DELIVERY'])
    expect((await shop.get('/deliveries')).body).toMatchObject([{ event_name: 'OUT_FOR_DELIVERY' }])
  })

  it('keeps a notice until the last of its deliveries is finished', async () => {
    const [working, failing] = [await listenWith(() => ({ status: 200 })), await listenWith(() => ({ status: 503 }))]
    const { shop, scan, names } = await openShop()
    for (const { url } of [working, failing]) await shop.post('/webhooks', { url, enabled_events: ['shipments'] })
    await scan('PARCEL_DISPATCHED')
    await settle(service)
    clock.advance(6 * dayMs)
    await applyRetention()
    expect(await names()).toEqual(['PARCEL_DISPATCHED'])
    failing.respond = () => ({ status: 200 })
    clock.advance(minuteMs)
    await settle(service)
    expect((await shop.get('/deliveries')).body.map(({ status }: { status: string }) => status)).toEqual([
      'delivered',
      'delivered',
    ])
    await applyRetention()
    expect(await names()).toEqual([])
  })

  it('keeps an automation run that waits for longer, whose actions are then executed', async () => {
    const { shop, scan, names, segments } = await openShop()
    const { body } = await shop.post('/automations', {
      name: uniqueNumber('automation '),
      trigger: { events: ['shipments/delivered'] },
      delay_minutes: 10 * 24 * 60,
      actions: [{ type: 'add_segment', segment: 'happy' }],
    })
    const run = async () => (await shop.get(`/automations/${body.uuid}/runs`)).body
    await scan('SUCCESSFULLY_DELIVERED')
    await settle(service)
    clock.advance(9 * dayMs)
    await applyRetention()
    expect(await names()).toEqual(['SUCCESSFULLY_DELIVERED'])
    expect(await run()).toMatchObject([{ status: 'pending' }])
    clock.advance(1.1 * dayMs)
    service.workers?.automations.wake()
    await settle(service)
    await expect.poll(segments).toEqual(['vip', 'happy'])
    expect(await run()).toMatchObject([{ status: 'done' }])
    await applyRetention()
    expect(await names()).toEqual([])
    expect(await run()).toEqual([])
  })

  it('expires an event of the feed together with its notice, and no younger one', async () => {
    const { shop, scan, names } = await openShop()
    const { next } = (await shop.get('/events')).body
    await scan('PARCEL_DISPATCHED')
    const [first] = (await shop.get('/events', { after: next })).body.events
    clock.advance(3 * dayMs)
    await scan('OUT_FOR_DELIVERY')
    await shop.get('/events', { after: next })
    clock.advance(2.1 * dayMs)
    await applyRetention()
    expect(await names()).toEqual(['OUT_FOR_DELIVERY'])
    expect((await shop.get('/events', { after: next })).status).toBe(410)
    const { body } = await shop.get('/events', { after: first.cursor })
    expect(body.events.map(({ ref }: { ref: string }) => ref)).toEqual(['shipments/in_delivery/OUT_FOR_DELIVERY'])
  })

  it('removes records of sent mail and page views that are old enough, and no younger ones', async () => {
    const { shopId, orderId } = await openShop()
    const { db } = service.database
    const now = clock.now()
    const daysAgo = (days: number) => new Date(now.getTime() - days * dayMs)
    for (const days of [4, 6]) {
      await sql`
        insert into mail_messages (shop_id, delivery_id, order_id, is_about_parcels, started_at)
        values (${shopId}, gen_random_uuid(), ${orderId}, true, ${daysAgo(days)})`.execute(db)
      await sql`
        insert into page_views (shop_id, order_id, hour, views, first_viewed_at, last_viewed_at)
        values (${shopId}, ${orderId}, ${daysAgo(days)}, 1, ${now}, ${now})`.execute(db)
    }
    await applyRetention()
    const { rows } = await sql`
      select started_at as at from mail_messages where shop_id = ${shopId}
      union all
      select hour from page_views where shop_id = ${shopId}`.execute(db)
    expect(rows).toEqual([{ at: daysAgo(4) }, { at: daysAgo(4) }])
  })

  it('removes all imports that are old enough at once, however many, and no younger ones', async () => {
    const { shopId } = await openShop()
    const { db } = service.database
    const now = clock.now()
    const daysAgo = (days: number) => new Date(now.getTime() - days * dayMs)
    const young = crypto.randomUUID()
    const makeImport = (id: string, finished_at: Date) =>
      ({
        shop_id: shopId,
        id,
        filename: 'orders.csv',
        status: 'completed',
        created_at: finished_at,
        finished_at,
      }) as const
    await db
      .insertInto('imports')
      .values([
        ...Array.from({ length: 101 }, () => makeImport(crypto.randomUUID(), daysAgo(6))),
        makeImport(young, daysAgo(4)),
      ])
      .execute()
    await applyRetention()
    expect(await db.selectFrom('imports').where('shop_id', '=', shopId).select('id').execute()).toEqual([{ id: young }])
  })
})

describe('retention of the audit log', () => {
  it('has a time of its own', async () => {
    const { shop } = await openShop()
    const act = (footer: string) => shop.patch('/settings/mail', { footer })
    const changes = async () => (await shop.get('/audit-log', { action: 'updateMailSettings' })).body.length
    await act('One')
    clock.advance(30 * dayMs)
    await act('Two')
    await applyRetention()
    await runJob('audit retention', service)
    expect(await changes()).toBe(2)
    clock.advance(11 * dayMs)
    await runJob('audit retention', service)
    expect(await changes()).toBe(1)
  })
})

describe('uploads of forms that were never sent', () => {
  it('are removed an hour after they expired, with their bytes, and others stay', async () => {
    const { shopId } = await openShop()
    const { db } = service.database
    const { imageStore } = service.context().services
    const keyOf = (letter: string) =>
      `claim-${Buffer.from(shopId.replaceAll('-', ''), 'hex').toString('base64url')}-${letter.repeat(24)}.png`
    const [abandoned, used] = [keyOf('a'), keyOf('b')]
    for (const key of [abandoned, used]) {
      const expiresAt = key === used ? null : clock.now()
      await imageStore.put(key, Buffer.from('bytes'), 'image/png')
      await sql`
        insert into images (shop_id, key, image_type, media_type, size_bytes, width, height, created_at, expires_at)
        values (${shopId}, ${key}, 'claim', 'image/png', 5, 1, 1, ${clock.now()}, ${expiresAt})`.execute(db)
    }
    const left = async () => {
      const rows = await db.selectFrom('images').where('shop_id', '=', shopId).orderBy('key').select('key').execute()
      const bytes = await Promise.all([abandoned, used].map((key) => imageStore.get(key)))
      return { rows: rows.map(({ key }) => key), bytes: bytes.map((each) => each?.toString()) }
    }
    clock.advance(50 * minuteMs)
    await runJob('abandoned uploads', service)
    expect(await left()).toEqual({ rows: [abandoned, used], bytes: ['bytes', 'bytes'] })
    clock.advance(11 * minuteMs)
    await runJob('abandoned uploads', service)
    expect(await left()).toEqual({ rows: [used], bytes: [undefined, 'bytes'] })
  })
})
