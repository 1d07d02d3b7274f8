import { after, dayMs } from '../../platform/foundation/clock.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { ApiError } from '../../platform/foundation/errors.ts'
import { created, operation, PagedQuery } from '../../platform/foundation/operation.ts'
import { PageOf, pageRequest } from '../../platform/foundation/page.ts'
import { wakeOnceCommitted } from '../../platform/workers/wake.ts'
import { getPastOrdersAccount } from '../past-orders/accounts.ts'
import type { OrderProblem } from '../past-orders/schema.ts'
import { Backfill, BackfillCreation, maxProblems } from './schema.ts'
import {
  type BackfillRow,
  cancelBackfill,
  findBackfill,
  getBackfill,
  insertBackfill,
  listBackfillRows,
  listProblems,
  requeueBackfill,
} from './store.ts'

const area = 'Connections'

const audited = {
  kind: 'backfill',
  named: 'system',
  async read(context: ShopContext, id: string) {
    const row = await findBackfill(context, id)
    return row && { system: row.system, days: row.days, status: row.status }
  },
}

export const createBackfill = operation({
  name: 'createBackfill',
  summary: 'Bring in existing orders',
  description: `Reads the orders of the last days from the API of the shop system, oldest first, in the background: get the backfill to see its progress. Each is applied as its webhook would be, with its parcels and their history, and nothing is announced: neither now, nor for what carriers report of the time before. Rate limits are respected; an order with a problem is skipped, and the first ${maxProblems} problems are stored. One per shop system can be active. Doing it again changes nothing that is known already.`,
  area,
  route: 'POST /v1/shops/{slug}/backfills',
  needs: 'admin',
  body: BackfillCreation,
  reply: Backfill,
  errors: ['backfill_running', 'partner_key_not_found'],
  audit: audited,
  async handle(context, { body: { system, days } }) {
    await getPastOrdersAccount(context, system)
    const since = after(context.now, -days * dayMs)
    const row = await insertBackfill(context, { system, days, since })
    if (row === undefined) throw running(system)
    wakeOnceCommitted(context, 'backfills')
    return created(`/v1/shops/${context.shop.slug}/backfills/${row.id}`, toBackfill(row, []))
  },
})

export const listBackfills = operation({
  name: 'listBackfills',
  summary: 'List the backfills of a shop',
  description: 'Newest first.',
  area,
  route: 'GET /v1/shops/{slug}/backfills',
  needs: 'viewer',
  query: PagedQuery({}),
  reply: PageOf(Backfill),
  async handle(context, { query }) {
    const page = await listBackfillRows(context, pageRequest(query))
    const ids = page.items.map(({ id }) => id)
    const problems = await listProblems(context, context.shop.id, ids)
    return { ...page, items: page.items.map((row) => toBackfill(row, problems.get(row.id) ?? [])) }
  },
})

export const getBackfillById = operation({
  name: 'getBackfill',
  summary: 'Get a backfill',
  description: 'Counts grow while it runs; what is counted has been written.',
  area,
  route: 'GET /v1/shops/{slug}/backfills/{backfill_id}',
  needs: 'viewer',
  reply: Backfill,
  errors: ['backfill_not_found'],
  async handle(context, { path }) {
    return present(context, await getBackfill(context, path.backfill_id))
  },
})

export const cancelBackfillById = operation({
  name: 'cancelBackfill',
  summary: 'Cancel a backfill',
  description: 'What was written stays. One that has ended already stays as it is.',
  area,
  route: 'POST /v1/shops/{slug}/backfills/{backfill_id}/cancel',
  needs: 'admin',
  reply: Backfill,
  errors: ['backfill_not_found'],
  audit: audited,
  async handle(context, { path }) {
    const row = await cancelBackfill(context, path.backfill_id)
    return present(context, row ?? (await getBackfill(context, path.backfill_id)))
  },
})

export const resumeBackfill = operation({
  name: 'resumeBackfill',
  summary: 'Resume a failed or cancelled backfill',
  description: 'It continues where it ended. One that is active or completed stays as it is.',
  area,
  route: 'POST /v1/shops/{slug}/backfills/{backfill_id}/resume',
  needs: 'admin',
  reply: Backfill,
  errors: ['backfill_not_found', 'backfill_running', 'partner_key_not_found'],
  audit: audited,
  async handle(context, { path }) {
    const known = await getBackfill(context, path.backfill_id)
    if (known.status !== 'failed' && known.status !== 'cancelled') return present(context, known)
    const { system } = toBackfill(known, [])
    await getPastOrdersAccount(context, system)
    const row = await requeueBackfill(context, known.id)
    if (row === undefined) throw running(system)
    wakeOnceCommitted(context, 'backfills')
    return present(context, row)
  },
})

async function present(context: ShopContext, row: BackfillRow): Promise<Backfill> {
  const problems = await listProblems(context, context.shop.id, [row.id])
  return toBackfill(row, problems.get(row.id) ?? [])
}

function running(system: string): ApiError {
  return new ApiError(
    'backfill_running',
    `Orders of ${system} are being brought in already. Wait, or cancel that first.`,
  )
}

function toBackfill(row: BackfillRow, problems: OrderProblem[]): Backfill {
  const isWaiting = row.status === 'waiting'
  return {
    id: row.id,
    system: row.system as Backfill['system'], // the schema of its creation allows only these
    days: row.days,
    status: row.status as Backfill['status'], // written by the store only
    since: row.since.toISOString(),
    total: row.total,
    read: row.read_count,
    created: row.created_count,
    updated: row.updated_count,
    unchanged: row.unchanged_count,
    skipped: row.skipped_count,
    failed: row.failed_count,
    problems,
    waiting_until: isWaiting ? (row.waiting_until?.toISOString() ?? null) : null,
    waiting_reason: isWaiting ? (row.waiting_reason as Backfill['waiting_reason']) : null, // the same
    error:
      row.error_key === null || row.error_message === null ? null : { key: row.error_key, message: row.error_message },
    created_at: row.created_at.toISOString(),
    started_at: row.started_at?.toISOString() ?? null,
    finished_at: row.finished_at?.toISOString() ?? null,
    updated_at: row.updated_at.toISOString(),
  }
}
