import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { createDatabase } from '../../src/database/database.ts'
import { openEmbedded } from '../../src/database/embedded/engine.ts'

it('keeps on through new segments of its log, checkpoints and a reopening', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'doorstep-embedded-'))
  try {
    const first = await createDatabase(await openEmbedded(directory))
    await sql`create table filler (id int primary key, text text)`.execute(first.db)
    // A segment of the log is 16 MB: this takes several, and PostgreSQL syncs the folder of the log for each.
    for (let part = 0; part < 8; part += 1) {
      await sql`
        insert into filler
        select ${part}::int * 2000 + n, (select string_agg(md5((${part}::int * 2000 + n)::text || i::text), '') from generate_series(1, 100) as i)
        from generate_series(1, 2000) as n`.execute(first.db)
    }
    await sql`checkpoint`.execute(first.db)
    await first.close()
    const second = await createDatabase(await openEmbedded(directory))
    const { rows } = await sql<{ count: number }>`select count(*) as count from filler`.execute(second.db)
    expect(rows).toEqual([{ count: 16_000 }])
    await second.close()
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}, 120_000)
