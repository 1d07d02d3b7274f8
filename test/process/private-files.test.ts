import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { multipart } from '../harness/multipart.ts'
import { openPaths } from '../harness/private-files.ts'
import { makeFolder } from '../harness/process.ts'
import { call, startNode } from '../harness/service.ts'
import { makeShop } from '../harness/shop.ts'

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)

describe.skipIf(process.platform === 'win32')('data folder', () => {
  it('is made private at the start if an older version left it readable, except for files that are not ours', async () => {
    const folder = makeFolder()
    mkdirSync(join(folder, 'images'))
    writeFileSync(join(folder, 'images', 'claim-old.png'), 'photo')
    writeFileSync(join(folder, 'encryption-key'), 'encryption-key-of-the-tests\n')
    writeFileSync(join(folder, 'notes.txt'), 'of the operator')
    for (const path of ['images/claim-old.png', 'encryption-key', 'notes.txt']) chmodSync(join(folder, path), 0o644)
    for (const path of ['images', '.']) chmodSync(join(folder, path), 0o755)
    const service = await startNode({ DATA_DIR: folder })
    try {
      expect(modeOf(folder)).toBe('700')
      expect(modeOf(join(folder, 'images'))).toBe('700')
      expect(modeOf(join(folder, 'images', 'claim-old.png'))).toBe('600')
      expect(modeOf(join(folder, 'encryption-key'))).toBe('600')
      expect(modeOf(join(folder, 'notes.txt'))).toBe('644')
    } finally {
      await service.stop()
    }
  })

  it('stores images that nobody else can read', async () => {
    const folder = join(makeFolder(), 'data')
    const service = await startNode({ DATA_DIR: folder })
    try {
      const { slug } = await makeShop({}, service)
      const content = await sharp({ create: { width: 4, height: 4, channels: 3, background: 'red' } })
        .png()
        .toBuffer()
      const form = multipart([{ name: 'image', content, filename: 'a.png', contentType: 'image/png' }])
      const reply = await call('POST', `/v1/shops/${slug}/images/claim`, form, service)
      expect(reply.status).toBe(200)
      expect(readdirSync(join(folder, 'images'))).toHaveLength(1)
      expect(openPaths(folder)).toEqual([])
    } finally {
      await service.stop()
    }
  })
})
