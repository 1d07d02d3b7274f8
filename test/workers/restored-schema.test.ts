import { sql } from 'kysely'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { moveStore } from '../../src/installation/backup/commands.ts'
import { writeStore } from '../../src/installation/backup/write-store.ts'
import type { Config } from '../../src/platform/config/config.ts'
import { openDatabase } from '../../src/platform/store/database.ts'
import { newStore } from '../harness/backups.ts'
import { keptBackup, keptVersions, readKeptStore } from '../harness/kept-versions.ts'
import { newFolder } from '../harness/new-folder.ts'
import { createMigratedPostgresDatabase } from '../harness/prepared-stores.ts'
import { testConfig } from '../harness/service.ts'
import { freshSchema, inspectStore, numberedTables } from '../harness/store-schema.ts'

describe.each(keptVersions())('a store restored from a backup of version %s', (version) => {
  it('has the schema of a new one, also after move-store, and its sequences continue', async () => {
    const restored = await newStore()
    const { migrated } = await writeStore(restored, keptBackup(readKeptStore(version)), { replace: false })
    expect(migrated.length).toBeGreaterThan(0)
    const inspected = await inspectStore(restored)
    expect(inspected.schema).toEqual(await freshSchema(inspected.engine))
    expect(inspected.sequencesBehind).toEqual([])
    await addNumberedRows(restored)
    for (const target of await newTargets()) {
      await moveTo(target, restored)
      const moved = await inspectStore(target)
      expect(moved.schema).toEqual(await freshSchema(moved.engine))
      expect(moved).toMatchObject({ numbered: numberedTables, sequencesBehind: [] })
    }
  })
})

/** With both engines under test, a store moves to each of them. */
async function newTargets(): Promise<Config[]> {
  const embedded = testConfig({ DATA_DIR: newFolder() })
  if (!process.env.TEST_DATABASE_URL) return [embedded]
  return [embedded, testConfig({ DATABASE_URL: await createMigratedPostgresDatabase() })]
}

async function addNumberedRows(config: Config): Promise<void> {
  const { db, close } = await openDatabase(config)
  await sql`
    insert into feed_arrivals (shop_id, notification_id, ref, triggered_at)
    select gen_random_uuid(), gen_random_uuid(), 'shipments/in_transit/TEST', now() from generate_series(1, 3)`.execute(
    db,
  )
  await sql`
    insert into changed_days (shop_id, day) select gen_random_uuid(), now() from generate_series(1, 3)`.execute(db)
  await close()
}

/** As an operator does: the command reads the store's place from the settings. */
async function moveTo(target: Config, from: Config): Promise<void> {
  onTestFinished(() => void vi.unstubAllEnvs())
  vi.stubEnv('DATA_DIR', from.dataDir)
  vi.stubEnv('DATABASE_URL', from.databaseUrl)
  await moveStore(target.databaseUrl ?? target.dataDir)
}
