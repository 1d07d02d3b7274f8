import type { Reporter, TestModule } from 'vitest/node'
import { browserPath } from './browser.ts'
import { writeDurations } from './durations.ts'

/** Prints at the end what ran on which engine and in which browser, so that nothing is skipped silently. */
export default class Summary implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    if (process.env.WRITE_DURATIONS === '1') writeDurations(durationsOf(modules))
    const counts = { passed: 0, failed: 0, skipped: 0 }
    const byEngine = new Map<string, number>()
    const secondTries: string[] = []
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { state, errors = [] } = test.result()
        if (state === 'pending') continue
        counts[state] += 1
        if (test.diagnostic()?.flaky) secondTries.push([test.fullName, ...errors.map(describeFault)].join('\n  '))
        if (state === 'passed') byEngine.set(module.project.name, (byEngine.get(module.project.name) ?? 0) + 1)
      }
    }
    const engine = (name: string, label: string, hint: string) =>
      byEngine.has(name) ? `${label} (${byEngine.get(name)} tests)` : `no ${label}: ${hint}`
    const shown = modules
      .filter((module) => module.moduleId.includes('/browser/'))
      .flatMap((module) => [...module.children.allTests('passed')]).length
    const browser = shown > 0 ? `${browserPath()} (${shown} tests)` : undefined
    console.log(
      [
        '',
        `Engines: none (${byEngine.get('unit') ?? 0} unit tests); ${engine('embedded', 'embedded PGlite', 'not run')}; ${engine('postgres', 'PostgreSQL', 'set TEST_DATABASE_URL to run the suite on it')}`,
        `Browser: ${browser ?? `no browser tests ran${browserPath() === undefined ? ': install Chromium or set CHROMIUM_PATH' : ''}`}`,
        ...secondTries.map((name) => `Passed at the second try only: ${name}`),
        `${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`,
      ].join('\n'),
    )
  }
}

/** The seconds of each file that ran, by its path; of two engines, the longer one's. */
function durationsOf(modules: readonly TestModule[]): Record<string, number> {
  const seconds: Record<string, number> = {}
  for (const module of modules) {
    if (module.state() === 'skipped') continue
    const path = module.relativeModuleId
    seconds[path] = Math.max(seconds[path] ?? 0, module.diagnostic().duration / 1_000)
  }
  return seconds
}

interface Fault {
  message: string
  actual?: unknown
  stacks?: readonly { file: string; line: number }[]
}

/** The failure of the first try, and its place. */
function describeFault({ message, actual, stacks = [] }: Fault): string {
  const [place] = stacks
  // The message has the first characters of it only.
  const found = typeof actual === 'string' ? `: ${actual.slice(0, 500)}` : ''
  return place ? `${message} (${place.file}:${place.line})${found}` : message
}
