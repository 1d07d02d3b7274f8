import { build, type InlineConfig, type Rolldown } from 'vite'

export type OutputFile = Rolldown.OutputChunk | Rolldown.OutputAsset

/** Browsers and servers get what is in this repository: no `.env` and no configuration file changes it. */
const alone: InlineConfig = { configFile: false, envDir: false, publicDir: false, logLevel: 'error' }

/** Bundles with Vite, into memory. */
export async function bundle(config: InlineConfig): Promise<OutputFile[]> {
  const built = await build({
    ...alone,
    ...config,
    build: { write: false, modulePreload: false, reportCompressedSize: false, ...config.build },
  })
  if (Array.isArray(built) || !('output' in built)) throw new Error('Vite made something else than one bundle')
  return built.output
}

/** Each file by its name. */
export function contentsOf(files: readonly OutputFile[]): Map<string, Uint8Array> {
  return new Map(files.map((file) => [file.fileName, Buffer.from(file.type === 'chunk' ? file.code : file.source)]))
}
