// @ts-check
import { existsSync } from 'node:fs'

/** The programs that can be started: the service, its migrations, its examination, its backups, the command line. */
export const entryPoints = {
  main: 'src/main.ts',
  migrate: 'src/migrate.ts',
  doctor: 'src/installation/doctor/examine.ts',
  backup: 'src/installation/backup/commands.ts',
  cli: 'packages/cli/src/main.ts',
}

/** @typedef {keyof typeof entryPoints} EntryPoint */

const root = new URL('..', import.meta.url)

/** Undefined in a published package: it has everything that is built, and no sources. */
const checkout = existsSync(new URL(entryPoints.main, root)) ? await import('./checkout.js') : undefined

/** Ends the process with one line if an entry point was never built here. @param {EntryPoint} name */
export function expectBuilt(name) {
  checkout?.expectBuilt(name)
}

/** Loads an entry point on any supported Node; a checkout builds first what has changed. @param {EntryPoint} name */
export async function importSources(name) {
  expectBuilt(name)
  await checkout?.buildChanged(name)
  if (checkout?.runsTypeScript) return import(new URL(entryPoints[name], root).href)
  const bundle = new URL('dist/service', root).href
  if (checkout) (await import('./stack-traces.js')).nameSourcesInStackTraces(bundle)
  return import(`${bundle}/${name}.mjs`)
}
