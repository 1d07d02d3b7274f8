import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sha256 } from '../../src/platform/foundation/crypto.ts'
import { createVault, keyIdFor } from '../../src/platform/foundation/vault.ts'
import type { Database } from '../../src/platform/store/database.ts'
import { sealedColumns } from '../../src/platform/store/sealed-columns.ts'
import type { Service } from '../../src/service.ts'
import { aftershipKeys, pushOf } from '../harness/aftership.ts'
import { newFolder } from '../harness/new-folder.ts'
import { call, clock, engine, openTestDatabase, startTestService, superadmin } from '../harness/service.ts'
import { makeShop } from '../harness/shop.ts'
import { sendImport } from '../harness/shop-moves.ts'
import { payload, signed } from '../harness/shop-systems.ts'
import { makeWholeShops, type WholeShop } from '../harness/whole-shop.ts'

const [oldKey, newKey] = ['the-first-key-of-this-store', 'the-second-key-of-this-store']

interface State {
  outdated_values: number
  current_key: string
  keys: { id: string; values: number; is_missing: boolean }[]
}

let database: Database
let service: Service
let shop: WholeShop

/** Another process on the same store, with other keys. */
async function restart(settings: Record<string, string>): Promise<void> {
  await service.stop()
  service = await start(settings)
}

function start(settings: Record<string, string>): Promise<Service> {
  return startTestService({ ROLE: 'api', ...settings }, { ...database, close: async () => {} })
}

async function state(): Promise<State> {
  return (await call('GET', '/v1/encryption', {}, service)).body
}

async function batch(body: object): Promise<{ re_encrypted: number; unreadable: number; next: string | null }> {
  const { status, body: reply } = await call('POST', '/v1/encryption/re-encrypt', { body }, service)
  expect(status).toBe(200)
  return reply
}

async function reencryptAll(limit = 3, each?: () => Promise<void>): Promise<number> {
  let [count, next]: [number, string | null] = [0, null]
  do {
    const reply: Awaited<ReturnType<typeof batch>> = await batch({ limit, ...(next ? { after: next } : {}) })
    count += reply.re_encrypted
    next = reply.next
    await each?.()
  } while (next !== null)
  return count
}

/** Opens every value of the store with the purposes that the list states. */
async function openEverything(keys: string[]): Promise<number> {
  const vault = createVault(keys, keyIdFor(oldKey))
  let opened = 0
  for (const { table, column, key, with: others = [], as, purpose } of sealedColumns) {
    const names = [...Object.keys(key), ...others].map((name) => sql`${sql.ref(name)}::text as ${sql.ref(name)}`)
    const { rows } = await sql<Record<string, string> & { value: Buffer | string | null }>`
      select ${sql.join(names)}, ${sql.ref(column)} as value from ${sql.table(table)}`.execute(database.db)
    for (const { value, ...row } of rows) {
      if (value === null || value === '') continue
      vault.open(as === 'base64' ? Buffer.from(String(value), 'base64') : (value as Buffer), purpose(row))
      opened += 1
    }
  }
  return opened
}

beforeAll(async () => {
  database = await openTestDatabase()
  service = await startTestService({ ENCRYPTION_KEY: oldKey }, { ...database, close: async () => {} })
  const [made] = await makeWholeShops(service, 1)
  if (made === undefined) throw new Error('no shop was made')
  shop = made
  // Stand-ins of the harness, which nobody has sealed.
  await sql`delete from team_mails where sealed = 'sealed'`.execute(database.db)
  const repeated = { body: { name: 'Twice', slug: `${shop.made.slug}-twice` }, headers: { 'idempotency-key': 'once' } }
  await call('POST', '/v1/shops', repeated, service)
  const hook = { url: 'https://receiver.example/one', headers: [{ name: 'X-Key', value: 'a secret' }] }
  const { body } = await call('POST', `/v1/shops/${shop.made.slug}/webhooks`, { body: hook }, service)
  await call('POST', `/v1/shops/${shop.made.slug}/webhooks/${body.uuid}/rotate-secret`, {}, service)
}, 120_000)

afterAll(async () => {
  clock.reset()
  await service?.stop()
  await database?.close()
})

describe('the list of encrypted columns', () => {
  it('has every column of the store with encrypted values, and opens them', async () => {
    const { rows: columns } = await sql<{ table: string; column: string; type: string }>`
      select table_name as table, column_name as column, data_type as type from information_schema.columns
      where table_schema = 'public' and data_type in ('bytea', 'text', 'character varying')`.execute(database.db)
    const listed = new Set(sealedColumns.map(({ table, column }) => `${table}.${column}`))
    const known = new Set(columns.map(({ table, column }) => `${table}.${column}`))
    expect([...listed].filter((name) => !known.has(name))).toEqual([])
    // Digests have 32 random bytes; a sealed value has at least 30, and those of this store begin with 1.
    const others: string[] = []
    for (const { table, column, type } of columns) {
      if (listed.has(`${table}.${column}`) || type !== 'bytea') continue
      const { rows } = await sql<{ value: Buffer }>`
        select ${sql.ref(column)} as value from ${sql.table(table)}
        where get_byte(${sql.ref(column)}, 0) = 1 and length(${sql.ref(column)}) > 32`.execute(database.db)
      if (rows.length > 0) others.push(`${table}.${column}`)
    }
    expect(others).toEqual([])
    expect(await openEverything([oldKey])).toBeGreaterThan(9)
  })
})

describe('a list of encryption keys', () => {
  it('encrypts with the first, reads with all, and is changed while the service works', async () => {
    const before = await call('GET', `/v1/shops/${shop.made.slug}/woocommerce/webhook-config`, {}, service)
    await restart({ ENCRYPTION_KEY: `${newKey},${oldKey}` })
    const started = await state()
    expect(started.current_key).toBe(keyIdFor(newKey))
    expect(started.outdated_values).toBeGreaterThan(9)

    // Credentials change meanwhile, and the rotation is killed and continued by another process.
    let number = 0
    const change = async () => {
      number += 1
      const body = { webhook_secret: `a changed secret of Shopify, number ${number}` }
      await call('PUT', `/v1/shops/${shop.made.slug}/shopify/webhook-secret`, { body }, service)
    }
    await batch({ limit: 2 })
    await restart({ ENCRYPTION_KEY: `${newKey},${oldKey}` })
    expect((await state()).outdated_values).toBeGreaterThan(0)
    expect(await reencryptAll(3, change)).toBeGreaterThan(5)
    expect(await state()).toMatchObject({ outdated_values: 0, keys: [{ id: keyIdFor(newKey) }, { values: 0 }] })

    // The former key is gone, and everything can be read.
    await restart({ ENCRYPTION_KEY: newKey })
    expect(await openEverything([newKey])).toBeGreaterThan(9)
    const after = await call('GET', `/v1/shops/${shop.made.slug}/woocommerce/webhook-config`, {}, service)
    expect(after.body).toEqual(before.body)
    const { rows } = await sql<{ sealed: Buffer }>`
      select sealed from shop_system_secrets where shop_id = ${shop.id} and system = 'shopify'`.execute(database.db)
    const vault = createVault([newKey], keyIdFor(oldKey))
    expect(vault.open(rows[0]?.sealed ?? Buffer.of(), `${shop.id}:shopify:webhooks`)).toMatch(
      new RegExp(`number ${number}$`),
    )
    const { body: log } = await call('GET', '/v1/audit-log', {}, service)
    expect(JSON.stringify(log)).toContain('"reencrypt"')
  })

  it('must have every key that is in use: the message names it and what it encrypts', async () => {
    const wrong = start({ ENCRYPTION_KEY: 'a-key-that-nobody-has-used' })
    await expect(wrong).rejects.toThrow(
      new RegExp(
        `^ENCRYPTION_KEY is wrong: this store also uses the key ${keyIdFor(newKey)}, which is missing. It encrypts .*webhook_endpoints.secret \\(\\d+\\)`,
      ),
    )
    await expect(start({ ENCRYPTION_KEY: `${newKey},short` })).rejects.toThrow('at least 16 characters')
  })

  it('reports values that cannot be read, and serves everything else', async () => {
    const foreign = createVault(['a-key-of-somewhere-else'], 'ffffffff').seal('secret', `${shop.id}:shopify:webhooks`)
    await sql`update shop_system_secrets set sealed = ${foreign} where shop_id = ${shop.id}`.execute(database.db)
    const found = await state()
    expect(found.keys.filter(({ is_missing }) => is_missing)).toMatchObject([
      { id: keyIdFor('a-key-of-somewhere-else'), values: 1 },
    ])
    await reencryptAll()
    expect((await state()).outdated_values).toBe(1)
    await sql`update shop_system_secrets set sealed = '' where shop_id = ${shop.id}`.execute(database.db)
    expect((await state()).outdated_values).toBe(1)
    expect((await call('GET', `/v1/shops/${shop.made.slug}/webhooks`, {}, service)).status).toBe(200)
    await call('PUT', `/v1/shops/${shop.made.slug}/shopify/webhook-secret`, { body: { webhook_secret: null } }, service)
    expect((await state()).outdated_values).toBe(0)
  })

  it('rejects a position that no batch has returned', async () => {
    for (const after of ['x', Buffer.from('{"column":99,"after":null}').toString('base64url')]) {
      expect((await call('POST', '/v1/encryption/re-encrypt', { body: { after } }, service)).status).toBe(422)
    }
  })

  it('is not changed by the service where the operator sets it', async () => {
    expect((await call('POST', '/v1/encryption/keys', {}, service)).status).toBe(422)
  })
})

describe('links to tracking pages', () => {
  it('work before and after their key is rotated, until the former key ends', async () => {
    const page = async () => {
      const { body } = await call('GET', `/v1/shops/${shop.made.slug}/orders`, {}, service)
      const of = { body: { id: body[0].order_number } }
      const found = await call('POST', `/v1/shops/${shop.made.slug}/orders/trackpage-url`, of, service)
      return new URL(found.body.url).pathname
    }
    const status = async (path: string) => (await service.app.inject({ method: 'GET', url: path })).statusCode
    const before = await page()
    expect(await status(before)).toBe(200)
    const rotated = await call('POST', '/v1/signing-keys/rotate', { body: { former_valid_days: 1 } }, service)
    expect(rotated.body.keys).toHaveLength(2)
    expect(await page()).toBe(before)
    clock.advance(61_000)
    const after = await page()
    expect(after).not.toBe(before)
    expect([await status(before), await status(after)]).toEqual([200, 200])
    clock.advance(86_400_000)
    expect([await status(before), await status(after)]).toEqual([404, 200])
  })
})

describe('the secret that shop systems sign with', () => {
  it('is rotated, and the former one is accepted until the set time', async () => {
    const { made } = shop
    const send = async (secret: string) => {
      const text = JSON.stringify(payload('shopify-product'))
      const headers = {
        'content-type': 'application/json',
        ...signed('shopify', secret, 'products/create', text),
      }
      const url = `/v1/inbound/${made.slug}/shopify`
      return (await service.app.inject({ method: 'POST', url, payload: text, headers })).statusCode
    }
    const config = `/v1/shops/${made.slug}/woocommerce/webhook-config`
    const former = (await call('GET', config, {}, service)).body.webhook_secret
    const body = { former_valid_hours: 2 }
    const fresh = (await call('POST', `${config}/rotate-secret`, { body }, service)).body.webhook_secret
    expect(fresh).not.toBe(former)
    expect((await call('GET', config, {}, service)).body.webhook_secret).toBe(fresh)
    expect([await send(former), await send(fresh), await send('another one of 16')]).toEqual([200, 200, 401])
    clock.advance(2 * 3_600_000 + 1)
    expect([await send(former), await send(fresh)]).toEqual([401, 200])
    const { body: log } = await call('GET', `/v1/shops/${made.slug}/audit-log`, {}, service)
    expect(JSON.stringify(log)).toContain('rotateWebhookConfigSecret')
  })
})

describe('the secrets that others choose', () => {
  it.each([
    ['Shopify', 'PUT', '/shopify/webhook-secret', (webhook_secret: string) => ({ webhook_secret })],
    ['AfterShip', 'PUT', '/keys/aftership', (webhook_secret: string) => ({ ...aftershipKeys, webhook_secret })],
  ])('of %s are replaced, and the former one is accepted until the set time', async (name, method, path, bodyOf) => {
    const { slug } = await makeShop({ settings: { carriers_enabled: true } }, service)
    const set = async (secret: string | null, query: Record<string, number> = {}) => {
      const body = secret === null ? { webhook_secret: null, api_key: aftershipKeys.api_key } : bodyOf(secret)
      if (name === 'Shopify') Reflect.deleteProperty(body, 'api_key')
      expect((await call(method, `/v1/shops/${slug}${path}`, { body, query }, service)).status).toBe(200)
    }
    const send = async (secret: string) => {
      const text = JSON.stringify(payload('shopify-product'))
      const push = pushOf('00340434161094042557', [], secret)
      const message =
        name === 'Shopify'
          ? { url: 'shopify', payload: text, headers: signed('shopify', secret, 'products/create', text) }
          : { url: 'carriers/aftership', payload: push.payload, headers: push.headers }
      const headers = { 'content-type': 'application/json', ...message.headers }
      const url = `/v1/inbound/${slug}/${message.url}`
      return (await service.app.inject({ method: 'POST', url, payload: message.payload, headers })).statusCode
    }
    const [first, second, third] = ['the-first-secret-of-theirs', 'the-second-secret-of-theirs', 'the-third-of-theirs']
    await set(first)
    expect([await send(first), await send(second)]).toEqual([200, 401])
    await set(second)
    expect([await send(first), await send(second)]).toEqual([200, 200])
    // The same one again, as a file of the shop sets it: nothing changes.
    await set(second)
    expect([await send(first), await send(second)]).toEqual([200, 200])
    clock.advance(24 * 3_600_000 + 1)
    expect([await send(first), await send(second)]).toEqual([401, 200])
    await set(third, { former_valid_hours: 0 })
    expect([await send(second), await send(third)]).toEqual([401, 200])
    await set(first, { former_valid_hours: 2 })
    expect([await send(third), await send(first)]).toEqual([200, 200])
    await set(null)
    expect([await send(third), await send(first)]).toEqual([401, 401])
    clock.reset()
  })
})

describe("the superadmin's key", () => {
  it('may be a list in ADMIN_API_KEY: all of it is accepted, and nothing that left it', async () => {
    const empty = await openTestDatabase()
    const lent = { ...empty, close: async () => {} }
    const [old, fresh, comma] = ['an-old-admin-key-1', 'a-fresh-admin-key-2', 'a-key, with a comma in it']
    const statusesWith = async (ADMIN_API_KEY: string) => {
      const node = await startTestService({ ROLE: 'api', ADMIN_API_KEY }, lent)
      try {
        const of = (apiKey: string) => call('GET', '/v1/api-keys', { auth: { ...superadmin, apiKey } }, node)
        return [(await of(old)).status, (await of(fresh)).status, (await of(comma)).status]
      } finally {
        await node.stop()
      }
    }
    expect(await statusesWith(old)).toEqual([200, 401, 401])
    expect(await statusesWith(`${fresh}, ${old}`)).toEqual([200, 200, 401])
    // Nothing changes, so sessions go on.
    const made = () => sql`select id, created_at from api_keys order by id`.execute(empty.db)
    const before = (await made()).rows
    expect(before).toMatchObject([{ id: 'superadmin' }, { id: 'superadmin-2' }])
    expect(await statusesWith(`${fresh},${old}`)).toEqual([200, 200, 401])
    expect((await made()).rows).toEqual(before)
    expect(await statusesWith(fresh)).toEqual([401, 200, 401])
    await expect(statusesWith(`${fresh},short`)).rejects.toThrow('each with 16 to 128 characters')
    // One from before there were lists.
    await sql`update api_keys set secret_hash = ${sha256(comma)}`.execute(empty.db)
    expect(await statusesWith(comma)).toEqual([401, 401, 200])
    await empty.close()
  })

  it('is changed where it is set, if ADMIN_API_KEY is set', async () => {
    expect((await call('POST', '/v1/api-keys/superadmin/rotate', {}, service)).status).toBe(403)
  })

  it('is rotated, and the former one works until the set time', async () => {
    const empty = await openTestDatabase()
    const node = await startTestService({ ADMIN_API_KEY: '' }, empty)
    try {
      const former = { username: 'admin', apiKey: node.newCredentials?.apiKey ?? '' }
      const rotated = await call('POST', '/v1/api-keys/superadmin/rotate', { auth: former }, node)
      const fresh = { username: 'admin', apiKey: rotated.body.secret }
      const status = async (auth: typeof former) => (await call('GET', '/v1/api-keys', { auth }, node)).status
      expect([await status(former), await status(fresh)]).toEqual([200, 200])
      // With the former key, nobody gets a key that lasts.
      const again = await call('POST', '/v1/api-keys/superadmin/rotate', { auth: former }, node)
      expect(again).toMatchObject({ status: 403, body: { key: 'insufficient_rights' } })
      expect((await sendImport(node, Buffer.from('a file'), {}, former)).status).toBe(403)
      expect((await sendImport(node, Buffer.from('a file'), {}, fresh)).status).toBe(422)
      expect([await status(former), await status(fresh)]).toEqual([200, 200])
      clock.advance(24 * 3_600_000 + 1)
      expect([await status(former), await status(fresh)]).toEqual([401, 200])
    } finally {
      await node.stop()
    }
  })
})

describe.runIf(engine === 'embedded')('keys in the data folder', () => {
  it('are rotated by the service, which forgets those that nothing uses any more', async () => {
    const folder = newFolder()
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'encryption-key'), `${newKey}\n`)
    const settings = { DATA_DIR: folder, ENCRYPTION_KEY: '' }
    await restart(settings)
    const { status } = await call('POST', '/v1/encryption/keys', {}, service)
    expect(status).toBe(200)
    const kept = readFileSync(join(folder, 'encryption-key'), 'utf8').trim().split('\n')
    expect(kept).toEqual([expect.any(String), newKey])
    await reencryptAll(100)
    await restart(settings)
    expect(readFileSync(join(folder, 'encryption-key'), 'utf8').trim()).toBe(kept[0])
    expect(await openEverything([String(kept[0])])).toBeGreaterThan(9)
  })
})
