#!/usr/bin/env node
import { beginOpening } from '../src/database/embedded/thread.js'

// Whatever the process writes is for its owner alone: the store, photos, the key, temporary files.
if (process.platform !== 'win32') process.umask(0o077)

// The embedded store opens while everything else loads; the settings are checked a moment later.
if (!process.env.DATABASE_URL) beginOpening(process.env.DATA_DIR?.trim() || './data')

// Node 22.18 and newer run TypeScript as it is.
if ('typescript' in process.features && process.features.typescript) await import('../src/main.ts')
else {
  const { bundleSources } = await import('./bundle.js')
  process.setSourceMapsEnabled(true)
  await import(await bundleSources())
}
