import { openAnswer, sealAnswer } from '../../database/idempotency.ts'
import type { ShopContext } from '../../foundation/context.ts'
import {
  eraseCarrierQuotes,
  eraseImportQuotes,
  listImportIds,
  listKeptAnswers,
  replaceStoredAnswers,
} from './quote-store.ts'
import { mark, type Quotes } from './quotes.ts'
import type { CustomerErasure } from './schema.ts'

const importsAtOnce = 20
const answersAtOnce = 200
const firstId = '00000000-0000-0000-0000-000000000000'

/** Takes a customer out of what is about no order: files that were imported, carriers' words, answers that are kept. */
export async function eraseQuotes(context: ShopContext, quotes: Quotes, orderIds: string[]): Promise<CustomerErasure> {
  await eraseCarrierQuotes(context, quotes.pattern, mark)
  return {
    ...nothing,
    import_problems: await eraseImports(context, quotes),
    stored_answers: await eraseKeptAnswers(context, quotes, orderIds),
  }
}

const nothing: CustomerErasure = {
  orders: 0,
  shipments: 0,
  events: 0,
  claims: 0,
  images: 0,
  notifications: 0,
  deliveries_cancelled: 0,
  automation_runs_cancelled: 0,
  campaign_views: 0,
  ab_test_assignments: 0,
  shop_system_orders: 0,
  import_problems: 0,
  stored_answers: 0,
  unfinished_imports: 0,
}

async function eraseImports(context: ShopContext, quotes: Quotes): Promise<number> {
  let erased = 0
  let last: string | undefined = firstId
  while (last !== undefined) {
    const ids: string[] = await listImportIds(context, last, importsAtOnce)
    if (ids.length > 0) erased += await eraseImportQuotes(context, ids, quotes.pattern, mark)
    last = ids.at(-1)
  }
  return erased
}

/** An answer about the customer becomes `null`: its key stays used, and nothing is done twice. */
async function eraseKeptAnswers(context: ShopContext, quotes: Quotes, orderIds: string[]): Promise<number> {
  let erased = 0
  let last: { key_id: string; idempotency_key: string } | undefined = { key_id: '', idempotency_key: '' }
  while (last !== undefined) {
    const answers: Awaited<ReturnType<typeof listKeptAnswers>> = await listKeptAnswers(context, last, answersAtOnce)
    const telling = answers.filter(({ body }) => {
      const text = openAnswer(context, body)
      return orderIds.some((id) => text.includes(id)) || quotes.isIn(JSON.parse(text))
    })
    const emptied = telling.map((answer) => ({ ...answer, body: sealAnswer(context, 'null') }))
    if (emptied.length > 0) await replaceStoredAnswers(context, emptied)
    erased += emptied.length
    last = answers.at(-1)
  }
  return erased
}
