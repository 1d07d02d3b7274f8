import type { Config } from '../../src/platform/config/config.ts'
import { openEngine } from '../../src/platform/store/database.ts'
import type { Engine } from '../../src/platform/store/engine.ts'
import { openPostgres } from '../../src/platform/store/postgres.ts'
import { createMigratedPostgresDatabase, openMemoryStore } from './prepared-stores.ts'

/** Each table, column, constraint, index, trigger, sequence and function of a store by its name, with its whole definition. */
export type StoreSchema = Record<string, string>

/** Read from the database's own catalogue, so that everything a migration may make is compared. */
async function schemaOf(engine: Engine): Promise<StoreSchema> {
  const found = await read<{ name: string; definition: string }>(engine, definitions)
  return Object.fromEntries(found.map(({ name, definition }) => [name, definition]))
}

/** The schema of a store that was migrated when it was empty. */
export async function freshSchema(name: Engine['engine']): Promise<StoreSchema> {
  const engine =
    name === 'embedded' ? await openMemoryStore() : await openPostgres(await createMigratedPostgresDatabase(), 1)
  try {
    return await schemaOf(engine)
  } finally {
    await engine.close()
  }
}

/** The tables whose rows the database numbers. */
export const numberedTables = ['changed_days', 'feed_arrivals']

export interface StoreInspection {
  engine: Engine['engine']
  schema: StoreSchema
  /** Those of `numberedTables` that have rows. */
  numbered: string[]
  /** Sequences that would give such a table a number it has already. */
  sequencesBehind: string[]
}

/** The parts of a store that can be wrong although every row is there. */
export async function inspectStore(config: Config): Promise<StoreInspection> {
  const engine = await openEngine(config)
  try {
    return await inspectEngine(engine)
  } finally {
    await engine.close()
  }
}

export async function inspectEngine(engine: Engine): Promise<StoreInspection> {
  const numbered: string[] = []
  const sequencesBehind: string[] = []
  for (const { sequence, owner, column } of await listSequences(engine)) {
    const [state] = await read<{ next: number; highest: number | null }>(
      engine,
      `select case when is_called then last_value + 1 else last_value end as next,
        (select max(${column}) from ${owner}) as highest
       from ${sequence}`,
    )
    if (state === undefined || state.highest === null) continue
    numbered.push(owner)
    if (state.next <= state.highest) sequencesBehind.push(sequence)
  }
  return { engine: engine.engine, schema: await schemaOf(engine), numbered: numbered.sort(), sequencesBehind }
}

/** Every sequence that gives a column its numbers. */
function listSequences(engine: Engine): Promise<{ sequence: string; owner: string; column: string }[]> {
  return read(
    engine,
    `select pg_class.oid::regclass::text as sequence, refobjid::regclass::text as owner, quote_ident(attname) as column
     from pg_class
     join pg_depend on pg_depend.objid = pg_class.oid and classid = 'pg_class'::regclass and deptype in ('a', 'i')
     join pg_attribute on attrelid = refobjid and attnum = refobjsubid
     where relnamespace = 'public'::regnamespace and relkind = 'S'
     order by 1`,
  )
}

async function read<Row>({ pool }: Engine, text: string): Promise<Row[]> {
  const client = await pool.connect()
  try {
    return (await client.query({ text })).rows
  } finally {
    client.release()
  }
}

/** Extensions bring objects of their own, which are the server's. */
const definitions = `
  with relations as (
    select * from pg_class
    where relnamespace = 'public'::regnamespace
      and not exists (select 1 from pg_depend where objid = pg_class.oid and deptype = 'e')
  )
  select format('relation %s', relname) as name,
    format('kind %s, persistence %s, options %s, replica identity %s, row security %s, owner has it all: %s',
      relkind, relpersistence, reloptions, relreplident, relrowsecurity, relacl is null) as definition
  from relations
  union all
  select format('column %s.%s', relname, attname),
    format('number %s, %s, not null %s, default %s, identity %s, generated %s, storage %s, statistics %s, options %s',
      attnum, format_type(atttypid, atttypmod), attnotnull, pg_get_expr(adbin, adrelid), attidentity, attgenerated,
      attstorage, nullif(attstattarget, -1),
      -- A server may add options of its own, which differ from table to table.
      array(select option from unnest(attoptions) as option where option like 'n_distinct%'))
  from pg_attribute
  join relations on relations.oid = attrelid and relkind in ('r', 'p')
  left join pg_attrdef on adrelid = attrelid and adnum = attnum
  where attnum > 0 and not attisdropped
  union all
  select format('constraint %s on %s', conname, conrelid::regclass),
    format('%s, validated %s, deferrable %s, deferred %s', pg_get_constraintdef(oid), convalidated, condeferrable, condeferred)
  from pg_constraint where connamespace = 'public'::regnamespace
  union all
  select format('index %s', relname),
    format('%s, valid %s, ready %s, primary %s, clustered %s',
      pg_get_indexdef(indexrelid), indisvalid, indisready, indisprimary, indisclustered)
  from pg_index join relations on relations.oid = indexrelid
  union all
  select format('trigger %s on %s', tgname, relname), format('%s, enabled %s', pg_get_triggerdef(pg_trigger.oid), tgenabled)
  from pg_trigger join relations on relations.oid = tgrelid where not tgisinternal
  union all
  -- A foreign key is kept by triggers of the database, which can be disabled as well.
  select format('triggers of %s on %s', conname, relname), string_agg(format('%s enabled %s', tgfoid::regproc, tgenabled), ', ' order by tgfoid)
  from pg_trigger
  join relations on relations.oid = tgrelid
  join pg_constraint on pg_constraint.oid = tgconstraint
  where tgisinternal
  group by conname, relname
  union all
  select format('sequence %s', sequencename),
    format('%s, start %s, from %s to %s by %s, cycle %s, cache %s, of %s', data_type, start_value, min_value, max_value,
      increment_by, cycle, cache_size, (
        select format('%s.%s, %s', refobjid::regclass, attname, deptype)
        from pg_depend join pg_attribute on attrelid = refobjid and attnum = refobjsubid
        where objid = format('public.%I', sequencename)::regclass and deptype in ('a', 'i')
      ))
  from pg_sequences where schemaname = 'public'
  union all
  select format('function %s', oid::regprocedure), pg_get_functiondef(oid)
  from pg_proc
  where pronamespace = 'public'::regnamespace and prokind in ('f', 'p')
    and not exists (select 1 from pg_depend where objid = pg_proc.oid and deptype = 'e')
  union all
  select format('statistics %s', stxname), pg_get_statisticsobjdef(oid)
  from pg_statistic_ext where stxnamespace = 'public'::regnamespace
  union all
  select format('rule %s of %s', rulename, relname), pg_get_ruledef(pg_rewrite.oid)
  from pg_rewrite join relations on relations.oid = ev_class
  union all
  select format('policy %s on %s', polname, relname), pg_get_expr(polqual, polrelid)
  from pg_policy join relations on relations.oid = polrelid
  union all
  select format('type %s', typname), format('kind %s, default %s, values %s', typtype, typdefault, array(
    select enumlabel from pg_enum where enumtypid = pg_type.oid order by enumsortorder))
  from pg_type
  where typnamespace = 'public'::regnamespace and typtype not in ('c', 'b')
    and not exists (select 1 from pg_depend where objid = pg_type.oid and deptype = 'e')
  order by 1`
