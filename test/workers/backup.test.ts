import { createHash, randomBytes } from 'node:crypto'
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { encryptionKey as keptKey, slug as keptSlug } from '../../bin/versions/fill.ts'
import { checkBackupFile, readBackupFile, writeBackupFile } from '../../src/installation/backup/backup-file.ts'
import { readStore } from '../../src/installation/backup/read-store.ts'
import { runScheduledBackup } from '../../src/installation/backup/scheduled.ts'
import { writeStore } from '../../src/installation/backup/write-store.ts'
import { checkBackups } from '../../src/installation/doctor/check-backups.ts'
import type { Config } from '../../src/platform/config/config.ts'
import type { ArchiveEntry } from '../../src/platform/foundation/archive/format.ts'
import { hourMs } from '../../src/platform/foundation/clock.ts'
import { openDatabase } from '../../src/platform/store/database.ts'
import { migrationNames, readMigration } from '../../src/platform/store/migrations.ts'
import type { Service } from '../../src/service.ts'
import { createImageStore } from '../../src/shops/images/image-store.ts'
import { startImageStore } from '../conformance/s3-server.ts'
import { newMigratedStore, newStore, startOn } from '../harness/backups.ts'
import { runJobs } from '../harness/deliveries.ts'
import { keptBackup, keptVersions, readKeptStore } from '../harness/kept-versions.ts'
import { newFolder } from '../harness/new-folder.ts'
import { createOrder } from '../harness/orders.ts'
import { until } from '../harness/patience.ts'
import { type Cleanup, sharedByTests } from '../harness/process.ts'
import { call, clock, engine, testConfig } from '../harness/service.ts'
import { freshSchema, inspectStore, numberedTables } from '../harness/store-schema.ts'
import { makeWholeShops } from '../harness/whole-shop.ts'

const options = { now: new Date('2026-11-16T12:00:00Z'), withImages: true, withKey: true }
const passphrase = 'a long passphrase of the tests'
/** One that no version has. */
const laterMigration = '9999_later.sql'

/** An entry that can be read again. */
type ReadEntry = ArchiveEntry & { content: Buffer[] }

afterAll(() => clock.reset())

describe('a backup', () => {
  const shared = sharedByTests(backUpAndRestore)

  it('has everything that was acknowledged before it began, and is restored as it was', async () => {
    const { source, restored, written, summary, orderNumbers, contents } = shared()
    expect(readdirSync(source.dataDir).filter((name) => name.startsWith('.backup-'))).toEqual([])
    expect(summary.rows.orders).toBeGreaterThanOrEqual(orderNumbers.length)
    expect(summary.images).toBeGreaterThan(0)
    expect(written).toMatchObject({ summary, key: 'written', manifest: { hasKey: true, engine } })
    expect(readFileSync(join(restored.dataDir, 'encryption-key'), 'utf8').trim()).toBe(source.encryptionKey)
    // The same rows as in the file, in every table.
    expect(await sumsOf(readStore(restored, options).entries)).toEqual(await sumsOf(contents))
  })

  it('has the schema of a new store when it is restored, and its sequences continue', async () => {
    const { restoredStore } = shared()
    expect(restoredStore.schema).toEqual(await freshSchema(engine))
    expect(restoredStore).toMatchObject({ numbered: numberedTables, sequencesBehind: [] })
  })

  it('of an older version is brought up to date', () => {
    const { kept, older } = shared()
    expect(older.key).toBe('missing')
    expect(older.migrated).toEqual(migrationNames().filter((name) => !kept.migrations.includes(name)))
    expect(older.migrated.length).toBeGreaterThan(0)
    expect(older.summary.rows.orders).toBeGreaterThan(0)
  })

  it('is not restored at all if a newer migration fails, and is with the same command when it succeeds', () => {
    const { failed, written } = shared()
    expect(failed.error).toMatchObject({ message: `migrations/${laterMigration} failed: division by zero` })
    expect(failed.filesAfter).toEqual(failed.filesBefore)
    expect(failed.images).toEqual(failed.images.map(() => undefined))
    expect(failed.shopStatus).toBe(200)
    expect(written.migrated).toEqual([laterMigration])
  })

  it('refuses to be restored where it does not fit, or damaged, and leaves what is there', async () => {
    const { file, restored, contents } = shared()
    const filesOf = () =>
      readdirSync(restored.dataDir, { recursive: true, encoding: 'utf8' }).filter((path) => !path.startsWith('store'))
    const before = filesOf()
    const attempt = async (config: Config, content = streamed(contents)) =>
      writeStore(config, content, { replace: false })
    await expect(attempt(restored)).rejects.toThrow('--replace')
    await expect(attempt({ ...restored, encryptionKey: 'another-encryption-key' })).rejects.toThrow(
      'The encryption key of this installation is not that of the backup',
    )
    // Any place in the list of keys will do.
    const keys = 'another-encryption-key, encryption-key-of-the-tests'
    await expect(attempt({ ...restored, encryptionKey: keys })).rejects.toThrow('--replace')
    await expect(attempt(restored, withNewerSchema(streamed(contents)))).rejects.toThrow(
      'newer version of Doorstep: it has the migration 9999_future.sql',
    )
    await expect(checkBackupFile(file, 'another passphrase')).rejects.toThrow('The passphrase is wrong')
    const bytes = readFileSync(file)
    const flipped = join(newFolder(), 'flipped.backup')
    writeFileSync(flipped, withOtherBit(bytes, bytes.length - 50))
    await expect(checkBackupFile(flipped, passphrase)).rejects.toThrow(/damaged|incomplete/)
    // Even without the check before it: the end shows the damage, and nothing was committed.
    await expect(
      writeStore(restored, (await readBackupFile(await cutOffInTheMiddle(), undefined)).entries, { replace: true }),
    ).rejects.toThrow(/damaged|incomplete/)
    expect(filesOf()).toEqual(before)
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

  it.runIf(engine === 'postgres')('keeps services out while it is restored, and waits for none that runs', async () => {
    const { contents, summary } = shared()
    const target: Config = { ...(await newStore()), encryptionKey: undefined }
    const running = await startOn(target)
    const attempt = async (content: AsyncIterable<ArchiveEntry>) => writeStore(target, content, { replace: true })
    await expect(attempt(streamed(contents))).rejects.toThrow('A service is connected to the database')
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
    const restoring = attempt(slowly(streamed(contents)))
    await until(() => (isHalfway ? true : undefined))
    await expect(openDatabase(target)).rejects.toThrow('is being restored or moved')
    await expect(attempt(streamed(contents))).rejects.toThrow('is being restored or moved')
    proceed()
    expect((await restoring).summary).toEqual(summary)
    await (await startOn(target)).stop()
  })

  it.runIf(engine === 'postgres')('moves to the embedded engine and back', async () => {
    const { contents } = shared()
    const original = await sumsOf(contents)
    const embedded = testConfig()
    await writeStore(embedded, streamed(contents), { replace: false })
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
  await writeBackupFile(file, entries, passphrase, 2 ** 10)
  isWriting = false
  await load
  await service.stop()

  const { contents, ...restoring } = await restoreOverOlder(file, whole.filled.imageUrls)
  const { slug } = whole.made
  return { source, file, summary, contents, ...restoring, slug, shop: whole.filled, orderNumbers }
}

/**
 * Restores a backup of an older version, and over it twice the one of this version: with a migration that fails, and with
 * one that succeeds.
 */
async function restoreOverOlder(file: string, imageUrls: string[]) {
  const restored: Config = { ...(await newStore()), encryptionKey: undefined }
  const kept = readKeptStore(keptVersions()[0] ?? '')
  const older = await writeStore(restored, keptBackup(kept), { replace: false })

  const contents = await collect((await readBackupFile(file, passphrase)).entries)
  const migrations = join(newFolder(), 'migrations')
  cpSync(new URL('../../migrations', import.meta.url), migrations, { recursive: true })
  const settings = { replace: true, migrations: pathToFileURL(`${migrations}/`) }
  // The folder of images may stay, empty.
  const filesOf = () => readdirSync(restored.dataDir).filter((name) => name !== 'images')
  const filesBefore = filesOf()
  writeFileSync(join(migrations, laterMigration), 'select 1 / 0;')
  const error = await writeStore(restored, streamed(contents), settings).catch((thrown: unknown) => thrown)
  const filesAfter = filesOf()
  const store = createImageStore(restored)
  const keys = imageUrls.map((url) => new URL(url).pathname.split('/').at(-1) ?? '')
  const images = await Promise.all(keys.map((key) => store.get(key)))
  const service = await startOn(restored, { ENCRYPTION_KEY: keptKey, ROLE: 'api' })
  const { status: shopStatus } = await call('GET', `/v1/shops/${keptSlug}`, {}, service)
  await service.stop()

  writeFileSync(join(migrations, laterMigration), 'select 1;')
  const written = await writeStore(restored, (await readBackupFile(file, passphrase)).entries, settings)
  const restoredStore = await inspectStore(restored)
  const failed = { error, filesBefore, filesAfter, images, shopStatus }
  return { restored, kept, older, contents, failed, written, restoredStore }
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

/** All entries of a backup with their contents. */
async function collect(entries: AsyncIterable<ArchiveEntry>): Promise<ReadEntry[]> {
  const read: ReadEntry[] = []
  for await (const { name, fields, content } of entries) {
    const parts: Uint8Array[] = []
    for await (const piece of content) parts.push(piece)
    read.push({ name, fields, content: [Buffer.concat(parts)] })
  }
  return read
}

async function* streamed(entries: readonly ReadEntry[]): AsyncGenerator<ArchiveEntry> {
  yield* entries
}

/** A digest of each table's rows, whatever their order, and without the migration that came later. */
async function sumsOf(entries: AsyncIterable<ArchiveEntry> | readonly ReadEntry[]): Promise<Record<string, string>> {
  const sums: Record<string, string> = {}
  for await (const { name, content } of entries) {
    const parts: Uint8Array[] = []
    for await (const piece of content) parts.push(piece)
    if (['manifest', 'encryption-key', 'summary'].includes(name)) continue
    const rows = Buffer.concat(parts).toString('latin1').split('\n')
    const lines = rows.filter((row) => !row.startsWith(`${laterMigration}\t`)).sort()
    sums[name] = `${lines.length} ${createHash('sha256').update(lines.join('\n')).digest('hex')}`
  }
  return sums
}

/** A file so long that its first image is stored before the missing end shows. */
async function cutOffInTheMiddle(): Promise<string> {
  const path = join(newFolder(), 'cut.backup')
  const [name = ''] = migrationNames()
  const manifest = { migrations: [{ name, checksum: readMigration(name).checksum }], sequences: [] }
  const fields = { mediaType: 'image/png' }
  const entries: ReadEntry[] = [
    { name: 'manifest', fields: {}, content: [Buffer.from(JSON.stringify(manifest))] },
    { name: 'image/short', fields, content: [randomBytes(100)] },
    { name: 'image/long', fields, content: [randomBytes(1_000_000)] },
  ]
  await writeBackupFile(path, streamed(entries), undefined)
  writeFileSync(path, readFileSync(path).subarray(0, -40))
  return path
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
