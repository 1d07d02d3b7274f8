import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { WidgetParts } from '../../src/http/widgets/widgets.ts'
import { folderOf } from '../built.js'
import { bundle, contentsOf } from './bundle.ts'
import { withCompressed, writeOutput } from './output.ts'

const source = fileURLToPath(new URL('../../web/widgets', import.meta.url))

/** Browsers of the last two years: shops' own sites have more visitors than the dashboard, and a fallback for the rest. */
const browsers = ['chrome123', 'edge123', 'firefox128', 'safari17.5']

/** Bundles the components into one script without imports. */
export async function buildWidgets(folder = folderOf('widgets')): Promise<void> {
  const files = await bundle({
    root: source,
    build: {
      target: browsers,
      rolldownOptions: {
        input: { doorstep: join(source, 'main.ts') },
        output: { entryFileNames: '[name]-[hash].js' },
      },
    },
  })
  const [script, ...others] = files
  if (script === undefined || others.length > 0) throw new Error('the components are not one file')
  const parts: WidgetParts = { script: script.fileName }
  writeOutput(folder, { files: await withCompressed(contentsOf(files)), parts })
}
