// @ts-check
// Plain JavaScript, like the thread that calls it before any TypeScript loader runs.
import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Folders of the data folder that a restore works in. */
export const restorePrefix = '.restore-'
/** In such a folder: what the restore has written outside of it. */
export const restoreJournal = 'written'
/** In such a folder: the store that another one takes the place of. It is there only when that one is complete. */
export const replacedStore = 'replaced'

/** @param {string} dataDir @returns {string[]} Their paths. */
export function restoreFolders(dataDir) {
  if (!existsSync(dataDir)) return []
  return readdirSync(dataDir)
    .filter((name) => name.startsWith(restorePrefix))
    .map((name) => join(dataDir, name))
}

/**
 * Ends what a killed restore has begun, for the owner of the folder: the store that was about to take the place of another
 * takes it, and copies that nobody uses are removed. What was written elsewhere is removed later, when the store is open.
 * @param {string} dataDir
 */
export function finishRestores(dataDir) {
  const store = join(dataDir, 'store')
  for (const folder of restoreFolders(dataDir)) {
    const written = join(folder, 'store')
    if (!existsSync(store) && existsSync(join(folder, replacedStore)) && existsSync(written)) renameSync(written, store)
    for (const name of readdirSync(folder).filter((each) => each !== restoreJournal)) {
      rmSync(join(folder, name), { recursive: true, force: true })
    }
    if (readdirSync(folder).length === 0) rmSync(folder, { recursive: true, force: true })
  }
}

/** Whether there is a store, or will be when the folder is opened. @param {string} dataDir */
export function hasStore(dataDir) {
  return (
    isStore(join(dataDir, 'store')) || restoreFolders(dataDir).some((folder) => isStore(join(folder, replacedStore)))
  )
}

/** @param {string} folder */
function isStore(folder) {
  return statSync(join(folder, 'PG_VERSION'), { throwIfNoEntry: false })?.isFile() === true
}
