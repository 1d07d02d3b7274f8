import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { Log } from '../foundation/context.ts'
import { root, sourceFolder } from './bundle.ts'
import { stampSources } from './sources.ts'
import { findBundle, type StoredBundle } from './stored-bundle.ts'

const run = promisify(execFile)

/** What there is to serve. */
export type DashboardState = { is: 'closed' | 'opening' | 'failed' } | { is: 'open'; bundle: StoredBundle }

interface DashboardOptions {
  /** Where its sources are; with the bundle in `dist` if it was made ahead of time. */
  folder: string
  /** Where a bundle may be kept, best first. */
  cacheFolders: readonly string[]
  log: () => Log
}

/** The dashboard of this checkout or artefact. Its bundle is kept beside the packages, or in the data folder if they are read-only. */
export function createDashboard({ dataDir, log }: { dataDir: string; log: () => Log }): Dashboard {
  const cacheFolders = [join(root, 'node_modules', '.cache', 'doorstep'), join(dataDir, 'cache')]
  return new Dashboard({ folder: sourceFolder, cacheFolders, log })
}

/**
 * The files of the dashboard. Opening finds a bundle of the present sources, or makes one and keeps it for the next start.
 * The service runs meanwhile, and without it: a dashboard that cannot be built must not stop deliveries.
 */
export class Dashboard {
  readonly #options: DashboardOptions
  #state: DashboardState = { is: 'closed' }
  #opening: Promise<void> | undefined

  constructor(options: DashboardOptions) {
    this.#options = options
  }

  /** Opens it once; never rejects. */
  open(): Promise<void> {
    this.#opening ??= this.#open()
    return this.#opening
  }

  /** The state when it is open or has failed; whatever it is by then if that takes longer than the limit. */
  async stateWithin(limitMs: number): Promise<DashboardState> {
    const opening = this.open()
    if (this.#state.is === 'opening') {
      let timer: NodeJS.Timeout | undefined
      const limit = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, limitMs)
      })
      await Promise.race([opening, limit])
      clearTimeout(timer)
    }
    return this.#state
  }

  /** A build in flight ends first: it would write into folders that may be gone. */
  async stop(): Promise<void> {
    await this.#opening
  }

  async #open(): Promise<void> {
    this.#state = { is: 'opening' }
    try {
      this.#state = { is: 'open', bundle: await this.#findOrBuild() }
    } catch (err) {
      this.#state = { is: 'failed' }
      this.#options.log().error({ err }, 'the dashboard could not be built; the API works without it')
    }
  }

  async #findOrBuild(): Promise<StoredBundle> {
    const { folder: source, cacheFolders } = this.#options
    const stamp = stampSources(source)
    const published = findBundle(join(source, 'dist'), stamp)
    if (published) return published
    if (stamp === undefined) throw new Error(`${source} has neither dist/ nor main.tsx`)
    const folders = cacheFolders.map((folder) => join(folder, `dashboard-${stamp}`))
    for (const folder of folders) {
      const bundle = findBundle(folder, stamp)
      if (bundle) return bundle
    }
    const folder = folders.find((folder) => isWritable(dirname(folder)))
    if (folder === undefined) throw new Error(`none of these folders can be written: ${cacheFolders.join(', ')}`)
    const startedAt = performance.now()
    await run(process.execPath, [join(root, 'bin', 'bundle-dashboard.js'), source, folder, stamp])
    removeOthers(folder)
    const bundle = findBundle(folder, stamp)
    if (bundle === undefined) throw new Error(`the files in ${folder} cannot be read`)
    this.#options.log().info({ ms: Math.round(performance.now() - startedAt) }, 'the dashboard is built')
    return bundle
  }
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
function removeOthers(folder: string): void {
  for (const name of readdirSync(dirname(folder))) {
    if (/^dashboard-[0-9a-f]{16}$/.test(name) && name !== basename(folder)) {
      rmSync(join(dirname(folder), name), { recursive: true, force: true })
    }
  }
}
