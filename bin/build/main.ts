// Builds the parts that it is given the names of. `bin/built.js` starts it.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { manifestName } from '../../src/http/bundling/stored-bundle.ts'
import { folderOf, type Part, record, stateOf } from '../built.js'
import { buildDashboard } from './dashboard.ts'
import { buildService } from './service.ts'
import { buildWidgets } from './widgets.ts'

const builders: Record<Part, () => Promise<void>> = {
  service: buildService,
  dashboard: buildDashboard,
  widgets: buildWidgets,
}

for (const part of process.argv.slice(2) as Part[]) {
  // The state of the sources before they are read: a change meanwhile is built again at the next start.
  const state = stateOf(part)
  try {
    await builders[part]()
    record(part, state)
  } catch (error) {
    // Browsers get a page that reports it, instead of a build of other sources.
    rmSync(join(folderOf(part), manifestName), { force: true })
    record(part, {})
    process.stderr.write(`${error instanceof Error ? error.message : error}\nThe ${part} could not be built.\n`)
  }
}
