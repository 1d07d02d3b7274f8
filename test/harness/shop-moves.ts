import { sql } from 'kysely'
import { tablesLeftBehind } from '../../src/installation/shop-moves/archive-entries.ts'
import { sealedColumnsOf } from '../../src/installation/shop-moves/carried-columns.ts'
import { listShopTables } from '../../src/platform/store/shop-tables.ts'
import type { Service } from '../../src/service.ts'
import { multipart } from './multipart.ts'
import { call, type Reply, superadmin } from './service.ts'

export const passphrase = 'four words that nobody guesses'

const authorization = `Basic ${Buffer.from(`${superadmin.username}:${superadmin.apiKey}`).toString('base64')}`

/** The file of an export. */
export async function exportShop(service: Service, slug: string, fields: object = {}): Promise<Buffer> {
  const response = await service.app.inject({
    method: 'POST',
    url: `/v1/shops/${slug}/export`,
    headers: { authorization, 'content-type': 'application/json' },
    payload: JSON.stringify({ passphrase, ...fields }),
  })
  if (response.statusCode !== 200) throw new Error(`${response.statusCode} ${response.payload}`)
  return response.rawPayload
}

export function sendImport(
  service: Service,
  file: Buffer,
  fields: Record<string, string> = {},
  auth = superadmin,
): Promise<Reply> {
  const parts = Object.entries({ passphrase, ...fields }).map(([name, content]) => ({ name, content }))
  const form = multipart([...parts, { name: 'file', content: file, filename: 'shop.doorstep' }])
  return call('POST', '/v1/shop-imports', { ...form, auth }, service)
}

/** Imports a file; returns the last line of the reply. */
export async function importShop(
  service: Service,
  file: Buffer,
  fields: Record<string, string> = {},
): Promise<Record<string, unknown>> {
  const { status, text } = await postImport(service, file, fields)
  if (status !== 200) throw new Error(`${status} ${text}`)
  return JSON.parse(text.trim().split('\n').at(-1) ?? '') as Record<string, unknown>
}

/** Imports a file; returns the whole reply. */
export async function postImport(
  service: Service,
  file: Buffer,
  fields: Record<string, string> = {},
): Promise<{ status: number; text: string }> {
  const parts = Object.entries({ passphrase, ...fields }).map(([name, content]) => ({ name, content }))
  const form = multipart([...parts, { name: 'file', content: file, filename: 'shop.doorstep' }])
  const response = await service.app.inject({
    method: 'POST',
    url: '/v1/shop-imports',
    headers: { authorization, ...form.headers },
    payload: form.payload ?? '',
  })
  return { status: response.statusCode, text: response.payload }
}

/** Differs by nature: running numbers, marks that triggers set, values encrypted with each installation's own key. */
const ownColumns: Record<string, string[]> = { feed_arrivals: ['number'], webhook_endpoints: ['url'] }
const ownTables = ['changed_days', ...tablesLeftBehind, 'moved_page_links', 'moved_signing_keys']

/** Every row of a shop in every table, as text that can be compared. */
export async function rowsOf({ database }: Service, shopId: string): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {}
  for (const { name } of await listShopTables(database)) {
    if (ownTables.includes(name)) continue
    const sealed = sealedColumnsOf(name).map(({ column }) => column)
    const { rows } = await sql<{ row: string }>`
      select (to_jsonb(t) - ${[...sealed, ...(ownColumns[name] ?? [])]}::text[])::text as row
      from ${sql.table(name)} as t where shop_id = ${shopId}
      order by 1`.execute(database.db)
    found[name] = rows.map(({ row }) => row)
  }
  return found
}
