import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import type { ImageStore } from '../../src/shops/images/image-storage.ts'
import { createImageStore } from '../../src/shops/images/image-store.ts'
import { createS3Store } from '../../src/shops/images/s3-store.ts'
import { newFolder } from '../harness/new-folder.ts'
import { signatureOf, startS3Server } from './s3-server.ts'

const bucket = 'pictures'
const credentials = { region: 'eu-central-1', accessKeyId: 'ACCESSKEYOFTESTS', secretAccessKey: 'secret/of+the=tests' }
const server = await startS3Server(bucket, credentials)
afterAll(() => server.close())

const dataDir = newFolder()
const s3 = { endpoint: server.endpoint, bucket, ...credentials }
const stores: Record<string, ImageStore> = {
  'the folder store': createImageStore({ dataDir, s3: undefined }),
  'the S3 store': createImageStore({ dataDir, s3 }),
}

let key = ''
beforeEach(() => {
  key = `logo-${randomBytes(8).toString('hex')}.png`
})

describe.each(Object.entries(stores))('%s', (_name, store) => {
  it('returns the stored bytes', async () => {
    const everyByte = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))
    const bytes = Buffer.concat([everyByte, randomBytes(300_000)])
    await store.put(key, bytes, 'image/png')
    expect(Buffer.from((await store.get(key)) ?? []).equals(bytes)).toBe(true)
  })

  it('has nothing under an unknown key', async () => {
    expect(await store.get(key)).toBeUndefined()
  })

  it('replaces what was there', async () => {
    await store.put(key, Buffer.from('a long first content'), 'image/png')
    await store.put(key, Buffer.from('second'), 'image/png')
    expect(Buffer.from((await store.get(key)) ?? []).toString()).toBe('second')
  })

  it('deletes, even what does not exist', async () => {
    await store.put(key, Buffer.from('gone soon'), 'image/png')
    await store.delete(key)
    expect(await store.get(key)).toBeUndefined()
    await store.delete(key)
  })

  it('separates keys', async () => {
    await store.put(key, Buffer.from('one'), 'image/png')
    await store.put(`other-${key}`, Buffer.from('two'), 'image/png')
    await store.delete(`other-${key}`)
    expect(Buffer.from((await store.get(key)) ?? []).toString()).toBe('one')
  })
})

describe('folder store', () => {
  const store = createImageStore({ dataDir, s3: undefined })

  it('leaves no temporary file next to the image', async () => {
    await Promise.all(['one', 'two', 'three'].map((text) => store.put(key, Buffer.from(text), 'image/png')))
    const files = readdirSync(join(dataDir, 'images'))
    expect(files).toContain(key)
    expect(files.filter((name) => name.startsWith('.'))).toEqual([])
    expect(['one', 'two', 'three']).toContain(readFileSync(join(dataDir, 'images', key), 'utf8'))
  })

  it('accepts no key that leads out of its folder', async () => {
    for (const wrong of ['../escape.png', 'a/b.png', 'a\\b.png', '..', '.hidden', '', 'a\0.png']) {
      await expect(store.put(wrong, Buffer.from('x'), 'image/png'), wrong).rejects.toThrow('not an image key')
      await expect(store.get(wrong), wrong).rejects.toThrow('not an image key')
      await expect(store.delete(wrong), wrong).rejects.toThrow('not an image key')
    }
  })
})

describe('S3 store', () => {
  it('is tested with a signature check that agrees with the published example', () => {
    const emptyHash = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
    const signature = signatureOf({
      method: 'GET',
      path: '/test.txt',
      query: '',
      headers: [
        ['host', 'examplebucket.s3.amazonaws.com'],
        ['range', 'bytes=0-9'],
        ['x-amz-content-sha256', emptyHash],
        ['x-amz-date', '20130524T000000Z'],
      ],
      payloadHash: emptyHash,
      moment: '20130524T000000Z',
      region: 'us-east-1',
      secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    })
    expect(signature).toBe('f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41')
  })

  it('stores under bucket and key, with the media type', async () => {
    await createS3Store(s3).put(key, Buffer.from('typed'), 'image/webp')
    expect(server.objects.get(`/${bucket}/${key}`)).toEqual({ bytes: Buffer.from('typed'), mediaType: 'image/webp' })
  })

  it('fails with wrong credentials, region or bucket, without revealing a secret', async () => {
    await createS3Store(s3).put(key, Buffer.from('kept'), 'image/png')
    const wrongs = [
      { wrong: { secretAccessKey: 'another' }, code: '403 (SignatureDoesNotMatch)' },
      { wrong: { accessKeyId: 'STRANGER' }, code: '403 (InvalidAccessKeyId)' },
      { wrong: { region: 'us-east-1' }, code: '403 (SignatureDoesNotMatch)' },
      { wrong: { bucket: 'elsewhere' }, code: '404 (NoSuchBucket)' },
    ]
    for (const { wrong, code } of wrongs) {
      const store = createS3Store({ ...s3, ...wrong })
      await expect(store.put(key, Buffer.from('changed'), 'image/png')).rejects.toThrow(code)
      await expect(store.get(key)).rejects.toThrow(code)
      await expect(store.delete(key)).rejects.toThrow(code)
    }
    expect(Buffer.from((await createS3Store(s3).get(key)) ?? []).toString()).toBe('kept')
  })

  it('retries when the store is busy, and gives up if it stays busy', async () => {
    const store = createS3Store(s3)
    server.failures.push(503)
    await store.put(key, Buffer.from('late'), 'image/png')
    expect(Buffer.from((await store.get(key)) ?? []).toString()).toBe('late')
    server.failures.push(503, 503, 503)
    await expect(store.get(key)).rejects.toThrow('503 (SlowDown)')
    expect(server.failures).toEqual([])
  })

  it('follows no redirect', async () => {
    server.failures.push(307)
    await expect(createS3Store(s3).get(key)).rejects.toThrow('307')
  })

  it('waits no longer than its time limit', async () => {
    server.isSilent = true
    try {
      await expect(createS3Store(s3, 200).get(key)).rejects.toThrow(/timeout/i)
    } finally {
      server.isSilent = false
    }
  })
})
