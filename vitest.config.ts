import { defineConfig } from 'vitest/config'
import { filesLongerThan } from './test/harness/durations.ts'
import { usualLimitMs } from './test/harness/patience.ts'
import { prebuiltService } from './test/harness/prebuilt-service.ts'
import LongestFirst from './test/harness/sequencer.ts'
import { findUnitTests } from './test/harness/unit-tests.ts'

/** The same suite on every engine that is there: the embedded one always, PostgreSQL where TEST_DATABASE_URL is set. */
const engines = process.env.TEST_DATABASE_URL ? ['embedded', 'postgres'] : ['embedded']

/** Without service and store, so they need no engine. */
const unitTests = findUnitTests()

/** Which index a search uses is checked on PostgreSQL if it is there: filling the embedded store takes long. */
const plans = ['test/api/*-plans.test.ts']

/** What `npm run test:fast` leaves out. The roles of every operation are checked even there. */
const slow = [
  'test/{process,browser,faults}/**',
  'test/patterns.test.ts',
  'test/database/**',
  'test/demo/**',
  ...plans,
  ...filesLongerThan(3).filter((path) => path !== 'test/api/every-operation.test.ts'),
]

function excludedFrom(engine: string): string[] {
  if (process.env.TEST_FAST === '1') return [...unitTests, ...slow]
  return engine === 'embedded' && engines.length > 1 ? [...unitTests, ...plans] : unitTests
}

const shared = {
  // One service and one store per test process: every test makes a shop of its own in it.
  isolate: false,
  setupFiles: ['./test/harness/each-file.ts'],
  // A hang fails soon. Files that usually take long set more, see `beginFile`.
  testTimeout: usualLimitMs,
  hookTimeout: usualLimitMs,
  // Where other programs share the machine, one stumble must not stop a change; the summary names it.
  retry: process.env.CI ? 1 : 0,
  expect: { poll: { timeout: 0.75 * usualLimitMs } },
}

const prebuilt = prebuiltService()

export default defineConfig({
  test: {
    pool: 'forks',
    // One more than the cores of a small machine: tests of pages and processes leave a third of the time unused.
    maxWorkers: 3,
    // What Vite makes of tests stays in node_modules for the next run.
    experimental: { fsModuleCache: true },
    sequence: { sequencer: LongestFirst },
    reporters: ['default', './test/harness/reporter.ts'],
    globalSetup: ['./test/harness/built.ts', './test/harness/run-folder.ts', './test/harness/test-databases.ts'],
    projects: [
      {
        test: {
          ...shared,
          name: 'unit',
          include: unitTests,
          exclude: process.env.TEST_FAST === '1' ? slow : [],
        },
      },
      ...engines.map((engine) => ({
        plugins: [prebuilt],
        test: {
          ...shared,
          name: engine,
          include: engine === 'embedded' ? ['test/**/*.test.ts'] : ['test/{api,workers,web}/**/*.test.ts'],
          exclude: excludedFrom(engine),
          env: { TEST_ENGINE: engine },
        },
      })),
    ],
  },
})
