import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { callApi, launch, makeFolder, makeShop, makeStore, operator, start } from '../harness/process.ts'

describe('the commands for backups', () => {
  it('copy a running service to another folder, and explain what they refuse', async () => {
    const source = await makeStore()
    const [target, file] = [join(makeFolder(), 'data'), join(makeFolder(), 'a.backup')]
    const service = await start({ DATA_DIR: source })
    await makeShop(service, operator, 'copied')
    const written = await run(['backup', file, '--with-key', '--json'], source)
    expect(written).toMatchObject({ code: 0, complaints: '' })
    expect(JSON.parse(written.output)).toMatchObject({ file, isEncrypted: true, hasKey: true, summary: { images: 0 } })

    const [again, checked, restored] = await Promise.all([
      run(['backup', file], source),
      run(['backup', file, '--check'], source),
      run(['restore', file], target),
    ])
    expect(again).toMatchObject({ code: 1, complaints: expect.stringContaining('A backup replaces no file.') })
    expect(checked).toMatchObject({ code: 0, output: expect.stringContaining('The file is complete and intact.') })
    expect(restored).toMatchObject({ code: 0, output: expect.stringContaining('written to DATA_DIR/encryption-key') })
    for (const { output } of [checked, restored]) expect(output).toContain('encrypted with BACKUP_PASSPHRASE')

    const copy = await start({ DATA_DIR: target })
    expect(await callApi(copy, operator, 'GET /v1/shops/copied')).toMatchObject({ status: 200 })
    const refused = await run(['move-store', '--to', makeFolder()], target)
    expect(refused).toMatchObject({ code: 1, complaints: expect.stringContaining('is in use by another Doorstep') })
  })
})

describe('a file that is not encrypted', () => {
  it('is named so, and is rejected where backups are encrypted, unless it is asked for', async () => {
    const file = join(makeFolder(), 'plain.backup')
    expect(await run(['backup', file], await makeStore(), {})).toMatchObject({ code: 0 })
    const [data, other] = [join(makeFolder(), 'data'), join(makeFolder(), 'data')]
    const [check, restore, accepted, plain, given] = await Promise.all([
      run(['backup', file, '--check'], data),
      run(['restore', file], data),
      run(['backup', file, '--check', '--unencrypted', '--json'], data),
      run(['backup', file, '--check'], data, {}),
      run(['restore', file, '--unencrypted'], other),
    ])
    for (const rejected of [check, restore]) {
      expect(rejected).toMatchObject({ code: 1, complaints: expect.stringContaining('use --unencrypted') })
    }
    expect(existsSync(join(data, 'store'))).toBe(false)
    expect(JSON.parse(accepted.output)).toMatchObject({ isEncrypted: false })
    for (const { code, output } of [plain, given]) {
      expect(code).toBe(0)
      expect(output).toContain('not encrypted: anybody may have written it')
    }
  })
})

async function run(
  args: string[],
  dataDir: string,
  settings: Record<string, string> = { BACKUP_PASSPHRASE: 'a long passphrase of the tests' },
) {
  const launched = launch({ DATA_DIR: dataDir, ...settings }, { args })
  const { code } = await launched.ended
  return { code, output: launched.output(), complaints: launched.complaints() }
}
