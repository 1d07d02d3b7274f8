import { writeBundle } from '../bundling/stored-bundle.ts'
import { bundleDashboard } from './bundle.ts'

/** Bundles the sources in one folder into another. */
export async function buildDashboard(source: string, folder: string, stamp: string): Promise<void> {
  await writeBundle(folder, await bundleDashboard(source), stamp)
}
