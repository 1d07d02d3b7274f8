// @ts-check
// PGlite, spoken to in PostgreSQL's wire protocol.
import { closeSync, existsSync, fsyncSync, openSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { PGlite } from '@electric-sql/pglite'
import { unpackCluster } from './unpack.js'

/** @typedef {{ directory: string | undefined, isDurable: boolean, archive?: string | undefined }} StorePlace */

const mountPoint = '/pglite/data'
const settings = [
  // Statements are written for an index; why a scan would stay with them, see session-options.ts.
  ...['-c', 'enable_seqscan=off'],
  // A quarter of PostgreSQL's own: what is not in it is in the machine's cache of files (`bench:idle-memory`: 77 MB less).
  ...['-c', 'shared_buffers=32MB'],
]
/** Limits of its log of changes on disk; in memory, as small as possible. Checkpoints follow from it. */
const logSettings = {
  onDisk: ['-c', 'max_wal_size=256MB'],
  inMemory: ['-c', 'max_wal_size=32MB', '-c', 'min_wal_size=32MB'],
}
/** EIO in the numbering of WebAssembly's system interface: PostgreSQL sees its sync fail, and stops as it should. */
const inputOutputError = 29

/**
 * V8 optimises a function of WebAssembly after it has run about this many bytes of it. With the default of Node 20, 1.8
 * million, that is whatever a start touches. With this one, a later start takes 1.8 instead of 2.7 seconds
 * (`bench:start-up`), an idle service 80 MB less (`bench:idle-memory`), and the throughput is the same.
 */
setFlagsFromString('--wasm-tiering-budget=1000000000')

/** @param {StorePlace} place */
export async function openStore({ directory, isDurable, archive }) {
  const isNew = directory !== undefined && !existsSync(join(directory, 'PG_VERSION'))
  if (isNew) unpackCluster(await packedCluster(), directory)
  const opened = await PGlite.create({
    ...(directory === undefined ? {} : { dataDir: directory }),
    startParams: [
      ...(isDurable ? durableParameters() : PGlite.defaultStartParams),
      ...settings,
      ...(directory === undefined ? logSettings.inMemory : logSettings.onDisk),
    ],
    relaxedDurability: false,
    ...(directory === undefined
      ? { loadDataDir: new Blob([await (archive === undefined ? packedCluster() : readFile(archive))]) }
      : {}),
  })
  if (isDurable && directory !== undefined) {
    syncFiles(opened, directory)
    if (isNew) syncFolder(directory)
  }
  return opened
}

/**
 * Not `execProtocolRaw`: it parses every message, and never frees what it parsed.
 * @param {PGlite} database
 * @param {Uint8Array} message
 */
export async function exchange(database, message) {
  /** @type {Uint8Array[]} */
  const parts = []
  // The array is a view of PGlite's memory, valid only now, so it is copied.
  await database.execProtocolRawStream(message, { onRawData: (part) => void parts.push(part.slice()) })
  const response = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    response.set(part, at)
    at += part.length
  }
  return response
}

/** A cluster packed at publishing time: making one with initdb takes five seconds. */
async function packedCluster() {
  const { dataDir } = await import('@electric-sql/pglite-prepopulatedfs')
  return new Uint8Array(await (await dataDir()).arrayBuffer())
}

/**
 * PostgreSQL syncs only what it writes itself, not the unpacked files: without this, a power cut soon after the first
 * start could result in a log without its files. It takes a seventh of a second.
 * @param {string} directory
 */
function syncFolder(directory) {
  const entries = readdirSync(directory, { recursive: true, encoding: 'utf8' })
  for (const path of [...entries.map((entry) => join(directory, entry)), directory, dirname(directory)]) syncPath(path)
}

/** As shipped, PGlite runs with -F (fsync off), and acknowledged would not mean on disk. */
function durableParameters() {
  return [
    ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
    ...['-c', 'fsync=on'],
    ...['-c', 'wal_sync_method=fsync'],
  ]
}

/**
 * Its file system has no fsync either, so PostgreSQL's own calls would do nothing: here they reach the disk. Folders are
 * synced too, as after every new segment of the log; they have no descriptor of their own. Nothing may be thrown from
 * here: it would tear PostgreSQL out of the middle of its work.
 * @param {PGlite} opened
 * @param {string} directory
 */
function syncFiles(opened, directory) {
  const { mount } = opened.Module.FS.lookupPath(mountPoint).node
  // The types of the file system do not show the operations of a mounted one.
  const operations = /** @type {{ fsync?: (stream: { nfd?: number, path?: string }) => number }} */ (
    /** @type {unknown} */ (mount.type.stream_ops)
  )
  operations.fsync = ({ nfd, path }) => {
    try {
      if (nfd !== undefined) fsyncSync(nfd)
      else syncPath(join(directory, (path ?? mountPoint).slice(mountPoint.length)))
      return 0
    } catch {
      return inputOutputError
    }
  }
}

/** @param {string} path */
function syncPath(path) {
  // There, neither a folder nor a file opened for reading can be synced.
  if (process.platform === 'win32') return
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
