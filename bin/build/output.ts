import { randomUUID } from 'node:crypto'
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { type Manifest, manifestName, readManifest } from '../../src/http/bundling/stored-bundle.ts'

const compressBrotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)

export interface Output<Parts> {
  /** By name. Names that have a hash of the content never stand for anything else. */
  files: ReadonlyMap<string, Uint8Array>
  parts: Parts
}

/**
 * Writes what was built into a folder, in place of what was built before. Processes that run may still load files of the build
 * before, so those stay until the next one.
 */
export function writeOutput<Parts>(folder: string, { files, parts }: Output<Parts>): void {
  mkdirSync(folder, { recursive: true })
  const before = readManifest<Parts>(folder)
  for (const [name, content] of files) write(join(folder, name), content)
  const manifest: Manifest<Parts> = { files: [...files.keys()], earlier: before?.files, parts }
  write(join(folder, manifestName), JSON.stringify(manifest))
  const needed = new Set([...manifest.files, ...(before?.files ?? [])])
  for (const name of before?.earlier ?? []) if (!needed.has(name)) rmSync(join(folder, name), { force: true })
}

/** Renamed when it is whole: other processes see all of a file or none of it. */
function write(path: string, content: Uint8Array | string): void {
  const aside = `${path}.${randomUUID()}`
  writeFileSync(aside, content)
  renameSync(aside, path)
}

/** With compressed copies of those files that they make smaller. */
export async function withCompressed(files: ReadonlyMap<string, Uint8Array>): Promise<Map<string, Uint8Array>> {
  const all = await Promise.all([...files].map(([name, content]) => compressed(name, content)))
  return new Map(all.flat())
}

async function compressed(name: string, content: Uint8Array): Promise<[string, Uint8Array][]> {
  const [brotli, gzipped] = await Promise.all([
    // The best of 11 takes 2 s for all files; at 9 every first load would be 7 % larger.
    compressBrotli(content, { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }),
    compressGzip(content, { level: 9 }),
  ])
  const copies: [string, Uint8Array][] = [
    [`${name}.br`, brotli],
    [`${name}.gz`, gzipped],
  ]
  return [[name, content], ...copies.filter(([, copy]) => copy.length < content.length)]
}
