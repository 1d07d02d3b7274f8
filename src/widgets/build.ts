import { writeBundle } from '../bundling/stored-bundle.ts'
import { bundleWidgets, fileName } from './bundle.ts'

/** Bundles the sources in one folder into another. */
export async function buildWidgets(source: string, folder: string, stamp: string): Promise<void> {
  const files = new Map([[fileName, await bundleWidgets(source)]])
  await writeBundle(folder, { files, parts: {} }, stamp)
}
