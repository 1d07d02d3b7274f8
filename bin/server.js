// @ts-check
import { readFileSync } from 'node:fs'
import { expectBuilt, importSources } from './sources.js'

/** @returns {string} */
export function version() {
  return JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version
}

export async function start() {
  expectBuilt('main')
  keepFilesPrivate()
  // The embedded store opens while everything else loads; the settings are checked a moment later.
  if (!process.env.DATABASE_URL && !process.env.DATABASE_URL_FILE) {
    const { beginOpening } = await import('../src/platform/store/embedded/thread.js')
    beginOpening(process.env.DATA_DIR?.trim() || './data')
  }
  await importSources('main')
}

/** Brings the store up to date, and returns the names of the migrations that were applied. @returns {Promise<string[]>} */
export async function migrate() {
  keepFilesPrivate()
  const { migrateStore } = await importSources('migrate')
  return migrateStore()
}

/** Examines the installation of this machine. @returns {Promise<import('../src/installation/doctor/finding.ts').Examination>} */
export async function examine() {
  const { examineInstallation } = await importSources('doctor')
  return examineInstallation()
}

/** Writes a backup of the store. @param {string} file @param {{ withImages: boolean, withKey: boolean }} options */
export async function backUp(file, options) {
  keepFilesPrivate()
  return (await importSources('backup')).backUp(file, options)
}

/** Verifies a backup. @param {string} file @param {{ acceptsUnencrypted: boolean }} options */
export async function checkBackup(file, options) {
  return (await importSources('backup')).checkBackup(file, options)
}

/** Fills the store from a backup. @param {string} file @param {{ replace: boolean, acceptsUnencrypted: boolean }} options */
export async function restore(file, options) {
  keepFilesPrivate()
  return (await importSources('backup')).restore(file, options)
}

/** Copies the store to another engine or folder. @param {string} to */
export async function moveStore(to) {
  keepFilesPrivate()
  return (await importSources('backup')).moveStore(to)
}

/** Only the owner can read the files that the server writes: the store, photos, the key, temporary files. */
function keepFilesPrivate() {
  if (process.platform !== 'win32') process.umask(0o077)
}
