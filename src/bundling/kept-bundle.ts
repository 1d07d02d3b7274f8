import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { root } from './sources.ts'

const run = promisify(execFile)

/** Where bundles may be kept, best first: beside the packages, or in the data folder if they are read-only. */
export function cacheFoldersOf(dataDir: string): string[] {
  return [join(root, 'node_modules', '.cache', 'doorstep'), join(dataDir, 'cache')]
}

interface BundleOptions<Bundle> {
  name: 'dashboard' | 'widgets'
  /** Where its sources are; with the bundle in `dist` if it was made ahead of time. */
  source: string
  /** Of the present sources; undefined where there are none. */
  stamp: string | undefined
  cacheFolders: readonly string[]
  /** Reads the bundle of a folder; undefined if it is not there, or made from other sources. */
  find(folder: string, stamp: string | undefined): Bundle | undefined
  /** Called if one was made. */
  onMade(ms: number): void
}

/** Finds a bundle of the present sources, or makes one in a process of its own and keeps it for the next start. */
export async function findOrMakeBundle<Bundle>(options: BundleOptions<Bundle>): Promise<Bundle> {
  const { name, source, stamp, cacheFolders, find } = options
  const published = find(join(source, 'dist'), stamp)
  if (published) return published
  if (stamp === undefined) throw new Error(`${source} has neither dist/ nor sources`)
  const folders = cacheFolders.map((folder) => join(folder, `${name}-${stamp}`))
  for (const folder of folders) {
    const bundle = find(folder, stamp)
    if (bundle) return bundle
  }
  const folder = folders.find((folder) => isWritable(dirname(folder)))
  if (folder === undefined) throw new Error(`none of these folders can be written: ${cacheFolders.join(', ')}`)
  const startedAt = performance.now()
  await run(process.execPath, [join(root, 'bin', 'make-bundle.js'), name, source, folder, stamp])
  removeOthers(folder, name)
  const bundle = find(folder, stamp)
  if (bundle === undefined) throw new Error(`the files in ${folder} cannot be read`)
  options.onMade(Math.round(performance.now() - startedAt))
  return bundle
}

function isWritable(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, '.writable'), '')
    return true
  } catch {
    return false
  }
}

/** Bundles of older sources. */
function removeOthers(folder: string, name: string): void {
  for (const other of readdirSync(dirname(folder))) {
    const isBundle = other.startsWith(`${name}-`) && /^[0-9a-f]{16}$/.test(other.slice(name.length + 1))
    if (isBundle && other !== basename(folder)) {
      rmSync(join(dirname(folder), other), { recursive: true, force: true })
    }
  }
}
