// @ts-check
import { fileURLToPath } from 'node:url'
import { browserParts, build, hasTools, isBuilt, isFresh } from './built.js'

/** @typedef {import('./built.js').Part} Part */
/** @typedef {import('./sources.js').EntryPoint} EntryPoint */

/** Node 22.18 and newer run TypeScript as it is, except in installed packages. */
export const runsTypeScript =
  'typescript' in process.features &&
  Boolean(process.features.typescript) &&
  !fileURLToPath(import.meta.url).includes('node_modules')

/** Advice if the packages that build were left out. */
export const installTools = 'Run npm ci without leaving anything out, or install the package doorstep-server instead.'

/** The parts that an entry point needs before it runs. @param {EntryPoint} name @returns {Part[]} */
export function partsOf(name) {
  return [...(runsTypeScript ? [] : /** @type {const} */ (['service'])), ...(name === 'main' ? browserParts : [])]
}

/** Ends the process if this checkout was never built. @param {EntryPoint} name */
export function expectBuilt(name) {
  if (partsOf(name).every(isBuilt)) return
  end(`Doorstep is not built. ${hasTools() ? 'Run npm run build.' : installTools}`)
}

/**
 * Builds what has changed since it was built. The service also runs without what browsers load: a dashboard that cannot be
 * built must not stop deliveries.
 * @param {EntryPoint} name
 */
export async function buildChanged(name) {
  const changed = partsOf(name).filter((part) => !isFresh(part))
  if (changed.length === 0) return
  if (!hasTools()) end(`The sources of Doorstep have changed since it was built. ${installTools}`)
  const failed = await build(changed)
  if (failed.includes('service')) end('Doorstep did not start, because it could not be built.')
}

/** @param {string} reason @returns {never} */
function end(reason) {
  process.stderr.write(`${reason}\n`)
  process.exit(1)
}
