import { defineConfig } from 'vitest/config'
import { filesLongerThan } from './test/harness/durations.ts'
import { patienceMs } from './test/harness/patience.ts'
import LongestFirst from './test/harness/sequencer.ts'

/** The same suite on every engine that is there: the embedded one always, PostgreSQL where TEST_DATABASE_URL is set. */
const engines = process.env.TEST_DATABASE_URL ? ['embedded', 'postgres'] : ['embedded']

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
  if (process.env.TEST_FAST === '1') return slow
  return engine === 'embedded' && engines.length > 1 ? plans : []
}

export default defineConfig({
  test: {
    pool: 'forks',
    // One more than the cores of a small machine: tests of pages and processes leave a third of the time unused.
    maxWorkers: 3,
    // Compiled sources stay in node_modules: a second run of one file takes 12 instead of 19 seconds.
    experimental: { fsModuleCache: true },
    sequence: { sequencer: LongestFirst },
    reporters: ['default', './test/harness/reporter.ts'],
    globalSetup: ['./test/harness/run-folder.ts', './test/harness/test-databases.ts'],
    projects: engines.map((engine) => ({
      test: {
        name: engine,
        include: engine === 'embedded' ? ['test/**/*.test.ts'] : ['test/{api,workers,web}/**/*.test.ts'],
        exclude: excludedFrom(engine),
        env: { TEST_ENGINE: engine },
        // One service and one store per test process: every test makes a shop of its own in it.
        isolate: false,
        setupFiles: ['./test/harness/after-each-file.ts'],
        // Generous, for machines that do other things as well: no test is about how long something takes.
        testTimeout: 900_000,
        hookTimeout: 900_000,
        // Where other programs share the machine, one stumble must not stop a change; the summary names it.
        retry: process.env.CI ? 1 : 0,
        expect: { poll: { timeout: patienceMs } },
      },
    })),
  },
})
