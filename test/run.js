// @ts-check
// `npm test`: the whole suite on every available engine. `--fast` leaves out tests that start processes or browsers or
// check every pattern and plan, and PostgreSQL. Other arguments are passed to vitest.
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs')
const [isFast, given] = [process.argv.includes('--fast'), process.argv.slice(2).filter((word) => word !== '--fast')]
const { status } = spawnSync(process.execPath, [vitest, 'run', ...given], {
  stdio: 'inherit',
  env: { ...process.env, ...(isFast ? { TEST_DATABASE_URL: '', TEST_FAST: '1' } : {}) },
})
process.exit(status ?? 1)
