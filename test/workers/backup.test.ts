import { createHash } from 'node:crypto'
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import type { KeptStore } from '../../bin/versions/kept-store.ts'
import { checkBackupFile, readBackupFile, writeBackupFile } from '../../src/backup/backup-file.ts'
import { readStore } from '../../src/backup/read-store.ts'
import { runScheduledBackup } from '../../src/backup/scheduled.ts'
import { writeStore } from '../../src/backup/write-store.ts'
import type { Config } from '../../src/config.ts'
import { openDatabase } from '../../src/database/database.ts'
import { migrationNames, readMigration } from '../../src/database/migrations.ts'
import { checkBackups } from '../../src/doctor/check-backups.ts'
import type { ArchiveEntry } from '../../src/foundation/archive/format.ts'
import { hourMs } from '../../src/foundation/clock.ts'
import { createImageStore } from '../../src/resources/images/image-store.ts'
import type { Service } from '../../src/service.ts'
import { startImageStore } from '../conformance/s3-server.ts'
import { newMigratedStore, newStore, startOn } from '../harness/backups.ts'
import { runJobs } from '../harness/deliveries.ts'
import { keptVersions, readKeptStore } from '../harness/kept-versions.ts'
import { newFolder } from '../harness/new-folder.ts'
import { createOrder } from '../harness/orders.ts'
import { until } from '../harness/patience.ts'
import { type Cleanup, sharedByTests } from '../harness/process.ts'
import { call, clock, engine, testConfig } from '../harness/service.ts'
import { makeWholeShops } from '../harness/whole-shop.ts'

const options = { now: new Date('2026-11-16T12:00:00Z'), withImages: true, withKey: true }
const passphrase = 'a long passphrase of the tests'

afterAll(() => clock.reset())

describe('a backup', () => {
  const shared = sharedByTests(backUpAndRestore)
  const entries = () => readBackupFile(shared().file, passphrase)

  it('has everything that was acknowledged before it began, and is restored as it was', async () => {
    const { source, restored, written, summary, orderNumbers } = shared()
    expect(readdirSync(source.dataDir).filter((name) => name.startsWith('.backup-'))).toEqual([])
    expect(summary.rows.orders).toBeGreaterThanOrEqual(orderNumbers.length)
    expect(summary.images).toBeGreaterThan(0)
    expect(written).toMatchObject({ summary, key: 'written', manifest: { hasKey: true, engine } })
    expect(readFileSync(join(restored.dataDir, 'encryption-key'), 'utf8').trim()).toBe(source.encryptionKey)
    // The same rows as in the file, in every table.
    expect(await sumsOf(readStore(restored, options).entries)).toEqual(await sumsOf(await entries()))
  })

  it('refuses to be restored where it does not fit, or damaged, and leaves what is there', async () => {
    const { file, restored } = shared()
    const before = readdirSync(restored.dataDir)
    const attempt = async (config: Config, content = entries()) => writeStore(config, await content, { replace: false })
    await expect(attempt(restored)).rejects.toThrow('--replace')
    await expect(attempt({ ...restored, encryptionKey: 'another-encryption-key' })).rejects.toThrow(
      'The encryption key of this installation is not that of the backup',
    )
    // Any place in the list of keys will do.
    const keys = 'another-encryption-key, encryption-key-of-the-tests'
    await expect(attempt({ ...restored, encryptionKey: keys })).rejects.toThrow('--replace')
    await expect(attempt(restored, entries().then(withNewerSchema))).rejects.toThrow(
      'newer version of Doorstep: it has the migration 9999_future.sql',
    )
    await expect(checkBackupFile(file, 'another passphrase')).rejects.toThrow('The passphrase is wrong')
    const bytes = readFileSync(file)
    const [cut, flipped] = [join(newFolder(), 'cut.backup'), join(newFolder(), 'flipped.backup')]
    writeFileSync(cut, bytes.subarray(0, -40))
    writeFileSync(flipped, withOtherBit(bytes, bytes.length - 50))
    await expect(checkBackupFile(flipped, passphrase)).rejects.toThrow(/damaged|incomplete/)
    // Even without the check before it: the end shows the damage, and nothing was committed.
    await expect(writeStore(restored, await readBackupFile(cut, passphrase), { replace: true })).rejects.toThrow(
      /damaged|incomplete/,
    )
    expect(readdirSync(restored.dataDir)).toEqual(before)
  })

  it('starts as the service it was, and is backed up on schedule again', async () => {
    const { restored, orderNumbers, slug, shop } = shared()
    const folder = newFolder()
    const [older, foreign] = ['doorstep-20250101T000000Z.backup', 'notes.txt']
    const unfinished = `${older}.unfinished`
    for (const name of [older, unfinished, foreign]) writeFileSync(join(folder, name), '')
    const settings = { BACKUP_TO: folder, BACKUP_EVERY_HOURS: '2', BACKUP_KEEP: '1', BACKUP_PASSPHRASE: passphrase }
    const service = await startOn(restored, settings)
    try {
      for (const number of orderNumbers) {
        const { body } = await call('GET', `/v1/shops/${slug}/orders`, { query: { order_number: number } }, service)
        expect(body, number).toMatchObject([{ order_number: number }])
      }
      const page = await call('GET', shop.pagePath, { auth: null }, service)
      expect(page.status).toBe(200)
      expect(page.text).toContain(shop.trackingNumber)
      for (const url of shop.imageUrls) {
        expect((await call('GET', new URL(url).pathname, {}, service)).status, url).toBe(200)
      }
      const first = await untilBackedUp(service, folder, older)
      expect((await checkBackupFile(join(folder, first), passphrase)).manifest).toMatchObject({ hasKey: false })
      expect(readdirSync(folder).sort()).toEqual([first, foreign].sort())
      await runJobs(service)
      expect(readdirSync(folder)).toContain(first)
      clock.advance(2 * hourMs)
      await untilBackedUp(service, folder, first)
      expect(await findingOf(service, settings)).toMatchObject({ state: 'good' })

      await failToUpload(service, restored)
      expect(await findingOf(service, settings)).toMatchObject({
        state: 'warning',
        message: expect.stringContaining('403'),
      })
    } finally {
      await service.stop()
    }
  })

  it('of an older version is brought up to date', async () => {
    const kept = readKeptStore(keptVersions()[0] ?? '')
    const target = { ...(await newStore()), encryptionKey: undefined }
    const written = await writeStore(target, entriesOf(kept), { replace: false })
    expect(written.key).toBe('missing')
    expect(written.migrated).toEqual(migrationNames().filter((name) => !kept.migrations.includes(name)))
    expect(written.migrated.length).toBeGreaterThan(0)
    expect(written.summary.rows.orders).toBeGreaterThan(0)
  })

  it('is not restored at all if a newer migration fails', async () => {
    const { file, shop } = shared()
    const target: Config = { ...(await newMigratedStore()), encryptionKey: undefined }
    const first = await startOn(target)
    await call('POST', '/v1/shops', { body: { name: 'There before', slug: 'there-before' } }, first)
    await first.stop()
    rmSync(join(target.dataDir, 'encryption-key'), { force: true })
    const migrations = join(newFolder(), 'migrations')
    cpSync(new URL('../../migrations', import.meta.url), migrations, { recursive: true })
    writeFileSync(join(migrations, '9999_fails.sql'), 'select 1 / 0;')
    // The folder of images may stay, empty.
    const filesOf = () => readdirSync(target.dataDir).filter((name) => name !== 'images')
    const before = filesOf()
    const failing = { replace: true, migrations: pathToFileURL(`${migrations}/`) }
    await expect(writeStore(target, await readBackupFile(file, passphrase), failing)).rejects.toThrow(
      'migrations/9999_fails.sql failed: division by zero',
    )
    expect(filesOf()).toEqual(before)
    const images = createImageStore(target)
    for (const url of shop.imageUrls) {
      expect(await images.get(new URL(url).pathname.split('/').at(-1) ?? '')).toBeUndefined()
    }
    const service = await startOn(target)
    expect((await call('GET', '/v1/shops/there-before', {}, service)).status).toBe(200)
    await service.stop()
    // And the same command succeeds when the migration does.
    writeFileSync(join(migrations, '9999_fails.sql'), 'select 1;')
    const { migrated } = await writeStore(target, await entries(), failing)
    expect(migrated).toEqual(['9999_fails.sql'])
    expect(await images.get(new URL(shop.imageUrls[0] ?? '').pathname.split('/').at(-1) ?? '')).toBeDefined()
  })

  it.runIf(engine === 'postgres')('keeps services out while it is restored, and waits for none that runs', async () => {
    const target: Config = { ...(await newStore()), encryptionKey: undefined }
    const running = await startOn(target)
    const attempt = async (content: AsyncIterable<ArchiveEntry>) => writeStore(target, content, { replace: true })
    await expect(attempt(await entries())).rejects.toThrow('A service is connected to the database')
    await running.stop()
    let proceed = () => {}
    const halfway = new Promise<void>((reached) => {
      proceed = reached
    })
    let isHalfway = false
    async function* slowly(content: AsyncIterable<ArchiveEntry>): AsyncGenerator<ArchiveEntry> {
      for await (const entry of content) {
        if (entry.name === 'summary') {
          isHalfway = true
          await halfway
        }
        yield entry
      }
    }
    const restoring = attempt(slowly(await entries()))
    await until(() => (isHalfway ? true : undefined))
    await expect(openDatabase(target)).rejects.toThrow('is being restored or moved')
    await expect(attempt(await entries())).rejects.toThrow('is being restored or moved')
    proceed()
    expect((await restoring).summary).toEqual(shared().summary)
    await (await startOn(target)).stop()
  })

  it.runIf(engine === 'postgres')('moves to the embedded engine and back', async () => {
    const original = await sumsOf(await entries())
    const embedded = testConfig()
    await writeStore(embedded, await entries(), { replace: false })
    expect(existsSync(join(embedded.dataDir, 'store', 'PG_VERSION'))).toBe(true)
    const back = await newStore()
    await writeStore(back, readStore(embedded, options).entries, { replace: false })
    expect(await sumsOf(readStore(back, options).entries)).toEqual(original)
    // New rows continue the sequences.
    const service = await startOn(back)
    await call('POST', '/v1/shops', { body: { name: 'Later', slug: 'later' } }, service)
    await service.stop()
  })
})

/** A backup of a service while it is used, and a store that it was restored to. */
async function backUpAndRestore(cleanup: Cleanup) {
  const source = await newMigratedStore()
  const service = await startOn(source)
  const [whole] = await makeWholeShops(service, 1)
  if (whole === undefined) throw new Error('there is no shop')
  cleanup(() => whole.filled.close())
  const shop = whole.made.as('admin')
  const orderNumbers = [(await createOrder(shop)).order_number, (await createOrder(shop)).order_number]

  let isWriting = true
  const load = (async () => {
    while (isWriting) await createOrder(shop)
  })()
  const file = join(newFolder(), 'a.backup')
  const { entries, summary } = readStore(source, options)
  await writeBackupFile(file, entries, passphrase)
  isWriting = false
  await load
  await service.stop()

  const restored: Config = { ...(await newStore()), encryptionKey: undefined }
  const written = await writeStore(restored, await readBackupFile(file, passphrase), { replace: false })
  const { slug } = whole.made
  return { source, file, summary, restored, written, slug, shop: whole.filled, orderNumbers }
}

/** Runs the jobs that are due until there is a new backup in the place of an old one, and returns its name. */
async function untilBackedUp(service: Service, folder: string, old: string): Promise<string> {
  await runJobs(service)
  return until(() => {
    const names = readdirSync(folder).filter((name) => name.endsWith('.backup'))
    return names.includes(old) ? undefined : names[0]
  })
}

async function failToUpload(service: Service, config: Config): Promise<void> {
  const { s3, settings } = await startImageStore()
  try {
    const { backup } = testConfig({ ...settings, BACKUP_TO: 's3://pictures/doorstep', BACKUP_KEEP: '1' })
    const older = [1, 2, 3].map((day) => `/pictures/doorstep/doorstep-2025010${day}T000000Z.backup`)
    for (const path of older) s3.objects.set(path, { bytes: Buffer.from(''), mediaType: '' })
    s3.failures.push(403)
    clock.advance(1_000)
    const account = testConfig(settings).s3
    await runScheduledBackup(service.context(), { ...config, backup, s3: account }, new AbortController().signal)
    expect([...s3.objects.keys()]).toEqual(older)
  } finally {
    await s3.close()
  }
}

async function findingOf(service: Service, settings: Record<string, string>) {
  const now = clock.now()
  return until(async () => {
    const rows = await service.database.db.selectFrom('installation').select(['name', 'value']).execute()
    const facts = new Map(rows.map(({ name, value }) => [name, value]))
    return checkBackups(testConfig(settings), { version: '17', now, pending: [], unknown: [], facts })[0]
  })
}

/** A digest of each table's rows, whatever their order. */
async function sumsOf(entries: AsyncIterable<ArchiveEntry>): Promise<Record<string, string>> {
  const sums: Record<string, string> = {}
  for await (const { name, content } of entries) {
    const parts: Uint8Array[] = []
    for await (const piece of content) parts.push(piece)
    if (name === 'manifest' || name === 'encryption-key') continue
    const lines = Buffer.concat(parts).toString('latin1').split('\n').sort()
    sums[name] = `${lines.length} ${createHash('sha256').update(lines.join('\n')).digest('hex')}`
  }
  return sums
}

/** A kept store as a backup of its version would have it. */
async function* entriesOf({ migrations, sequences, tables: all }: KeptStore): AsyncGenerator<ArchiveEntry> {
  const { attempt_counts: _, ...tables } = all // a backup leaves these out
  const manifest = {
    migrations: migrations.map((name) => ({ name, checksum: readMigration(name).checksum })),
    sequences: Object.entries(sequences).flatMap(([name, value]) =>
      value > 0 ? [{ name, value, isCalled: true }] : [],
    ),
  }
  yield { name: 'manifest', fields: {}, content: [Buffer.from(JSON.stringify(manifest))] }
  for (const [table, rows] of Object.entries(tables)) {
    const lines = rows.map((row) => `${Object.values(row).map(copyText).join('\t')}\n`)
    const columns = Object.keys(rows[0] ?? {})
    yield { name: `table/${table}`, fields: { columns }, content: lines.map((line) => Buffer.from(line)) }
  }
  const counts = Object.entries(tables).map(([table, rows]) => [table, rows.length])
  const summary = { rows: Object.fromEntries(counts), images: 0, missingImages: 0 }
  yield { name: 'summary', fields: {}, content: [Buffer.from(JSON.stringify(summary))] }
}

/** A value as COPY's text has it. */
function copyText(value: string | null): string {
  if (value === null) return '\\N'
  return value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t')
}

async function* withNewerSchema(entries: AsyncIterable<ArchiveEntry>): AsyncGenerator<ArchiveEntry> {
  for await (const entry of entries) {
    if (entry.name !== 'manifest') {
      yield entry
      continue
    }
    const parts: Uint8Array[] = []
    for await (const piece of entry.content) parts.push(piece)
    const manifest = JSON.parse(Buffer.concat(parts).toString('utf8'))
    manifest.migrations.push({ name: '9999_future.sql', checksum: 'x' })
    yield { ...entry, content: [Buffer.from(JSON.stringify(manifest))] }
  }
}

function withOtherBit(bytes: Buffer, position: number): Buffer {
  const changed = Buffer.from(bytes)
  changed.writeUInt8(changed.readUInt8(position) ^ 1, position)
  return changed
}
