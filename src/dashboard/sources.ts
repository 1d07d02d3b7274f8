import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { root } from './bundle.ts'

/** What every bundle depends on besides its own folder; the lock file stands for all packages. */
const others = [
  join(root, 'packages', 'client', 'src', 'client.ts'),
  join(root, 'package-lock.json'),
  fileURLToPath(new URL('bundle.ts', import.meta.url)),
]

/**
 * A stamp of the content of the sources, by which a bundle that was made from them is recognised; undefined where there are
 * none, because a published artefact may have the bundle only.
 */
export function stampSources(folder: string): string | undefined {
  if (!existsSync(join(folder, 'main.tsx'))) return undefined
  const hash = createHash('sha256')
  for (const path of sourcesIn(folder)) hash.update(`${path}\n`).update(readFileSync(join(folder, path)))
  for (const path of others) if (existsSync(path)) hash.update(readFileSync(path))
  return hash.digest('hex').slice(0, 16)
}

function sourcesIn(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/'))
  return names.filter((name) => /\.(tsx?|css|json|svg)$/.test(name) && !/^(dist|node_modules)\//.test(name)).sort()
}
