import { defineConfig } from 'vitest/config'
import LongestFirst from './test/harness/sequencer.ts'

/** The same suite on every engine that is there: the embedded one always, PostgreSQL where TEST_DATABASE_URL is set. */
const engines = process.env.TEST_DATABASE_URL ? ['embedded', 'postgres'] : ['embedded']

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    reporters: ['default', './test/harness/reporter.ts'],
    globalSetup: ['./test/harness/run-folder.ts', './test/harness/test-databases.ts'],
    projects: engines.map((engine) => ({
      test: {
        name: engine,
        include: engine === 'embedded' ? ['test/**/*.test.ts'] : ['test/{api,workers,web}/**/*.test.ts'],
        // Which index a search takes is asked of PostgreSQL where it is there: loading enough rows takes the embedded one long.
        exclude: engine === 'embedded' && engines.length > 1 ? ['test/api/*-plans.test.ts'] : [],
        env: { TEST_ENGINE: engine },
        // One service and one store a process: every test makes a shop of its own in it.
        isolate: false,
        // Generous, for machines that do other things as well: no test is about how long something takes.
        testTimeout: 120_000,
        hookTimeout: 240_000,
      },
    })),
  },
})
