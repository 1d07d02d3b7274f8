import { existsSync, readdirSync, readFileSync, renameSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { explain } from '../../src/installation/setup/explain.ts'
import { openThread } from '../../src/platform/store/embedded/thread.js'
import { launch, makeStore, sharedByTests } from '../harness/process.ts'

describe('a damaged data folder', () => {
  const shared = sharedByTests(makeStore)

  /** Damages a store, and returns what repairs it for the next test. */
  type Damage = (store: string) => () => void
  const damages: [name: string, damage: Damage][] = [
    ['without PG_VERSION', (store) => takeAway(join(store, 'PG_VERSION'))],
    ['without its log', (store) => takeAway(join(store, 'pg_wal'))],
    ['whose pg_control is cut', (store) => cut(join(store, 'global/pg_control'))],
    ['with garbage in its catalogue', scramble],
  ]

  it.each(damages)('%s is reported with the way back, and left as it is', async (_name, damage) => {
    const store = join(shared(), 'store')
    const repair = damage(store)
    const had = existsSync(join(store, 'PG_VERSION'))
    expectWayBack(await openThread(shared()).then(() => 'it was opened', explain), store)
    expect(existsSync(join(store, 'PG_VERSION'))).toBe(had)
    repair()
  })

  it('ends a start with 1', async () => {
    const store = join(shared(), 'store')
    cut(join(store, 'global/pg_control'))
    const service = launch({ DATA_DIR: shared() })
    expect((await service.ended).code).toBe(1)
    expect(service.output()).toBe('')
    expectWayBack(service.complaints(), store)
  })
})

function expectWayBack(reported: string, store: string): void {
  expect(reported).toContain(`The store in ${store} is damaged: `)
  expect(reported).toContain('doorstep restore FILE')
  expect(reported).toContain(`move ${store} away`)
}

function takeAway(path: string): () => void {
  const aside = `${path}-aside`
  renameSync(path, aside)
  return () => renameSync(aside, path)
}

function cut(path: string): () => void {
  const content = readFileSync(path)
  truncateSync(path, 0)
  return () => writeFileSync(path, content)
}

/** Overwrites every file of the default database; nothing repairs it. */
function scramble(store: string): () => void {
  const folder = join(store, 'base')
  for (const database of readdirSync(folder)) {
    for (const file of readdirSync(join(folder, database))) {
      const path = join(folder, database, file)
      if (statSync(path).isFile()) writeFileSync(path, Buffer.alloc(statSync(path).size, 'garbage'))
    }
  }
  return () => {}
}
