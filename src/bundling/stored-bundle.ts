import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { PublicDocument } from '../foundation/public-document.ts'

/** Files as browsers load them, and what is to be known of them. */
export interface Bundle<Parts> {
  files: ReadonlyMap<string, Uint8Array>
  parts: Parts
}

/** A bundle as it is served: every file in memory, plain and compressed. */
export interface StoredBundle<Parts> {
  /** The stamp of the sources that it was made from. */
  stamp: string
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

/** A file as it is sent, under a version that changes with its content. */
export function storedDocument({ mediaType, plain, brotli, gzip }: StoredFile, version: string): PublicDocument {
  return { mediaType, etag: `"${version}"`, plain, encoded: (encoding) => (encoding === 'br' ? brotli : gzip) }
}

type Manifest<Parts> = Pick<StoredBundle<Parts>, 'stamp' | 'parts'>

const manifestName = 'manifest.json'
const mediaTypes: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
}

/** The bundle in a folder, if it is whole and made from these sources. Without a stamp any bundle will do. */
export function findBundle<Parts>(folder: string, stamp: string | undefined): StoredBundle<Parts> | undefined {
  try {
    const manifest = JSON.parse(readFileSync(join(folder, manifestName), 'utf8')) as Manifest<Parts> // as writeBundle wrote it
    return stamp === undefined || manifest.stamp === stamp ? { ...manifest, files: readFiles(folder) } : undefined
  } catch {
    // There is none, or it belongs to somebody else.
    return undefined
  }
}

function readFiles(folder: string): Map<string, StoredFile> {
  const names = new Set(readdirSync(folder))
  const read = (name: string) => (names.has(name) ? readFileSync(join(folder, name)) : undefined)
  const plain = [...names].filter((name) => extname(name) in mediaTypes)
  return new Map(
    plain.map((name) => [
      name,
      {
        mediaType: mediaTypes[extname(name)] ?? '',
        plain: readFileSync(join(folder, name)),
        brotli: read(`${name}.br`),
        gzip: read(`${name}.gz`),
      },
    ]),
  )
}

/** Writes a bundle with compressed copies. */
export async function writeBundle<Parts>(folder: string, bundle: Bundle<Parts>, stamp: string): Promise<void> {
  const aside = `${folder}.${randomUUID()}`
  mkdirSync(aside, { recursive: true })
  await Promise.all([...bundle.files].map(([name, content]) => writeFile(join(aside, name), content)))
  writeFileSync(join(aside, manifestName), JSON.stringify({ stamp, parts: bundle.parts } satisfies Manifest<Parts>))
  try {
    if (!findBundle(folder, stamp)) rmSync(folder, { recursive: true, force: true })
    // Renamed when it is whole: other processes see all of it or nothing.
    renameSync(aside, folder)
  } catch (error) {
    rmSync(aside, { recursive: true, force: true })
    // Another process that made the same bundle was faster.
    if (!findBundle(folder, stamp)) throw error
  }
}

const compressBrotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)

async function writeFile(path: string, content: Uint8Array): Promise<void> {
  writeFileSync(path, content)
  const [brotli, gzipped] = await Promise.all([
    // The best of 11 takes 2 s for all files, once per version; at 9 every first load would be 7 % larger.
    compressBrotli(content, { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }),
    compressGzip(content, { level: 9 }),
  ])
  if (brotli.length < content.length) writeFileSync(`${path}.br`, brotli)
  if (gzipped.length < content.length) writeFileSync(`${path}.gz`, gzipped)
}
