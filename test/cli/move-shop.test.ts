import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runCli } from '../harness/cli.ts'
import { newFolder } from '../harness/new-folder.ts'
import { makeShop } from '../harness/shop.ts'
import { passphrase } from '../harness/shop-moves.ts'

const folder = newFolder()
const words = join(folder, 'passphrase')
writeFileSync(words, `${passphrase}\n`)

describe('doorstep shops export, import and resume', () => {
  it('take a shop out of an installation and back into it', async () => {
    const { slug, as } = await makeShop()
    const file = join(folder, 'shop.doorstep')
    const exported = await runCli(['shops', 'export', slug, file, '--move', '--yes', '--passphrase-file', words])
    expect(exported).toMatchObject({ code: 0, stderr: '' })
    expect(exported.stdout).toContain('The shop is paused here.')
    expect((await as('superadmin').get('/pause')).body.reason).toBe('move')
    const here = await runCli(['shops', 'import', file, '--passphrase-file', words])
    expect(here.code).not.toBe(0)
    expect(here.stderr).toContain('There is already a shop')
    await as('superadmin').delete('')
    const back = ['shops', 'import', file, '--replace-deleted', '--passphrase-file', words]
    expect((await runCli([...back, '--json'])).json).toMatchObject({ status: 'completed', slug, kind: 'move' })
    expect((await as('superadmin').get('/pause')).body.reason).toBeNull()
  })

  it('let a shop continue, and ask before it could send twice', async () => {
    const { slug, as } = await makeShop()
    const file = join(folder, 'given-up.doorstep')
    await runCli(['shops', 'export', slug, file, '--move', '--yes', '--passphrase-file', words])
    expect((await runCli(['shops', 'resume', slug])).stderr).toContain('Is it certain')
    expect((await runCli(['shops', 'resume', slug, '--yes'])).stdout).toContain('continues')
    expect((await as('superadmin').get('/pause')).body.reason).toBeNull()
  })

  it('need a passphrase, and replace no file', async () => {
    const { slug } = await makeShop()
    const file = join(folder, 'other.doorstep')
    expect((await runCli(['shops', 'export', slug, file])).stderr).toContain('--passphrase-file')
    expect(existsSync(file)).toBe(false)
    expect((await runCli(['shops', 'export', slug, words, '--passphrase-file', words])).stderr).toContain('--force')
  })
})
