import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { openTestDatabase } from '../harness/service.ts'

const source = join(import.meta.dirname, '../../src')

interface Column {
  type: string
  isNullable: boolean
  /** It may be left out of an insert. */
  isGenerated: boolean
}

type Table = Record<string, Column>

/** Types that a column of the store may have in `rows.ts`, by the name of the type in the store. */
const types: Record<string, readonly string[]> = {
  uuid: ['string'],
  text: ['string'],
  // Queries read days as text; the driver alone would make a Date of them.
  date: ['string', 'Date'],
  integer: ['number'],
  smallint: ['number'],
  'double precision': ['number'],
  numeric: ['number', 'string'],
  bigint: ['string', 'number'],
  boolean: ['boolean'],
  bytea: ['Buffer'],
  jsonb: ['unknown'],
  json: ['unknown'],
  ARRAY: ['string[]'],
  'timestamp with time zone': ['Date'],
}

/** Columns that only nodes of an earlier version use. */
const left = new Set(['webhook_endpoints.last_success_at'])

describe('row types', () => {
  it('are those of the migrated store', async () => {
    const declared = readDeclared()
    const stored = await readStored()
    expect(Object.keys(declared).length).toBeGreaterThan(80)
    expect(Object.keys(declared).sort()).toEqual(Object.keys(stored).sort())
    const differences = Object.entries(declared).flatMap(([table, columns]) =>
      differencesOf(table, columns, stored[table] ?? {}).map((difference) => `${table}.${difference}`),
    )
    expect(differences).toEqual([])
  })
})

function differencesOf(table: string, declared: Table, stored: Table): string[] {
  const unknown = Object.keys(declared).filter((name) => !(name in stored))
  const missing = Object.keys(stored).filter((name) => !(name in declared) && !left.has(`${table}.${name}`))
  const different = Object.entries(declared).flatMap(([name, column]) => {
    const actual = stored[name]
    if (actual === undefined) return []
    const known = types[actual.type]
    return [
      ...(known?.includes(column.type) || isNarrowed(actual.type, column.type)
        ? []
        : [`${name} is ${actual.type}, not ${column.type}`]),
      ...(column.isNullable === actual.isNullable || column.type === 'unknown'
        ? []
        : [`${name} is ${actual.isNullable ? '' : 'not '}nullable`]),
      ...(column.isGenerated && !actual.isGenerated ? [`${name} has no default`] : []),
    ]
  })
  return [
    ...unknown.map((name) => `${name} is not in the store`),
    ...missing.map((name) => `${name} is only in the store`),
    ...different,
  ]
}

/** Whether it declares only some of the texts, by name or one by one, or the items of a JSON column. */
function isNarrowed(stored: string, declared: string): boolean {
  if (stored === 'text') return /^([A-Z]\w+|'[^']+'( \| '[^']+')*)$/.test(declared) && !/^(Date|Buffer)$/.test(declared)
  return stored === 'jsonb' && /^[A-Z]\w+\[\]$/.test(declared)
}

/** The tables that the files `rows.ts` declare, read as text: types leave nothing at run time. */
function readDeclared(): Record<string, Table> {
  const tables: Record<string, Table> = {}
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /(^|[/\\])rows\.ts$/.test(name),
  )
  for (const file of files) {
    const [, text = ''] = readFileSync(join(source, file), 'utf8').split('  interface Tables {\n')
    for (const [, name = '', alias, columns = ''] of text.matchAll(
      /^ {4}(\w+): (?:Tables\['(\w+)'\]|\{\n([\s\S]*?)^ {4}\})/gm,
    )) {
      expect(tables, `${name} is declared twice`).not.toHaveProperty(name)
      tables[name] = alias === undefined ? readColumns(columns) : (tables[alias] ?? {})
    }
  }
  return tables
}

function readColumns(text: string): Table {
  return Object.fromEntries(
    [...text.matchAll(/^ {6}(\w+): (.+)$/gm)].map(([, name = '', written = '']) => {
      const [, wrapper, given = written] = /^(Generated|GeneratedAlways|ColumnType)<(.+)>$/.exec(written) ?? []
      const [selected = '', inserted = selected] = wrapper === 'ColumnType' ? given.split(/, (?![^<]*>)/) : [given]
      const parts = selected.split(' | ')
      return [
        name,
        {
          type: parts.filter((part) => part !== 'null').join(' | '),
          isNullable: parts.includes('null'),
          isGenerated: wrapper?.startsWith('Generated') === true || inserted.includes('undefined'),
        },
      ]
    }),
  )
}

async function readStored(): Promise<Record<string, Table>> {
  const database = await openTestDatabase()
  const { rows } = await sql<{
    table_name: string
    column_name: string
    data_type: string
    is_nullable: boolean
    is_generated: boolean
  }>`
    select c.table_name, c.column_name, c.data_type, c.is_nullable = 'YES' as is_nullable,
      c.column_default is not null or c.is_identity = 'YES' or c.is_generated = 'ALWAYS' or c.is_nullable = 'YES' as is_generated
    from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.table_name <> 'schema_migrations'`.execute(
    database.db,
  )
  await database.close()
  const tables: Record<string, Table> = {}
  for (const row of rows) {
    const column = { type: row.data_type, isNullable: row.is_nullable, isGenerated: row.is_generated }
    tables[row.table_name] = { ...tables[row.table_name], [row.column_name]: column }
  }
  return tables
}
