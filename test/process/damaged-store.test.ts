import { cpSync, existsSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { launch, makeFolder, makeStore, sharedByTests } from '../harness/process.ts'

describe.concurrent('a damaged data folder', () => {
  const shared = sharedByTests(async (cleanup) => makeStore(cleanup))
  const damages: [name: string, damage: (store: string) => void][] = [
    ['whose pg_control is cut', (store) => truncateSync(join(store, 'global/pg_control'), 0)],
    ['without PG_VERSION', (store) => rmSync(join(store, 'PG_VERSION'))],
    ['with garbage in its catalogue', scramble],
    ['without its log', (store) => rmSync(join(store, 'pg_wal'), { recursive: true })],
  ]

  it.each(damages)('%s is reported with the way back, and left as it is', async (_name, damage) => {
    const dataDir = makeFolder()
    const store = join(dataDir, 'store')
    cpSync(shared(), dataDir, { recursive: true })
    damage(store)
    const had = existsSync(join(store, 'PG_VERSION'))
    const service = launch({ DATA_DIR: dataDir })
    expect((await service.ended).code).toBe(1)
    expect(service.output()).toBe('')
    expect(service.complaints()).toContain(`The store in ${store} is damaged: `)
    expect(service.complaints()).toContain('doorstep restore FILE')
    expect(service.complaints()).toContain(`move ${store} away`)
    expect(existsSync(join(store, 'PG_VERSION'))).toBe(had)
  })
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
