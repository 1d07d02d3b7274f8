import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { openArchive } from '../../src/platform/foundation/archive/read.ts'
import { writeArchive } from '../../src/platform/foundation/archive/write.ts'
import type { Service } from '../../src/service.ts'
import { passphrase, postImport } from './shop-moves.ts'

/** An entry of a real archive, to be changed. */
export interface OpenEntry {
  name: string
  fields: Record<string, unknown>
  content: Buffer
}

export type Row = Record<string, unknown>

export async function entriesIn(file: Buffer): Promise<OpenEntry[]> {
  const { entries } = await openArchive(bytesOf(file), passphrase)
  const found: OpenEntry[] = []
  for await (const { name, fields, content } of entries) {
    const parts: Buffer[] = []
    for await (const part of content) parts.push(part)
    found.push({ name, fields, content: Buffer.concat(parts) })
  }
  return found
}

async function* bytesOf(file: Buffer): AsyncGenerator<Uint8Array> {
  yield file
}

/** Written by somebody who has the passphrase. */
export async function archiveOf(entries: readonly OpenEntry[], isEncrypted = true): Promise<Buffer> {
  const parts: Buffer[] = []
  const written = entries.map((entry) => ({ ...entry, content: [entry.content] }))
  const options = { kind: 'shop', passphrase: isEncrypted ? passphrase : undefined, cost: 2 ** 10 }
  for await (const part of writeArchive(written, options)) parts.push(part)
  return Buffer.concat(parts)
}

/** The only entry with this name, with another JSON content. */
export function editJson<Content>(
  entries: OpenEntry[],
  name: string,
  edit: (content: Content) => unknown,
): OpenEntry[] {
  return entries.map((entry) => {
    if (entry.name !== name) return entry
    const content = JSON.parse(entry.content.toString()) as Content
    return { ...entry, content: Buffer.from(JSON.stringify(edit(content) ?? content)) }
  })
}

export function editFields(entries: OpenEntry[], name: string, fields: Row): OpenEntry[] {
  return entries.map((entry) => (entry.name === name ? { ...entry, fields: { ...entry.fields, ...fields } } : entry))
}

/** Other rows of a table, with all counts of the file corrected: only the rows themselves can give it away. */
export function editRows(entries: OpenEntry[], table: string, edit: (rows: Row[]) => Row[] | undefined): OpenEntry[] {
  const index = entries.findIndex(({ name, fields }) => name === 'rows' && fields.table === table)
  const entry = entries[index]
  if (entry === undefined) throw new Error(`the archive has no rows of ${table}`)
  const rows = JSON.parse(entry.content.toString()) as Row[]
  const before = rows.length
  const edited = edit(rows) ?? rows
  return withRows(entries.toSpliced(index, 1, rowsEntry(table, edited)), table, edited.length - before)
}

/** An entry with rows of any table, behind all others. */
export function addRows(entries: OpenEntry[], table: string, rows: Row[]): OpenEntry[] {
  const last = entries.findLastIndex(({ name }) => name === 'rows')
  return withRows(entries.toSpliced(last + 1, 0, rowsEntry(table, rows)), table, rows.length)
}

export function rowsEntry(table: string, rows: Row[]): OpenEntry {
  return { name: 'rows', fields: { table, count: rows.length }, content: Buffer.from(JSON.stringify(rows)) }
}

function withRows(entries: OpenEntry[], table: string, more: number): OpenEntry[] {
  return entries.map((entry) => {
    if (entry.name !== 'end') return entry
    const counts = entry.fields.rows as Record<string, number>
    return { ...entry, fields: { ...entry.fields, rows: { ...counts, [table]: (counts[table] ?? 0) + more } } }
  })
}

/** The shop's own row, with or without plain values beside it. */
export function ownRow(row: Row): Row {
  return 'plain' in row && 'row' in row ? (row.row as Row) : row
}

/** The error of an import that was rejected or failed; undefined if it was completed. */
export async function importError(service: Service, file: Buffer, fields: Record<string, string> = {}) {
  const { status, text } = await postImport(service, file, fields)
  const last = JSON.parse(text.trim().split('\n').at(-1) ?? '') as { status?: string; message?: string }
  if (status === 200 && last.status === 'completed') return undefined
  return { status, message: String(last.message) }
}

/** Tables that a service's jobs write during every import, or that record the last use of a key. */
const restless = ['service_nodes', 'job_runs', 'figures_progress', 'attempt_counts', 'idempotent_requests']

/** Every row of every table and a digest of every image, as they are compared. */
export async function contentsOf({ database }: Service, dataDir: string): Promise<Record<string, unknown>> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`.execute(database.db)
  const names = tables.map(({ name }) => name).filter((name) => !restless.includes(name))
  // In one statement: it is run hundreds of times.
  const { rows } = await sql<{ name: string; rows: string[] }>`${sql.join(
    names.map(
      (name) => sql`
        select ${sql.lit(name)} as name, array(
          select (to_jsonb(t) - 'last_used_at')::text from ${sql.table(name)} as t order by 1
        ) as rows`,
    ),
    sql` union all `,
  )}`.execute(database.db)
  const found: Record<string, unknown> = Object.fromEntries(rows.map(({ name, rows }) => [name, rows]))
  const folder = join(dataDir, 'images')
  const files = existsSync(folder) ? readdirSync(folder).sort() : []
  found['files of images'] = files.map((file) => [
    file,
    createHash('sha256')
      .update(readFileSync(join(folder, file)))
      .digest('hex'),
  ])
  return found
}
