import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { realSeries } from '../harness/series.ts'

const folder = join(import.meta.dirname, '../../deploy')
const rulesFile = join(folder, 'prometheus/doorstep.rules.yml')
const rules = readFileSync(rulesFile, 'utf8')
const dashboard = JSON.parse(readFileSync(join(folder, 'grafana/doorstep.json'), 'utf8')) as {
  panels: { title: string; targets: { expr: string }[] }[]
}

/** `expr: …` of each rule, also over several lines. */
const ruleExpressions = [...rules.matchAll(/^ {8}expr: (?:>-\n)?((?:.|\n {10})+)/gm)].map(([, text = '']) => text)
const panelExpressions = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))

/** The names of metrics, each with the labels that the expression uses. */
function usesOf(expression: string): { metric: string; labels: string[] }[] {
  const grouped = [...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, names = '']) => names.split(/,\s*/))
  return [...expression.matchAll(/\b((?:doorstep|nodejs|process)_\w+)(?:\{([^}]*)\})?/g)].map(
    ([, metric = '', selector = '']) => ({
      metric,
      labels: [...grouped, ...[...selector.matchAll(/(\w+)\s*[=!]/g)].map(([, name = '']) => name)],
    }),
  )
}

describe('alert rules and dashboard', () => {
  it('use only metrics and labels that the service has', async () => {
    const series = await realSeries()
    const uses = [...ruleExpressions, ...panelExpressions].flatMap(usesOf)
    expect(uses.length).toBeGreaterThan(30)
    const wrong = uses.flatMap(({ metric, labels }) => {
      const real = series.get(metric)
      if (real === undefined) return [metric]
      return labels.filter((label) => !real.has(label)).map((label) => `${metric}{${label}}`)
    })
    expect(wrong).toEqual([])
  })

  it('say for every alert what is wrong, and link to a section of the guide', () => {
    const alerts = rules.split('- alert: ').slice(1)
    expect(alerts).toHaveLength(ruleExpressions.length)
    const guide = readFileSync(join(import.meta.dirname, '../../docs/guide/watch.md'), 'utf8')
    const anchors = [...guide.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
      title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'),
    )
    for (const alert of alerts) {
      expect(alert).toMatch(/summary: \S/)
      expect(alert).toMatch(/description: \S/)
      expect(anchors).toContain(/runbook_url: \S+\/docs\/guide\/watch#(\S+)/.exec(alert)?.[1])
    }
  })

  it('are each tested to be raised', () => {
    const tests = readFileSync(join(folder, 'prometheus/doorstep.rules.test.yml'), 'utf8')
    const tested = new Set([...tests.matchAll(/alertname: (\w+)\n\s+exp_alerts:\n/g)].map(([, name]) => name))
    const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name]) => name)
    expect(alerts.filter((name) => !tested.has(name))).toEqual([])
  })

  it.skipIf(!hasPromtool())('pass their own tests in Prometheus', () => {
    const run = (...args: string[]) =>
      execFileSync('promtool', args, { cwd: join(folder, 'prometheus'), encoding: 'utf8' })
    expect(run('check', 'rules', 'doorstep.rules.yml')).toContain('SUCCESS')
    expect(run('test', 'rules', 'doorstep.rules.test.yml')).toContain('SUCCESS')
  })
})

function hasPromtool(): boolean {
  try {
    execFileSync('promtool', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
