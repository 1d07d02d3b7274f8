// Writes docs/guide/settings.md from the declared settings: `npm run generate:settings`.
import { writeFileSync } from 'node:fs'
import { renderSettingsPage } from '../src/platform/config/settings-page.ts'

writeFileSync(new URL('../docs/guide/settings.md', import.meta.url), renderSettingsPage())
