// @ts-check
import { createHash, randomInt, randomUUID } from 'node:crypto'
import { linkSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'

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
 *
 * A dead lock cannot be replaced in one step, and a process that removed it could remove the live one that has just taken its
 * place. So its successor takes the next name (`lock`, `lock.1`, `lock.2` …), which only one process gets, and owns the folder
 * if no lock under another name is live: of two processes, the later one sees the other. Only the owner removes dead locks.
 * @param {string} directory
 * @param {Visit} [visit] Serves a process that connects; without it, the connection is closed.
 * @returns {Promise<Release>}
 */
export async function lockDirectory(directory, visit = (socket) => socket.destroy()) {
  if (process.platform === 'win32') return lockByPipe(directory, visit)
  const path = socketPath(directory)
  const own = `${path}-${randomUUID().slice(0, 8)}`
  const server = await listenOn(own, visit)
  try {
    for (let attempt = 0; attempt < 20; attempt += 1) {
      const others = namesOf(path)
      if ((await liveOf(others)) !== undefined) break
      const name =
        others.length === 0 ? path : `${path}.${Math.max(...others.map((other) => numberOf(path, other))) + 1}`
      if (!tryLink(own, name)) continue
      const taken = await takeOver(path, own, name)
      if (taken === undefined) continue
      return async () => {
        rmSync(taken, { force: true })
        await closeServer(server)
      }
    }
    throw new DirectoryInUse(directory)
  } catch (error) {
    await closeServer(server)
    throw error
  } finally {
    rmSync(own, { force: true })
  }
}

/**
 * Makes this process the owner, unless another lock is live: then it gives its name up. Returns the name of the lock, which
 * is the plain one again, where other processes look first.
 * @param {string} path
 * @param {string} own
 * @param {string} name
 * @returns {Promise<string | undefined>}
 */
async function takeOver(path, own, name) {
  const others = namesOf(path).filter((other) => other !== name)
  if ((await liveOf(others)) !== undefined) {
    rmSync(name, { force: true })
    // Two that have seen each other should not meet again.
    await new Promise((resolve) => setTimeout(resolve, randomInt(50)))
    return undefined
  }
  for (const other of others) rmSync(other, { force: true })
  if (name === path || !tryLink(own, path)) return name
  rmSync(name, { force: true })
  return path
}

/**
 * The names of all locks of the folder, live or dead.
 * @param {string} path
 */
function namesOf(path) {
  const folder = dirname(path)
  return readdirSync(folder)
    .map((entry) => join(folder, entry))
    .filter((entry) => numberOf(path, entry) >= 0)
}

/**
 * The plain name counts as 0; -1 for what is no name of a lock.
 * @param {string} path
 * @param {string} name
 */
function numberOf(path, name) {
  const start = join(path)
  if (name === start) return 0
  const [, number = '-1'] = (name.startsWith(start) && /^\.(\d{1,4})$/.exec(name.slice(start.length))) || []
  return Number(number)
}

/**
 * The first of these locks whose owner is alive.
 * @param {string[]} names
 */
async function liveOf(names) {
  for (const name of names) if (await isLive(name)) return name
  return undefined
}

/**
 * A connection to the process that has locked the folder; undefined if none has.
 * @param {string} directory
 * @returns {Promise<import('node:net').Socket | undefined>}
 */
export async function visitOwner(directory) {
  const path = process.platform === 'win32' ? pipeName(directory) : await liveOf(namesOf(socketPath(directory)))
  if (path === undefined) return undefined
  return new Promise((resolve) => {
    const socket = connect(path)
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

/** Errors of connecting to a lock if nobody listens on it, if it is gone, and if it is no socket at all. */
const deadCodes = ['ECONNREFUSED', 'ENOENT', 'ENOTSOCK']

/**
 * Whether somebody listens. An owner that is too busy for another connection is alive.
 * @param {string} name
 * @returns {Promise<boolean>}
 */
function isLive(name) {
  return new Promise((resolve) => {
    const socket = connect(name)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', (error) => resolve(!deadCodes.some((code) => isCode(error, code))))
  })
}

/**
 * @param {unknown} error
 * @param {string} code
 */
function isCode(error, code) {
  return error instanceof Error && 'code' in error && error.code === code
}
