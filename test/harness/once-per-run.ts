import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'

const preparing = new Map<string, Promise<string>>()
const timeoutMs = 200_000

/**
 * Prepares something once for all test processes of a run: the first that needs it creates it, the others wait.
 * Returns the path that `make` was given.
 */
export function oncePerRun(name: string, make: (path: string) => Promise<void>): Promise<string> {
  const prepared = preparing.get(name) ?? prepare(join(inject('runFolder'), name), make)
  preparing.set(name, prepared)
  return prepared
}

async function prepare(path: string, make: (path: string) => Promise<void>): Promise<string> {
  const [claimed, ready, failed] = [`${path}.claimed`, `${path}.ready`, `${path}.failed`]
  if (claim(claimed)) {
    try {
      await make(path)
      writeFileSync(ready, '')
      return path
    } catch (error) {
      writeFileSync(failed, '')
      throw error
    }
  }
  const deadline = performance.now() + timeoutMs
  while (!existsSync(ready)) {
    if (existsSync(failed)) throw new Error(`another test process could not prepare ${path}`)
    if (performance.now() > deadline) throw new Error(`${path} was not prepared within ${timeoutMs} ms`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return path
}

/** Creating a folder fails if it exists, so only one process succeeds. */
function claim(path: string): boolean {
  try {
    mkdirSync(path)
    return true
  } catch {
    return false
  }
}
