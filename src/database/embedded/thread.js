// @ts-check
// Plain JavaScript, like the lock and the worker: it runs before any TypeScript loader does, so that the engine loads
// while our own modules do. On two cores that takes a second off every start.
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { makePrivateFolder } from '../private-folder.js'
import { lockDirectory } from './lock.js'

/** @typedef {{ worker: Worker, close: () => Promise<void> }} StoreThread */

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
  const release = await lockDirectory(dataDir)
  try {
    return await startThread({ directory: join(dataDir, 'store'), isDurable: true }, release)
  } catch (error) {
    await release()
    throw error
  }
}

/**
 * @param {import('./worker.js').StorePlace} place
 * @param {() => Promise<void>} afterClose
 * @returns {Promise<StoreThread>}
 */
async function startThread(place, afterClose) {
  const worker = new Worker(new URL('./worker.js', import.meta.url), { execArgv: [], workerData: place })
  await new Promise((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
  })
  return {
    worker,
    async close() {
      const closed = new Promise((resolve) => worker.once('exit', resolve))
      worker.postMessage('close')
      await closed
      await afterClose()
    },
  }
}
