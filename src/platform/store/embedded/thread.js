// @ts-check
// Plain JavaScript, like the lock and the worker: it runs before any TypeScript loader does, so that the engine loads
// while our own modules do. On two cores that takes a second off every start.
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { makePrivateFolder } from '../private-folder.js'
import { lockDirectory } from './lock.js'
import { finishRestores } from './unfinished-restores.js'
import { Visitors } from './visitors.js'

/** The store of the data folder cannot be opened. */
export class StoreDamaged extends Error {
  /** @param {string} directory @param {string} reason */
  constructor(directory, reason) {
    super(
      `The store in ${directory} is damaged: ${reason}. Nothing in it was changed. Restore a backup with "doorstep restore FILE", or move ${directory} away to start with an empty store.`,
    )
    this.name = 'StoreDamaged'
  }
}

/** @typedef {() => Promise<() => void>} Hold Resolves when nobody uses the store and all of it is in its files, until released. */
/** @typedef {import('node:events').EventEmitter & { postMessage(message: Uint8Array): void }} StorePort What takes messages in PostgreSQL's wire protocol, and emits the responses. */
/** @typedef {{ port: StorePort, close: () => Promise<void>, onHold: (hold: Hold) => void }} EmbeddedStore */
/** @typedef {EmbeddedStore & { port: Worker }} StoreThread */

/** @type {Map<string, Promise<StoreThread>>} */
const begun = new Map()

/**
 * Begins to open the store of a folder; the next `openThread` returns it.
 * @param {string} dataDir
 */
export function beginOpening(dataDir) {
  const opening = openFolder(dataDir)
  // `openThread` reports the error; without it, the error must not end the process.
  opening.catch(() => {})
  begun.set(dataDir, opening)
}

/**
 * Opens the store of a folder in a thread of its own, guarded against a second process.
 * @param {string} dataDir
 * @returns {Promise<StoreThread>}
 */
export function openThread(dataDir) {
  const opening = begun.get(dataDir) ?? openFolder(dataDir)
  begun.delete(dataDir)
  return opening
}

/**
 * A store in memory, gone when it is closed: for tests.
 * @param {string} [archive] A file to load it from; without one it is empty.
 * @returns {Promise<StoreThread>}
 */
export function openMemoryThread(archive) {
  return startThread({ directory: undefined, isDurable: false, archive }, async () => {})
}

/** @param {string} dataDir */
async function openFolder(dataDir) {
  makePrivateFolder(dataDir)
  const visitors = new Visitors()
  const unlock = await lockDirectory(dataDir, (socket) => visitors.serve(socket))
  const release = async () => {
    visitors.close()
    await unlock()
  }
  const directory = join(dataDir, 'store')
  // There while a new store is unpacked: what a killed start has left of it is no damage, and is unpacked again.
  const unfinished = join(dataDir, 'store-unfinished')
  try {
    finishRestores(dataDir)
    if (isEmpty(directory)) writeFileSync(unfinished, '')
    else if (!existsSync(unfinished)) checkFiles(directory)
    const thread = await startThread({ directory, isDurable: true }, release)
    rmSync(unfinished, { force: true })
    return { ...thread, onHold: (/** @type {Hold} */ hold) => visitors.onHold(hold) }
  } catch (error) {
    await release()
    if (error instanceof StoreDamaged || isOfSystem(error)) throw error
    throw new StoreDamaged(directory, error instanceof Error ? error.message : String(error))
  }
}

/** An error of Node or of the disk, such as a full one, is not damage of the store. @param {unknown} error */
function isOfSystem(error) {
  return error instanceof Error && 'code' in error && /^E[A-Z]/.test(String(error.code))
}

/**
 * A folder without the file that names its version would be taken for a new one, and overwritten.
 * @param {string} directory
 */
function checkFiles(directory) {
  const missing = ['PG_VERSION', 'global/pg_control', 'base', 'pg_wal'].find(
    (name) => !existsSync(join(directory, name)),
  )
  if (missing !== undefined) throw new StoreDamaged(directory, `${missing} is missing`)
}

/** @param {string} directory */
function isEmpty(directory) {
  return !existsSync(directory) || readdirSync(directory).length === 0
}

/**
 * @param {import('./store.js').StorePlace} place
 * @param {() => Promise<void>} afterClose
 * @returns {Promise<StoreThread>}
 */
async function startThread(place, afterClose) {
  const worker = new Worker(new URL('./worker.js', import.meta.url), {
    execArgv: [],
    workerData: place,
    // It passes bytes on and keeps none of them (`bench:idle-memory`: 35 MB less).
    resourceLimits: { maxYoungGenerationSizeMb: 8 },
  })
  await new Promise((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`PostgreSQL ended with ${code} while it was opened`)))
  })
  return {
    port: worker,
    onHold() {},
    async close() {
      const closed = new Promise((resolve) => worker.once('exit', resolve))
      worker.postMessage('close')
      await closed
      await afterClose()
    },
  }
}
