import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { launch, makeFolder, makeStore } from '../harness/process.ts'

describe('bin/doorstep.js', { timeout: 240_000 }, () => {
  it('runs a command without the service, and leaves no data behind', async () => {
    const folder = makeFolder()
    const help = launch({ DATA_DIR: `${folder}/data` }, { args: ['--help'] })
    expect(await help.ended).toEqual({ code: 0, signal: null })
    expect([help.output(), help.complaints()]).toEqual([expect.stringContaining('doorstep <command> [options]'), ''])
    expect(readdirSync(folder)).toEqual([])
  })

  it('ends with the exit code of the command', async () => {
    const wrong = launch({}, { args: ['strat'] })
    expect(await wrong.ended).toEqual({ code: 2, signal: null })
    expect(wrong.complaints()).toBe('Error: "doorstep strat" is not a command.\nDid you mean "doorstep start"?\n')
  })

  it('is silent if nobody reads its output', async () => {
    const unread = launch({}, { args: ['--help'] })
    unread.child.stdout?.destroy()
    expect(await unread.ended).toEqual({ code: 0, signal: null })
    expect(unread.complaints()).toBe('')
  })

  it('migrates the store and ends', async () => {
    const migrated = launch({ DATA_DIR: await makeStore() }, { args: ['migrate', '--json'] })
    expect(await migrated.ended).toEqual({ code: 0, signal: null })
    expect(JSON.parse(migrated.output())).toEqual({ applied: [] })
    const wrong = launch({ DATABASE_URL: 'mysql://localhost' }, { args: ['migrate'] })
    expect(await wrong.ended).toEqual({ code: 1, signal: null })
    expect(wrong.complaints()).toMatch(/^Error: The store was not migrated\. DATABASE_URL /)
  })
})
