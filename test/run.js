// @ts-check
// `npm test`: the whole suite on every available engine. `--unit` runs the tests that need neither service nor store, with
// `--watch` again after each change of what they import. `--fast` leaves out tests that start processes or browsers or
// check every pattern and plan, and PostgreSQL. `--pictures` runs the browser tests only and leaves a screenshot
// at every width and in every colour scheme in test/output. Other arguments are passed to vitest.
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs')
/** @type {Record<string, { chosen: string[], env: Record<string, string> }>} */
const kinds = {
  '--unit': { chosen: ['--project', 'unit'], env: {} },
  '--fast': { chosen: [], env: { TEST_DATABASE_URL: '', TEST_FAST: '1' } },
  '--pictures': { chosen: ['test/browser'], env: { TEST_DATABASE_URL: '', TEST_PICTURES: '1' } },
}
const words = process.argv.slice(2)
const kind = kinds[words.find((word) => word in kinds) ?? '']
const command = words.includes('--watch') ? 'watch' : 'run'
const given = words.filter((word) => !(word in kinds) && word !== '--watch')
const { status } = spawnSync(process.execPath, [vitest, command, ...(kind?.chosen ?? []), ...given], {
  stdio: 'inherit',
  env: { ...process.env, ...kind?.env },
})
process.exit(status ?? 1)
