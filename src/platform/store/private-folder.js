// @ts-check
// Plain JavaScript: the embedded store opens before any TypeScript loader runs.
import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** The service's own entries in its data folder. Nothing else in it is changed: it may belong to others. */
const ownEntries = ['store', 'images', 'encryption-key']

const folderMode = 0o700
const fileMode = 0o600

/**
 * Makes the folder for its owner alone.
 * @param {string} directory
 */
export function makePrivateFolder(directory) {
  mkdirSync(directory, { recursive: true, mode: folderMode })
}

/**
 * Removes the permissions of other users from a data folder and from our entries in it. Returns the paths where that was not
 * possible, such as a volume of another owner: the service runs all the same.
 * @param {string} directory
 * @returns {string[]}
 */
export function repairPrivateFolder(directory) {
  // Windows has no such rights; a folder there inherits those of its parent.
  if (process.platform === 'win32' || !existsSync(directory)) return []
  /** @type {string[]} */
  const open = []
  const { mode } = lstatSync(directory)
  // A sticky folder is one that the machine shares, such as /tmp.
  if ((mode & 0o1000) === 0) restrict(directory, mode, folderMode, open)
  for (const entry of ownEntries) {
    const path = join(directory, entry)
    if (existsSync(path)) repair(path, open)
  }
  return open
}

/**
 * The content of a folder that others cannot enter is not checked: walking a store would delay every start.
 * @param {string} path
 * @param {string[]} open
 */
function repair(path, open) {
  const entry = lstatSync(path)
  if (entry.isSymbolicLink()) return
  if (!entry.isDirectory()) return restrict(path, entry.mode, fileMode, open)
  if ((entry.mode & 0o077) === 0) return
  for (const name of readdirSync(path)) repair(join(path, name), open)
  // Last, so that an interrupted walk is repeated.
  restrict(path, entry.mode, folderMode, open)
}

/**
 * @param {string} path
 * @param {number} mode
 * @param {number} wanted
 * @param {string[]} open
 */
function restrict(path, mode, wanted, open) {
  if ((mode & 0o077) === 0) return
  try {
    chmodSync(path, wanted)
  } catch {
    // Not ours to change.
    open.push(path)
  }
}
