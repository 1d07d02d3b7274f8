import { createHash, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const cache = fileURLToPath(new URL('../../node_modules/.cache/doorstep-tests/', import.meta.url))
/** No run lasts that long. */
const longestRunMs = 3_600_000

/**
 * Makes a file or folder once for each state of what it depends on, and returns its path. It is kept for later runs; those
 * of other states are removed when no run can use them any more.
 */
export async function keptBetweenRuns(
  name: string,
  state: string,
  make: (path: string) => Promise<void>,
): Promise<string> {
  mkdirSync(cache, { recursive: true })
  const path = join(cache, `${name}-${createHash('sha256').update(state).digest('hex').slice(0, 16)}`)
  if (!existsSync(path)) await makeAside(path, make)
  utimesSync(path, new Date(), new Date())
  removeUnused()
  return path
}

/** Renamed when it is whole, so that another run never uses half of it. */
async function makeAside(path: string, make: (path: string) => Promise<void>): Promise<void> {
  const aside = `${path}.${randomUUID()}`
  try {
    await make(aside)
    renameSync(aside, path)
  } catch (error) {
    // Another run was faster.
    if (!existsSync(path)) throw error
  } finally {
    rmSync(aside, { recursive: true, force: true })
  }
}

function removeUnused(): void {
  const oldestMs = Date.now() - longestRunMs
  for (const path of readdirSync(cache).map((name) => join(cache, name))) {
    const usedMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? oldestMs
    if (usedMs < oldestMs) rmSync(path, { recursive: true, force: true })
  }
}

/** Name, time and size of every file below some folders: another state after each change. */
export function stampsOf(folders: readonly string[]): string {
  return folders
    .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)))
    .sort()
    .map((path) => ({ path, found: statSync(path) }))
    .filter(({ found }) => found.isFile())
    .map(({ path, found }) => `${path} ${found.mtimeMs} ${found.size}`)
    .join('\n')
}
