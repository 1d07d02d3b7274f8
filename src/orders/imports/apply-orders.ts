import type { Context } from '../../platform/foundation/context.ts'
import { ApiError } from '../../platform/foundation/errors.ts'
import { savepoint } from '../../platform/store/savepoint.ts'
import type { OrderWrite } from '../orders/decide.ts'
import { type WriteOutcome, writeOrders } from '../orders/upsert.ts'
import { type BuiltOrder, buildOrder, fileLoc } from './build-order.ts'
import type { Layout } from './columns.ts'
import { findNamesInUse, type NameInFile, recordNames } from './file-store.ts'
import { countRows, type RowGroup } from './group-rows.ts'
import type { ImportProblem } from './schema.ts'
import type { Lease, Progress } from './store.ts'

type Applied = Omit<Progress, 'next' | 'unreadable' | 'status' | 'reason'>

interface Entry extends BuiltOrder {
  row: number
  orderNumber: string
  externalId: string | undefined
}

/** Writes the orders of some rows and returns what became of them; a dry run rolls its writes back. */
export async function applyOrders(
  context: Context,
  lease: Lease & { is_dry_run: boolean },
  layout: Layout,
  groups: RowGroup[],
): Promise<Applied> {
  const entries = groups.map((group) => entryOf(group, layout))
  const valid = entries.filter(({ upsert }) => upsert !== undefined)
  const problems = entries.flatMap((entry) => entry.problems)
  const fresh = await withoutRepeated(context, lease, valid, problems)
  const outcomes = await write(context, lease, fresh)
  const counts = { created: 0, updated: 0, unchanged: 0 }
  for (const [index, outcome] of outcomes.entries()) {
    if ('change' in outcome) counts[outcome.change] += 1
    else problems.push(...(fresh[index]?.locate(outcome.error) ?? []))
  }
  await recordNames(context, lease, namesOf(fresh, outcomes, lease.is_dry_run))
  return {
    rows: countRows(groups),
    ...counts,
    failed: entries.length - counts.created - counts.updated - counts.unchanged,
    problems: problems.sort((left, right) => left.row - right.row),
  }
}

function entryOf(group: RowGroup, layout: Layout): Entry {
  const built = buildOrder(group, layout)
  return {
    ...built,
    row: group.rows[0]?.number ?? 0,
    orderNumber: group.orderNumber ?? '',
    externalId: built.upsert?.order?.external_id ?? undefined,
  }
}

/** Omits orders that occurred earlier in the file: their later rows would undo the earlier ones. */
async function withoutRepeated(
  context: Context,
  lease: Lease & { is_dry_run: boolean },
  entries: Entry[],
  problems: ImportProblem[],
): Promise<Entry[]> {
  const numbers = entries.map(({ orderNumber }) => orderNumber)
  const rows = await findNamesInUse(context, lease, 'order_number', numbers)
  const ids = lease.is_dry_run ? entries.map((entry) => entry.externalId ?? entry.orderNumber) : []
  const idsInUse = await findNamesInUse(context, lease, 'external_id', ids)
  return entries.filter((entry) => {
    const row = rows.get(entry.orderNumber)
    const externalId = entry.externalId ?? entry.orderNumber
    if (row !== undefined) problems.push(...entry.locate(repeated(entry.orderNumber, row)))
    // In a dry run the order that has the id is not in the store, so the conflict is found here.
    else if (idsInUse.has(externalId)) problems.push(...entry.locate(idTaken(externalId)))
    else {
      rows.set(entry.orderNumber, entry.row)
      return true
    }
    return false
  })
}

async function write(
  context: Context,
  lease: Lease & { is_dry_run: boolean },
  entries: Entry[],
): Promise<WriteOutcome[]> {
  if (entries.length === 0) return []
  const writes = entries.flatMap(({ upsert }): OrderWrite[] =>
    upsert ? [{ shopId: lease.shop_id, now: context.now, upsert, isPlacement: false, loc: fileLoc }] : [],
  )
  if (!lease.is_dry_run) return writeOrders(context, writes)
  let outcomes: WriteOutcome[] = []
  const undo = new Error('undone')
  await savepoint(context, async () => {
    // Actions for after the commit are dropped, too.
    outcomes = await writeOrders({ ...context, afterCommit: [] }, writes)
    throw undo
  }).catch((error) => {
    if (error !== undo) throw error
  })
  return outcomes
}

function namesOf(entries: Entry[], outcomes: WriteOutcome[], isDryRun: boolean): NameInFile[] {
  return entries.flatMap((entry, index): NameInFile[] => {
    const { row, orderNumber: name } = entry
    const outcome = outcomes[index]
    const isNew = outcome !== undefined && 'change' in outcome && outcome.change === 'created'
    const externalId = entry.externalId ?? (isNew ? name : undefined)
    const isIdTaken = isDryRun && externalId !== undefined && outcome !== undefined && 'change' in outcome
    return [
      { kind: 'order_number', name, row },
      ...(isIdTaken ? [{ kind: 'external_id' as const, name: externalId, row }] : []),
    ]
  })
}

function repeated(orderNumber: string, row: number): ApiError {
  return new ApiError(
    'order_exists',
    `The order_number ${JSON.stringify(orderNumber)} stands in row ${row} already: rows of one order must follow one another.`,
  )
}

function idTaken(externalId: string): ApiError {
  return new ApiError('order_exists', `Another order of this shop has the external_id ${JSON.stringify(externalId)}.`)
}
