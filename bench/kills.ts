import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

// The test with more kills: what is checked is the same. It prints its seed.
const { status } = spawnSync(
  process.execPath,
  ['node_modules/vitest/vitest.mjs', 'run', '--project', 'embedded', 'test/faults/random-kills.test.ts'],
  {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    env: { ...process.env, KILLS: process.env.KILLS ?? '200' },
    stdio: 'inherit',
  },
)
process.exitCode = status ?? 1
