import { build, isBuilt, isFresh, type Part } from '../../bin/built.js'
import { partsOf } from '../../bin/checkout.js'
import { oncePerRun } from './once-per-run.ts'

/** Global setup: what was never built here is built, which `npm ci` has usually done. */
export default async function setup(): Promise<void> {
  await buildAll(partsOf('main').filter((part) => !isBuilt(part)))
}

/** For tests that use what browsers load: it is built from the present sources, once per run. A process of the service does so itself. */
export async function ensureFresh(part: Part): Promise<void> {
  await oncePerRun(`built ${part}`, () => buildAll(isFresh(part) ? [] : [part]))
}

async function buildAll(parts: readonly Part[]): Promise<void> {
  const failed = await build(parts)
  if (failed.length > 0) throw new Error(`could not be built: ${failed.join(', ')}`)
}
