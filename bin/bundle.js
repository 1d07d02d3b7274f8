// @ts-check
import { createHash, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const source = join(root, 'src')
/** Everything that is part of the bundle lies in one of these. */
const folders = [source, join(root, 'web', 'tracking-page')]

/** Packages of many small files: as part of the one file they load in a tenth of the time. */
const inlined = /^(typebox|kysely)(\/|$)/

/** Modules that are loaded before this one, and must not exist a second time. */
const shared = /\/database\/embedded\/(thread|lock)\.js$/

/**
 * Makes one JavaScript file of the TypeScript sources, for a Node that cannot run them as they are, and answers its
 * address. It is kept until a source changes. A hook that translates file by file costs every start two seconds more.
 * @returns {Promise<string>}
 */
export async function bundleSources() {
  const folder = cacheFolder()
  const file = join(folder, `main-${fingerprint()}.mjs`)
  if (!existsSync(file)) await write(folder, file)
  return pathToFileURL(file).href
}

/** @param {string} folder @param {string} file */
async function write(folder, file) {
  const { build } = await import('esbuild')
  const { outputFiles } = await build({
    entryPoints: [join(source, 'main.ts')],
    bundle: true,
    write: false,
    outfile: file,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    sourcemap: 'inline',
    sourcesContent: false,
    logLevel: 'error',
    plugins: [{ name: 'sources', setup: keepPlaces }],
  })
  for (const old of readdirSync(folder)) if (/^main-.*\.mjs$/.test(old)) rmSync(join(folder, old), { force: true })
  // Written aside and renamed, so that another process never sees half of it.
  const aside = join(folder, `${randomUUID()}.tmp`)
  writeFileSync(aside, outputFiles[0]?.contents ?? '')
  renameSync(aside, file)
}

/** Files that a module reads beside itself are found where the module was. @param {import('esbuild').PluginBuild} build */
function keepPlaces(build) {
  build.onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
    kind === 'entry-point' || inlined.test(path) ? undefined : { path, external: true },
  )
  build.onResolve({ filter: /^\./ }, ({ path, resolveDir }) => {
    const file = join(resolveDir, path)
    return shared.test(file) ? { path: pathToFileURL(file).href, external: true } : undefined
  })
  build.onLoad({ filter: /\.(ts|js)$/ }, ({ path }) => {
    if (!folders.some((folder) => path.startsWith(folder))) return undefined
    const text = readFileSync(path, 'utf8')
    const contents = text.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
    return { contents, loader: path.endsWith('.ts') ? 'ts' : 'js' }
  })
}

/** What the bundle depends on: every source, by name, time and size, and the packages that are part of it. */
function fingerprint() {
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
    const fallback = join(
      tmpdir(),
      `doorstep-${createHash('sha256').update(dirname(source)).digest('hex').slice(0, 12)}`,
    )
    mkdirSync(fallback, { recursive: true, mode: 0o700 })
    return fallback
  }
}
