import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { createPurgeDeletedShopsJob } from '../../src/installation/deleted-shops/purge-deleted-shops.ts'
import { dayMs, hourMs, minuteMs } from '../../src/platform/foundation/clock.ts'
import { listShopTables } from '../../src/platform/store/shop-tables.ts'
import type { Service } from '../../src/service.ts'
import { startImageStore } from '../conformance/s3-server.ts'
import { shopIdOf } from '../harness/customers.ts'
import { multipart } from '../harness/multipart.ts'
import { newFolder } from '../harness/new-folder.ts'
import { createOrder } from '../harness/orders.ts'
import { call, clock, openTestDatabase, startTestService } from '../harness/service.ts'
import { makeShop, type TestShop } from '../harness/shop.ts'
import { countsOf, makeWholeShops, sumsOf, tenantTables, type WholeShop } from '../harness/whole-shop.ts'

// A separate service: otherwise the deleted shops of other tests would be removed.
const dataDir = newFolder()
const service = await startTestService({ DATA_DIR: dataDir }, await openTestDatabase())
const [first, second] = (await makeWholeShops(service, 2)) as [WholeShop, WholeShop]

afterEach(() => clock.reset())
afterAll(async () => {
  await service.stop()
  for (const { filled } of [first, second]) await filled.close()
})

const remove = ({ slug }: TestShop, where = service) => call('DELETE', `/v1/shops/${slug}`, {}, where)
const purge = () => createPurgeDeletedShopsJob(30).run(service.context(), Number.POSITIVE_INFINITY)
const nothing = Object.fromEntries((await tenantTables(service)).map((table) => [table, 0]))
const filesOf = ({ filled }: WholeShop) => {
  const keys = filled.imageUrls.map((url) => new URL(url).pathname.split('/').at(-1) ?? '')
  return readdirSync(join(dataDir, 'images')).filter((file) => keys.includes(file))
}

async function isThere(id: string, where = service): Promise<boolean> {
  const { rows } = await sql`select 1 from shops where id = ${id}`.execute(where.database.db)
  return rows.length > 0
}

describe('deleted shop', () => {
  it('is removed completely when it is due, and not before; no other shop loses anything', async () => {
    const sums = await sumsOf(service, first.id)
    const othersSums = await sumsOf(service, second.id)
    // Without rows in every table, the rest would prove nothing.
    expect(Object.entries(await countsOf(service, first.id)).filter(([, count]) => count === 0)).toEqual([])
    expect(filesOf(first)).toHaveLength(3)
    await remove(first.made)
    clock.advance(29 * dayMs)
    await purge()
    expect(await sumsOf(service, first.id)).toEqual(sums)
    expect(filesOf(first)).toHaveLength(3)
    clock.advance(2 * dayMs)
    await purge()
    expect(await countsOf(service, first.id)).toEqual(nothing)
    expect(await isThere(first.id)).toBe(false)
    expect(filesOf(first)).toEqual([])
    expect(await sumsOf(service, second.id)).toEqual(othersSums)
    expect(filesOf(second)).toHaveLength(3)
  })

  it('is removed in batches, each starting where the last one ended, on any node', async () => {
    const other = await makeShop({}, service)
    await createOrder(other.as('editor'), {}, [{ tracking_number: 'OTHER1', carrier_reference: 'dhl' }])
    const otherId = await shopIdOf(service, other)
    const othersSums = await sumsOf(service, otherId)
    await remove(second.made)
    clock.advance(31 * dayMs)
    const rowsLeft = async () =>
      Object.values(await countsOf(service, second.id)).reduce((sum, count) => sum + count, 0)
    const makeJob = () => createPurgeDeletedShopsJob(30, { batchRows: 3, rowsPerRun: 15 })
    let job = makeJob()
    let turns = 0
    for (let left = await rowsLeft(); await isThere(second.id); turns += 1) {
      // Every third batch is run by a process without state of the others.
      if (turns % 3 === 2) job = makeJob()
      await job.run(service.context(), Number.POSITIVE_INFINITY)
      const now = await rowsLeft()
      expect(left - now).toBeLessThan(30)
      if (left > 0) expect(now).toBeLessThan(left)
      left = now
    }
    expect(turns).toBeGreaterThan(5)
    expect(await countsOf(service, second.id)).toEqual(nothing)
    expect(filesOf(second)).toEqual([])
    expect(await sumsOf(service, otherId)).toEqual(othersSums)
  })

  it('does not affect the shop that has its slug now', async () => {
    const { slug, as } = await makeShop({}, service)
    const shop = as('superadmin')
    await createOrder(shop)
    const { uuid: formerId } = (await shop.get('')).body
    await call('DELETE', `/v1/shops/${slug}`, {}, service)
    await call('POST', '/v1/shops', { body: { name: 'New', slug } }, service)
    const order = await createOrder(shop)
    const { uuid: id } = (await shop.get('')).body
    const sums = await sumsOf(service, id)
    clock.advance(31 * dayMs)
    await purge()
    expect(await isThere(formerId)).toBe(false)
    expect(await sumsOf(service, id)).toEqual(sums)
    expect((await shop.get(`/orders/${order.uuid}`)).status).toBe(200)
  })

  it('is restored with all its rows if an operator undoes the deletion in time', async () => {
    const shop = await makeShop({}, service)
    const id = await shopIdOf(service, shop)
    const order = await createOrder(shop.as('editor'))
    const sums = await sumsOf(service, id)
    await remove(shop)
    clock.advance(29 * dayMs)
    await purge()
    await sql`update shops set deleted_at = null where id = ${id}`.execute(service.database.db)
    clock.advance(2 * dayMs)
    await purge()
    expect(await sumsOf(service, id)).toEqual(sums)
    expect((await shop.as('editor').get(`/orders/${order.uuid}`)).status).toBe(200)
  })

  it('loses its keys; a key for several shops loses only this one', async () => {
    const [deleted, kept] = [await makeShop({}, service), await makeShop({}, service)]
    const own = await deleted.credentials('viewer')
    const makeKey = async (slugs: string[]) => {
      const shops = slugs.map((shop_slug) => ({ shop_slug, role: 'viewer' }))
      const { body } = await call('POST', `/v1/shops/${deleted.slug}/api-keys`, { body: { shops } }, service)
      return { username: body.username, apiKey: body.secret }
    }
    const both = await makeKey([deleted.slug, kept.slug])
    const all = await makeKey([deleted.slug, '*'])
    const seen = (auth: { username: string; apiKey: string }) =>
      call('GET', '/v1/shops', { auth, query: { slug: kept.slug } }, service)
    await remove(deleted)
    expect((await seen(own)).body).toEqual([])
    clock.advance(31 * dayMs)
    await purge()
    expect((await seen(own)).status).toBe(401)
    for (const auth of [both, all]) expect((await seen(auth)).body).toMatchObject([{ slug: kept.slug }])
  })

  it('is retried while the image store fails, without delaying others', async () => {
    const { s3, settings } = await startImageStore()
    onTestFinished(() => s3.close())
    const elsewhere = await startTestService({ ...settings, DELETED_SHOP_DAYS: '7' }, await openTestDatabase())
    onTestFinished(() => elsewhere.stop())
    const [shop, other] = [await makeShop({}, elsewhere), await makeShop({}, elsewhere)]
    const form = multipart([
      { name: 'image_type', content: 'claim' },
      { name: 'image', content: await picture(), filename: 'photo.png', contentType: 'image/png' },
    ])
    await shop.as('editor').post('/images', undefined, form)
    expect(s3.objects.size).toBe(1)
    const [id, otherId] = [await shopIdOf(elsewhere, shop), await shopIdOf(elsewhere, other)]
    for (const each of [shop, other]) await remove(each, elsewhere)
    clock.advance(8 * dayMs)
    s3.failures.push(400)
    await elsewhere.schedule.tick()
    expect(await countsOf(elsewhere, id)).toEqual({ ...nothing, images: 1 })
    expect(await isThere(id, elsewhere)).toBe(true)
    expect(await isThere(otherId, elsewhere)).toBe(false)
    // It is left alone for ten minutes, although the image store works again.
    clock.advance(9 * minuteMs)
    await elsewhere.schedule.tick()
    expect(s3.objects.size).toBe(1)
    clock.advance(hourMs)
    await elsewhere.schedule.tick()
    expect(s3.objects.size).toBe(0)
    expect(await isThere(id, elsewhere)).toBe(false)
  })
})

function picture(): Promise<Buffer> {
  return sharp({ create: { width: 8, height: 6, channels: 3, background: '#a33' } })
    .png()
    .toBuffer()
}

describe('import of a shop', () => {
  it('is removed once it has recorded no progress for five minutes, and not before', async () => {
    const id = await shopIdOf(service, await makeShop({}, service))
    await service.database.db
      .updateTable('shops')
      .set({ deleted_at: clock.now(), updated_at: clock.now(), paused_at: clock.now(), paused_for: 'import' })
      .where('id', '=', id)
      .execute()
    clock.advance(4 * minuteMs)
    await purge()
    expect(await isThere(id)).toBe(true)
    clock.advance(2 * minuteMs)
    await purge()
    expect(await isThere(id)).toBe(false)
  })
})

describe('tables of a shop', () => {
  it('are all listed, in an order that foreign keys allow', async () => {
    const tables = (await listShopTables(service.context())).map(({ name }) => name)
    expect(tables.toSorted()).toEqual(await tenantTables(service))
    const references = await listReferences(service)
    expect(references.length).toBeGreaterThan(20)
    const early = references.filter(({ from, to }) => from !== to && tables.indexOf(from) > tables.indexOf(to))
    expect(early.filter(({ to }) => tables.includes(to))).toEqual([])
  })

  it('are not referred to by tables without a shop', async () => {
    const known = [...(await tenantTables(service)), 'shops']
    const hanging = (await listReferences(service)).filter(
      ({ from, to }) => known.includes(to) && !known.includes(from),
    )
    expect(hanging).toEqual([])
  })
})

async function listReferences({ database }: Service): Promise<{ from: string; to: string }[]> {
  const { rows } = await sql<{ from: string; to: string }>`
    select distinct referring.table_name as from, referred.table_name as to
    from information_schema.referential_constraints as reference
    join information_schema.table_constraints as referring
      on referring.constraint_schema = reference.constraint_schema and referring.constraint_name = reference.constraint_name
    join information_schema.table_constraints as referred
      on referred.constraint_schema = reference.unique_constraint_schema
      and referred.constraint_name = reference.unique_constraint_name
    where reference.constraint_schema = 'public'`.execute(database.db)
  return rows
}
