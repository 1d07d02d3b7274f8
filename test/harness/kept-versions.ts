import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Files, readKept } from '../../bin/versions/kept-files.ts'
import { unpackProgram } from '../../bin/versions/kept-program.ts'
import type { KeptStore } from '../../bin/versions/kept-store.ts'
import type { ArchiveEntry } from '../../src/platform/foundation/archive/format.ts'
import { readMigration } from '../../src/platform/store/migrations.ts'

const fixtures = fileURLToPath(new URL('../fixtures', import.meta.url))

/** The versions of which there is a store, oldest first. */
export function keptVersions(folder: 'stores' | 'versions' = 'stores'): string[] {
  return readdirSync(join(fixtures, folder))
    .map((file) => file.replace(/\.json\.br$/, ''))
    .sort((left, right) => left.localeCompare(right, 'en', { numeric: true }))
}

export function readKeptStore(version: string): KeptStore {
  return readKept(join(fixtures, 'stores', `${version}.json.br`))
}

/** Writes the newest kept version's program to a folder, and returns the file to start. */
export function unpackPreviousVersion(folder: string): string {
  const version = keptVersions('versions').at(-1)
  return unpackProgram(readKept<Files>(join(fixtures, 'versions', `${version}.json.br`)), folder)
}

/** A kept store as a backup of its version would have it. */
export async function* keptBackup({
  madeAt,
  migrations,
  sequences,
  tables: all,
}: KeptStore): AsyncGenerator<ArchiveEntry> {
  const { attempt_counts: _, ...tables } = all // a backup leaves these out
  const manifest = {
    ...{ createdAt: madeAt, engine: 'embedded', hasImages: false, hasKey: false },
    migrations: migrations.map((name) => ({ name, checksum: readMigration(name).checksum })),
    sequences: Object.entries(sequences).flatMap(([name, value]) =>
      value > 0 ? [{ name, value, isCalled: true }] : [],
    ),
  }
  yield { name: 'manifest', fields: {}, content: [Buffer.from(JSON.stringify(manifest))] }
  for (const [table, rows] of Object.entries(tables)) {
    const lines = rows.map((row) => `${Object.values(row).map(copyText).join('\t')}\n`)
    const columns = Object.keys(rows[0] ?? {})
    yield { name: `table/${table}`, fields: { columns }, content: lines.map((line) => Buffer.from(line)) }
  }
  const counts = Object.entries(tables).map(([table, rows]) => [table, rows.length])
  const summary = { rows: Object.fromEntries(counts), images: 0, missingImages: 0 }
  yield { name: 'summary', fields: {}, content: [Buffer.from(JSON.stringify(summary))] }
}

/** A value as COPY's text has it. */
function copyText(value: string | null): string {
  if (value === null) return '\\N'
  return value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t')
}
