import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Files, readKept } from '../../bin/versions/kept-files.ts'
import { unpackProgram } from '../../bin/versions/kept-program.ts'
import type { KeptStore } from '../../bin/versions/kept-store.ts'

const fixtures = fileURLToPath(new URL('../fixtures', import.meta.url))

/** The versions of which there is a store, oldest first. */
export function keptVersions(folder: 'stores' | 'versions' = 'stores'): string[] {
  return readdirSync(join(fixtures, folder))
    .map((file) => file.replace(/\.json\.br$/, ''))
    .sort((left, right) => left.localeCompare(right, 'en', { numeric: true }))
}

export function readKeptStore(version: string): KeptStore {
  return readKept(join(fixtures, 'stores', `${version}.json.br`))
}

/** Writes the newest kept version's program to a folder, and returns the file to start. */
export function unpackPreviousVersion(folder: string): string {
  const version = keptVersions('versions').at(-1)
  return unpackProgram(readKept<Files>(join(fixtures, 'versions', `${version}.json.br`)), folder)
}
