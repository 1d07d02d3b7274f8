import { cacheFoldersOf, findOrMakeBundle } from '../bundling/kept-bundle.ts'
import { findBundle, storedDocument } from '../bundling/stored-bundle.ts'
import type { Log } from '../foundation/context.ts'
import { sha256 } from '../foundation/crypto.ts'
import type { PublicDocument } from '../foundation/public-document.ts'
import { fileName, sourceFolder, stampWidgets } from './bundle.ts'

interface WidgetsOptions {
  folder?: string
  cacheFolders: readonly string[]
  log: () => Log
}

/** The components of this checkout or artefact. */
export function createWidgets({ dataDir, log }: { dataDir: string; log: () => Log }): Widgets {
  return new Widgets({ cacheFolders: cacheFoldersOf(dataDir), log })
}

/** The script of the package, or that of this checkout: bundled in a process of its own if the sources are new, as the dashboard is. */
export class Widgets {
  readonly #options: WidgetsOptions
  #script: Promise<PublicDocument> | undefined

  constructor(options: WidgetsOptions) {
    this.#options = options
  }

  /** If it fails, the next request tries again. */
  script(): Promise<PublicDocument> {
    this.#script ??= this.#open().catch((error) => {
      this.#script = undefined
      throw error
    })
    return this.#script
  }

  /** A build in flight ends first: it would write into folders that may be gone. */
  async stop(): Promise<void> {
    await this.#script?.catch(() => {})
  }

  async #open(): Promise<PublicDocument> {
    const { folder = sourceFolder, cacheFolders, log } = this.#options
    const { files } = await findOrMakeBundle({
      name: 'widgets',
      source: folder,
      stamp: stampWidgets(folder),
      cacheFolders,
      find: findBundle,
      onMade: (ms) => log().info({ ms }, "the components for shops' sites are built"),
    })
    const file = files.get(fileName)
    if (file === undefined) throw new Error(`the bundle has no ${fileName}`)
    return storedDocument(file, sha256(file.plain).toString('hex').slice(0, 16))
  }
}
