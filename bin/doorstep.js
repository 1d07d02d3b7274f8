#!/usr/bin/env node
import { beginOpening } from '../src/database/embedded/thread.js'

// The embedded store opens while everything else loads; the settings are checked a moment later.
if (!process.env.DATABASE_URL) beginOpening(process.env.DATA_DIR?.trim() || './data')

// Node 22.18 and newer run TypeScript as it is; older ones go through tsx, whose hook costs a millisecond for every
// file imported after it. The packages with hundreds of files are therefore imported before: 1.9 s become 1.1 s.
if (!('typescript' in process.features)) {
  await Promise.all([
    import('@fastify/multipart'),
    import('fastify'),
    import('kysely'),
    import('pg'),
    import('prom-client'),
    import('typebox'),
    import('typebox/compile'),
    import('typebox/format'),
    import('typebox/system'),
  ])
  const loader = 'tsx'
  await import(loader)
}
await import('../src/main.ts')
