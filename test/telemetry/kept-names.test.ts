import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type JobOptions, listJobs } from '../../src/jobs.ts'
import { Environment } from '../../src/platform/config/environment.ts'
import { realSeries } from '../harness/series.ts'

/**
 * Names that are used beyond this code: in the environment of operators, in their dashboards and alert rules, and as keys in
 * the store, which older nodes read as well. A line may be added; one that goes or changes breaks somebody's installation.
 */
const kept = readFileSync(join(import.meta.dirname, 'kept-names.txt'), 'utf8')
  .trimEnd()
  .split('\n')
const keptOf = (kind: string) => kept.filter((line) => line.startsWith(`${kind} `))

describe('kept names', () => {
  it('have all settings', () => {
    const settings = Object.keys(Environment.properties).map((name) => `setting ${name}`)
    expect(settings.toSorted()).toEqual(keptOf('setting'))
  })

  it('have all jobs', () => {
    const options = { retentionDays: 30, deletedShopDays: 30, auditDays: 30 }
    // The names depend on nothing else.
    const jobs = (['embedded', 'postgres'] as const).flatMap((engine) => listJobs({ ...options, engine } as JobOptions))
    const names = new Set(jobs.map(({ name }) => `job ${name}`))
    expect([...names].toSorted()).toEqual(keptOf('job'))
  })

  it('have all metrics with their labels', async () => {
    const series = [...(await realSeries())].filter(([name]) => name.startsWith('doorstep_'))
    const metrics = series.map(([name, labels]) => ['metric', name, ...[...labels].toSorted()].join(' '))
    expect(metrics.toSorted()).toEqual(keptOf('metric'))
  })
})
