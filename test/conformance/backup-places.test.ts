import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { openPlace } from '../../src/installation/backup/places.ts'
import type { ArchiveEntry } from '../../src/platform/foundation/archive/format.ts'
import { openArchive } from '../../src/platform/foundation/archive/read.ts'
import { newFolder } from '../harness/new-folder.ts'
import { testConfig } from '../harness/service.ts'
import { startImageStore } from './s3-server.ts'

const { s3, settings } = await startImageStore()
afterAll(() => s3.close())

const account = testConfig(settings).s3
const folder = join(newFolder(), 'backups')
const inS3 = openPlace({ bucket: 'pictures', prefix: 'a shop/' }, account)
const places = { 'a folder': openPlace({ folder }, undefined), 'an S3 store': inS3 }
/** Random, so that it does not get smaller: two parts of an upload. */
const photo = randomBytes(17_000_000)

describe.each(Object.entries(places))('%s for backups', (_name, place) => {
  it('lists what is complete, and deletes', async () => {
    for (const name of ['1.backup', '2.backup', '3.backup'])
      await place.write(name, entries(Buffer.from(name)), undefined)
    expect((await place.list()).sort()).toEqual(['1.backup', '2.backup', '3.backup'])
    await place.delete('2.backup')
    await place.delete('2.backup')
    expect((await place.list()).sort()).toEqual(['1.backup', '3.backup'])
  })

  it('keeps nothing of a backup that fails', async () => {
    const before = await place.list()
    await expect(place.write('broken.backup', failing(), undefined)).rejects.toThrow('the store is gone')
    expect(await place.list()).toEqual(before)
    expect(s3.uploads.size).toBe(0)
  })
})

describe('an S3 store for backups', () => {
  it('receives a large backup in parts, as it was written', async () => {
    const size = await inS3.write('large.backup', entries(photo), undefined)
    const { bytes } = s3.objects.get('/pictures/a%20shop/large.backup') ?? { bytes: Buffer.from('') }
    expect(bytes).toHaveLength(size)
    const archive = await openArchive(
      (async function* () {
        yield bytes
      })(),
      undefined,
    )
    for await (const { content } of archive.entries) {
      const pieces: Buffer[] = []
      for await (const piece of content) pieces.push(piece)
      expect(Buffer.concat(pieces).equals(photo)).toBe(true)
    }
  })

  it('is left without a part when one is refused', async () => {
    const before = await inS3.list()
    const whole = entries(Buffer.from('small'))
    const refusing = (async function* () {
      yield* whole
      s3.failures.push(403)
    })()
    await expect(inS3.write('refused.backup', refusing, undefined)).rejects.toThrow('403')
    expect(await inS3.list()).toEqual(before)
    expect(s3.uploads.size).toBe(0)
  })
})

describe('a folder for backups', () => {
  it('belongs to its owner alone, and a backup has its name only when it is complete', async () => {
    const target = join(newFolder(), 'new')
    const place = openPlace({ folder: target }, undefined)
    const watching = (async function* () {
      yield* entries(Buffer.from('x'))
      expect(existsSync(join(target, 'a.backup'))).toBe(false)
    })()
    await place.write('a.backup', watching, undefined)
    expect(readdirSync(target)).toEqual(['a.backup'])
  })
})

async function* entries(content: Buffer): AsyncGenerator<ArchiveEntry> {
  yield { name: 'photo', fields: {}, content: [content] }
}

async function* failing(): AsyncGenerator<ArchiveEntry> {
  yield* entries(Buffer.from('begun'))
  throw new Error('the store is gone')
}
