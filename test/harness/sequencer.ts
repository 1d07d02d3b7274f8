import { statSync } from 'node:fs'
import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** About how many seconds the longest files take on two cores. The order matters, not the figure. */
const longest: Record<string, number> = {
  'test/faults/killed-process.test.ts': 50,
  'test/faults/clock-jumps.test.ts': 48,
  'test/process/start.test.ts': 45,
  'test/faults/random-kills.test.ts': 44,
  'test/guide/follow.test.ts': 42,
  'test/browser/tracking-page.test.ts': 40,
  'test/browser/claim-form.test.ts': 30,
  'test/process/processes.test.ts': 25,
  'test/faults/full-disk.test.ts': 25,
  'test/api/bad-input.test.ts': 20,
  'test/faults/failover.test.ts': 35,
  'test/faults/restarted-database.test.ts': 30,
  'test/deploy/router.test.ts': 19,
  'test/process/stop.test.ts': 20,
  'test/faults/killed-import.test.ts': 15,
  'test/faults/killed-worker.test.ts': 15,
  'test/process/nodes.test.ts': 15,
  'test/telemetry/process.test.ts': 12,
  'test/patterns.test.ts': 10,
  'test/database/embedded.test.ts': 10,
  'test/process/tls.test.ts': 8,
  'test/faults/bad-receivers.test.ts': 8,
  'test/api/exports.test.ts': 8,
  'test/demo/demo.test.ts': 8,
  'test/api/search-plans.test.ts': 8,
  'test/api/privacy.test.ts': 7,
  'test/workers/follow-parcels.test.ts': 7,
  'test/api/imports.test.ts': 6,
  'test/workers/imports.test.ts': 6,
}

/**
 * Long files first, so that both cores are busy until the end. One engine after the other: a test process serves one
 * engine, and starting another takes seconds.
 */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const engines = [...new Set(files.map(({ project }) => project.name))]
    const secondsOf = ({ moduleId }: TestSpecification) => {
      const path = relative(this.ctx.config.root, moduleId)
      // Every screen is looked at several times.
      const browserSeconds = path.startsWith('test/browser/') ? 20 : 0
      return longest[path] ?? browserSeconds + statSync(moduleId).size / 20_000
    }
    return files.toSorted(
      (left, right) =>
        engines.indexOf(left.project.name) - engines.indexOf(right.project.name) || secondsOf(right) - secondsOf(left),
    )
  }
}
