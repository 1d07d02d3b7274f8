import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { sha256 } from '../foundation/crypto.ts'
import { bundleWidgets, fileName, sourceFolder } from './bundle.ts'

/** The script with the components, as it is served. */
export interface WidgetScript {
  plain: Buffer
  brotli: Buffer
  gzip: Buffer
  etag: string
}

const compressBrotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)

/** The script of this checkout, bundled when it is first asked for, or that of the package, which has no sources. */
export class Widgets {
  readonly #folder: string
  #script: Promise<WidgetScript> | undefined

  constructor(folder = sourceFolder) {
    this.#folder = folder
  }

  /** If it fails, the next request tries again. */
  script(): Promise<WidgetScript> {
    this.#script ??= this.#open().catch((error) => {
      this.#script = undefined
      throw error
    })
    return this.#script
  }

  async #open(): Promise<WidgetScript> {
    const hasSources = existsSync(join(this.#folder, 'main.ts'))
    const plain = hasSources ? await bundleWidgets(this.#folder) : readFileSync(join(this.#folder, 'dist', fileName))
    const [brotli, gzipped] = await Promise.all([
      compressBrotli(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }),
      compressGzip(plain, { level: 9 }),
    ])
    return { plain, brotli, gzip: gzipped, etag: `"${sha256(plain).toString('hex').slice(0, 16)}"` }
  }
}

/** Makes the script of a package: below this folder, where the service looks for it. */
export async function writeWidgets(folder: string): Promise<void> {
  const script = await bundleWidgets(sourceFolder)
  mkdirSync(join(folder, 'dist'), { recursive: true })
  writeFileSync(join(folder, 'dist', fileName), script)
}
