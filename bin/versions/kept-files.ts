import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'

/** Files by their path in a folder: as text, which compresses well, or as base64. */
export type Files = Record<string, string | { base64: string }>

/** Writes a value as compressed JSON. */
export function keep(path: string, value: unknown): void {
  mkdirSync(dirname(path), { recursive: true })
  const params = { [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS }
  writeFileSync(path, brotliCompressSync(JSON.stringify(value), { params }))
}

/** Reads what `keep` wrote; its shape is up to the caller, who knows the file. */
export function readKept<Value>(path: string): Value {
  return JSON.parse(brotliDecompressSync(readFileSync(path)).toString('utf8'))
}

export function readFiles(folder: string, paths: readonly string[]): Files {
  return Object.fromEntries(paths.map((path) => [path, contentsOf(readFileSync(join(folder, path)))]))
}

export function contentsOf(bytes: Buffer): Files[string] {
  const text = bytes.toString('utf8')
  return Buffer.from(text).equals(bytes) ? text : { base64: bytes.toString('base64') }
}

export function writeFiles(folder: string, files: Files): void {
  for (const [path, contents] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), typeof contents === 'string' ? contents : Buffer.from(contents.base64, 'base64'))
  }
}
