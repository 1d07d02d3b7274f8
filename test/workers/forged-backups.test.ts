import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { checkBackupFile, readBackupFile, writeBackupFile } from '../../src/installation/backup/backup-file.ts'
import { backupLimits } from '../../src/installation/backup/check-entries.ts'
import { readStore } from '../../src/installation/backup/read-store.ts'
import { removeUnfinishedRestores } from '../../src/installation/backup/restore-journal.ts'
import { writeStore } from '../../src/installation/backup/write-store.ts'
import type { ArchiveEntry } from '../../src/platform/foundation/archive/format.ts'
import { createImageStore } from '../../src/shops/images/image-store.ts'
import { newMigratedStore, newStore, startOn } from '../harness/backups.ts'
import { shopIdOf } from '../harness/customers.ts'
import { newFolder } from '../harness/new-folder.ts'
import { sharedByTests } from '../harness/process.ts'
import { clock } from '../harness/service.ts'
import { makeShop } from '../harness/shop.ts'

const passphrase = 'a long passphrase of the tests'
type Entry = ArchiveEntry & { content: Buffer[] }
type Json = Record<string, unknown>

describe('forged backup', () => {
  const shared = sharedByTests(makeBackup)

  it.each<[string, (entries: Entry[]) => Entry[], string]>([
    ['with a second manifest', ([first, ...rest]) => [first as Entry, first as Entry, ...rest], 'not where a backup'],
    ['with a manifest at its end', (entries) => [...entries, entries[0] as Entry], 'not where a backup'],
    ['without a manifest', (entries) => entries.slice(1), 'does not begin with a manifest'],
    ['with a second key', ([first, key, ...rest]) => [first, key, key, ...rest] as Entry[], 'not where a backup'],
    ['with a key that it does not announce', edit('manifest', { hasKey: false }), 'does not announce'],
    ['with an unknown entry', (entries) => [...entries, named('script', '')], 'entry "script"'],
    ['with a table twice', (entries) => [...entries.slice(0, 3), ...entries.slice(2)], 'twice'],
    ['with an image twice', twice('image/'), 'twice'],
    ['with a summary in the middle', (entries) => [...entries.slice(0, 3), ...entries.slice(-1)], 'rows instead of'],
    ['with something behind its summary', (entries) => [...entries, named('table/x', '')], 'not where a backup'],
    ['without a summary', (entries) => entries.slice(0, -1), 'no complete backup'],
    ['with nothing', () => [], 'no complete backup'],
    ['with an image that is a path', rename('image/', 'image/../../encryption-key'), 'image "../../encryption-key"'],
    ['with an image that is a page', fields('image/', { mediaType: 'text/html' }), 'which no backup has'],
    ['without the columns of a table', fields('table/shops', { columns: 'id' }), 'which columns'],
    ['with a row too few', replace('table/shops', ''), 'table shops has 0 rows instead of 1'],
    ['with a row too many', replace('table/api_keys', 'x\n'.repeat(50)), 'table api_keys has 50 rows instead of'],
    ['with a large manifest', replace('manifest', ' '.repeat(backupLimits.textBytes + 1)), 'larger than'],
    ['with a large key', replace('encryption-key', 'k'.repeat(backupLimits.keyBytes + 1)), 'larger than'],
    ['with a large row', replace('table/shops', Buffer.alloc(backupLimits.rowBytes + 2_000_000, 'x')), 'larger than'],
    ['with a large image', replace('image/', Buffer.alloc(backupLimits.imageBytes + 1)), 'larger than'],
    ['with a manifest that is no JSON', replace('manifest', '{'), 'damaged'],
    ['with a manifest that is nested deep', replace('manifest', `{"a":${'['.repeat(50_000)}`), 'damaged'],
    ['with a manifest without migrations', edit('manifest', { migrations: [{ name: 1 }] }), 'manifest'],
    ['with a sequence that is no number', edit('manifest', { sequences: [{ name: 'a', value: 'x' }] }), 'manifest'],
    ['with a time that is text for a terminal', edit('manifest', { createdAt: '\u001b[2J' }), 'manifest'],
    ['with a count below zero', edit('summary', { images: -1 }), 'summary'],
  ])('%s is rejected by a check, before anything is changed', async (_what, forge, why) => {
    const file = join(newFolder(), 'forged.backup')
    await writeBackupFile(file, streamed(forge(shared().entries)), passphrase, 2 ** 10)
    await expect(checkBackupFile(file, passphrase)).rejects.toThrow(why)
  })

  it('that is not encrypted is rejected where backups are, unless it is asked for', async () => {
    const { entries } = shared()
    const plain = entries.filter(({ name }) => name !== 'encryption-key')
    const file = join(newFolder(), 'plain.backup')
    await writeBackupFile(file, streamed(edit('manifest', { hasKey: false })(plain)), undefined)
    for (const open of [checkBackupFile, readBackupFile]) {
      await expect(open(file, passphrase)).rejects.toThrow('--unencrypted')
    }
    expect(await checkBackupFile(file, passphrase, { acceptsUnencrypted: true })).toMatchObject({ isEncrypted: false })
    expect(await checkBackupFile(file, undefined)).toMatchObject({ isEncrypted: false })
    expect(await readBackupFile(file, undefined)).toMatchObject({ isEncrypted: false })
    expect(await checkBackupFile(shared().file, passphrase)).toMatchObject({ isEncrypted: true })
  })

  it('with rows or images that do not fit changes nothing', async () => {
    const { entries, image } = shared()
    const target = { ...(await newStore()), encryptionKey: undefined }
    const images = createImageStore(target)
    await images.put(image, Buffer.from('what it was'), 'image/png')
    const other = image.replace(/.{24}\.png$/, `${'0'.repeat(24)}.png`)
    for (const [forge, why] of [
      [rename('table/notes', 'table/pg_authid'), 'make no table pg_authid'],
      [fields('table/shops', { columns: ['id', 'is_admin'] }), 'is_admin'],
      [rename('image/', `image/${other}`), 'no row of the image'],
      [(all: Entry[]) => all.slice(0, -1), 'no complete backup'],
    ] as const) {
      await expect(writeStore(target, streamed(forge(entries)), { replace: true })).rejects.toThrow(why)
      expect(readdirSync(target.dataDir).filter((name) => name !== 'store')).toEqual(['images'])
      expect(readdirSync(join(target.dataDir, 'images'))).toEqual([image])
      expect((await images.get(image))?.toString()).toBe('what it was')
    }
    expect((await writeStore(target, streamed(entries), { replace: true })).summary.images).toBe(1)
    expect((await images.get(image))?.toString()).toBe('a picture')
  })

  it('leaves nothing in the folder of a store that is open when its command is killed', async () => {
    const { source, image } = shared()
    const service = await startOn(source)
    const images = createImageStore(source)
    const lost = image.replace(/.{24}\.png$/, `${'1'.repeat(24)}.png`)
    await images.put(lost, Buffer.from('of another shop'), 'image/png')
    const folder = join(source.dataDir, '.restore-killed')
    mkdirSync(join(folder, 'replaced'), { recursive: true })
    writeFileSync(join(folder, 'replaced', 'PG_VERSION'), '17')
    const keyFile = join(source.dataDir, 'encryption-key')
    writeFileSync(keyFile, 'the-key-of-another-installation\n')
    const lines = [{ image: lost }, { image }, { keyFile }].map((each) => `${JSON.stringify(each)}\n`)
    // A line that was cut off.
    writeFileSync(join(folder, 'written'), `${lines.join('')}{"ima`)
    await removeUnfinishedRestores(source, service.database)
    expect(readdirSync(source.dataDir).filter((name) => name.startsWith('.restore-'))).toEqual([])
    expect(await images.get(lost)).toBeUndefined()
    expect((await images.get(image))?.toString()).toBe('a picture')
    expect(() => readFileSync(keyFile)).toThrow('ENOENT')
    await service.stop()
  })
})

/** A backup with a shop, a row of an image, its bytes, and the key. */
async function makeBackup() {
  const source = await newMigratedStore()
  const service = await startOn(source)
  const shop = await makeShop({}, service)
  const id = await shopIdOf(service, shop)
  const image = `logo-${Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url')}-${'a'.repeat(24)}.png`
  await createImageStore(source).put(image, Buffer.from('a picture'), 'image/png')
  await sql`
    insert into images (shop_id, key, image_type, media_type, size_bytes, width, height, created_at)
    values (${id}, ${image}, 'logo', 'image/png', 9, 1, 1, now())`.execute(service.database.db)
  await service.stop()
  const file = join(newFolder(), 'a.backup')
  const reading = readStore(source, { now: clock.now(), withImages: true, withKey: true })
  await writeBackupFile(file, reading.entries, passphrase, 2 ** 10)
  const entries: Entry[] = []
  for await (const { name, fields, content } of (await readBackupFile(file, passphrase)).entries) {
    const parts: Uint8Array[] = []
    for await (const part of content) parts.push(part)
    entries.push({ name, fields, content: [Buffer.concat(parts)] })
  }
  return { source, file, entries, image }
}

async function* streamed(entries: readonly Entry[]): AsyncGenerator<ArchiveEntry> {
  yield* entries
}

function named(name: string, text: string): Entry {
  return { name, fields: {}, content: [Buffer.from(text)] }
}

/** The entries whose names begin so, changed. */
function change(start: string, to: (entry: Entry) => Entry) {
  return (entries: Entry[]) => entries.map((entry) => (entry.name.startsWith(start) ? to(entry) : entry))
}

function edit(name: string, values: Json) {
  return change(name, (entry) => {
    const text = JSON.stringify({ ...JSON.parse(String(entry.content[0])), ...values })
    return { ...entry, content: [Buffer.from(text)] }
  })
}

function replace(name: string, content: string | Buffer) {
  return change(name, (entry) => ({ ...entry, content: [Buffer.from(content)] }))
}

function fields(name: string, values: Json) {
  return change(name, (entry) => ({ ...entry, fields: values }))
}

function rename(name: string, to: string) {
  return change(name, (entry) => ({ ...entry, name: to }))
}

function twice(start: string) {
  return (entries: Entry[]) => entries.flatMap((entry) => (entry.name.startsWith(start) ? [entry, entry] : [entry]))
}
