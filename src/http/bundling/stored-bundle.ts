import { readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { PublicDocument } from '../../platform/foundation/public-document.ts'

/** A bundle as it is served: every file in memory, plain and compressed. */
export interface StoredBundle<Parts> {
  parts: Parts
  files: ReadonlyMap<string, StoredFile>
}

export interface StoredFile {
  mediaType: string
  plain: Buffer
  /** Undefined if compressing does not make it smaller. */
  brotli: Buffer | undefined
  gzip: Buffer | undefined
}

/** Content of a folder in `dist`. */
export interface Manifest<Parts> {
  files: string[]
  /** Files of the build before, which may be there, too. */
  earlier?: string[]
  /** The files by their purpose. */
  parts: Parts
}

export const manifestName = 'manifest.json'

const mediaTypes: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
}

/** The folder that `npm run build` fills for browsers. */
export function builtFolder(name: 'dashboard' | 'widgets'): string {
  return fileURLToPath(new URL(`../../../dist/${name}`, import.meta.url))
}

/** A file as it is sent, under a version that changes with its content. */
export function storedDocument({ mediaType, plain, brotli, gzip }: StoredFile, version: string): PublicDocument {
  return { mediaType, etag: `"${version}"`, plain, encoded: (encoding) => (encoding === 'br' ? brotli : gzip) }
}

/** Undefined if nothing was built into the folder. */
export function readManifest<Parts>(folder: string): Manifest<Parts> | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, manifestName), 'utf8')) as Manifest<Parts> // as bin/build wrote it
  } catch {
    return undefined
  }
}

/** Reads all that was built into a folder; throws if that is not there. */
export function readBundle<Parts>(folder: string): StoredBundle<Parts> {
  const manifest = readManifest<Parts>(folder)
  if (manifest === undefined) throw new Error(`${folder} is not built`)
  const names = new Set(manifest.files)
  const read = (name: string) => (names.has(name) ? readFileSync(join(folder, name)) : undefined)
  const plain = manifest.files.filter((name) => extname(name) in mediaTypes)
  const files = plain.map((name): [string, StoredFile] => [
    name,
    {
      mediaType: mediaTypes[extname(name)] ?? '',
      plain: readFileSync(join(folder, name)),
      brotli: read(`${name}.br`),
      gzip: read(`${name}.gz`),
    },
  ])
  return { parts: manifest.parts, files: new Map(files) }
}
