// @ts-check
// Bundles the dashboard, in a process of its own: the bundler takes some hundred megabytes, which a service that goes on
// running would never give back.
import { importSources } from './sources.js'

const [, , source, folder, stamp] = process.argv
const { buildDashboard } = await importSources('dashboard')
await buildDashboard(source, folder, stamp)
