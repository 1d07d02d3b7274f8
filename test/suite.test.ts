import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { rolldown } from 'rolldown'
import { describe, expect, it, vi } from 'vitest'
import { durations } from './harness/durations.ts'
import { beginFile, patienceMs, until, untilThereAre, within } from './harness/patience.ts'
import { findUnitTests, heavy } from './harness/unit-tests.ts'

const root = join(import.meta.dirname, '..')
const here = relative(root, import.meta.filename)

describe('unit tests', () => {
  const unitTests = findUnitTests()

  it('are the tests that load neither the service nor a store and start no process', async () => {
    const all = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => join('test', name))
    const reached = await reachedBy(all)
    const light = all.filter((path) => !heavy.some((name) => reached(path).has(name)))
    expect(unitTests).toEqual(light.sort())
  })

  it('include those of rules and leave out those of the API', () => {
    expect(unitTests).toContain('test/claims/withdrawals.test.ts')
    expect(unitTests).toContain('test/foundation/ids.test.ts')
    expect(unitTests).not.toContain('test/api/notes.test.ts')
    expect(unitTests).not.toContain('test/process/terminal.test.ts')
  })
})

describe('a test that waits', () => {
  it('fails with what it waited for, and where', async () => {
    const error = await failureOf(() => until(() => (Date.now() === 5 ? true : undefined)))
    expect(error.message).toMatch(/^waited 60 s for \(\) => Date\.now\(\) === 5 \? true : /)
    expect(error.stack?.split('\n')[1]).toContain('suite.test.ts')
    expect((await failureOf(() => until(() => undefined, 'the end'))).message).toBe('waited 60 s for the end')
  })

  it('names the number of items that came', async () => {
    expect((await failureOf(() => untilThereAre(3, ['one'], 'mails'))).message).toBe('only 1 of 3 mails came')
  })

  it('fails when a promise is not kept', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const failing = within(new Promise(() => {}), 'the last reply').catch((error: Error) => error.message)
    await vi.advanceTimersByTimeAsync(patienceMs())
    vi.useRealTimers()
    expect(await failing).toBe('waited 60 s for the last reply')
  })

  it('has a minute, and more in files that take long', () => {
    expect(beginFile('test/api/a-short-one.test.ts')).toBe(60_000)
    const ofSeconds = (seconds: number) => Object.keys(durations).find((path) => durations[path] === seconds) ?? ''
    expect(beginFile(ofSeconds(2))).toBe(60_000)
    expect(beginFile(ofSeconds(10))).toBe(200_000)
    expect(patienceMs()).toBe(150_000)
    expect(beginFile(ofSeconds(101))).toBe(900_000)
    expect(beginFile(here)).toBe(80_000)
  })
})

/** The failure of something that is always too late. */
async function failureOf(wait: () => Promise<unknown>): Promise<Error> {
  let nowMs = 0
  const now = vi.spyOn(performance, 'now').mockImplementation(() => {
    nowMs += 10 * 60_000
    return nowMs
  })
  try {
    await wait()
  } catch (error) {
    if (error instanceof Error) return error
    throw error
  } finally {
    now.mockRestore()
  }
  throw new Error('it did not fail')
}

/** The modules that tests import, with all that those import, as a bundler sees it. */
async function reachedBy(paths: readonly string[]): Promise<(path: string) => Set<string>> {
  const imports = new Map<string, readonly string[]>()
  const bundle = await rolldown({
    input: paths.map((path) => join(root, path)),
    platform: 'node',
    external: (id) => /^[^./]/.test(id) && !id.startsWith('doorstep-'),
    logLevel: 'silent',
    plugins: [
      {
        name: 'imports',
        moduleParsed({ id, importedIds, dynamicallyImportedIds }) {
          imports.set(id, [...importedIds, ...dynamicallyImportedIds])
        },
      },
    ],
  })
  try {
    await bundle.generate()
  } finally {
    await bundle.close()
  }
  return (path) => {
    const found = new Set([join(root, path)])
    for (const id of found) for (const imported of imports.get(id) ?? []) found.add(imported)
    return new Set([...found].map((id) => (id.startsWith('/') ? relative(root, id) : id)))
  }
}
