// Builds the dashboard ahead of time, for a published artefact: `npm run build:dashboard`.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { findBundle, writeBundle } from '../src/bundling/stored-bundle.ts'
import { bundleDashboard, loadedWith, sourceFolder, stampDashboard } from '../src/dashboard/bundle.ts'

const folder = join(sourceFolder, 'dist')
const stamp = stampDashboard()
if (stamp === undefined) throw new Error('web/dashboard/main.tsx is not there.')
const bundle = await bundleDashboard(sourceFolder)
rmSync(folder, { recursive: true, force: true })
await writeBundle(folder, bundle, stamp)

const { entry, style, scripts } = bundle.parts
const first = [...loadedWith(entry, scripts), ...(style ? [style] : [])]
const files = findBundle(folder, stamp)?.files
const bytes = first.reduce((sum, name) => sum + (files?.get(name)?.brotli?.length ?? 0), 0)
process.stdout.write(`${folder}: ${bundle.files.size} files, ${Math.round(bytes / 1000)} KB at the start\n`)
