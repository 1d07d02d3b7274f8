import { randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { createPurgeDeletedShopsJob } from '../../src/installation/deleted-shops/purge-deleted-shops.ts'
import { type Manifest, tablesLeftBehind } from '../../src/installation/shop-moves/archive-entries.ts'
import { archiveLimits } from '../../src/installation/shop-moves/archive-limits.ts'
import { tablesWithReferences } from '../../src/installation/shop-moves/check-rows.ts'
import { importEntries } from '../../src/installation/shop-moves/import.ts'
import { chunkBytes } from '../../src/platform/foundation/archive/format.ts'
import { dayMs, minuteMs } from '../../src/platform/foundation/clock.ts'
import { migrationNames } from '../../src/platform/store/migrations.ts'
import { listShopTables } from '../../src/platform/store/shop-tables.ts'
import { shopIdOf } from '../harness/customers.ts'
import {
  addRows,
  archiveOf,
  contentsOf,
  editFields,
  editJson,
  editRows,
  entriesIn,
  importError,
  type OpenEntry,
  ownRow,
  type Row,
  rowsEntry,
} from '../harness/forged-archives.ts'
import { newFolder } from '../harness/new-folder.ts'
import { createOrder } from '../harness/orders.ts'
import { invite } from '../harness/people.ts'
import { call, clock, openTestDatabase, startTestService } from '../harness/service.ts'
import { makeShop } from '../harness/shop.ts'
import { exportShop, importShop, passphrase } from '../harness/shop-moves.ts'
import { makeWholeShops, type WholeShop } from '../harness/whole-shop.ts'

const source = await startTestService({}, await openTestDatabase())
const dataDir = newFolder()
const target = await startTestService(
  { ROLE: 'api', ENCRYPTION_KEY: 'another-key-of-the-tests', DATA_DIR: dataDir },
  await openTestDatabase(),
)

// The victim has what a forged file could reach: keys, people, secrets, an order, images, waiting mail and a log.
const victim = await makeShop({}, target)
await createOrder(victim.as('admin'))
await victim.as('admin').post('/webhooks', { url: 'https://receiver.example/hooks' })
await invite([{ shop_slug: victim.slug, role: 'admin' }], {}, target)
const victimId = await shopIdOf(target, victim)
const imageKeyOf = (shopId: string, end = '0') =>
  `claim-${Buffer.from(shopId.replaceAll('-', ''), 'hex').toString('base64url')}-${end.repeat(24)}.png`
const victimImage = imageKeyOf(victimId)
await target.context().services.imageStore.put(victimImage, Buffer.from('the photo of a customer'), 'image/png')
await sql`
  insert into team_mails (id, shop_id, kind, sealed, created_at, due_at)
  values (${randomUUID()}, ${victimId}, 'digest', '\\x00', now(), now())`.execute(target.database.db)
await sql`
  insert into images (shop_id, key, image_type, media_type, size_bytes, width, height, created_at)
  values (${victimId}, ${victimImage}, 'claim', 'image/png', 23, 1, 1, now())`.execute(target.database.db)

const [whole] = (await makeWholeShops(source, 1)) as [WholeShop]
const file = await exportShop(source, whole.made.slug, { move: true })
const genuine = await entriesIn(file)
const tables = genuine.filter(({ name }) => name === 'rows').map(({ fields }) => String(fields.table))
const imageKey = String(genuine.find(({ name }) => name === 'image')?.fields.key)

afterEach(() => clock.reset())
afterAll(async () => {
  await source.stop()
  await target.stop()
  await whole.filled.close()
})

async function one(query: string): Promise<Row> {
  const { rows } = await sql.raw<{ row: Row }>(query).execute(target.database.db)
  const [found] = rows
  if (found === undefined) throw new Error(`nothing found: ${query}`)
  return found.row
}

const victimKey = await one('select to_jsonb(api_keys) as row from api_keys where everywhere is null limit 1')
const victimPerson = await one('select to_jsonb(people) as row from people limit 1')
const victimEntry = await one(`select to_jsonb(audit_log) as row from audit_log where shop_id = '${victimId}' limit 1`)
const victimMail = await one('select to_jsonb(team_mails) as row from team_mails limit 1')
const victimEndpoint = await one('select to_jsonb(webhook_endpoints) as row from webhook_endpoints limit 1')

/** The first row of a table, changed. */
const change = (table: string, fields: Row) => (entries: OpenEntry[]) =>
  editRows(entries, table, ([first, ...others]) => {
    Object.assign(ownRow(first ?? {}), fields)
    return [first ?? {}, ...others]
  })
const changeKey = (fields: Row) => (entries: OpenEntry[]) =>
  editJson<Row[]>(entries, 'keys', ([first, ...others]) => [{ ...first, ...fields }, ...others])
const changePerson = (fields: Row) => (entries: OpenEntry[]) =>
  editJson<Row[]>(entries, 'people', ([first, ...others]) => [{ ...first, ...fields }, ...others])
const without = (name: string) => (entries: OpenEntry[]) => entries.filter((entry) => entry.name !== name)
const twice = (name: string) => (entries: OpenEntry[]) =>
  entries.flatMap((entry) => (entry.name === name ? [entry, entry] : [entry]))
const append = (entry: OpenEntry) => (entries: OpenEntry[]) => [...entries, entry]
const image = (key: string, mediaType = 'image/png') => ({
  name: 'image',
  fields: { key, mediaType },
  content: Buffer.from('<script>'),
})
const addImage = (key: string, mediaType?: string) => (entries: OpenEntry[]) => {
  const last = entries.findLastIndex(({ name }) => name === 'image')
  const images = entries.filter(({ name }) => name === 'image').length
  return editFields(entries.toSpliced(last + 1, 0, image(key, mediaType)), 'end', { images: images + 1 })
}
const changeImage = (fields: Row) => (entries: OpenEntry[]) => editFields(entries, 'image', fields)
const content = (name: string, text: string | Buffer) => (entries: OpenEntry[]) =>
  entries.map((entry) => (entry.name === name ? { ...entry, content: Buffer.from(text) } : entry))
/** The content of the first entry of rows of a table. */
const rowsText = (table: string, text: string | Buffer) => (entries: OpenEntry[]) => {
  const index = entries.findIndex(({ fields }) => fields.table === table)
  return entries.toSpliced(index, 1, { ...(entries[index] as OpenEntry), content: Buffer.from(text) })
}
const keyId = '0123456789ab'
const superKey = {
  ...victimKey,
  id: keyId,
  username: 'thief',
  secret_hash: `\\x${'ab'.repeat(32)}`,
  everywhere: 'superadmin',
}
/** An entry of so many bytes takes a thousandth of them in the file. */
const large = Buffer.alloc(archiveLimits.entryBytes + 1, ' ')

type Forge = (entries: OpenEntry[]) => OpenEntry[]

/** Changes by somebody who has the passphrase, and a part of the reason why each is rejected. */
const forgeries: Record<string, [Forge, string]> = {
  // Tables that are not of a shop.
  'a row of api_keys for everything': [(e) => addRows(e, 'api_keys', [superKey]), 'not a table of a shop'],
  'a row of people for everything': [
    (e) => addRows(e, 'people', [{ ...victimPerson, id: randomUUID(), email: 'thief@example.org' }]),
    'not a table of a shop',
  ],
  'a row of shops': [(e) => addRows(e, 'shops', [{ id: randomUUID(), slug: 'thief' }]), 'not a table of a shop'],
  'a session': [(e) => addRows(e, 'sessions', [{ id: randomUUID() }]), 'not a table of a shop'],
  'a link to sign in': [(e) => addRows(e, 'sign_in_links', [{ person_id: victimPerson.id }]), 'not a table of a shop'],
  'a signing key of the installation': [(e) => addRows(e, 'signing_keys', [{ id: 'thief' }]), 'not a table of a shop'],
  'a setting of the installation': [(e) => addRows(e, 'installation', [{ name: 'x' }]), 'not a table of a shop'],
  'a migration': [(e) => addRows(e, 'schema_migrations', [{ name: 'x' }]), 'not a table of a shop'],
  'a lease of a worker': [(e) => addRows(e, 'receiver_leases', [{ shop_id: whole.id }]), 'not a table of a shop'],
  'a table of the database itself': [(e) => addRows(e, 'pg_authid', [{ rolname: 'thief' }]), 'not a table of a shop'],
  'SQL instead of a table': [(e) => addRows(e, 'orders; drop table orders', []), 'not a table of a shop'],
  'a table that is no text': [(e) => [...e.slice(0, 3), { ...rowsEntry('', []), fields: {} }], 'not a table of a shop'],
  // Columns and values.
  'an unknown column': [change('orders', { is_admin: true }), 'has no column "is_admin"'],
  'an unknown column of the shop': [
    (e) => editJson<Row>(e, 'shop', (shop) => ({ ...shop, everywhere: 'superadmin' })),
    'has no column "everywhere"',
  ],
  'an id that is none': [change('orders', { id: 'x' }), 'orders.id'],
  'a number instead of a text': [change('orders', { order_number: 5 }), 'orders.order_number'],
  'a list instead of a row': [(e) => editRows(e, 'orders', () => [[] as unknown as Row]), 'no list of rows of orders'],
  'a time without an end': [change('orders', { created_at: 'infinity' }), 'orders.created_at'],
  'a row without a column that is needed': [change('orders', { order_number: null }), 'orders that cannot be stored'],
  'a number that is too large': [change('orders', { expected_number_of_shipments: 70_000 }), 'cannot be stored'],
  // Keys and people.
  'a key for everything': [changeKey({ everywhere: 'superadmin' }), 'not one of certain shops'],
  'a key that is an admin everywhere': [changeKey({ everywhere: 'admin' }), 'not one of certain shops'],
  'one more key for everything': [
    (e) => editJson<Row[]>(e, 'keys', (keys) => [...keys, superKey]),
    'not one of certain shops',
  ],
  'the key of the settings': [changeKey({ id: 'superadmin' }), 'not one of certain shops'],
  'the id of another key': [changeKey({ id: victimKey.id }), 'exist here as other keys'],
  'the secret of another key': [changeKey({ secret_hash: victimKey.secret_hash }), 'exist here as other keys'],
  'a key without a digest': [changeKey({ secret_hash: '\\x00' }), 'not one of certain shops'],
  'a key that is there twice': [(e) => editJson<Row[]>(e, 'keys', ([key]) => [key, key]), 'twice'],
  "another shop's key for this shop": [
    (e) => editRows(e, 'api_key_shops', (rows) => [...rows, { ...rows[0], key_id: victimKey.id }]),
    'api_key_shops.key_id',
  ],
  'a key of the settings for this shop': [change('api_key_shops', { key_id: 'superadmin' }), 'api_key_shops.key_id'],
  'a key that is a superadmin of the shop': [change('api_key_shops', { role: 'superadmin' }), 'api_key_shops.role'],
  'a role that is none': [change('api_key_shops', { role: 'owner' }), 'api_key_shops.role'],
  'a person for everything': [changePerson({ everywhere: 'superadmin' }), 'has no column "everywhere"'],
  'a person with a password': [changePerson({ password: 'scrypt' }), 'has no column "password"'],
  'a person with the id of another': [changePerson({ id: victimPerson.id }), 'that of somebody else here'],
  'a person whose address is spelt otherwise': [
    changePerson({ email: 'Mia@Example.org' }),
    'without an id or an address',
  ],
  'a person of another shop': [change('person_shops', { person_id: victimPerson.id }), 'person_shops.person_id'],
  'a person that is a superadmin of the shop': [change('person_shops', { role: 'superadmin' }), 'person_shops.role'],
  'a mail to a person of another shop': [change('team_mails', { person_id: victimPerson.id }), 'team_mails.person_id'],
  'a digest for a person of another shop': [
    (e) => editRows(e, 'team_mail_subscriptions', (rows) => [{ ...rows[0], person_id: victimPerson.id }]),
    'team_mail_subscriptions.person_id',
  ],
  // Rows that are there already, and rows that are there twice.
  "the id of another shop's entry of the log": [change('audit_log', { id: victimEntry.id }), 'cannot be stored'],
  "the id of another shop's mail": [change('team_mails', { id: victimMail.id }), 'cannot be stored'],
  'an order that is there twice': [(e) => editRows(e, 'orders', (rows) => [...rows, ...rows]), 'cannot be stored'],
  'an entry of rows that is there twice': [
    (e) => addRows(e, String(tables.at(-1)), JSON.parse(String(e.findLast(({ name }) => name === 'rows')?.content))),
    'cannot be stored',
  ],
  'keys that are there twice': [twice('keys'), 'not where an export writes it'],
  'a shop that is there twice': [twice('shop'), 'not where an export writes it'],
  'an end that is there twice': [twice('end'), 'not where an export writes it'],
  'an image that is there twice': [addImage(imageKey), 'twice'],
  // Encrypted values.
  'a secret that is sealed already': [
    (e) => editRows(e, 'webhook_endpoints', (rows) => [{ ...rows[0], plain: {} }]),
    'webhook_endpoints.',
  ],
  "another shop's sealed secret": [
    (e) =>
      editRows(e, 'webhook_endpoints', ([first]) => [
        { row: { ...ownRow(first ?? {}), secret: victimEndpoint.secret }, plain: {} },
      ]),
    'webhook_endpoints.',
  ],
  'a plain value of another column': [
    (e) =>
      editRows(e, 'webhook_endpoints', ([first]) => [
        { ...first, plain: { ...(first?.plain as Row), url: 'https://x.example' } },
      ]),
    'webhook_endpoints.url',
  ],
  'a secret that is no text': [
    (e) => editRows(e, 'webhook_endpoints', ([first]) => [{ ...first, plain: { secret: { a: 1 } } }]),
    'webhook_endpoints.secret',
  ],
  'a row without its plain values': [
    (e) => editRows(e, 'webhook_endpoints', ([first]) => [ownRow(first ?? {})]),
    'not a row',
  ],
  // JSON.
  'JSON that is nested deep': [
    rowsText('orders', `[{"shop_id":"${whole.id}","details":${'['.repeat(100_000)}${']'.repeat(100_000)}}]`),
    'nested deeper',
  ],
  'JSON with millions of values': [rowsText('orders', `[${'0,'.repeat(4_000_000)}0]`), 'more values'],
  // Counted by hashes, of which a few may be equal.
  'JSON with many names': [
    rowsText('orders', `[{${Array.from({ length: 210_000 }, (_, index) => `"n${index}":0`).join()}}]`),
    'more names',
  ],
  'rows that are no JSON': [rowsText('orders', '[{'), 'not JSON'],
  'rows that are no list': [rowsText('orders', '{"length":1}'), 'no list'],
  'more rows than an entry has': [
    (e) => editRows(e, 'orders', () => Array.from({ length: archiveLimits.rows + 1 }, () => ({}))),
    'more than 10000',
  ],
  // Sizes.
  'a large entry of rows': [rowsText('orders', large), 'larger than'],
  'a large shop': [content('shop', large), 'larger than'],
  'large keys': [content('keys', large), 'larger than'],
  'a large image': [
    (e) => e.map((entry) => (entry.name === 'image' ? { ...entry, content: large } : entry)),
    'larger than',
  ],
  'a large end': [content('end', large), 'larger than'],
  // Counts and order.
  'fewer rows than the file says': [(e) => e.filter(({ fields }) => fields.table !== 'notes'), 'other numbers'],
  'rows that the file does not count': [(e) => editFields(e, 'end', { rows: {} }), 'other numbers'],
  'a table that is counted and is none': [
    (e) => editFields(e, 'end', { rows: { ...(e.at(-1)?.fields.rows as Row), api_keys: 0 } }),
    'other numbers',
  ],
  'an image that is missing': [without('image'), 'other numbers'],
  'a count that is not that of the entry': [
    (e) =>
      e.map((entry) => (entry.fields.table === 'orders' ? { ...entry, fields: { table: 'orders', count: 0 } } : entry)),
    'other rows of orders',
  ],
  'no end': [without('end'), 'not a complete archive'],
  'no shop': [without('shop'), 'not where an export writes it'],
  'no keys': [without('keys'), 'not where an export writes it'],
  'nothing at all': [() => [], 'not a complete archive'],
  'rows behind the end': [append(rowsEntry('orders', [])), 'not where an export writes it'],
  'keys behind the rows': [
    (e) => [...e.filter(({ name }) => name !== 'keys').slice(0, -1), ...e.filter(({ name }) => name === 'keys')],
    'not where an export writes it',
  ],
  'tables in another order': [
    (e) => [
      ...e.slice(0, 3),
      ...e
        .slice(3)
        .filter(({ name }) => name === 'rows')
        .reverse(),
      ...e.filter(({ name }, index) => index > 2 && name !== 'rows'),
    ],
    'not where an export writes them',
  ],
  'an entry that is unknown': [
    append({ name: 'sql', fields: {}, content: Buffer.from('drop table orders') }),
    'entry "sql"',
  ],
  'an entry with the name of a method': [
    append({ name: 'constructor', fields: {}, content: Buffer.alloc(0) }),
    'entry',
  ],
  // Images.
  "another shop's image": [addImage(victimImage), 'not one of the shop'],
  "another shop's image instead of its own": [changeImage({ key: victimImage }), 'not one of the shop'],
  'an image above the folder': [changeImage({ key: '../encryption-key' }), 'not one of the shop'],
  'an image at an absolute path': [changeImage({ key: '/etc/passwd' }), 'not one of the shop'],
  'an image in a hidden file': [changeImage({ key: `.${imageKey}` }), 'not one of the shop'],
  'an image with a path behind its name': [changeImage({ key: `${imageKey}/../../x.png` }), 'not one of the shop'],
  'an image with a line break': [changeImage({ key: `${imageKey}\n` }), 'not one of the shop'],
  'an image that is a page': [changeImage({ mediaType: 'text/html' }), 'not what its name says'],
  'an image without a row': [addImage(imageKeyOf(whole.id, '1')), 'no row of the image'],
  "a row of another shop's image": [change('images', { key: victimImage }), 'images.key'],
  'a row of an image that is a page': [change('images', { media_type: 'text/html' }), 'images.media_type'],
  'a private image that says it is public': [change('images', { image_type: 'stamp' }), 'images.image_type'],
  // The file's statements about itself.
  'the id of another shop': [(e) => editFields(e, 'shop', { shopId: victimId }), 'another shop than it says'],
  "another shop's id in the shop's row": [
    (e) => editJson<Row>(e, 'shop', (shop) => ({ ...shop, id: victimId })),
    'another shop than it says',
  ],
  'another shop altogether': [
    (e) =>
      editFields(
        editJson<Row>(e, 'shop', (shop) => ({ ...shop, id: victimId, slug: victim.slug })),
        'shop',
        { shopId: victimId, slug: victim.slug },
      ),
    'of another shop in the table',
  ],
  'the slug of another shop': [
    (e) =>
      editFields(
        editJson<Row>(e, 'shop', (shop) => ({ ...shop, slug: victim.slug })),
        'shop',
        { slug: victim.slug },
      ),
    'There is already a shop',
  ],
  'a slug that is none': [(e) => editFields(e, 'shop', { slug: '../v1' }), 'does not say which shop'],
  'a kind that is none': [(e) => editFields(e, 'shop', { kind: 'takeover' }), 'does not say which shop'],
  'no list of migrations': [(e) => editFields(e, 'shop', { migrations: 5 }), 'does not say which shop'],
  'one migration many times': [
    (e) => editFields(e, 'shop', { migrations: migrationNames().map(() => migrationNames()[0]) }),
    'older version',
  ],
  'descriptions that are none': [
    (e) => editJson<Row>(e, 'shop', (shop) => ({ ...shop, descriptions: [5] })),
    'no complete shop',
  ],
  'a shop that is a list': [content('shop', '[]'), 'not a row'],
  // Signing keys and links.
  'a signing key without an end that is a time': [
    (e) => editJson<Row[]>(e, 'signing keys', ([key]) => [{ ...key, validUntil: 'never' }]),
    'signing key',
  ],
  'too many signing keys': [
    (e) =>
      editJson<Row[]>(e, 'signing keys', ([key]) =>
        Array.from({ length: 1_001 }, (_, index) => ({ ...key, id: `key ${index}` })),
      ),
    'more than 1000',
  ],
  'a signing key that is no text': [
    (e) => editJson<Row[]>(e, 'signing keys', ([key]) => [{ ...key, secret: 1 }]),
    'signing key',
  ],
  "a link to another shop's page": [
    (e) => editJson<Row[]>(e, 'page links', ([link]) => [{ ...link, shop_id: victimId }]),
    'of another shop',
  ],
  'a link with a column more': [
    (e) => editJson<Row[]>(e, 'page links', ([link]) => [{ ...link, role: 'admin' }]),
    'has no column "role"',
  ],
}

/** The header is read before anything is verified: each of these costs nothing. */
const headers: Record<string, Row> = {
  'a cost of minutes': { cost: 2 ** 30 },
  'a cost that is twice the usual one': { cost: 2 ** 17 },
  'a cost that is no power of two': { cost: 1_000 },
  'a cost that is no number': { cost: '1024' },
  'a cost in parallel': { parallel: 1_000 },
  'a large block': { blockSize: 1_024 },
  'no salt': { salt: '' },
  'a salt that is no text': { salt: [1] },
  'another function': { kdf: 'none' },
  'another cipher': { cipher: 'none' },
}

function withHeader(bytes: Buffer, edit: (header: Row) => unknown): Buffer {
  const start = bytes.indexOf('\n') + 1
  const end = bytes.indexOf('\n', start)
  const header = edit(JSON.parse(bytes.subarray(start, end).toString()) as Row)
  return Buffer.concat([bytes.subarray(0, start), Buffer.from(JSON.stringify(header)), bytes.subarray(end)])
}

/** The contents of the installation; every test but the last one leaves them unchanged. */
let untouched = await contentsOf(target, dataDir)

async function expectRejected(bytes: Buffer, why: string): Promise<void> {
  const error = await importError(target, bytes, { deliver_pending: 'true' })
  expect(error?.message).toContain(why)
  expect([200, 409, 422]).toContain(error?.status)
}

const expectUntouched = async () => expect(await contentsOf(target, dataDir)).toEqual(untouched)

describe('forged archive of a shop', () => {
  it.each(Object.entries(forgeries))('with %s is rejected, and changes nothing', async (_what, [forge, why]) => {
    await expectRejected(await archiveOf(forge(genuine)), why)
    await expectUntouched()
  })

  it('with a row of another shop in any table is rejected, and changes nothing', async () => {
    const all = (await listShopTables(target.database)).map(({ name }) => name)
    // Arrivals become entries of a feed, and links come with a move: both may be empty.
    const missing = all.filter((name) => !tables.includes(name))
    expect([...tablesLeftBehind, 'feed_arrivals', 'moved_page_links']).toEqual(expect.arrayContaining(missing))
    for (const table of tables) {
      const forged = change(table, { shop_id: victimId })(genuine)
      await expectRejected(await archiveOf(forged), `of another shop in the table ${table}`)
    }
    await expectUntouched()
  })

  it("with another shop's id in any column that refers to one is rejected, and changes nothing", async () => {
    const { rows: references } = await sql<{ table: string; column: string; of: string }>`
      select conrelid::regclass::text as table, attname as column, confrelid::regclass::text as of
      from pg_constraint join pg_attribute on attrelid = conrelid and attnum = conkey[cardinality(conkey)]
      where contype = 'f' and connamespace = 'public'::regnamespace and attname <> 'shop_id'
      order by 1, 2`.execute(target.database.db)
    const ofShops = references.filter(({ table, of }) => tables.includes(table) && tables.includes(of))
    expect(ofShops.length).toBeGreaterThan(15)
    for (const { table, column, of } of ofShops) {
      const { rows } = await sql<{ id: string }>`
        select id from ${sql.table(of)} where shop_id = ${victimId} limit 1`.execute(target.database.db)
      const forged = change(table, { [column]: rows[0]?.id ?? randomUUID() })(genuine)
      await expectRejected(await archiveOf(forged), `in ${table} that cannot be stored`)
    }
    await expectUntouched()
    // Rows that refer to keys and people come with them, in one transaction.
    const others = references.filter(({ table, of }) => tables.includes(table) && !tables.includes(of))
    expect(new Set(others.map(({ table }) => table))).toEqual(new Set(tablesWithReferences))
  })

  it.each(Object.entries(headers))(
    'with %s in its header is rejected before a key is derived',
    async (_what, fields) => {
      const forged = withHeader(file, (header) => ({
        ...header,
        encryption: { ...(header.encryption as Row), ...fields },
      }))
      await expectRejected(forged, 'The header of the file is damaged.')
      await expectUntouched()
    },
  )

  it('that is not encrypted is rejected', async () => {
    await expectRejected(await archiveOf(genuine, false), 'not encrypted')
    await expectRejected(
      withHeader(file, ({ kind }) => ({ kind })),
      'not encrypted',
    )
    await expectRejected(
      withHeader(file, ({ kind }) => ({ kind, encryption: null })),
      'header of the file is damaged',
    )
    await expectUntouched()
  })

  it('that is cut off, or has its chunks in another order, is rejected', async () => {
    const bytes = await archiveOf(content('image', randomBytes(200_000))(genuine))
    const start = bytes.indexOf('\n', bytes.indexOf('\n') + 1) + 1
    const size = 5 + chunkBytes + 16
    for (const length of [0, 10, start, start + 100, start + size, bytes.length - 1]) {
      await expectRejected(bytes.subarray(0, length), 'file')
    }
    const chunk = (index: number) => bytes.subarray(start + index * size, start + (index + 1) * size)
    const swapped = [bytes.subarray(0, start), chunk(1), chunk(0), bytes.subarray(start + 2 * size)]
    await expectRejected(Buffer.concat(swapped), 'damaged')
    await expectUntouched()
  })

  it('that is about a shop that was deleted here does not remove what is left of it', async () => {
    const deleted = await makeShop({}, target)
    await createOrder(deleted.as('admin'))
    const id = await shopIdOf(target, deleted)
    await call('DELETE', `/v1/shops/${deleted.slug}`, {}, target)
    const forged = editFields(
      editJson<Row>(genuine, 'shop', (shop) => ({ ...shop, id, slug: deleted.slug })),
      'shop',
      { shopId: id, slug: deleted.slug },
    )
    untouched = await contentsOf(target, dataDir)
    const error = await importError(target, await archiveOf(forged), { replace_deleted: 'true' })
    expect(error).toMatchObject({ status: 422 })
    await expectUntouched()
  })
})

describe('import of a shop that ends with its process', () => {
  it('leaves nothing: rows, keys and images are removed by a job', async () => {
    const manifest = genuine[0]?.fields as unknown as Manifest // as an export wrote it
    const options = { passphrase, deliverPending: true, replaceDeleted: false }
    async function* bytes() {
      yield file
    }
    const running = importEntries(target.context(), bytes, manifest, options)
    // Nobody runs its last step, and nobody stops it: as if the process had been killed.
    const steps = genuine.length - 1
    for (let step = 0; step < steps; step += 1) await running.next()
    const half = await contentsOf(target, dataDir)
    expect(half['files of images']).not.toEqual(untouched['files of images'])
    // Rows that give rights here come last, all at once.
    for (const table of ['api_keys', 'people', 'person_shops', 'api_key_shops']) {
      expect(half[table]).toEqual(untouched[table])
    }
    const purge = () => createPurgeDeletedShopsJob(30).run(target.context(), Number.POSITIVE_INFINITY)
    await purge()
    expect(await contentsOf(target, dataDir)).toEqual(half)
    clock.advance(6 * minuteMs)
    await purge()
    await expectUntouched()
    // If it was only slow, it notices, and leaves the rows of others alone.
    await expect(running.next()).rejects.toThrow('given up')
    await expectUntouched()
  })
})

describe('genuine archive of a shop', () => {
  it('is imported after all that', async () => {
    expect(await importShop(target, await archiveOf(genuine))).toMatchObject({ status: 'completed' })
    const after = await contentsOf(target, dataDir)
    for (const [name, found] of Object.entries(untouched))
      expect(after[name]).toEqual(expect.arrayContaining(found as []))
    clock.advance(dayMs)
  })
})
