import { type KyselyPlugin, sql } from 'kysely'
import { afterAll, afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { appendChunk, beginFile } from '../../src/orders/imports/file-store.ts'
import { ImportWorker } from '../../src/orders/imports/import-worker.ts'
import { leaseMs } from '../../src/orders/imports/lease.ts'
import { leaseDueImport, resumeImport } from '../../src/orders/imports/resume-import.ts'
import { ImportLost } from '../../src/orders/imports/write-batch.ts'
import { dayMs, minuteMs, secondMs } from '../../src/platform/foundation/clock.ts'
import type { Context } from '../../src/platform/foundation/context.ts'
import type { Service } from '../../src/service.ts'
import { runJobs, settle } from '../harness/deliveries.ts'
import { importFile, openWithoutWorkers, sendImport, stopWithoutWorkers } from '../harness/imports.ts'
import { startReceiver } from '../harness/receiver.ts'
import { call, clock, openTestDatabase, startTestService } from '../harness/service.ts'
import { makeShop, type ShopCaller } from '../harness/shop.ts'

afterEach(() => clock.reset())

afterAll(stopWithoutWorkers)

const csvOf = (orders: number, prefix = 'n') =>
  [
    'order_number,zip_code,product_title,tracking_number',
    // Two rows each, so that batches end between rows of one file and never within an order.
    ...Array.from({ length: orders }, (_, n) => `${prefix}${n},10115,Hat,${prefix}T${n}\n${prefix}${n},,Socks,`),
  ].join('\n')

/** The numbers of the shop's orders, their products, shipments and events. */
async function contents(service: Service, slug: string) {
  const { rows } = await sql`
    with shop as (select id from shops where slug = ${slug})
    select (select count(*)::int from orders where shop_id = shop.id) as orders,
      (select count(*)::int from shipments where shop_id = shop.id) as shipments,
      (select sum(jsonb_array_length(details -> 'products'))::int from orders where shop_id = shop.id) as products,
      (select count(*)::int from shipment_events where shop_id = shop.id) as events
    from shop`.execute(service.database.db)
  return rows[0]
}

const killed = new Error('killed')
const dies = () => {
  throw killed
}

describe('import whose worker dies', () => {
  it('is resumed by another worker when the lease has ended, without lost or repeated rows', async () => {
    const { service, slug, shop, runner } = await openWithoutWorkers()
    const { body } = await sendImport(shop, csvOf(700))
    const claimed = await leaseDueImport(service.context())
    if (claimed === undefined) throw new Error('nothing was due')
    await expect(resumeImport(service.context, claimed, dies)).rejects.toBe(killed)
    const after = (await shop.get(`/imports/${body.id}`)).body
    expect(after).toMatchObject({ status: 'running', created: 250, rows: 500, finished_at: null })
    clock.advance(leaseMs - 10 * secondMs)
    await runner.runDue()
    expect((await shop.get(`/imports/${body.id}`)).body).toEqual(after)
    clock.advance(20 * secondMs)
    await runner.runDue()
    expect((await shop.get(`/imports/${body.id}`)).body).toMatchObject({
      status: 'completed',
      rows: 1_400,
      created: 700,
      updated: 0,
      unchanged: 0,
      failed: 0,
      problems: [],
    })
    expect(await contents(service, slug)).toEqual({ orders: 700, shipments: 700, products: 1_400, events: 1_400 })
  })

  it('stores nothing of an incomplete batch', async () => {
    const { service, slug, shop, runner } = await openWithoutWorkers()
    const { body } = await sendImport(shop, csvOf(300))
    const claimed = await leaseDueImport(service.context())
    if (claimed === undefined) throw new Error('nothing was due')
    // It dies when the orders of the batch are written and the position is about to be updated.
    const dying: KyselyPlugin = {
      transformQuery({ node }) {
        if (JSON.stringify(node).includes('position_bytes =')) throw killed
        return node
      },
      transformResult: async ({ result }) => result,
    }
    const context = (): Context => ({ ...service.context(), db: service.database.db.withPlugin(dying) })
    await expect(resumeImport(context, claimed, () => true)).rejects.toBe(killed)
    expect(await contents(service, slug)).toMatchObject({ orders: 0, events: 0 })
    clock.advance(leaseMs + secondMs)
    await runner.runDue()
    expect((await shop.get(`/imports/${body.id}`)).body).toMatchObject({ status: 'completed', created: 300 })
    expect(await contents(service, slug)).toEqual({ orders: 300, shipments: 300, products: 600, events: 600 })
  })

  it('no longer belongs to its worker if that one returns late', async () => {
    const { service, slug, shop, runner } = await openWithoutWorkers()
    const { body } = await sendImport(shop, csvOf(300))
    const late = await leaseDueImport(service.context())
    if (late === undefined) throw new Error('nothing was due')
    clock.advance(leaseMs + secondMs)
    const next = await leaseDueImport(service.context())
    if (next === undefined) throw new Error('the lease has not ended')
    await expect(resumeImport(service.context, late, () => true)).rejects.toThrow(ImportLost)
    expect(await contents(service, slug)).toMatchObject({ orders: 0 })
    await resumeImport(service.context, next, () => true)
    await expect(resumeImport(service.context, late, () => true)).rejects.toThrow()
    await runner.runDue()
    expect((await shop.get(`/imports/${body.id}`)).body).toMatchObject({
      status: 'completed',
      created: 300,
      updated: 0,
    })
  })

  it('is set aside after two leases without progress, says why, and lets the others run', async () => {
    const { service, shop, runner } = await openWithoutWorkers()
    const { body } = await sendImport(shop, csvOf(300))
    const next = await sendImport((await makeShop({}, service)).as('editor'), csvOf(1))
    for (let time = 0; time < 2; time += 1) {
      // The process ends without a word, in whatever it does with the file.
      expect((await leaseDueImport(service.context()))?.id).toBe(body.id)
      expect((await shop.get(`/imports/${body.id}`)).body).toMatchObject({ status: 'running', reason: null })
      clock.advance(leaseMs + secondMs)
      await sql`update imports set due_at = ${clock.now()} where id = ${next.body.id}`.execute(service.database.db)
    }
    await runner.runDue()
    const report = (await shop.get(`/imports/${body.id}`)).body
    expect(report).toMatchObject({
      status: 'set_aside',
      rows: 0,
      created: 0,
      reason: expect.stringMatching(/at its beginning .* without progress.* log /),
      finished_at: expect.any(String),
    })
    expect(report.problems).toEqual([expect.objectContaining({ row: 1, message: report.reason })])
    const { rows } = await sql`
      select id::text, status, due_at from imports order by id`.execute(service.database.db)
    expect(rows).toEqual([
      { id: body.id, status: 'set_aside', due_at: null },
      { id: next.body.id, status: 'completed', due_at: null },
    ])
    expect((await sql`select 1 from import_chunks`.execute(service.database.db)).rows).toEqual([])
  })

  it('goes on however often it is killed, as long as it gets on', async () => {
    const { service, slug, shop, runner } = await openWithoutWorkers()
    const { body } = await sendImport(shop, csvOf(900))
    for (let time = 0; time < 3; time += 1) {
      const claimed = await leaseDueImport(service.context())
      if (claimed === undefined) throw new Error('nothing was due')
      await expect(resumeImport(service.context, claimed, dies)).rejects.toBe(killed)
      clock.advance(leaseMs + secondMs)
      // And once in between before it wrote anything.
      await leaseDueImport(service.context())
      clock.advance(leaseMs + secondMs)
    }
    await runner.runDue()
    expect((await shop.get(`/imports/${body.id}`)).body).toMatchObject({ status: 'completed', created: 900 })
    expect(await contents(service, slug)).toMatchObject({ orders: 900, events: 1_800 })
  })

  it('is set aside if its chunks cannot be read, and not because the store was away', async () => {
    const { service, shop, runner } = await openWithoutWorkers()
    const broken = (await sendImport(shop, csvOf(1))).body
    await sql`delete from import_chunks`.execute(service.database.db)
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await runner.runDue()
      clock.advance(minuteMs)
    }
    expect((await shop.get(`/imports/${broken.id}`)).body).toMatchObject({ status: 'set_aside' })
    const { body } = await sendImport(shop, csvOf(1))
    let failures = 6
    const failing: KyselyPlugin = {
      transformQuery({ node }) {
        if (failures > 0 && JSON.stringify(node).includes('position_bytes =')) {
          failures -= 1
          throw Object.assign(new Error('no space left on device'), { code: '53100' })
        }
        return node
      },
      transformResult: async ({ result }) => result,
    }
    const context = (): Context => ({ ...service.context(), db: service.database.db.withPlugin(failing) })
    const unlucky = new ImportWorker(context)
    for (let attempt = 0; attempt < 6; attempt += 1) {
      await unlucky.runDue()
      clock.advance(minuteMs)
    }
    expect(failures).toBe(0)
    expect((await shop.get(`/imports/${body.id}`)).body).toMatchObject({ status: 'running', created: 0 })
    await unlucky.runDue()
    expect((await shop.get(`/imports/${body.id}`)).body).toMatchObject({ status: 'completed', created: 1 })
  })

  it('still ends after a thousand faulty rows, however short its turns are', async () => {
    const { service, shop } = await openWithoutWorkers()
    const { body } = await sendImport(shop, `order_number\n${`good\n${'fau"lty\n'.repeat(2_499)}`}`)
    const turns: number[] = []
    for (let turn = 0; turn < 20; turn += 1) {
      const claimed = await leaseDueImport(service.context())
      if (claimed === undefined) break
      turns.push(claimed.unreadable_rows)
      await resumeImport(service.context, claimed, () => false)
    }
    expect((await shop.get(`/imports/${body.id}`)).body).toMatchObject({ status: 'failed', failed: 1_000 })
  })
})

describe('imports', () => {
  it('alternate, so that a small file does not wait for a large one', async () => {
    const { service, shop } = await openWithoutWorkers()
    const large = await sendImport(shop, csvOf(600, 'large'))
    const small = await sendImport(shop, csvOf(1, 'small'))
    const first = await leaseDueImport(service.context())
    if (first === undefined) throw new Error('nothing was due')
    expect(first.id).toBe(large.body.id)
    await resumeImport(service.context, first, () => false)
    expect((await shop.get(`/imports/${large.body.id}`)).body).toMatchObject({ status: 'running', created: 250 })
    expect((await leaseDueImport(service.context()))?.id).toBe(small.body.id)
  })

  it('skip an order that the database rejects, and write the others', async () => {
    const { service, shop, runner } = await openWithoutWorkers()
    await sql`alter table orders add constraint picky check (order_number <> 'picky7')`.execute(service.database.db)
    const { body } = await sendImport(shop, csvOf(20, 'picky'))
    await runner.runDue()
    expect((await shop.get(`/imports/${body.id}`)).body).toMatchObject({
      status: 'completed',
      rows: 40,
      created: 19,
      failed: 1,
      problems: [{ row: 16, value: 'picky7', key: 'unexpected' }],
    })
  })

  it('remove an upload whose process died', async () => {
    const { service, slug, runner } = await openWithoutWorkers()
    const { database } = service
    const shop = await database.db.selectFrom('shops').where('slug', '=', slug).selectAll().executeTakeFirstOrThrow()
    const context = { ...service.context(), shop }
    const id = '0192f3c4-7b1e-7cc0-9d3a-2f6f7a1b4c5d'
    const until = new Date(context.now.getTime() + minuteMs)
    await beginFile(context, id, 'x.csv', until)
    expect(await appendChunk(context, id, { number: 0, bytes: Buffer.from('order_number\n1') }, until)).toBe(true)
    await runner.runDue()
    const chunks = async () => (await database.db.selectFrom('import_chunks').select('number').execute()).length
    expect(await chunks()).toBe(1)
    expect((await call('GET', `/v1/shops/${slug}/imports/${id}`, {}, service)).status).toBe(404)
    clock.advance(2 * minuteMs)
    await runner.runDue()
    expect(await chunks()).toBe(0)
    expect(await appendChunk(context, id, { number: 1, bytes: Buffer.from('2') }, until)).toBe(false)
  })

  it('are deleted after the retention time that the operator has set', async () => {
    const service = await startTestService({ RETENTION_DAYS: '30' }, await openTestDatabase())
    onTestFinished(() => service.stop())
    const shop = (await makeShop({}, service)).as('editor')
    await importFile(shop, 'order_number,zip_code\n1,-\n', {}, service)
    clock.advance(29 * dayMs)
    await runJobs(service)
    expect((await shop.get('/imports')).body).toHaveLength(1)
    clock.advance(2 * dayMs)
    await runJobs(service)
    expect((await shop.get('/imports')).body).toEqual([])
  })

  it('publish events like any other change, and none for a dry run', async () => {
    const receiver = await startReceiver()
    onTestFinished(() => receiver.close())
    const service = await startTestService({}, await openTestDatabase())
    onTestFinished(() => service.stop())
    const shop: ShopCaller = (await makeShop({}, service)).as('admin')
    await shop.post('/webhooks', { url: receiver.url })
    await importFile(shop, csvOf(3), { dryRun: true }, service)
    await settle(service)
    expect(receiver.received).toEqual([])
    await importFile(shop, csvOf(3), {}, service)
    await settle(service)
    const sent = receiver.received.map(({ body }) => body.data?.event_data?.event_name ?? body.event_data?.event_name)
    expect(sent.sort()).toEqual([...Array(3).fill('ORDER_CREATED'), ...Array(3).fill('ORDER_PROCESSED')])
  })
})
