import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Files and folders that other users of the machine could read or enter. */
export function openPaths(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  // A socket of a running service is there too, in a folder that nobody else can enter.
  const paths = entries.filter((entry) => !entry.startsWith('lock')).map((entry) => join(folder, entry))
  return [folder, ...paths].filter((path) => (statSync(path).mode & 0o077) !== 0)
}
