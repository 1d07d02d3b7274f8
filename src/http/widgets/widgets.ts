import { sha256 } from '../../platform/foundation/crypto.ts'
import type { PublicDocument } from '../../platform/foundation/public-document.ts'
import { builtFolder, readBundle, storedDocument } from '../bundling/stored-bundle.ts'

/** Name of the script that pages load. */
export const fileName = 'doorstep.js'

export interface WidgetParts {
  /** The file with all components. */
  script: string
}

/** The script with the components for shops' own sites, as it was built. */
export class Widgets {
  readonly #folder: string
  #script: PublicDocument | undefined

  constructor(folder = builtFolder('widgets')) {
    this.#folder = folder
  }

  /** Throws if it is not built; the next request tries again. */
  script(): PublicDocument {
    this.#script ??= this.#read()
    return this.#script
  }

  #read(): PublicDocument {
    const { files, parts } = readBundle<WidgetParts>(this.#folder)
    const file = files.get(parts.script)
    if (file === undefined) throw new Error(`${this.#folder} has no ${parts.script}`)
    return storedDocument(file, sha256(file.plain).toString('hex').slice(0, 16))
  }
}
