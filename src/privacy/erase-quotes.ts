import type { ShopContext } from '../platform/foundation/context.ts'
import { openResponse, sealResponse } from '../platform/store/idempotency.ts'
import {
  deleteQuotingViews,
  eraseCarrierQuotes,
  eraseImportQuotes,
  listImportIds,
  listQuotingEntries,
  listStoredResponses,
  type QuotingEntry,
  replaceEntries,
  replaceStoredResponses,
} from './quote-store.ts'
import { placeholder, type Quotes } from './quotes.ts'
import type { ErasureCounts } from './schema.ts'

const importsPerBatch = 20
const responsesPerBatch = 200
const entriesPerBatch = 200
const firstId = '00000000-0000-0000-0000-000000000000'

/**
 * Redacts a customer in data that belongs to no order: imported files, texts of carriers, saved views, the audit log,
 * stored responses.
 */
export async function eraseQuotes(context: ShopContext, quotes: Quotes, orderIds: string[]): Promise<ErasureCounts> {
  await eraseCarrierQuotes(context, quotes.pattern, placeholder)
  await eraseAuditQuotes(context, quotes)
  return {
    ...noCounts,
    saved_views: await deleteQuotingViews(context, quotes.pattern),
    import_problems: await eraseImports(context, quotes),
    stored_answers: await eraseStoredResponses(context, quotes, orderIds),
  }
}

const noCounts: ErasureCounts = {
  orders: 0,
  shipments: 0,
  events: 0,
  claims: 0,
  notes: 0,
  images: 0,
  notifications: 0,
  deliveries_cancelled: 0,
  automation_runs_cancelled: 0,
  campaign_views: 0,
  mail_recipients: 0,
  page_views: 0,
  ab_test_assignments: 0,
  shop_system_orders: 0,
  saved_views: 0,
  import_problems: 0,
  stored_answers: 0,
  unfinished_imports: 0,
}

async function eraseImports(context: ShopContext, quotes: Quotes): Promise<number> {
  let erased = 0
  let last: string | undefined = firstId
  while (last !== undefined) {
    const ids: string[] = await listImportIds(context, last, importsPerBatch)
    if (ids.length > 0) erased += await eraseImportQuotes(context, ids, quotes.pattern, placeholder)
    last = ids.at(-1)
  }
  return erased
}

/** The audit log keeps no customer's data by itself; a name that somebody typed into a text may still be a customer's. */
async function eraseAuditQuotes(context: ShopContext, quotes: Quotes): Promise<void> {
  let last: string | undefined = firstId
  while (last !== undefined) {
    const entries: QuotingEntry[] = await listQuotingEntries(context, quotes.pattern, last, entriesPerBatch)
    if (entries.length > 0)
      await replaceEntries(
        context,
        entries.map((entry) => quotes.redact(entry)),
      )
    last = entries.at(-1)?.id
  }
}

/** A response about the customer becomes `null`. Its Idempotency-Key stays, so that a repeated request has no effect. */
async function eraseStoredResponses(context: ShopContext, quotes: Quotes, orderIds: string[]): Promise<number> {
  let erased = 0
  let last: { key_id: string; idempotency_key: string } | undefined = { key_id: '', idempotency_key: '' }
  while (last !== undefined) {
    const responses: Awaited<ReturnType<typeof listStoredResponses>> = await listStoredResponses(
      context,
      last,
      responsesPerBatch,
    )
    const affected = responses.filter(({ body }) => {
      const text = openResponse(context, body)
      return orderIds.some((id) => text.includes(id)) || quotes.appearIn(JSON.parse(text))
    })
    const emptied = affected.map((response) => ({ ...response, body: sealResponse(context, 'null') }))
    if (emptied.length > 0) await replaceStoredResponses(context, emptied)
    erased += emptied.length
    last = responses.at(-1)
  }
  return erased
}
