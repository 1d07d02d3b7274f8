import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { root, stampSources } from '../bundling/sources.ts'

export const sourceFolder = join(root, 'web', 'widgets')
export const fileName = 'doorstep.js'

export function stampWidgets(folder = sourceFolder): string | undefined {
  return stampSources(folder, 'main.ts', [fileURLToPath(import.meta.url)])
}

/** Browsers of the last two years: shops' own sites have more visitors than the dashboard, and a fallback for the rest. */
const browsers = ['chrome123', 'edge123', 'firefox128', 'safari17.5']

/** Bundles the components into one script without imports. */
export async function bundleWidgets(folder: string): Promise<Buffer> {
  const { rolldown } = await import('rolldown')
  const bundle = await rolldown({
    input: join(folder, 'main.ts'),
    cwd: folder,
    platform: 'browser',
    transform: { target: browsers },
    logLevel: 'silent',
  })
  try {
    const { output } = await bundle.generate({ format: 'esm', minify: true })
    const [script, ...others] = output.filter((file) => file.type === 'chunk')
    if (script === undefined || others.length > 0) throw new Error('the components are not one file')
    return Buffer.from(script.code)
  } finally {
    await bundle.close()
  }
}
