// @ts-check
// Builds what is not built from the present sources: `npm run build`. `npm ci` runs it at its end, as `npm run prepare`.
import { build, hasTools, isFresh } from './built.js'
import { installTools, partsOf } from './checkout.js'

if (hasTools()) {
  const startedAt = performance.now()
  const failed = await build(partsOf('main').filter((part) => !isFresh(part)))
  if (failed.length > 0) process.exit(1)
  process.stdout.write(`Doorstep is built (${((performance.now() - startedAt) / 1_000).toFixed(1)} s).\n`)
} else process.stdout.write(`Doorstep is not built. ${installTools}\n`)
