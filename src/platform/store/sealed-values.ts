import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../foundation/context.ts'
import { inTransaction } from '../foundation/transaction.ts'
import { UnreadableSecret, type Vault } from '../foundation/vault.ts'
import { nameOf, type SealedColumn, sealedColumns } from './sealed-columns.ts'

type Store = Pick<Context, 'db'>

/** How many values of a column were sealed with one key. */
export interface SealedCount {
  /** `webhook_endpoints.secret` */
  column: string
  /** The first bytes of the values. */
  prefix: Buffer
  values: number
}

export async function countSealed({ db }: Store): Promise<SealedCount[]> {
  const counts: SealedCount[] = []
  for (const column of sealedColumns) {
    const { rows } = await sql<{ prefix: Buffer; values: number }>`
      select ${prefixOf(column)} as prefix, count(*)::int as values
      from ${sql.table(column.table)} where ${isSealed(column)} group by 1 order by 1`.execute(db)
    counts.push(...rows.map((row) => ({ column: nameOf(column), ...row })))
  }
  return counts
}

/** End of a batch: the number of the column, and the key of the last row. */
export interface Position {
  column: number
  after: string[] | null
}

export interface Batch {
  resealed: number
  /** Sealed with a key that is missing, or changed. */
  unreadable: number
  /** Null: every column was gone through. */
  next: Position | null
}

/**
 * Seals the next values with the vault's current key. Rows are locked while they are sealed again, so that no change is
 * overwritten; rows that somebody else changes now are skipped, and found by the next pass.
 */
export async function resealBatch(context: Context, start: Position, limit: number): Promise<Batch> {
  const column = sealedColumns[start.column]
  if (column === undefined) return { resealed: 0, unreadable: 0, next: null }
  return inTransaction(context, async (context) => {
    const { vault } = context.services
    const rows = await lockOutdated(context, column, start.after, limit)
    const sealed = rows.flatMap((row) => resealed(vault, column, row))
    await replace(context, column, sealed)
    const last = rows.length < limit ? undefined : rows.at(-1)
    return {
      resealed: sealed.length,
      unreadable: rows.length - sealed.length,
      next: last
        ? { column: start.column, after: Object.keys(column.key).map((name) => String(last[name])) }
        : start.column + 1 < sealedColumns.length
          ? { column: start.column + 1, after: null }
          : null,
    }
  })
}

interface Row extends Record<string, string | Buffer | null> {
  sealed: Buffer
}

async function lockOutdated(
  { db, services }: Context,
  column: SealedColumn,
  after: string[] | null,
  limit: number,
): Promise<Row[]> {
  const names = Object.keys(column.key)
  const shown = [...names, ...(column.with ?? [])].map((name) => sql`${sql.ref(name)}::text as ${sql.ref(name)}`)
  const keys = sql.join(names.map((name) => sql.ref(name)))
  const values = sql.join((after ?? []).map((text, index) => sql`${text}::${typeOf(column, index)}`))
  const { rows } = await sql<Row>`
    select ${sql.join(shown)}, ${bytesOf(column)} as sealed
    from ${sql.table(column.table)}
    where ${isSealed(column)} and ${prefixOf(column)} <> ${services.vault.prefixOf()}
      ${after === null ? sql`` : sql`and (${keys}) > (${values})`}
    order by ${keys} limit ${limit} for no key update skip locked`.execute(db)
  return rows
}

function resealed(vault: Vault, column: SealedColumn, row: Row): { row: Row; fresh: Buffer }[] {
  const { sealed, ...others } = row
  const purpose = column.purpose(others as Record<string, string | null>) // every column but that one is text
  try {
    return [{ row, fresh: vault.seal(vault.open(sealed, purpose), purpose) }]
  } catch (error) {
    if (error instanceof UnreadableSecret) return []
    throw error
  }
}

async function replace({ db }: Store, column: SealedColumn, sealed: { row: Row; fresh: Buffer }[]): Promise<void> {
  if (sealed.length === 0) return
  const names = Object.keys(column.key)
  const lists = names.map(
    (name, index) => sql`${sealed.map(({ row }) => String(row[name]))}::${typeOf(column, index)}[]`,
  )
  const matches = names.map((name) => sql`${sql.ref(`${column.table}.${name}`)} = ${sql.ref(`fresh.${name}`)}`)
  const hex = (of: (item: { row: Row; fresh: Buffer }) => Buffer) =>
    sql`${sealed.map((item) => of(item).toString('hex'))}::text[]`
  const fresh = sql`decode(fresh.fresh_hex, 'hex')`
  await sql`
    update ${sql.table(column.table)}
    set ${sql.ref(column.column)} = ${column.as === 'base64' ? sql`translate(encode(${fresh}, 'base64'), E'\n', '')` : fresh}
    from unnest(${sql.join([...lists, hex(({ row }) => row.sealed), hex((item) => item.fresh)])})
      as fresh (${sql.join([...names, 'before_hex', 'fresh_hex'].map((name) => sql.ref(name)))})
    where ${sql.join(matches, sql` and `)} and ${bytesOf(column, true)} = decode(fresh.before_hex, 'hex')`.execute(db)
}

function bytesOf(column: SealedColumn, isQualified = false): RawBuilder<Buffer> {
  const stored = sql.ref(isQualified ? `${column.table}.${column.column}` : column.column)
  return column.as === 'base64' ? sql`decode(${stored}, 'base64')` : sql`${stored}`
}

/** One byte of values in the first format, five of the others. */
function prefixOf(column: SealedColumn): RawBuilder<Buffer> {
  const stored = sql.ref(column.column)
  // Eight characters are six bytes.
  const start = column.as === 'base64' ? sql`decode(left(${stored}, 8), 'base64')` : sql`${stored}`
  const first = sql`substring(${start} from 1 for 1)`
  return sql`case ${first} when '\\x01'::bytea then ${first} else substring(${start} from 1 for 5) end`
}

function isSealed(column: SealedColumn): RawBuilder<boolean> {
  const stored = sql.ref(column.column)
  return column.as === 'base64' ? sql`length(${stored}) >= 40` : sql`${stored} is not null`
}

function typeOf(column: SealedColumn, index: number): RawBuilder<unknown> {
  return sql.raw(Object.values(column.key)[index] ?? 'text')
}
