// Writes docs/guide/systems.md from the descriptions of the adapters: `npm run generate:systems`.
import { writeFileSync } from 'node:fs'
import { renderSystemsPage } from '../src/adapters/systems-page.ts'

writeFileSync(new URL('../docs/guide/systems.md', import.meta.url), renderSystemsPage())
