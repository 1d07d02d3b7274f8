import { cpSync, existsSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'vitest'
import { type Cleanup, launch, makeFolder, makeStore, sharedByTests } from '../harness/process.ts'

describe.concurrent('a damaged data folder', () => {
  const shared = sharedByTests(async (cleanup) => makeStore(cleanup))
  const damages: [name: string, damage: (store: string) => void][] = [
    ['whose pg_control is cut', (store) => truncateSync(join(store, 'global/pg_control'), 0)],
    ['without PG_VERSION', (store) => rmSync(join(store, 'PG_VERSION'))],
    ['with garbage in its catalogue', scramble],
    ['without its log', (store) => rmSync(join(store, 'pg_wal'), { recursive: true })],
  ]

  it.for(damages)(
    '%s is reported with the way back, and left as it is',
    async ([, damage], { expect, onTestFinished }) => {
      // Of tests that run at the same time, each cleans up its own: not with Vitest's global hook.
      const cleanup: Cleanup = onTestFinished
      const dataDir = makeFolder(cleanup)
      const store = join(dataDir, 'store')
      cpSync(shared(), dataDir, { recursive: true })
      damage(store)
      const had = existsSync(join(store, 'PG_VERSION'))
      const service = launch({ DATA_DIR: dataDir }, { cleanup })
      expect((await service.ended).code).toBe(1)
      expect(service.output()).toBe('')
      expect(service.complaints()).toContain(`The store in ${store} is damaged: `)
      expect(service.complaints()).toContain('doorstep restore FILE')
      expect(service.complaints()).toContain(`move ${store} away`)
      expect(existsSync(join(store, 'PG_VERSION'))).toBe(had)
    },
  )
})

/** Overwrites every file of the default database. */
function scramble(store: string): void {
  const folder = join(store, 'base')
  for (const database of readdirSync(folder)) {
    for (const file of readdirSync(join(folder, database))) {
      const path = join(folder, database, file)
      if (statSync(path).isFile()) writeFileSync(path, Buffer.alloc(statSync(path).size, 'garbage'))
    }
  }
}
