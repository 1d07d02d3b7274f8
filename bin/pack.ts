// Makes what is published to npm: `npm run pack` writes the server's tarball to `dist/`, or to the folder it is given.
// Installed packages run no TypeScript and should need no build, so it contains bundles of the service, the command line,
// the dashboard and the components for shops' sites.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cacheFoldersOf } from '../src/bundling/kept-bundle.ts'
import { findBundle } from '../src/bundling/stored-bundle.ts'
import { buildDashboard } from '../src/dashboard/build.ts'
import { sourceFolder, stampDashboard } from '../src/dashboard/bundle.ts'
import { buildWidgets } from '../src/widgets/build.ts'
import { stampWidgets, sourceFolder as widgetSources } from '../src/widgets/bundle.ts'
import { bundleEntryPoint } from './bundle.js'
import { listUsedPackages, writeNotices } from './licences.ts'
import { entryPoints } from './sources.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const output = resolve(process.argv[2] ?? join(root, 'dist'))
const staged = join(output, 'doorstep-server')

/** Needed to make bundles, which the package has already. */
const buildTools = ['esbuild', 'rolldown']

rmSync(output, { recursive: true, force: true })
mkdirSync(join(staged, 'dist'), { recursive: true })
for (const path of shippedFiles()) copy(path)
for (const [name, entryPoint] of Object.entries(entryPoints)) await addBundle(name, entryPoint)
await addBrowserBundle({ name: 'dashboard', source: sourceFolder, stamp: stampDashboard(), build: buildDashboard })
await addBrowserBundle({ name: 'widgets', source: widgetSources, stamp: stampWidgets(), build: buildWidgets })
writeFileSync(join(staged, 'THIRD_PARTY.md'), writeNotices(listUsedPackages()))
writePackageFiles()
process.stdout.write(npm('pack', '--pack-destination', output))

/** Everything that the bundles read when they run, and what people should find. */
function shippedFiles(): string[] {
  const beside = ['src', 'web', 'packages'].flatMap((folder) => filesIn(folder).filter(isReadAtRunTime))
  const commands = ['doorstep.js', 'server.js', 'sources.js'].map((name) => `bin/${name}`)
  const texts = ['CHANGELOG.md', 'LICENSE', 'NOTICE', 'README.md']
  return [...beside, ...commands, ...texts, ...filesIn('migrations'), ...filesIn('docs/guide')]
}

function isReadAtRunTime(path: string): boolean {
  if (/^web\/(dashboard|widgets)\/|\/(node_modules|dist|examples?)\//.test(path)) return false
  // Scripts are loaded as they are: before the bundle, by a thread of their own, or by browsers. Those of packages generate.
  if (path.endsWith('.js')) return !path.startsWith('packages/')
  return !/\.(ts|tsx|md)$|(^|\/)(package|tsconfig)\.json$/.test(path)
}

function filesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
}

function copy(path: string): void {
  mkdirSync(dirname(join(staged, path)), { recursive: true })
  cpSync(join(root, path), join(staged, path))
}

async function addBundle(name: string, entryPoint: string): Promise<void> {
  const folder = join(staged, 'dist')
  const fromBundle = (path: string) => relative(join(root, 'dist'), path).replaceAll('\\', '/')
  const files = await bundleEntryPoint({
    name,
    entryPoint,
    folder,
    placeOf: (path) => `new URL(${JSON.stringify(fromBundle(path))}, import.meta.url).href`,
    sharedAt: fromBundle,
    sourcemap: false,
  })
  for (const { path, contents } of files) writeFileSync(path, contents)
}

/** Copies the bundle that this checkout's service has made of the very same sources and packages, or makes one. */
async function addBrowserBundle({ name, source, stamp, build }: BrowserBundle): Promise<void> {
  if (stamp === undefined) throw new Error(`${source} has no sources.`)
  const folder = join(staged, 'web', name, 'dist')
  const kept = cacheFoldersOf(output)
    .map((cache) => join(cache, `${name}-${stamp}`))
    .find((each) => findBundle(each, stamp))
  if (kept === undefined) await build(source, folder, stamp)
  else cpSync(kept, folder, { recursive: true })
}

interface BrowserBundle {
  name: string
  source: string
  stamp: string | undefined
  build(source: string, folder: string, stamp: string): Promise<void>
}

/** The package's description, and the exact versions of everything it installs. */
function writePackageFiles(): void {
  const {
    private: _private,
    workspaces,
    scripts,
    devDependencies,
    overrides,
    ...described
  } = readPackage('package.json')
  const own = readdirSync(join(root, 'packages')).map((name) => readPackage(join('packages', name, 'package.json')))
  const all: Record<string, string> = Object.assign(
    {},
    ...own.map(({ dependencies }) => dependencies),
    described.dependencies,
  )
  const names = Object.keys(all).filter((name) => !buildTools.includes(name) && !name.startsWith('doorstep-'))
  const dependencies = Object.fromEntries(names.sort().map((name) => [name, all[name]]))
  writeJson('package.json', { ...described, dependencies, overrides })
  const { packages, ...lock } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const ours = { name: described.name, version: described.version, dependencies }
  writeJson('package-lock.json', { ...lock, packages: { ...packages, '': ours } })
  // Removes from the copy of the lock file what the package does not need. All it has to know is in there.
  npm('install', '--package-lock-only', '--ignore-scripts', '--offline', '--no-audit', '--no-fund')
  renameSync(join(staged, 'package-lock.json'), join(staged, 'npm-shrinkwrap.json'))
}

interface PackageFile {
  name: string
  version: string
  dependencies?: Record<string, string>
  [field: string]: unknown
}

function readPackage(path: string): PackageFile {
  return JSON.parse(readFileSync(join(root, path), 'utf8'))
}

function writeJson(name: string, value: unknown): void {
  writeFileSync(join(staged, name), `${JSON.stringify(value, null, 2)}\n`)
}

function npm(...args: string[]): string {
  return execFileSync('npm', ['--silent', ...args], {
    cwd: staged,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}
