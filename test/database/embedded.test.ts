import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createDatabase } from '../../src/platform/store/database.ts'
import { openEmbedded } from '../../src/platform/store/embedded/engine.ts'
import { openMemoryThread } from '../../src/platform/store/embedded/thread.js'
import { vacuumChangedTables } from '../../src/platform/store/statistics.ts'
import { makeStore } from '../harness/process.ts'
import { openTestDatabase } from '../harness/service.ts'

describe('embedded store', () => {
  it('works across new segments of its log, checkpoints and a restart', async () => {
    const directory = await makeStore()
    const first = await createDatabase(await openEmbedded(directory))
    await sql`create table filler (id int primary key, text text)`.execute(first.db)
    // PostgreSQL syncs the folder of the log for each new segment.
    for (let part = 0; part < 4; part += 1) {
      await sql`insert into filler select ${part}::int * 100 + n, repeat('x', 1000) from generate_series(1, 100) as n`.execute(
        first.db,
      )
      await sql`select pg_switch_wal()`.execute(first.db)
    }
    const { rows: segments } = await sql<{ name: string }>`
      select pg_walfile_name(pg_current_wal_lsn()) as name`.execute(first.db)
    expect(Number.parseInt(segments[0]?.name.slice(-8) ?? '', 16)).toBeGreaterThan(4)
    await sql`checkpoint`.execute(first.db)
    await first.close()
    const second = await createDatabase(await openEmbedded(directory))
    const { rows } = await sql<{ count: number }>`select count(*) as count from filler`.execute(second.db)
    expect(rows).toEqual([{ count: 400 }])
    await second.close()
  })

  it('has a log that does not grow with what is written', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const directory = await makeStore()
    const database = await createDatabase(await openEmbedded(directory))
    const log = join(directory, 'store', 'pg_wal')
    const megabytes = () => readdirSync(log).filter((name) => /^[0-9A-F]{24}$/.test(name)).length * 16
    for (let part = 0; part < 3; part += 1) {
      await sql`select pg_logical_emit_message(false, 'test', repeat('x', 1000000)) from generate_series(1, 140)`.execute(
        database.db,
      )
      await vi.advanceTimersByTimeAsync(10_000)
      // The checkpoint has the connection.
      await sql`select 1`.execute(database.db)
    }
    expect(megabytes()).toBeLessThanOrEqual(300)
    await database.close()
  })

  it('removes dead rows and refreshes the planner statistics, as a server does automatically', async () => {
    const database = await openTestDatabase()
    await sql`create table filler (id int primary key, text text)`.execute(database.db)
    await sql`insert into filler select n, 'first' from generate_series(1, 5000) as n`.execute(database.db)
    await sql`update filler set text = 'second'`.execute(database.db)
    const seen = async () => {
      const { rows } = await sql<{ reltuples: number; n_dead_tup: number }>`
        select reltuples, n_dead_tup from pg_class join pg_stat_user_tables on relid = pg_class.oid
        where pg_class.relname = 'filler'`.execute(database.db)
      return rows[0]
    }
    expect(await seen()).toMatchObject({ reltuples: -1 })
    await vacuumChangedTables(database)
    expect(await seen()).toMatchObject({ reltuples: 5_000, n_dead_tup: 0 })
    await sql`drop table filler`.execute(database.db)
    await database.close()
  })

  it('does not retain results in memory', async () => {
    const { port: worker, close } = await openMemoryThread()
    const run = async (text: string) => {
      // A simple query of the wire protocol: its type byte, its length, its text.
      const message = Buffer.from(`Q....${text}\0`)
      message.writeInt32BE(message.length - 1, 1)
      worker.postMessage(new Uint8Array(message))
      const [response] = (await once(worker, 'message')) as [Uint8Array]
      return response.length
    }
    const heapBytes = async () => {
      let bytes = 0
      for await (const part of await worker.getHeapSnapshot()) bytes += part.length
      return bytes
    }
    const query = `select repeat('x', 500) || n from generate_series(1, 1000) as n`
    expect(await run(query)).toBeGreaterThan(500_000)
    const before = await heapBytes()
    for (let round = 0; round < 20; round += 1) await run(query)
    expect((await heapBytes()) - before).toBeLessThan(2_000_000)
    await close()
  })
})
