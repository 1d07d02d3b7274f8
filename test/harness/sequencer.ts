import { statSync } from 'node:fs'
import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { durations } from './durations.ts'

/**
 * Long files first, so that both cores are busy until the end. One engine after the other: a test process serves one
 * engine, and starting another takes seconds.
 */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const engines = [...new Set(files.map(({ project }) => project.name))]
    const secondsOf = ({ moduleId }: TestSpecification) => {
      // The others take about a second; a longer file takes longer.
      return durations[relative(this.ctx.config.root, moduleId)] ?? Math.min(1, statSync(moduleId).size / 20_000)
    }
    return files.toSorted(
      (left, right) =>
        engines.indexOf(left.project.name) - engines.indexOf(right.project.name) || secondsOf(right) - secondsOf(left),
    )
  }
}
