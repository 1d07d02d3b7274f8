import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { type ArchiveEntry, ArchiveError, magicLine } from '../../src/platform/foundation/archive/format.ts'
import { openArchive, readContent } from '../../src/platform/foundation/archive/read.ts'
import { createSeal } from '../../src/platform/foundation/archive/seal.ts'
import { writeArchive } from '../../src/platform/foundation/archive/write.ts'

const passphrase = 'correct horse battery staple'
/** Random, so that it takes several chunks. */
const photo = randomBytes(300_000)
const entries: ArchiveEntry[] = [
  { name: 'manifest', fields: { version: 1 }, content: [Buffer.from('{}')] },
  { name: 'photo', fields: { mediaType: 'image/png' }, content: [photo.subarray(0, 7), photo.subarray(7)] },
  { name: 'nothing', fields: {}, content: [] },
]

describe('an archive', () => {
  for (const key of [undefined, passphrase]) {
    const kind = key === undefined ? 'plain' : 'encrypted'

    it(`returns its entries as they were written, ${kind}`, async () => {
      const read = await readAll(await archive(key), key)
      expect(read.map(({ name, fields }) => ({ name, fields }))).toEqual(
        entries.map(({ name, fields }) => ({ name, fields })),
      )
      expect(read[1]?.content.equals(photo)).toBe(true)
      expect(read[2]?.content).toHaveLength(0)
    })

    it(`is rejected when it is cut off anywhere, ${kind}`, async () => {
      const bytes = await archive(key)
      for (const length of [0, 10, 30, 200, 70_000, 140_000, bytes.length - 1]) {
        await expect(readAll(bytes.subarray(0, length), key), `${length} bytes`).rejects.toThrow(ArchiveError)
      }
    })

    it(`is rejected when a chunk is missing, even between two others, ${kind}`, async () => {
      const bytes = await archive(key)
      const start = bytes.indexOf('}\n') + 2
      const size = 5 + 65_536 + (key === undefined ? 32 : 16)
      const without = Buffer.concat([bytes.subarray(0, start + size), bytes.subarray(start + 2 * size)])
      await expect(readAll(without, key)).rejects.toThrow('The file is damaged.')
    })

    it(`is rejected when one bit differs or something follows it, ${kind}`, async () => {
      const bytes = await archive(key)
      for (const position of [3, 25, 60, 120, 65_700, 150_000, bytes.length - 3]) {
        const changed = Buffer.from(bytes)
        changed.writeUInt8(changed.readUInt8(position) ^ 4, position)
        await expect(readAll(changed, key), `byte ${position}`).rejects.toThrow(ArchiveError)
      }
      await expect(readAll(Buffer.concat([bytes, Buffer.from('x')]), key)).rejects.toThrow(ArchiveError)
    })
  }

  it('needs the passphrase it was encrypted with', async () => {
    const bytes = await archive(passphrase)
    expect(bytes.includes('mediaType')).toBe(false)
    await expect(readAll(bytes, undefined)).rejects.toThrow('its passphrase is needed')
    await expect(readAll(bytes, 'another')).rejects.toThrow('The passphrase is wrong, or the file is damaged.')
  })

  it('is encrypted so that trying a passphrase is expensive', async () => {
    const [, header = ''] = (await collect(writeArchive([], { kind: 'test', passphrase })))
      .toString('latin1')
      .split('\n')
    expect(JSON.parse(header).encryption).toMatchObject({ kdf: 'scrypt', cost: 65_536, blockSize: 8, parallel: 1 })
  })

  it('derives no key for a header that costs more than its own', async () => {
    const [magic = '', line = '', ...rest] = (await archive(passphrase)).toString('latin1').split('\n')
    const header = JSON.parse(line)
    for (const forged of [{ cost: 2 ** 17 }, { cost: 3 }, { parallel: 1_000 }, { blockSize: 64 }, { salt: 'AA==' }]) {
      const changed = JSON.stringify({ ...header, encryption: { ...header.encryption, ...forged } })
      const bytes = Buffer.from([magic, changed, ...rest].join('\n'), 'latin1')
      await expect(readAll(bytes, passphrase)).rejects.toThrow('The header of the file is damaged.')
    }
  })

  it('is read no further than a content may be long', async () => {
    let taken = 0
    const content = (function* () {
      for (; taken < 800; taken += 1) yield Buffer.alloc(1_000_000)
    })()
    await expect(readContent({ name: 'photo', content }, 3_000_000)).rejects.toThrow('larger than 3000000 bytes')
    expect(taken).toBe(3)
    const three = [Buffer.alloc(1), Buffer.alloc(2)]
    expect(await readContent({ name: 'photo', content: three }, 3)).toHaveLength(3)
  })

  it('has entries with a name and fields', async () => {
    for (const head of ['null', '5', '{}', '{"name":1,"fields":{}}', '{"name":"a","fields":[]}', '[']) {
      await expect(readAll(await plainArchive(head), undefined)).rejects.toThrow('The file is damaged.')
    }
  })

  it('skips what is not read of a content', async () => {
    const { entries } = await openArchive(source(await archive(undefined)), undefined)
    const names: string[] = []
    for await (const { name, content } of entries) {
      names.push(name)
      for await (const _piece of content) break
    }
    expect(names).toEqual(['manifest', 'photo', 'nothing'])
  })

  it('fails with the error of an entry that cannot be read', async () => {
    async function* content() {
      yield Buffer.from('some')
      throw new Error('the disk is gone')
    }
    const broken = { name: 'failing', fields: {}, content: content() }
    await expect(collect(writeArchive([broken], { kind: 'test' }))).rejects.toThrow('the disk is gone')
  })

  it('ends early without reading the rest of its source', async () => {
    let isClosed = false
    async function* pieces() {
      try {
        const bytes = await archive(undefined)
        for (let at = 0; ; at += 1_000) yield bytes.subarray(at, at + 1_000)
      } finally {
        isClosed = true
      }
    }
    const { entries } = await openArchive(pieces(), undefined)
    for await (const _entry of entries) break
    expect(isClosed).toBe(true)
  })
})

const archives = new Map<string | undefined, Promise<Buffer>>()

/** Written once, and with a passphrase that is cheap to try. */
function archive(key: string | undefined): Promise<Buffer> {
  const written = archives.get(key) ?? collect(writeArchive(entries, { kind: 'test', passphrase: key, cost: 2 ** 10 }))
  archives.set(key, written)
  return written
}

/** With one entry that begins with this text. */
async function plainArchive(head: string): Promise<Buffer> {
  const line = '{"kind":"test"}'
  const number = (value: number) => Buffer.from([0, 0, value >> 8, value & 255])
  const frames = gzipSync(Buffer.concat([number(head.length), Buffer.from(head), number(0), number(0)]))
  const chunk = (await createSeal({ kind: 'test' }, line, undefined)).close(frames, true)
  return Buffer.concat([Buffer.from(`${magicLine}\n${line}\n\x01`), number(frames.length), chunk])
}

async function readAll(bytes: Buffer, key: string | undefined) {
  const opened = await openArchive(source(bytes), key)
  const read: { name: string; fields: object; content: Buffer }[] = []
  for await (const { name, fields, content } of opened.entries)
    read.push({ name, fields, content: await collect(content) })
  return read
}

async function collect(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const piece of pieces) parts.push(piece)
  return Buffer.concat(parts)
}

/** In pieces that end anywhere. */
async function* source(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += 10_007) yield bytes.subarray(at, at + 10_007)
}
