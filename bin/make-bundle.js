// @ts-check
// Bundles what browsers load, in a process of its own: the bundler takes some hundred megabytes, which a service that goes on
// running would never give back.
import { importSources } from './sources.js'

const [, , name, source, folder, stamp] = process.argv
if (name === 'dashboard') await (await importSources('build-dashboard')).buildDashboard(source, folder, stamp)
else if (name === 'widgets') await (await importSources('build-widgets')).buildWidgets(source, folder, stamp)
else throw new Error(`there is no bundle ${name}`)
