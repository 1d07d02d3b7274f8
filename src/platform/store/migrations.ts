import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'

const shipped = new URL('../../../migrations/', import.meta.url)

/** A file of `migrations/`. */
export interface Migration {
  name: string
  text: string
  checksum: string
  /** Statement by statement, for what a transaction does not allow, such as `create index concurrently`. */
  isOutsideTransaction: boolean
}

const header = /^-- outside a transaction\b/

/** Every migration of this version, in order. */
export function migrationNames(folder = shipped): string[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort()
}

export function readMigration(name: string, folder = shipped): Migration {
  const text = readFileSync(new URL(name, folder), 'utf8')
  return {
    name,
    text,
    checksum: createHash('sha256').update(text).digest('hex'),
    isOutsideTransaction: header.test(text),
  }
}
