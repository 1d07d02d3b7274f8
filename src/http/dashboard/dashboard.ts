import type { Log } from '../../platform/foundation/context.ts'
import { builtFolder, readBundle, type StoredBundle } from '../bundling/stored-bundle.ts'
import type { BundleParts } from './bundle.ts'

interface DashboardOptions {
  /** The folder in which it was built; default: that of `npm run build`. */
  folder?: string
  log: () => Log
}

/** The files of the dashboard, as they were built. */
export class Dashboard {
  readonly #options: DashboardOptions
  #bundle: StoredBundle<BundleParts> | 'missing' | undefined

  constructor(options: DashboardOptions) {
    this.#options = options
  }

  /** Reads it once. Undefined if it is not there, which must not stop deliveries: it is logged, and the service runs without. */
  open(): StoredBundle<BundleParts> | undefined {
    this.#bundle ??= this.#read()
    return this.#bundle === 'missing' ? undefined : this.#bundle
  }

  #read(): StoredBundle<BundleParts> | 'missing' {
    const { folder = builtFolder('dashboard'), log } = this.#options
    try {
      return readBundle<BundleParts>(folder)
    } catch (err) {
      log().error({ err }, 'the dashboard could not be built; the API works without it')
      return 'missing'
    }
  }
}
