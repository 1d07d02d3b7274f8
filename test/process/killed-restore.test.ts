import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import {
  basic,
  type Cleanup,
  callApi,
  launch,
  makeFolder,
  makeShop,
  makeStore,
  operator,
  type RunningProcess,
  sharedByTests,
  start,
} from '../harness/process.ts'

const killingRename = fileURLToPath(new URL('../harness/killing-rename.cjs', import.meta.url))
const passphrase = 'a long passphrase of the tests'

describe('restore that is killed', () => {
  const shared = sharedByTests(makeBackup)

  it('before its store is in its place leaves no copy of anything after the next start', async () => {
    const { file, image, key } = shared()
    const target = join(makeFolder(), 'data')
    await restoreUntilKilled(file, target, { KILL_BEFORE_RENAME: '/store$' })
    expect(leftovers(target)).toHaveLength(1)
    expect(readdirSync(join(target, 'images'))).toEqual([image])
    expect(readFileSync(join(target, 'encryption-key'), 'utf8').trim()).toBe(key)

    const service = await start({ DATA_DIR: target, ADMIN_API_KEY: operator.apiKey })
    expect(leftovers(target)).toEqual([])
    expect(readdirSync(join(target, 'images'))).toEqual([])
    expect(readFileSync(join(target, 'encryption-key'), 'utf8')).not.toContain(key)
    // As before the restore: an empty store.
    expect(await callApi(service, operator, 'GET /v1/shops/copied')).toMatchObject({ status: 404 })
  })

  it('after it has written an image leaves the store that was there, and no image', async () => {
    const { file } = shared()
    const target = await makeStore()
    await restoreUntilKilled(file, target, { KILL_AFTER_RENAME: '/images/' })
    expect(readdirSync(join(target, 'images'))).toHaveLength(1)

    const service = await start({ DATA_DIR: target })
    expect(leftovers(target)).toEqual([])
    expect(readdirSync(join(target, 'images'))).toEqual([])
    await makeShop(service, operator, 'still-works')
  })

  it('between its two renames has the whole restored store after the next start', async () => {
    const { file, image } = shared()
    const target = await makeStore()
    await restoreUntilKilled(file, target, { KILL_AFTER_RENAME: '/replaced$' })
    expect(existsSync(join(target, 'store'))).toBe(false)

    const service = await start({ DATA_DIR: target })
    expect(await callApi(service, operator, 'GET /v1/shops/copied')).toMatchObject({ status: 200 })
    expect(leftovers(target)).toEqual([])
    expect(readdirSync(join(target, 'images'))).toEqual([image])
    expect((await fetch(`${service.url}/v1/images/${image}`)).status).toBe(200)
  })

  it('between its two renames has the whole restored store for the next command, too', async () => {
    const { file } = shared()
    const target = await makeStore()
    await restoreUntilKilled(file, target, { KILL_AFTER_RENAME: '/replaced$' })
    const again = launch({ DATA_DIR: target, BACKUP_PASSPHRASE: passphrase }, { args: ['restore', file] })
    expect(await again.ended).toMatchObject({ code: 1 })
    expect(again.complaints()).toContain('With --replace')
    expect(leftovers(target).filter((name) => existsSync(join(target, name, 'replaced')))).toEqual([])
    expect(existsSync(join(target, 'store', 'PG_VERSION'))).toBe(true)
  })
})

/** A backup with a shop, an image and the key. */
async function makeBackup(cleanup: Cleanup) {
  const source = await makeStore(cleanup)
  const file = join(makeFolder(cleanup), 'a.backup')
  const service = await start({ DATA_DIR: source }, { cleanup })
  await makeShop(service, operator, 'copied')
  const image = await upload(service, 'copied')
  const written = launch(
    { DATA_DIR: source, BACKUP_PASSPHRASE: passphrase },
    { args: ['backup', file, '--with-key'], cleanup },
  )
  expect(await written.ended).toEqual({ code: 0, signal: null })
  return { file, image, key: readFileSync(join(source, 'encryption-key'), 'utf8').trim() }
}

async function upload({ url }: RunningProcess, slug: string): Promise<string> {
  const bytes = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#369' } })
    .png()
    .toBuffer()
  const form = new FormData()
  form.append('image_type', 'logo')
  form.append('image', new Blob([new Uint8Array(bytes)], { type: 'image/png' }), 'logo.png')
  const response = await fetch(`${url}/v1/shops/${slug}/images`, {
    method: 'POST',
    headers: { authorization: basic(operator) },
    body: form,
  })
  expect(response.status).toBe(200)
  const { url: address } = (await response.json()) as { url: string }
  return address.split('/').at(-1) ?? ''
}

async function restoreUntilKilled(file: string, target: string, when: Record<string, string>): Promise<void> {
  const settings = { DATA_DIR: target, BACKUP_PASSPHRASE: passphrase, NODE_OPTIONS: `--require ${killingRename}` }
  const killed = launch({ ...settings, ...when }, { args: ['restore', file, '--replace'] })
  expect(await killed.ended).toEqual({ code: null, signal: 'SIGKILL' })
}

function leftovers(folder: string): string[] {
  return readdirSync(folder).filter((name) => name.startsWith('.restore-'))
}
