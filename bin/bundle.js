// @ts-check
import { createHash, randomUUID } from 'node:crypto'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Packages of many small files: as part of the one file they load in a tenth of the time. */
const inlined = /^(typebox|kysely|openapi-fetch)(\/|$)/

/** Our own packages, which are part of the bundle wherever they are used. */
const own = /^doorstep-(\w+)(\/.+)?$/

/** Modules that are loaded before this one, and must not exist a second time. */
const shared = /\/database\/embedded\/(thread|lock)\.js$/

/**
 * Makes JavaScript of the TypeScript sources, for a Node that cannot run them as they are, and returns the address of the
 * entry point; what is imported later is in files beside it. They are kept until a source changes. A hook that translates
 * file by file costs every start two seconds more.
 * @param {string} name @param {string} entryPoint
 * @returns {Promise<string>}
 */
export async function bundleSources(name, entryPoint) {
  const folders = foldersOf(root, entryPoint)
  const cache = cacheFolder()
  const folder = join(cache, `${name}-${fingerprint(folders)}`)
  if (!existsSync(folder)) await write({ name, entryPoint, cache, folder })
  return pathToFileURL(join(folder, `${name}.mjs`)).href
}

/**
 * Everything that can be part of the bundle. The dashboard has a bundle of its own, for browsers.
 * @param {string} checkout @param {string} entryPoint
 */
function foldersOf(checkout, entryPoint) {
  const packages = join(checkout, 'packages')
  const names = existsSync(packages) ? readdirSync(packages) : []
  const ours = names.map((name) => join(packages, name, 'src'))
  if (entryPoint.startsWith('packages/')) return ours.filter(existsSync)
  return [join(checkout, 'src'), ...webFolders(checkout), ...ours].filter(existsSync)
}

/**
 * Bundles an entry point, by default of this checkout. `placeOf` is the expression for the address of a source: files that a
 * module reads beside itself are found where the module was.
 * @param {{ checkout?: string, name: string, entryPoint: string, folder: string, placeOf: (path: string) => string, sharedAt: (path: string) => string, sourcemap: 'external' | false, minify?: boolean }} options
 */
export async function bundleEntryPoint({
  checkout = root,
  name,
  entryPoint,
  folder,
  placeOf,
  sharedAt,
  sourcemap,
  minify = false,
}) {
  const { build } = await import('esbuild')
  const folders = foldersOf(checkout, entryPoint)
  const { outputFiles } = await build({
    entryPoints: { [name]: join(checkout, entryPoint) },
    bundle: true,
    splitting: true,
    write: false,
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    platform: 'node',
    format: 'esm',
    target: 'node20',
    sourcemap,
    minify,
    sourcesContent: false,
    logLevel: 'error',
    plugins: [{ name: 'sources', setup: (plugin) => keepPlaces(plugin, { checkout, folders, placeOf, sharedAt }) }],
  })
  return outputFiles
}

/** @param {{ name: string, entryPoint: string, cache: string, folder: string }} bundle */
async function write({ name, entryPoint, cache, folder }) {
  const outputFiles = await bundleEntryPoint({
    name,
    entryPoint,
    folder,
    placeOf: (path) => JSON.stringify(pathToFileURL(path).href),
    sharedAt: (path) => pathToFileURL(path).href,
    sourcemap: 'external',
  })
  removeOlder(cache, name)
  // Written aside and renamed, so that another process never sees half of it.
  const aside = join(cache, `${randomUUID()}.tmp`)
  mkdirSync(aside)
  for (const file of outputFiles) writeFileSync(join(aside, basename(file.path)), file.contents)
  try {
    renameSync(aside, folder)
  } catch (error) {
    rmSync(aside, { recursive: true, force: true })
    // Another process was faster.
    if (!existsSync(folder)) throw error
  }
}

/** The newest bundle stays: a process that still runs may import more of it. @param {string} cache @param {string} name */
function removeOlder(cache, name) {
  const [, ...older] = readdirSync(cache)
    .filter((entry) => entry.startsWith(`${name}-`))
    .map((entry) => join(cache, entry))
    .map((path) => ({ path, writtenMs: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .sort((left, right) => right.writtenMs - left.writtenMs)
  for (const { path } of older) rmSync(path, { recursive: true, force: true })
}

/**
 * @param {import('esbuild').PluginBuild} build
 * @param {{ checkout: string, folders: string[], placeOf: (path: string) => string, sharedAt: (path: string) => string }} options
 */
function keepPlaces(build, { checkout, folders, placeOf, sharedAt }) {
  build.onResolve({ filter: own }, ({ path }) => ({ path: entryOfPackage(checkout, path) }))
  build.onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
    kind === 'entry-point' || inlined.test(path) ? undefined : { path, external: true },
  )
  build.onResolve({ filter: /^\./ }, ({ path, resolveDir }) => {
    const file = join(resolveDir, path)
    return shared.test(file) ? { path: sharedAt(file), external: true } : undefined
  })
  build.onLoad({ filter: /\.(ts|js)$/ }, ({ path }) => {
    if (!folders.some((folder) => path.startsWith(folder))) return undefined
    const text = readFileSync(path, 'utf8')
    const contents = text.replaceAll('import.meta.url', () => placeOf(path))
    return { contents, loader: path.endsWith('.ts') ? 'ts' : 'js' }
  })
}

/**
 * The file that an import of one of our packages means: `doorstep-client`, `doorstep-client/events`.
 * @param {string} checkout @param {string} path
 */
function entryOfPackage(checkout, path) {
  const [, name = '', subpath = ''] = own.exec(path) ?? []
  const folder = join(checkout, 'packages', name)
  const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return join(folder, typeof exports === 'string' ? exports : exports[`.${subpath}`])
}

/** @param {string} checkout */
function webFolders(checkout) {
  const web = join(checkout, 'web')
  return readdirSync(web)
    .filter((name) => name !== 'dashboard')
    .map((name) => join(web, name))
}

/** What the bundle depends on: every source, by name, time and size, and the packages that are part of it. @param {string[]} folders */
function fingerprint(folders) {
  const hash = createHash('sha256')
  for (const folder of folders) {
    for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
      if (!/\.(ts|js)$/.test(entry)) continue
      const { mtimeMs, size } = statSync(join(folder, entry))
      hash.update(`${entry} ${mtimeMs} ${size}\n`)
    }
  }
  hash.update(readFileSync(join(root, 'package-lock.json')))
  hash.update(readFileSync(fileURLToPath(import.meta.url)))
  return hash.digest('hex').slice(0, 16)
}

/** Beside the packages, or with the temporary files where that folder cannot be written. */
function cacheFolder() {
  const beside = join(root, 'node_modules', '.cache', 'doorstep')
  try {
    mkdirSync(beside, { recursive: true })
    writeFileSync(join(beside, '.writable'), '')
    return beside
  } catch {
    const fallback = join(tmpdir(), `doorstep-${createHash('sha256').update(root).digest('hex').slice(0, 12)}`)
    mkdirSync(fallback, { recursive: true, mode: 0o700 })
    return isOwn(fallback) ? fallback : mkdtempSync(`${fallback}-`)
  }
}

/** Anybody may create a folder of this name: what is run must not be written by somebody else. @param {string} folder */
function isOwn(folder) {
  const { uid, mode } = lstatSync(folder)
  return process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0)
}
