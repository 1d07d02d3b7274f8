// @ts-check
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** @typedef {keyof typeof parts} Part */

const root = fileURLToPath(new URL('..', import.meta.url))

/** The place of everything that is built: in a checkout, and the same in a published package. */
const output = join(root, 'dist')

/** The built parts, each in a folder of its own, and the sources that they depend on. */
const parts = {
  service: { folders: ['src', 'packages', 'web/dashboard'], files: /\.(ts|js)$/ },
  dashboard: {
    folders: ['web/dashboard', 'packages/client/src', 'src/http/dashboard'],
    files: /\.(tsx?|css|json|svg)$/,
  },
  widgets: { folders: ['web/widgets'], files: /\.ts$/ },
}

/** The parts that browsers load. */
export const browserParts = /** @type {const} */ (['dashboard', 'widgets'])

/** The sources that every part depends on; the lock file stands for all packages. */
const common = ['bin/build', 'package-lock.json']

/** @param {Part} part */
export function folderOf(part) {
  return join(output, part)
}

/** @param {Part} part */
const recordOf = (part) => join(output, `${part}.json`)

/** Whether this checkout has been built at all. @param {Part} part */
export function isBuilt(part) {
  return existsSync(recordOf(part))
}

/** Whether a part is built from the sources as they are now. @param {Part} part */
export function isFresh(part) {
  if (!isBuilt(part)) return false
  const { seen, stamp } = JSON.parse(readFileSync(recordOf(part), 'utf8'))
  const paths = sourcesOf(part)
  if (seen === digest(paths, timeAndSize)) return true
  // Copied files are the same at another time.
  if (stamp !== digest(paths, readFileSync)) return false
  try {
    record(part, stateOf(part))
  } catch {
    // The folder cannot be written: the next start reads the contents again.
  }
  return true
}

/** The sources of a part as they are now. @param {Part} part */
export function stateOf(part) {
  const paths = sourcesOf(part)
  return { seen: digest(paths, timeAndSize), stamp: digest(paths, readFileSync) }
}

/** Notes what a part was built from; nothing, if it could not be built. @param {Part} part @param {Partial<ReturnType<typeof stateOf>>} state */
export function record(part, state) {
  mkdirSync(output, { recursive: true })
  writeFileSync(recordOf(part), `${JSON.stringify(state)}\n`)
}

/** @param {Part} part @returns {string[]} */
function sourcesOf(part) {
  const { folders, files } = parts[part]
  const own = folders.flatMap(filesIn).filter((path) => files.test(path))
  return [...own, ...common.flatMap(filesIn)].sort()
}

/** @param {string} path Of a folder or file, from the root. @returns {string[]} */
function filesIn(path) {
  if (!statSync(join(root, path)).isDirectory()) return [path]
  const names = readdirSync(join(root, path), { recursive: true, encoding: 'utf8' })
  return names
    .filter((name) => /\.\w+$/.test(name) && !/(^|[\\/])(node_modules|dist)[\\/]/.test(name))
    .map((name) => `${path}/${name.replaceAll('\\', '/')}`)
}

/** @param {readonly string[]} paths @param {(path: string) => string | Buffer} describe */
function digest(paths, describe) {
  const hash = createHash('sha256')
  for (const path of paths) hash.update(`${path}\n`).update(describe(join(root, path)))
  return hash.digest('hex').slice(0, 16)
}

/** @param {string} path */
function timeAndSize(path) {
  const { mtimeMs, size } = statSync(path)
  return `${mtimeMs} ${size}\n`
}

/** Whether the packages are installed that only building needs. */
export function hasTools() {
  return ['vite', 'tsx'].every((name) => existsSync(join(root, 'node_modules', name, 'package.json')))
}

/**
 * Builds parts, and returns those that could not be built. In a process of its own: the bundler takes some hundred megabytes,
 * which a service that goes on running would never give back.
 * @param {readonly Part[]} changed @returns {Promise<Part[]>}
 */
export async function build(changed) {
  if (changed.length === 0) return []
  const builder = fileURLToPath(new URL('build/main.ts', import.meta.url))
  const child = spawn(process.execPath, ['--import', import.meta.resolve('tsx'), builder, ...changed], {
    stdio: ['ignore', 'ignore', 'inherit'],
    // NODE_ENV of this process is about the service, and that of the builder about the code for browsers.
    env: { ...process.env, NODE_ENV: 'production' },
  })
  await new Promise((resolve, reject) => child.once('error', reject).once('exit', resolve))
  return changed.filter((part) => !isFresh(part))
}
