import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../', import.meta.url))

/** What every bundle depends on besides its own files; the lock file stands for all packages. */
const lockFile = join(root, 'package-lock.json')

/**
 * A stamp of the content of the sources, by which a bundle that was made from them is recognised; undefined where there are
 * none, because a published artefact may have the bundle only. `others`: files outside the folder that it depends on.
 */
export function stampSources(folder: string, entry: string, others: readonly string[]): string | undefined {
  if (!existsSync(join(folder, entry))) return undefined
  const hash = createHash('sha256')
  for (const path of sourcesIn(folder)) hash.update(`${path}\n`).update(readFileSync(join(folder, path)))
  for (const path of [...others, lockFile]) if (existsSync(path)) hash.update(readFileSync(path))
  return hash.digest('hex').slice(0, 16)
}

function sourcesIn(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/'))
  return names.filter((name) => /\.(tsx?|css|json|svg)$/.test(name) && !/^(dist|node_modules)\//.test(name)).sort()
}
