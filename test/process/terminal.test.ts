import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { until } from '../harness/patience.ts'
import { makeStore, start } from '../harness/process.ts'

const hasScript = spawnSync('script', ['--version']).status === 0

describe('output', () => {
  it.skipIf(!hasScript)('is for people on a terminal', async () => {
    const service = await start({ DATA_DIR: await makeStore(), TERM: 'xterm' }, { hasTerminal: true })
    await fetch(`${service.url}/healthz`)
    const line = await until(() => /^.*GET \/healthz.*$/m.exec(service.output())?.[0])
    expect(line).toMatch(/\d\d:\d\d:\d\d.*info.*GET \/healthz .*200.* ms/)
    expect(line).toContain('\u001b[')
    expect(service.output()).not.toContain('{"level"')
    // Nothing in it but what was meant to be read.
    expect(/ {2}Doorstep is running at .*\r?\n/.exec(service.output())?.[0]).not.toContain('\u001b')
  })
})
