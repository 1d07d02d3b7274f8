// @ts-check
import { createHash, randomUUID } from 'node:crypto'
import { linkSync, realpathSync, renameSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'

/** Another process has locked the folder. */
export class DirectoryInUse extends Error {
  /** @param {string} directory */
  constructor(directory) {
    super(`${directory} is in use by another Doorstep process. Stop that one, or set DATA_DIR to another folder.`)
    this.name = 'DirectoryInUse'
  }
}

/** @typedef {() => Promise<void>} Release */

/** @typedef {(socket: import('node:net').Socket) => void} Visit */

/**
 * Locks a folder for this process. The lock is a socket that its owner listens on. The kernel closes it with the process,
 * even after a crash, so connecting to it shows whether the lock is live.
 * @param {string} directory
 * @param {Visit} [visit] Serves a process that connects; without it, the connection is closed.
 * @returns {Promise<Release>}
 */
export async function lockDirectory(directory, visit = (socket) => socket.destroy()) {
  if (process.platform === 'win32') return lockByPipe(directory, visit)
  const path = socketPath(directory)
  const own = `${path}.${randomUUID().slice(0, 8)}`
  const server = await listenOn(own, visit)
  try {
    for (let attempt = 0; attempt < 20; attempt += 1) {
      if (tryLink(own, path)) {
        rmSync(own, { force: true })
        return async () => {
          rmSync(path, { force: true })
          await closeServer(server)
        }
      }
      if (await isAccepting(path)) throw new DirectoryInUse(directory)
      if (await setAside(path, own)) throw new DirectoryInUse(directory)
    }
    throw new DirectoryInUse(directory)
  } catch (error) {
    rmSync(own, { force: true })
    await closeServer(server)
    throw error
  }
}

/**
 * A connection to the process that has locked the folder; undefined if none has.
 * @param {string} directory
 * @returns {Promise<import('node:net').Socket | undefined>}
 */
export function visitOwner(directory) {
  return new Promise((resolve) => {
    const socket = connect(process.platform === 'win32' ? pipeName(directory) : socketPath(directory))
    socket.once('connect', () => resolve(socket))
    socket.once('error', () => resolve(undefined))
  })
}

/**
 * A socket's path may have about 100 characters; a folder too deep gets one beside the temporary files.
 * @param {string} directory
 */
function socketPath(directory) {
  const path = join(realpathSync(directory), 'lock')
  const fromHere = relative(process.cwd(), path)
  const shortest = fromHere.length < path.length ? fromHere : path
  if (shortest.length <= 80) return shortest
  return join(tmpdir(), `doorstep-${createHash('sha256').update(path).digest('hex').slice(0, 16)}.lock`)
}

/**
 * Linking fails when the name is taken, so of two processes only one gets it.
 * @param {string} own
 * @param {string} path
 */
function tryLink(own, path) {
  try {
    linkSync(own, path)
    return true
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false
    throw error
  }
}

/**
 * Moves a dead lock out of the way. Another process may have moved it just before: then there is nothing to move, or it
 * is that one's live lock, which is put back.
 * @param {string} path
 * @param {string} own
 * @returns {Promise<boolean>} Whether it was a live one.
 */
async function setAside(path, own) {
  const aside = `${own}.aside`
  try {
    renameSync(path, aside)
  } catch (error) {
    if (isCode(error, 'ENOENT')) return false
    throw error
  }
  const isLive = await isAccepting(aside)
  if (isLive) tryLink(aside, path)
  rmSync(aside, { force: true })
  return isLive
}

/** @param {string} directory */
function pipeName(directory) {
  const name = createHash('sha256').update(realpathSync(directory)).digest('hex').slice(0, 16)
  return `\\\\.\\pipe\\doorstep-${name}`
}

/**
 * @param {string} directory
 * @param {Visit} visit
 */
async function lockByPipe(directory, visit) {
  try {
    const server = await listenOn(pipeName(directory), visit)
    return () => closeServer(server)
  } catch {
    throw new DirectoryInUse(directory)
  }
}

/**
 * @param {string} path
 * @param {Visit} visit
 * @returns {Promise<import('node:net').Server>}
 */
function listenOn(path, visit) {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => {
      socket.on('error', () => {})
      socket.unref()
      visit(socket)
    })
    server.unref()
    server.once('error', reject)
    server.listen(path, () => resolve(server))
  })
}

/**
 * @param {import('node:net').Server} server
 * @returns {Promise<void>}
 */
function closeServer(server) {
  return new Promise((resolve) => server.close(() => resolve()))
}

/**
 * @param {string} path
 * @returns {Promise<boolean>}
 */
function isAccepting(path) {
  return new Promise((resolve) => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}

/**
 * @param {unknown} error
 * @param {string} code
 */
function isCode(error, code) {
  return error instanceof Error && 'code' in error && error.code === code
}
