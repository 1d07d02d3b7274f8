import { ImportWorker } from '../../src/orders/imports/import-worker.ts'
import type { Service } from '../../src/service.ts'
import { multipart } from './multipart.ts'
import { openTestDatabase, startTestService, theService } from './service.ts'
import { makeShop, type ShopCaller } from './shop.ts'

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

/** A service without workers: the test decides when imports run. */
let withoutWorkers: Promise<Service> | undefined

export async function openWithoutWorkers() {
  withoutWorkers ??= openTestDatabase().then((database) => startTestService({ ROLE: 'api' }, database))
  const service = await withoutWorkers
  // Unfinished imports of other tests must not be found by this one.
  await service.database.db.deleteFrom('imports').execute()
  const made = await makeShop({}, service)
  return { service, made, slug: made.slug, shop: made.as('editor'), runner: new ImportWorker(service.context) }
}

export async function stopWithoutWorkers(): Promise<void> {
  const service = await withoutWorkers
  withoutWorkers = undefined
  await service?.stop()
}
