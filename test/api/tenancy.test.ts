import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { theService } from '../harness/service.ts'

/** Tables without a shop. */
const globalTables = [
  'attempt_counts',
  // Its entries about the installation have no shop.
  'audit_log',
  'figures_progress',
  'shops',
  'api_keys',
  'people',
  'sessions',
  'sign_in_links',
  'installation',
  'job_runs',
  'schema_migrations',
  'signing_keys',
  'service_nodes',
  // Invitations and new passwords are not about one shop.
  'team_mails',
]

describe('tenant tables', () => {
  it('have shop_id first in their primary key and every unique index', async () => {
    const { database } = await theService()
    const { rows } = await sql<{ table: string; index: string; first: string | null }>`
      select owner.relname as table, index.relname as index, attribute.attname as first
      from pg_index
      join pg_class as index on index.oid = pg_index.indexrelid
      join pg_class as owner on owner.oid = pg_index.indrelid
      join pg_namespace as space on space.oid = owner.relnamespace
      left join pg_attribute as attribute on attribute.attrelid = owner.oid and attribute.attnum = pg_index.indkey[0]
      where space.nspname = 'public' and pg_index.indisunique`.execute(database.db)
    const tenant = rows.filter(({ table }) => !globalTables.includes(table))
    expect(tenant.length).toBeGreaterThan(0)
    expect(tenant.filter(({ first }) => first !== 'shop_id').map(({ table, index }) => `${table}: ${index}`)).toEqual(
      [],
    )
  })

  it('have a primary key and a shop', async () => {
    const { database } = await theService()
    const { rows } = await sql<{ table: string; keys: number; shop: number }>`
      select owner.relname as table,
        (select count(*) from pg_index where indrelid = owner.oid and indisprimary)::int as keys,
        (select count(*) from pg_attribute
         where attrelid = owner.oid and attname = 'shop_id' and attnotnull)::int as shop
      from pg_class as owner
      join pg_namespace as space on space.oid = owner.relnamespace
      where space.nspname = 'public' and owner.relkind in ('r', 'p') and not owner.relispartition`.execute(database.db)
    expect(rows.filter(({ keys }) => keys !== 1).map(({ table }) => table)).toEqual([])
    const without = rows.filter(({ shop }) => shop !== 1).map(({ table }) => table)
    expect(without.filter((table) => !globalTables.includes(table))).toEqual([])
  })
})
