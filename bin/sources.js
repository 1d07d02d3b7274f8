// @ts-check
import { existsSync } from 'node:fs'
import { dirname } from 'node:path/posix'
import { fileURLToPath } from 'node:url'

/** What can be started: the service, its migrations, its examination, its backups, the command line. */
export const entryPoints = {
  main: 'src/main.ts',
  migrate: 'src/migrate.ts',
  doctor: 'src/doctor/examine.ts',
  backup: 'src/backup/commands.ts',
  cli: 'packages/cli/src/main.ts',
}

/** What only a checkout needs: a published package has its results, which are kept beside these under other names. */
const tools = { 'build-dashboard': 'src/dashboard/build.ts', 'build-widgets': 'src/widgets/build.ts' }

const sources = { ...entryPoints, ...tools }

const root = new URL('..', import.meta.url)

/** Node 22.18 and newer run TypeScript as it is, except in installed packages. */
const runsTypeScript =
  'typescript' in process.features && process.features.typescript && !fileURLToPath(root).includes('node_modules')

/** Loads an entry point on any supported Node; a published package has it as JavaScript. @param {keyof typeof sources} name */
export async function importSources(name) {
  const published = new URL(`dist/${name}.mjs`, root)
  if (existsSync(published)) return import(published.href)
  if (runsTypeScript) return import(new URL(sources[name], root).href)
  const [{ bundleSources }, { nameSourcesInStackTraces }] = await Promise.all([
    import('./bundle.js'),
    import('./stack-traces.js'),
  ])
  const bundle = await bundleSources(name, sources[name])
  nameSourcesInStackTraces(dirname(bundle))
  return import(bundle)
}
