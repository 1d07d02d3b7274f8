import type { Service } from '../../src/service.ts'
import { multipart } from './multipart.ts'
import { theService } from './service.ts'
import type { ShopCaller } from './shop.ts'

export interface ImportOptions {
  dryRun?: boolean
  filename?: string
  headers?: Record<string, string>
}

/** Uploads a file and returns the response. */
export function sendImport(shop: ShopCaller, csv: string | Buffer, options: ImportOptions = {}) {
  const form = multipart([
    { name: 'file', content: csv, filename: options.filename ?? 'orders.csv', contentType: 'text/csv' },
    ...(options.dryRun === undefined ? [] : [{ name: 'dry_run', content: String(options.dryRun) }]),
  ])
  return shop.post('/imports/orders', undefined, { ...form, headers: { ...form.headers, ...options.headers } })
}

/** Runs all imports that are due. */
export async function settleImports(service?: Service): Promise<void> {
  const { workers } = service ?? (await theService())
  await workers?.imports.runDue()
}

/** Uploads a file, waits for the end of its import, and returns the import. */
export async function importFile(
  shop: ShopCaller,
  csv: string | Buffer,
  options: ImportOptions = {},
  service?: Service,
) {
  const sent = await sendImport(shop, csv, options)
  if (sent.status !== 200) throw new Error(sent.text)
  await settleImports(service)
  return (await shop.get(`/imports/${sent.body.id}`)).body
}
