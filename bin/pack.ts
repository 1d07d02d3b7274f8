// Makes the package for npm: `npm run pack` writes the server's tarball to `dist/`, or to the folder it is given.
// Installed packages run no TypeScript and should need no build, so it contains bundles of the service, the command line,
// the dashboard and the components for shops' sites.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { manifestName, readManifest } from '../src/http/bundling/stored-bundle.ts'
import { inlined } from './build/service.ts'
import { browserParts, build, folderOf, isFresh } from './built.js'
import { listUsedPackages, writeNotices } from './licences.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const output = resolve(process.argv[2] ?? join(root, 'dist'))
const staged = join(output, 'doorstep-server')

/** Everything that is built: an installed package builds nothing. */
const parts = ['service', ...browserParts] as const

if ((await build(parts.filter((part) => !isFresh(part)))).length > 0) process.exit(1)
mkdirSync(output, { recursive: true })
rmSync(staged, { recursive: true, force: true })
for (const path of shippedFiles()) copy(path)
for (const part of parts) copyBuilt(part)
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

/** Without its source maps, which name sources that the package does not have, and without files of earlier builds. */
function copyBuilt(part: (typeof parts)[number]): void {
  const manifest = readManifest(folderOf(part))
  if (manifest === undefined) throw new Error(`${part} is not built.`)
  const files = manifest.files.filter((name) => !name.endsWith('.map'))
  const target = join(staged, 'dist', part)
  mkdirSync(target, { recursive: true })
  for (const name of files) cpSync(join(folderOf(part), name), join(target, name))
  writeFileSync(join(target, manifestName), JSON.stringify({ files, parts: manifest.parts }))
}

/** The package's description, and the exact versions of everything it installs. */
function writePackageFiles(): void {
  const {
    private: _private,
    workspaces,
    scripts,
    devDependencies,
    allowScripts,
    overrides,
    ...described
  } = readPackage('package.json')
  const own = readdirSync(join(root, 'packages')).map((name) => readPackage(join('packages', name, 'package.json')))
  const all: Record<string, string> = Object.assign(
    {},
    ...own.map(({ dependencies }) => dependencies),
    described.dependencies,
  )
  const names = Object.keys(all).filter((name) => !name.startsWith('doorstep-') && !inlined.test(name))
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
