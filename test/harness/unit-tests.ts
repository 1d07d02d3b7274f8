import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The imports that a unit test never reaches: the service, all its operations, a store, another process. */
export const heavy = [
  'src/service.ts',
  'src/operations.ts',
  '@electric-sql/pglite',
  'pg',
  'node:child_process',
] as const

/** An import that remains when types are removed: of a source, or a package. */
const imported =
  /^(?:import|export) (?:(?:\w+, )?\{[^}]*\}|\* as \w+|\*|\w+) from '([^']+)'|^import '([^']+)'|\bimport\('([^']+)'\)/gm

/** The tests that run without an engine: found by what they import, so that no list can be out of date. */
export function findUnitTests(): string[] {
  const importers = new Map<string, Set<string>>()
  const tests = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => join('test', name))
    .sort()
  const seen = new Set(tests)
  for (const path of seen) {
    for (const needed of importsOf(path)) {
      importers.set(needed, (importers.get(needed) ?? new Set()).add(path))
      if (existsSync(join(root, needed))) seen.add(needed)
    }
  }
  const reaching = new Set<string>(heavy)
  for (const path of reaching) for (const importer of importers.get(path) ?? []) reaching.add(importer)
  return tests.filter((path) => !reaching.has(path))
}

/** Sources by path from the root, packages by name. */
function importsOf(path: string): string[] {
  if (!/\.[jt]sx?$/.test(path)) return []
  return Array.from(readFileSync(join(root, path), 'utf8').matchAll(imported), (found) => {
    const name = found[1] ?? found[2] ?? found[3] ?? ''
    return name.startsWith('.') ? relative(root, join(root, dirname(path), name)) : name
  })
}
