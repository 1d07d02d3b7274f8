import { cacheFoldersOf, findOrMakeBundle } from '../bundling/kept-bundle.ts'
import { findBundle, type StoredBundle } from '../bundling/stored-bundle.ts'
import type { Log } from '../foundation/context.ts'
import { type BundleParts, sourceFolder, stampDashboard } from './bundle.ts'

/** What there is to serve. */
export type DashboardState = { is: 'closed' | 'opening' | 'failed' } | { is: 'open'; bundle: StoredBundle<BundleParts> }

interface DashboardOptions {
  /** Where its sources are; with the bundle in `dist` if it was made ahead of time. */
  folder: string
  /** Where a bundle may be kept, best first. */
  cacheFolders: readonly string[]
  log: () => Log
}

/** The dashboard of this checkout or artefact. */
export function createDashboard({ dataDir, log }: { dataDir: string; log: () => Log }): Dashboard {
  return new Dashboard({ folder: sourceFolder, cacheFolders: cacheFoldersOf(dataDir), log })
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
    const { folder: source, cacheFolders, log } = this.#options
    try {
      const bundle = await findOrMakeBundle({
        name: 'dashboard',
        source,
        stamp: stampDashboard(source),
        cacheFolders,
        find: findBundle<BundleParts>,
        onMade: (ms) => log().info({ ms }, 'the dashboard is built'),
      })
      this.#state = { is: 'open', bundle }
    } catch (err) {
      this.#state = { is: 'failed' }
      log().error({ err }, 'the dashboard could not be built; the API works without it')
    }
  }
}
