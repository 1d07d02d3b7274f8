import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'

/** An empty folder, removed when the run ends. */
export function newFolder(): string {
  return mkdtempSync(join(inject('runFolder'), 'folder-'))
}
