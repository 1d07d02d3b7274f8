import { sql } from 'kysely'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { findForeignKeys } from '../../src/installation/shop-moves/store.ts'
import { countedLink } from '../../src/messages/figures/links.ts'
import { unsubscribeUrl } from '../../src/messages/recipients/unsubscribe.ts'
import { readReturnPath, returnPathOf } from '../../src/messages/recipients/verp.ts'
import { writeArchive } from '../../src/platform/foundation/archive/write.ts'
import { dayMs, minuteMs } from '../../src/platform/foundation/clock.ts'
import { createDatabase } from '../../src/platform/store/database.ts'
import { migrationNames } from '../../src/platform/store/migrations.ts'
import { isSignedAddress, signedImageUrl } from '../../src/shops/images/address.ts'
import { shopIdOf } from '../harness/customers.ts'
import { createOrder } from '../harness/orders.ts'
import { pagePathOf, visit } from '../harness/pages.ts'
import { until } from '../harness/patience.ts'
import { openMemoryStore } from '../harness/prepared-stores.ts'
import { call, clock, openTestDatabase, startTestService } from '../harness/service.ts'
import { makeShop } from '../harness/shop.ts'
import { exportShop, importShop, passphrase, rowsOf, sendImport } from '../harness/shop-moves.ts'
import { freshSchema, inspectEngine } from '../harness/store-schema.ts'
import { makeWholeShops, tenantTables, type WholeShop } from '../harness/whole-shop.ts'

// The source is on the engine under test, the target is embedded: with both engines under test, shops move both ways.
// No workers run, because what moved would change at once where it continues: making the whole shop stops those of the source.
const source = await startTestService({}, await openTestDatabase())
const targetEngine = await openMemoryStore()
const target = await startTestService(
  { ROLE: 'api', ENCRYPTION_KEY: 'another-key-of-the-tests' },
  await createDatabase(targetEngine),
)
const [whole] = (await makeWholeShops(source, 1)) as [WholeShop]

afterEach(() => clock.reset())
afterAll(async () => {
  await source.stop()
  await target.stop()
  await whole.filled.close()
})

/** Stored as photos of claims are; nobody loads its bytes. */
const imageKeyOf = (shopId: string) =>
  `claim-${Buffer.from(shopId.replaceAll('-', ''), 'hex').toString('base64url')}-${'0'.repeat(24)}.png`

function addressIn(search: string): { expires: number; signature: string } {
  const given = new URLSearchParams(search)
  return { expires: Number(given.get('expires')), signature: given.get('signature') ?? '' }
}

describe('shop that moves', () => {
  it('is at the target what it was at the source, and again when it moves back', async () => {
    const before = await rowsOf(source, whole.id)
    expect(Object.entries(before).filter(([, rows]) => rows.length === 0)).toEqual([])
    const file = await exportShop(source, whole.made.slug, { move: true })
    expect(file.includes(whole.made.slug)).toBe(false)
    expect(await importShop(target, file)).toMatchObject({ status: 'completed', slug: whole.made.slug, kind: 'move' })
    const after = await rowsOf(target, whole.id)
    const moved = await rowsOf(source, whole.id)
    for (const table of Object.keys(moved)) {
      if (table !== 'audit_log') expect({ table, rows: after[table] }).toEqual({ table, rows: moved[table] })
    }
    // Its marks are numbered by the target itself.
    const store = await inspectEngine(targetEngine)
    expect(store.schema).toEqual(await freshSchema('embedded'))
    expect(store).toMatchObject({ numbered: ['changed_days'], sequencesBehind: [] })
    for (const url of whole.filled.imageUrls) {
      const path = new URL(url).pathname
      const key = path.split('/').at(-1) ?? ''
      const read = (service: typeof source) => service.context().services.imageStore.get(key)
      expect(await read(target)).toEqual(await read(source))
    }
    await call('DELETE', `/v1/shops/${whole.made.slug}`, {}, source)
    const back = await exportShop(target, whole.made.slug, { move: true })
    expect((await sendImport(source, back)).body).toMatchObject({ key: 'shop_exists' })
    expect(await importShop(source, back, { replace_deleted: 'true' })).toMatchObject({ status: 'completed' })
    const again = await rowsOf(source, whole.id)
    for (const table of Object.keys(again)) {
      if (table !== 'audit_log') expect({ table, rows: again[table] }).toEqual({ table, rows: after[table] })
    }
  })

  it('keeps its keys, its secrets and the links to its pages', async () => {
    const made = await makeShop({}, source)
    const admin = made.as('admin')
    const order = await createOrder(admin)
    const path = await pagePathOf(admin, order.order_number ?? order.body?.order_number)
    const endpoint = await admin.post('/webhooks', { url: 'https://receiver.example/hooks' })
    expect(endpoint.status).toBe(200)
    const file = await exportShop(source, made.slug, { move: true })
    expect((await admin.post('/announcements', { text: 'Late', language: 'en' })).status).toBe(503)
    expect((await admin.get('/profile')).status).toBe(200)
    expect(await importShop(target, file)).toMatchObject({ status: 'completed' })
    expect((await visit(path, {}, target)).status).toBe(200)
    const auth = await made.credentials('admin')
    const secrets = await call('GET', `/v1/shops/${made.slug}/webhooks`, { auth }, target)
    expect(secrets.status).toBe(200)
    // The address too is found and rejected here as it was at the source.
    expect(secrets.body).toMatchObject([{ url: 'https://receiver.example/hooks' }])
    const query = { url: 'https://receiver.example/hooks' }
    const again = await call('POST', `/v1/shops/${made.slug}/webhooks`, { auth, body: query }, target)
    expect([again.status, again.body.key]).toEqual([409, 'webhook_exists'])
    const { rows } = await sql<{ shop_id: string; id: string; secret: Buffer }>`
      select shop_id, id, secret from webhook_endpoints`.execute(target.database.db)
    for (const row of rows) {
      const open = () => target.context().services.vault.open(row.secret, `${row.shop_id}:webhook:${row.id}`)
      expect(open().length).toBeGreaterThan(10)
    }
  })

  it('moves without a key that is for all shops, also if that has a role in this one', async () => {
    const made = await makeShop({}, source)
    const shops = [
      { shop_slug: '*', role: 'viewer' },
      { shop_slug: made.slug, role: 'admin' },
    ]
    const own = await made.credentials('admin')
    const created = await call('POST', '/v1/api-keys', { body: { shops } }, source)
    expect(created.status).toBe(200)
    const auth = { username: created.body.username as string, apiKey: created.body.secret as string }
    expect((await call('GET', `/v1/shops/${made.slug}/orders`, { auth }, source)).status).toBe(200)
    const file = await exportShop(source, made.slug, { move: true })
    expect(await importShop(target, file)).toMatchObject({ status: 'completed' })
    expect((await call('GET', `/v1/shops/${made.slug}/orders`, { auth }, target)).status).toBe(401)
    expect((await call('GET', `/v1/shops/${made.slug}/orders`, { auth: own }, target)).status).toBe(200)
  })

  it('answers for every address that was given out for it, and for none of another shop', async () => {
    const made = await makeShop({}, source)
    const other = await makeShop({}, source)
    const shop = { id: await shopIdOf(source, made), slug: made.slug }
    const link = { group: 'shipment_in_transit', kind: 'tracking', url: 'https://shop.example/socks' } as const
    const deliveryId = crypto.randomUUID()
    const given = (service: typeof source) => ({
      unsubscribe: new URL(unsubscribeUrl(service.context(), shop, 'mara@example.org')).pathname,
      counted: new URL(countedLink(service.context(), shop, { click_counting: true }, link)).pathname,
      bounce: returnPathOf(service.context(), { shopId: shop.id, deliveryId, domain: 'bounces.shop.example' }),
      image: new URL(signedImageUrl(service.context(), imageKeyOf(shop.id), new Date(clock.now().getTime() + dayMs)))
        .search,
    })
    const before = given(source)
    const opensAt = async (service: typeof source, { unsubscribe, counted, bounce, image }: typeof before) => ({
      unsubscribe: (await visit(unsubscribe, {}, service)).status,
      counted: (await visit(counted, {}, service)).headers.location,
      bounce: readReturnPath(service.context(), shop.id, bounce),
      image: isSignedAddress(service.context(), imageKeyOf(shop.id), addressIn(image)),
    })
    const opened = { unsubscribe: 200, counted: link.url, bounce: deliveryId, image: true }
    expect(await opensAt(source, before)).toEqual(opened)
    await importShop(target, await exportShop(source, made.slug, { move: true }))
    await until(async () => (await opensAt(target, before)).bounce)
    expect(await opensAt(target, before)).toEqual(opened)
    const otherId = await shopIdOf(source, other)
    const ofOther = new URL(unsubscribeUrl(source.context(), { ...shop, id: otherId }, 'mara@example.org')).pathname
    expect((await visit(ofOther, {}, target)).status).toBe(404)
    // Links of the target open at the source when the shop comes back, and earlier links of the source still do.
    const between = given(target)
    await call('DELETE', `/v1/shops/${made.slug}`, {}, source)
    const back = await exportShop(target, made.slug, { move: true })
    await importShop(source, back, { replace_deleted: 'true' })
    await until(async () => (await opensAt(source, between)).bounce)
    expect(await opensAt(source, between)).toEqual(opened)
    expect(await opensAt(source, before)).toEqual(opened)
    // And once more to where it has been: its keys are known there already.
    await call('DELETE', `/v1/shops/${made.slug}`, {}, target)
    const again = await exportShop(source, made.slug, { move: true })
    expect(await importShop(target, again, { replace_deleted: 'true' })).toMatchObject({ status: 'completed' })
    await until(async () => (await opensAt(target, before)).bounce)
    expect(await opensAt(target, between)).toEqual(opened)
    // After a leak, the keys that came with shops end with the target's own.
    await call('POST', '/v1/signing-keys/rotate', { body: { former_valid_days: 0 } }, target)
    clock.advance(3 * minuteMs)
    await until(async () => ((await opensAt(target, before)).unsubscribe === 404 ? true : undefined))
    expect(await opensAt(target, between)).toMatchObject({ unsubscribe: 404, bounce: undefined, image: false })
  })

  it('continues at the source if the move is given up', async () => {
    const made = await makeShop({}, source)
    await made.credentials('admin')
    await exportShop(source, made.slug, { move: true })
    const write = () => made.as('admin').post('/announcements', { text: 'Late', language: 'en' })
    const rejected = await write()
    expect(rejected).toMatchObject({ status: 503, body: { key: 'store_unavailable' } })
    expect(rejected.headers['retry-after']).toBe('5')
    await made.as('superadmin').delete('/pause')
    expect((await write()).status).toBe(200)
  })
})

describe('copy of a shop', () => {
  it('leaves the original running, and is paused where it is imported', async () => {
    const made = await makeShop({}, source)
    const file = await exportShop(source, made.slug)
    expect((await made.as('admin').post('/announcements', { text: 'Late', language: 'en' })).status).toBe(200)
    expect(await importShop(target, file)).toMatchObject({ status: 'completed', kind: 'copy' })
    for (const path of ['/v1/audit-log?action=importShop', `/v1/shops/${made.slug}/audit-log?action=importShop`]) {
      const { body } = await call('GET', path, {}, target)
      expect(body[0]).toMatchObject({ action: 'importShop', subject: { kind: 'shop', id: made.slug } })
    }
    const pause = await call('GET', `/v1/shops/${made.slug}/pause`, {}, target)
    expect(pause.body.reason).toBe('copy')
    expect((await sendImport(target, file)).body).toMatchObject({ key: 'shop_exists' })
  })
})

describe('what is pending in a copy of a shop', () => {
  /** At the source, whose workers are stopped: deliveries, an event for automations, a run, and messages to the team. */
  async function makePending() {
    const made = await makeShop({}, source)
    const admin = made.as('admin')
    await admin.post('/webhooks', { url: 'https://receiver.example/hooks' })
    const later = { trigger: { events: ['*'] }, delay_minutes: 60, actions: [{ type: 'add_segment', segment: 'late' }] }
    const { body: automation } = await admin.post('/automations', { name: 'Later', ...later })
    await createOrder(admin, { order_placed_at: undefined })
    const id = await shopIdOf(source, made)
    const now = clock.now()
    await sql`
      insert into automation_runs (shop_id, id, automation_id, notification_id, status, actions, outcomes, triggered_at, due_at)
      select shop_id, gen_random_uuid(), ${automation.uuid}, id, 'pending', '[]', '[]', ${now}, ${now}
      from notifications where shop_id = ${id} order by id limit 1`.execute(source.database.db)
    const mail = crypto.randomUUID()
    const sealed = source.context().services.vault.seal('{}', `team mail ${mail}`)
    await sql`
      insert into team_mails (id, shop_id, kind, sealed, created_at, due_at)
      values (${mail}, ${id}, 'digest', ${sealed}, ${now}, ${now})`.execute(source.database.db)
    return { made, id }
  }

  async function pendingOf({ database }: typeof source, id: string) {
    const { rows } = await sql<{ what: string; status: string; reason: string | null; count: number }>`
      select case when target = 'automations' then target else 'webhook' end as what, status, null as reason,
        count(*)::int as count
      from deliveries where shop_id = ${id} group by 1, 2
      union all
      select 'run', status, reason, count(*)::int from automation_runs where shop_id = ${id} group by 2, 3
      union all
      select 'team mail', 'pending', null, count(*)::int from team_mails where shop_id = ${id} having count(*) > 0
      order by 1`.execute(database.db)
    return rows
  }

  it('is not sent, because the original may have sent it, unless it is asked for', async () => {
    const { made, id } = await makePending()
    const before = await pendingOf(source, id)
    expect(before.map(({ what, status }) => `${what} ${status}`)).toEqual([
      'automations pending',
      'run pending',
      'team mail pending',
      'webhook pending',
    ])
    const file = await exportShop(source, made.slug)
    expect(await importShop(target, file)).toMatchObject({ kind: 'copy' })
    const webhooks = before.find(({ what }) => what === 'webhook')
    expect(await pendingOf(target, id)).toEqual([
      { what: 'run', status: 'cancelled', reason: 'restored from a copy', count: 1 },
      { ...webhooks, status: 'skipped' },
    ])
    const { rows } = await sql`
      select 1 from deliveries where shop_id = ${id} and finished_at is null
      union all select 1 from automation_runs where shop_id = ${id} and finished_at is null`.execute(target.database.db)
    expect(rows).toEqual([])

    await call('DELETE', `/v1/shops/${made.slug}`, {}, target)
    await importShop(target, file, { replace_deleted: 'true', deliver_pending: 'true' })
    expect(await pendingOf(target, id)).toEqual(before)
  })

  it('of another shop stays as it is', async () => {
    const [kept, copied] = [await makePending(), await makeShop({}, source)]
    await importShop(target, await exportShop(source, kept.made.slug, { move: true }))
    const before = await pendingOf(target, kept.id)
    expect(before).toHaveLength(4)
    await importShop(target, await exportShop(source, copied.slug))
    expect(await pendingOf(target, kept.id)).toEqual(before)
  })
})

describe('import of a shop', () => {
  it('rejects a wrong passphrase, a damaged file and another schema, and leaves nothing', async () => {
    const made = await makeShop({}, source)
    const file = await exportShop(source, made.slug)
    const { body: before } = await call('GET', '/v1/audit-log?action=importShop', {}, target)
    expect((await sendImport(target, file, { passphrase: 'another passphrase' })).status).toBe(422)
    expect((await sendImport(target, file.subarray(0, file.length - 10))).status).toBe(422)
    for (const [migrations, word] of [
      [[...migrationNames(), '9999_future.sql'], 'newer'],
      [migrationNames().slice(0, -1), 'older'],
    ] as const) {
      const fields = { shopId: crypto.randomUUID(), slug: 'future', kind: 'move', exportedAt: '', migrations }
      const parts: Buffer[] = []
      const options = { kind: 'shop', passphrase, cost: 2 ** 10 }
      for await (const part of writeArchive([{ name: 'shop', fields, content: [] }], options)) parts.push(part)
      const reply = await sendImport(target, Buffer.concat(parts))
      expect(reply).toMatchObject({ status: 422 })
      expect(reply.body.message).toContain(word)
    }
    expect((await call('GET', `/v1/shops/${made.slug}`, {}, target)).status).toBe(404)
    expect((await call('GET', '/v1/audit-log?action=importShop', {}, target)).body).toEqual(before)
  })

  it('takes over no key that is for all shops here, nor one with another secret', async () => {
    const { db } = target.database
    const hashes = { known: '\\x01', other: '\\x02' }
    const keyOf = (id: string, secret_hash: string) => JSON.stringify([{ id, username: 'carried', secret_hash }])
    const transaction = await db.startTransaction().execute()
    try {
      const ids = { everywhere: crypto.randomUUID(), ofShops: crypto.randomUUID() }
      await sql`
        insert into api_keys (id, username, secret_hash, secret_ending, everywhere, expiration, created_at) values
          (${ids.everywhere}, 'a', '\\x01', 'x', 'admin', 0, now()),
          (${ids.ofShops}, 'b', '\\x03', 'x', null, 0, now())`.execute(transaction)
      const find = (id: string, hash: string) => findForeignKeys({ db: transaction }, keyOf(id, hash))
      expect(await find(ids.everywhere, hashes.known)).toEqual(['carried'])
      expect(await find(ids.ofShops, '\\x03')).toEqual([])
      expect(await find(ids.ofShops, hashes.other)).toEqual(['carried'])
      expect(await find(crypto.randomUUID(), '\\x03')).toEqual(['carried'])
      expect(await find(crypto.randomUUID(), hashes.other)).toEqual([])
    } finally {
      await transaction.rollback().execute()
    }
  })

  it('that was killed is invisible, and is done again from the beginning', async () => {
    const made = await makeShop({}, source)
    await createOrder(made.as('admin'))
    const file = await exportShop(source, made.slug)
    // As a process that was killed leaves it: the shop is hidden, with some of its rows.
    const { rows } = await sql<{ shop: string }>`
      select to_jsonb(shops)::text as shop from shops where slug = ${made.slug}`.execute(source.database.db)
    await sql`
      insert into shops select (jsonb_populate_record(null::shops, ${rows[0]?.shop}::jsonb || jsonb_build_object(
        'deleted_at', ${clock.now()}::timestamptz, 'paused_for', 'import', 'updated_at', ${clock.now()}::timestamptz
      ))).*`.execute(target.database.db)
    expect((await call('GET', `/v1/shops/${made.slug}`, {}, target)).status).toBe(404)
    expect((await sendImport(target, file)).status).toBe(409)
    clock.advance(2 * minuteMs)
    expect(await importShop(target, file)).toMatchObject({ status: 'completed' })
    clock.advance(dayMs)
  })
})

describe('tables of a shop', () => {
  it('are all tables but those of the installation', async () => {
    const tables = await tenantTables(source)
    const { rows } = await sql<{ name: string }>`
      select table_name as name from information_schema.tables
      where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(source.database.db)
    expect(
      rows
        .map(({ name }) => name)
        .filter((name) => !tables.includes(name))
        .sort(),
    ).toEqual([
      'api_keys',
      'attempt_counts',
      'figures_progress',
      'installation',
      'job_runs',
      'people',
      'schema_migrations',
      'service_nodes',
      'sessions',
      'shops',
      'sign_in_links',
      'signing_keys',
    ])
  })
})
