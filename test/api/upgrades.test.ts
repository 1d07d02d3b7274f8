import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { adminKey, encryptionKey, slug } from '../../bin/versions/fill.ts'
import { writeFiles } from '../../bin/versions/kept-files.ts'
import { fillStore, type KeptStore } from '../../bin/versions/kept-store.ts'
import { createDatabase } from '../../src/platform/store/database.ts'
import { openInMemory } from '../../src/platform/store/embedded/in-memory.ts'
import type { Engine } from '../../src/platform/store/engine.ts'
import { openPostgres } from '../../src/platform/store/postgres.ts'
import { startService } from '../../src/service.ts'
import { MovableClock } from '../harness/clock.ts'
import { keptVersions, readKeptStore } from '../harness/kept-versions.ts'
import { newFolder } from '../harness/new-folder.ts'
import { until } from '../harness/patience.ts'
import { createPostgresDatabase } from '../harness/prepared-stores.ts'
import { startReceiver } from '../harness/receiver.ts'
import { type Call, call, engine, openTestDatabase, testConfig } from '../harness/service.ts'
import { freshSchema, inspectEngine } from '../harness/store-schema.ts'

describe.each(keptVersions())('a store of version %s', (version) => {
  it('opens in this version with everything it has, and what was pending is delivered', async () => {
    const kept = readKeptStore(version)
    const { shop, get, close, store } = await openKept(kept)
    expect(store.schema).toEqual(await freshSchema(engine))
    expect(store.sequencesBehind).toEqual([])
    const { orderNumber, trackingNumber, orderId, webhook, pagePath } = kept.made

    expect((await get('/v1/shops')).body.map((found: { slug: string }) => found.slug)).toEqual(
      expect.arrayContaining(['demo', slug]),
    )
    expect((await shop('GET', `/orders/${orderId}`)).body).toMatchObject({
      order_number: orderNumber,
      email_id: 'ada@example.com',
      address: { name: 'Ada Example' },
    })
    const found = (await shop('GET', '/shipments', { query: { tracking_number: trackingNumber ?? '' } })).body
    const [shipment] = Array.isArray(found) ? found : found.shipments
    const timeline = (await shop('GET', `/shipments/${shipment.uuid ?? shipment.id}/timeline`)).text
    expect(timeline).toContain('PARCEL_DISPATCHED')
    expect(timeline).toContain('OUT_FOR_DELIVERY')
    expect((await shop('GET', '/claims')).text).toContain('One cup is broken.')
    expect((await shop('GET', '/campaigns')).text).toContain('Warm feet')
    expect((await get(`/v1/shops/demo/orders`)).body.length).toBeGreaterThan(0)
    expect((await get(pagePath ?? '', { auth: null })).text).toContain(orderNumber)
    const key = { username: kept.made.keyUsername ?? '', apiKey: kept.made.keySecret ?? '' }
    expect((await shop('GET', '', { auth: key })).status).toBe(200)
    // Masked, which needs the decrypted credentials.
    expect(JSON.stringify((await shop('GET', '/keys')).body)).toMatch(/6789|pk_/)

    const receiver = await startReceiver()
    onTestFinished(() => receiver.close())
    const statuses = async () =>
      (await shop('GET', `/webhooks/${webhook}/deliveries`)).body.map(({ status }: { status: string }) => status)
    expect(new Set(await statuses())).toEqual(new Set(['delivered', 'pending']))
    expect((await shop('PATCH', `/webhooks/${webhook}`, { body: { url: receiver.url } })).status).toBe(200)
    await until(async () => ((await statuses()).every((status: string) => status === 'delivered') ? true : undefined))
    expect(receiver.received.map(({ body }) => body.event_data.event_name)).toContain('OUT_FOR_DELIVERY')
    await close()
  })
})

describe('a table that another node changes', () => {
  it('is read by statements that were prepared before', async () => {
    const { db, close } = await openTestDatabase()
    const read = async () => (await sql<object>`select * from changing where id = ${1}::int`.execute(db)).rows
    await sql`create table changing (id int)`.execute(db)
    await sql`insert into changing values (1)`.execute(db)
    expect(await read()).toEqual([{ id: 1 }])
    await sql`alter table changing add column added int`.execute(db)
    expect(await read()).toEqual([{ id: 1, added: null }])
    await sql`drop table changing`.execute(db)
    await close()
  })
})

async function openKept(kept: KeptStore) {
  const store = await openEmptyStore()
  await fillStore(store, kept)
  const database = await createDatabase(store)
  const inspected = await inspectEngine(store)
  // An embedded store of another major version opens none of the folders out there: they would have to be moved first.
  const { rows } = await sql<{ major: number }>`
    select current_setting('server_version_num')::int / 10000 as major`.execute(database.db)
  if (engine === 'embedded') expect(rows).toEqual([{ major: kept.embeddedMajor }])
  const dataDir = newFolder()
  writeFiles(dataDir, kept.files)
  // An hour after it was made: retention would remove its rows some day, and all retries are due.
  const clock = new MovableClock()
  clock.advance(Date.parse(kept.madeAt) + 3_600_000 - Date.now())
  const config = testConfig({
    DATA_DIR: dataDir,
    ADMIN_API_KEY: adminKey,
    ENCRYPTION_KEY: encryptionKey,
    WEBHOOK_ALLOW_PRIVATE: '1',
    LOG_LEVEL: 'fatal',
  })
  const service = await startService(config, { clock, database, listen: false })
  const auth = { username: 'admin', apiKey: adminKey }
  const get = (path: string, options: Call = {}) => call('GET', path, { auth, ...options }, service)
  const shop = (method: string, path: string, options: Call = {}) =>
    call(method, `/v1/shops/${slug}${path}`, { auth, ...options }, service)
  return { get, shop, store: inspected, close: () => service.stop() }
}

async function openEmptyStore(): Promise<Engine> {
  return engine === 'embedded' ? openInMemory() : openPostgres(await createPostgresDatabase(), 10)
}
