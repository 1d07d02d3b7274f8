import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { beginSealing, sealAtOnce } from '../../src/delivery/queue/sealed-address-store.ts'
import { hourMs, minuteMs } from '../../src/platform/foundation/clock.ts'
import { runJob, settle } from '../harness/deliveries.ts'
import { createOrder, uniqueNumber } from '../harness/orders.ts'
import { type Receiver, startReceiver } from '../harness/receiver.ts'
import { clock, engine, logLines, theService } from '../harness/service.ts'
import { makeShop, type ShopCaller } from '../harness/shop.ts'

const receivers: Receiver[] = []
afterEach(() => clock.reset())
afterAll(async () => {
  for (const receiver of receivers) await receiver.close()
})

/** A shop whose endpoint has secrets in every part of its address that can have one. */
async function openShop() {
  const receiver = await startReceiver()
  receivers.push(receiver)
  const { host, origin } = new URL(receiver.url)
  const word = uniqueNumber('tok')
  const url = `http://user-${word}:pass-${word}@${host}/services/path-${word}?key=query-${word}`
  const shop = (await makeShop()).as('admin')
  const made = await shop.post('/webhooks', { url })
  return { receiver, shop, origin, word, url, made, uuid: made.body.uuid as string }
}

async function sendEvent(shop: ShopCaller): Promise<void> {
  const number = uniqueNumber('WA')
  await createOrder(shop, { order_placed_at: undefined }, [{ tracking_number: number }])
  await shop.post('/shipment-events?notify=true', { id: number, event_name: 'OUT_FOR_DELIVERY' })
  await settle()
}

/** The tables that have the text in any row. */
async function tablesWith(text: string): Promise<string[]> {
  const { db } = (await theService()).database
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`.execute(db)
  const found: string[] = []
  for (const { name } of tables) {
    const { rows } = await sql`select 1 from ${sql.table(name)} as t where t::text like ${`%${text}%`} limit 1`.execute(
      db,
    )
    if (rows.length > 0) found.push(name)
  }
  return found
}

/** As version 0.2.0 stores it. */
async function storePlain(uuid: string, url: string): Promise<void> {
  const { db } = (await theService()).database
  await db.updateTable('webhook_endpoints').set({ url, sealed_url: null }).where('id', '=', uuid).execute()
}

async function storedAddress(uuid: string) {
  const { db } = (await theService()).database
  return db
    .selectFrom('webhook_endpoints')
    .where('id', '=', uuid)
    .select(['url', 'sealed_url'])
    .executeTakeFirstOrThrow()
}

describe('address of a webhook', () => {
  it('is stored sealed, and called whole', async () => {
    const { receiver, shop, word, uuid } = await openShop()
    await sendEvent(shop)
    await shop.post(`/webhooks/${uuid}/test`)
    await settle()
    const called = new Set(receiver.received.map(({ path }) => path))
    expect([...called]).toEqual([`/services/path-${word}?key=query-${word}`])
    expect(await tablesWith(word)).toEqual([])
  })

  it('is whole for admins who read the endpoint, and its path is nowhere else: lists, logs, the audit log, errors', async () => {
    const logged = logLines.length
    const { shop, origin, word, url, made, uuid, receiver } = await openShop()
    expect(made.body.url).toBe(url)
    expect((await shop.get(`/webhooks/${uuid}`)).body.url).toBe(url)
    expect((await shop.get('/webhooks')).body).toMatchObject([{ url }])
    expect((await shop.get('/webhooks', { url })).body).toMatchObject([{ uuid }])
    expect((await shop.get('/webhooks', { url: `${url}-` })).body).toEqual([])
    receiver.respond = () => ({ status: 503, body: 'busy' })
    await sendEvent(shop)
    const again = await shop.post('/webhooks', { url })
    expect([again.status, again.body.key]).toEqual([409, 'webhook_exists'])
    const moved = `${origin}/other-${word}`
    expect((await shop.patch(`/webhooks/${uuid}`, { url: moved })).status).toBe(200)
    expect((await shop.get(`/webhooks/${uuid}`)).body.url).toBe(moved)
    expect((await shop.post('/webhooks', { url: moved })).status).toBe(409)
    expect((await shop.post('/webhooks', { url })).status).toBe(200)
    const taken = await shop.patch(`/webhooks/${uuid}`, { url })
    expect([taken.status, taken.body.key]).toEqual([409, 'webhook_exists'])
    const delivery = (await shop.get(`/webhooks/${uuid}/deliveries`)).body.find(
      ({ attempts }: { attempts: unknown[] }) => attempts.length > 0,
    )
    const detail = (await shop.get(`/deliveries/${delivery.uuid}`)).body
    expect(detail.attempts[0].request.url).toBe(`${origin}/***`)
    const audit = (await shop.get('/audit-log')).body
    const [changed] = audit.filter(({ action }: { action: string }) => action === 'updateWebhook')
    expect(changed).toMatchObject({
      subject: { name: `${origin}/***` },
      changes: { url_secret: { before: '****', after: '****' } },
    })
    clock.advance(2 * hourMs)
    const attention = (await shop.get('/attention')).body
    expect(JSON.stringify(attention.webhooks)).toContain(`${origin}/***`)
    const texts = [again.text, taken.text, JSON.stringify([detail, audit, attention, delivery])]
    for (const text of texts) expect(text).not.toContain(word)
    expect(logLines.slice(logged).join('\n')).not.toContain(word)
  })

  it('does not take headers along to another host, sealed or not', async () => {
    const { shop, uuid, origin } = await openShop()
    await shop.patch(`/webhooks/${uuid}`, { headers: [{ name: 'X-Api-Key', value: 'secret-of-the-host' }] })
    const elsewhere = await shop.patch(`/webhooks/${uuid}`, { url: 'https://other.example/hook' })
    expect(elsewhere.status).toBe(422)
    expect((await shop.patch(`/webhooks/${uuid}`, { url: `${origin}/new` })).status).toBe(200)
  })
})

describe('address that version 0.2.0 has stored', () => {
  it('is taken in its own shop only', async () => {
    const { shop, url, uuid } = await openShop()
    await storePlain(uuid, url)
    const other = (await makeShop()).as('admin')
    const there = await other.post('/webhooks', { url })
    expect(there.status).toBe(200)
    const another = await other.post('/webhooks', { url: 'https://other.example/hook' })
    expect((await other.patch(`/webhooks/${another.body.uuid}`, { url })).status).toBe(409)
    expect((await other.delete(`/webhooks/${there.body.uuid}`)).status).toBe(200)
    expect((await other.patch(`/webhooks/${another.body.uuid}`, { url })).status).toBe(200)
    expect((await shop.post('/webhooks', { url })).status).toBe(409)
  })

  it('works as it is, and is sealed by a job, without a change to the endpoint', async () => {
    const { receiver, shop, word, url, uuid } = await openShop()
    await storePlain(uuid, url)
    const read = async () => {
      const { health: _changing, ...endpoint } = (await shop.get(`/webhooks/${uuid}`)).body
      return endpoint
    }
    const before = await read()
    expect(before.url).toBe(url)
    expect((await shop.get('/webhooks', { url })).body).toMatchObject([{ uuid }])
    expect((await shop.post('/webhooks', { url })).status).toBe(409)
    await sendEvent(shop)
    await runJob('seal addresses')
    expect(await storedAddress(uuid)).toEqual({
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/sealed-[0-9a-f]{64}$/),
      sealed_url: expect.any(Buffer),
    })
    expect(await read()).toEqual(before)
    const sent = receiver.received.length
    expect(sent).toBeGreaterThan(0)
    expect((await shop.post('/webhooks', { url })).status).toBe(409)
    await sendEvent(shop)
    expect(receiver.received).toHaveLength(2 * sent)
    const called = new Set(receiver.received.map(({ path }) => path))
    expect([...called]).toEqual([`/services/path-${word}?key=query-${word}`])
    expect(await tablesWith(word)).toEqual([])
  })
})

describe('sealing of addresses', () => {
  it('begins when no node of version 0.2.0 was there for an hour, and until then addresses are stored as it reads them', async () => {
    const { database, context } = await theService()
    onTestFinished(() => sealAtOnce(context()))
    await sql`delete from installation where name = 'sealed_webhook_addresses'`.execute(database.db)
    const { url, uuid, shop } = await openShop()
    expect(await storedAddress(uuid)).toEqual({ url, sealed_url: null })
    expect(await beginSealing(context())).toBe(false)
    clock.advance(hourMs - minuteMs)
    expect(await beginSealing(context())).toBe(false)
    clock.advance(2 * minuteMs)
    expect(await beginSealing(context())).toBe(true)
    expect(await shop.patch(`/webhooks/${uuid}`, { url: `${url}1` })).toMatchObject({ status: 200 })
    expect((await storedAddress(uuid)).sealed_url).not.toBeNull()
  })

  it.skipIf(engine !== 'postgres')('waits as long as one is connected, and an hour more', async () => {
    const { database, context } = await theService()
    onTestFinished(() => sealAtOnce(context()))
    await sql`delete from installation where name = 'sealed_webhook_addresses'`.execute(database.db)
    const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(database.db)
    const address = new URL(process.env.TEST_DATABASE_URL ?? '')
    address.pathname = `/${rows[0]?.name}`
    const client = new pg.Client({ connectionString: address.href, application_name: 'doorstep listener' })
    await client.connect()
    expect(await beginSealing(context())).toBe(false)
    clock.advance(2 * hourMs)
    expect(await beginSealing(context())).toBe(false)
    await client.end()
    await expect
      .poll(
        async () =>
          (
            await sql`select 1 from pg_stat_activity
      where application_name = 'doorstep listener' and datname = current_database()`.execute(database.db)
          ).rows.length,
      )
      .toBe(0)
    expect(await beginSealing(context())).toBe(false)
    clock.advance(hourMs)
    expect(await beginSealing(context())).toBe(true)
  })
})
