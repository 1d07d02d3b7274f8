import { sql } from 'kysely'
import type { Context, ShopContext } from '../../platform/foundation/context.ts'

export const chunkBytes = 256 * 1024

interface FileName {
  shop_id: string
  id: string
}

/** Begins a file. It counts as abandoned unless a chunk arrives before the given time. */
export async function beginFile(context: ShopContext, id: string, filename: string, until: Date): Promise<void> {
  await context.db
    .insertInto('imports')
    .values({
      shop_id: context.shop.id,
      id,
      filename,
      status: 'receiving',
      due_at: until,
      created_at: context.now,
      finished_at: null,
    })
    .execute()
}

/** Appends a chunk; false if the file was abandoned meanwhile. */
export async function appendChunk(
  context: ShopContext,
  id: string,
  { number, bytes }: { number: number; bytes: Buffer },
  until: Date,
): Promise<boolean> {
  const { rows } = await sql<{ number: number }>`
    with touched as (
      update imports set size_bytes = size_bytes + ${bytes.length}, due_at = ${until}
      where shop_id = ${context.shop.id} and id = ${id} and status = 'receiving'
      returning shop_id, id
    )
    insert into import_chunks (shop_id, import_id, number, bytes)
    select shop_id, id, ${number}::int, ${bytes}::bytea from touched
    returning number`.execute(context.db)
  return rows.length > 0
}

/** Deletes a file that has not become an import. */
export async function deleteFile(context: Context, file: FileName): Promise<void> {
  await context.db
    .deleteFrom('imports')
    .where('shop_id', '=', file.shop_id)
    .where('id', '=', file.id)
    .where('status', '=', 'receiving')
    .execute()
}

export async function findChunk(context: Context, file: FileName, number: number): Promise<Buffer | undefined> {
  const row = await context.db
    .selectFrom('import_chunks')
    .select('bytes')
    .where('shop_id', '=', file.shop_id)
    .where('import_id', '=', file.id)
    .where('number', '=', number)
    .executeTakeFirst()
  return row?.bytes
}

/** A name that a row of the file uses. */
export interface NameInFile {
  kind: 'order_number' | 'external_id'
  name: string
  row: number
}

/** Those of these names that earlier rows have, with the numbers of those rows. */
export async function findNamesInUse(
  context: Context,
  file: FileName,
  kind: NameInFile['kind'],
  names: string[],
): Promise<Map<string, number>> {
  if (names.length === 0) return new Map()
  const { rows } = await sql<{ name: string; row: number }>`
    select given.name, taken.row_number as row
    from json_array_elements_text(${JSON.stringify(names)}::json) as given (name)
    -- The limit makes each look-up an index probe: the planner assumes a hundred names for any set.
    cross join lateral (
      select row_number from import_names
      where shop_id = ${file.shop_id} and import_id = ${file.id} and kind = ${kind} and name = given.name limit 1
    ) as taken`.execute(context.db)
  return new Map(rows.map(({ name, row }) => [name, row]))
}

export async function recordNames(context: Context, file: FileName, names: NameInFile[]): Promise<void> {
  if (names.length === 0) return
  await sql`
    insert into import_names (shop_id, import_id, kind, name, row_number)
    select ${file.shop_id}, ${file.id}, kind, name, "row"
    from json_to_recordset(${JSON.stringify(names)}::json) as given (kind text, name text, "row" int)
    on conflict do nothing`.execute(context.db)
}

const chunksAtOnce = 64
const namesAtOnce = 5_000

/** Deletes some of what an import needed while it ran; false when nothing remains. It reads only what it deletes. */
export async function clearSome(context: Context, file: FileName): Promise<boolean> {
  const isOfFile = sql`shop_id = ${file.shop_id} and import_id = ${file.id}`
  const { rows: chunks } = await sql`
    delete from import_chunks where ${isOfFile} and number < (
      select min(number) + ${sql.lit(chunksAtOnce)} from import_chunks where ${isOfFile}
    )
    returning number`.execute(context.db)
  const { rows: names } = await sql<{ kind: string; name: string }>`
    select kind, name from import_names where ${isOfFile}
    order by kind, name offset ${sql.lit(namesAtOnce)} limit 1`.execute(context.db)
  const [end] = names
  await sql`
    delete from import_names
    where ${isOfFile} ${end ? sql`and (kind, name) < (${end.kind}, ${end.name})` : sql``}`.execute(context.db)
  return chunks.length > 0 || end !== undefined
}
