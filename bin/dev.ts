// What `npm run dev` starts, and again when a source changes: the service from its sources, with what browsers load of them.
import { browserParts, build, isFresh } from './built.js'

await build(browserParts.filter((part) => !isFresh(part)))
await import('../src/main.ts')
