import { statSync } from 'node:fs'
import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** About how many seconds the longest files take on two cores. The order matters, not the figure. */
const longest: Record<string, number> = {
  'test/faults/clock-jumps.test.ts': 72,
  'test/browser/dashboard-connect.test.ts': 71,
  'test/faults/killed-process.test.ts': 67,
  'test/browser/dashboard-access.test.ts': 56,
  'test/browser/dashboard-marketing.test.ts': 55,
  'test/process/start.test.ts': 54,
  'test/api/backfills.test.ts': 51,
  'test/browser/dashboard-messages.test.ts': 47,
  'test/browser/guide.test.ts': 39,
  'test/browser/widgets.test.ts': 35,
  'test/faults/random-kills.test.ts': 35,
  'test/faults/killed-while-mailing.test.ts': 35,
  'test/workers/backup.test.ts': 34,
  'test/guide/follow.test.ts': 34,
  'test/browser/tracking-page.test.ts': 32,
  'test/browser/dashboard-search.test.ts': 31,
  'test/faults/failover.test.ts': 31,
  'test/browser/dashboard-exceptions.test.ts': 28,
  'test/faults/restarted-database.test.ts': 24,
  'test/process/stop.test.ts': 23,
  'test/api/shop-moves.test.ts': 23,
  'test/faults/killed-import.test.ts': 22,
  'test/process/backup-commands.test.ts': 21,
  'test/api/exceptions-plans.test.ts': 21,
  'test/process/processes.test.ts': 20,
  'test/faults/full-disk.test.ts': 20,
  'test/api/bad-input.test.ts': 20,
  'test/api/exceptions-properties.test.ts': 18,
  'test/demo/demo.test.ts': 18,
  'test/telemetry/process.test.ts': 18,
  'test/workers/restored-deliveries.test.ts': 18,
  'test/api/search-plans.test.ts': 17,
  'test/api/privacy-plans.test.ts': 16,
  'test/api/delivery-promise-plans.test.ts': 16,
  'test/api/imports.test.ts': 16,
  'test/deploy/router.test.ts': 15,
  'test/api/analytics-plans.test.ts': 15,
  'test/api/upgrades.test.ts': 15,
  'test/api/cross-site.test.ts': 14,
  'test/api/privacy.test.ts': 14,
  'test/browser/dashboard-ab-tests.test.ts': 14,
  'test/browser/dashboard-carriers.test.ts': 14,
  'test/browser/dashboard-promises.test.ts': 14,
  'test/browser/dashboard-sandbox.test.ts': 13,
  'test/browser/dashboard-promises-kept.test.ts': 12,
  'test/api/exports.test.ts': 12,
  'test/process/nodes.test.ts': 12,
  'test/faults/killed-worker.test.ts': 12,
  'test/api/description.test.ts': 12,
  'test/api/list-plans.test.ts': 11,
  'test/browser/dashboard-status.test.ts': 10,
  'test/web/promise-page.test.ts': 10,
  'test/api/shop-systems-arrival.test.ts': 10,
  'test/api/event-description.test.ts': 10,
  'test/browser/dashboard-imports.test.ts': 10,
  'test/process/terminal.test.ts': 9,
  'test/database/embedded.test.ts': 9,
  'test/browser/withdrawal.test.ts': 9,
  'test/workers/circuit-breaker.test.ts': 9,
  'test/browser/dashboard-withdrawals.test.ts': 9,
  'test/api/tracking-plans.test.ts': 9,
  'test/process/pack.test.ts': 9,
  'test/api/every-operation.test.ts': 9,
  'test/api/figures.test.ts': 8,
  'test/patterns.test.ts': 8,
  'test/api/people-plans.test.ts': 8,
  'test/api/imports-plans.test.ts': 8,
  'test/api/claim-plans.test.ts': 8,
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
