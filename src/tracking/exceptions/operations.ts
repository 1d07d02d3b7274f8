import { addNotes } from '../../orders/notes/add.ts'
import { after, dayMs } from '../../platform/foundation/clock.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { ApiError, invalid } from '../../platform/foundation/errors.ts'
import { given } from '../../platform/foundation/given.ts'
import { operation } from '../../platform/foundation/operation.ts'
import { PageOf } from '../../platform/foundation/page.ts'
import { principalName } from '../../platform/foundation/roles.ts'
import { instant } from '../../platform/foundation/schema.ts'
import { inTransaction } from '../../platform/foundation/transaction.ts'
import { lockExceptions, putChecks, upsertExceptions } from './evaluation-store.ts'
import { toException } from './present.ts'
import { changeDecision, type DecisionChange } from './rules.ts'
import {
  Exception,
  ExceptionBulkChange,
  ExceptionBulkReply,
  ExceptionChange,
  ExceptionFilter,
  ExceptionSettings,
  ExceptionSettingsUpdate,
} from './schema.ts'
import { mergeSettings, readSettings } from './settings-store.ts'
import { type ExceptionRow, findExceptions, listExceptions } from './store.ts'

const longestSnoozeMs = 366 * dayMs

const comingBack =
  'A snoozed parcel comes back when its time is over. A snoozed or resolved one comes back earlier if it gets worse: a more serious kind applies, or a later event makes it an exception again. A parcel that moves on leaves the list by itself, and so does one without any event for 60 days.'

export const searchExceptions = operation({
  name: 'searchExceptions',
  summary: 'List the parcels that need a person',
  description: `Each parcel is listed once, under its most serious kind. The list is up to date within seconds. ${comingBack}`,
  area: 'Exceptions',
  route: 'GET /v1/shops/{slug}/exceptions',
  needs: 'viewer',
  query: ExceptionFilter,
  reply: PageOf(Exception),
  async handle(context, { query }) {
    const page = await listExceptions(context, query)
    return { ...page, items: page.items.map((row) => toException(context, row)) }
  },
})

export const updateException = operation({
  name: 'updateException',
  summary: 'Assign, snooze or resolve an exception',
  description: `Fields that are absent stay as they are; the previous values, sent again, undo a change. ${comingBack}`,
  area: 'Exceptions',
  route: 'PATCH /v1/shops/{slug}/exceptions/{shipment_id}',
  needs: 'editor',
  body: ExceptionChange,
  reply: Exception,
  errors: ['exception_not_found'],
  audit: {
    kind: 'exception',
    named: 'order_number',
    async read(context, id) {
      const [row] = await findExceptions(context, [id])
      return row && decisionIn(row)
    },
  },
  async handle(context, { path, body }) {
    const [changed] = (await change(context, [path.shipment_id.toLowerCase()], body)).changed
    if (changed === undefined) {
      throw new ApiError('exception_not_found', `The parcel ${path.shipment_id} is not on the list of exceptions.`)
    }
    return changed
  },
})

export const updateExceptions = operation({
  name: 'updateExceptions',
  summary: 'Assign, snooze or resolve several exceptions',
  description: `All or none are changed. Parcels that are not on the list are returned in not_listed. ${comingBack}`,
  area: 'Exceptions',
  route: 'PATCH /v1/shops/{slug}/exceptions',
  needs: 'editor',
  body: ExceptionBulkChange,
  reply: ExceptionBulkReply,
  audit: {
    kind: 'exceptions',
    id: () => undefined,
    isAct: true,
    outcome: (_context, { body }) => given(body, ['shipment_ids', 'assigned_to', 'snoozed_until', 'resolved']),
  },
  async handle(context, { body }) {
    const { shipment_ids, ...changes } = body
    return change(context, [...new Set(shipment_ids.map((id) => id.toLowerCase()))], changes)
  },
})

export const getExceptionSettings = operation({
  name: 'getExceptionSettings',
  summary: 'Get after how many days parcels become exceptions',
  area: 'Exceptions',
  route: 'GET /v1/shops/{slug}/settings/exceptions',
  needs: 'viewer',
  reply: ExceptionSettings,
  handle: (context) => readSettings(context, context.shop.id),
})

export const updateExceptionSettings = operation({
  name: 'updateExceptionSettings',
  summary: 'Change after how many days parcels become exceptions',
  description:
    'For parcels in transit, the shop’s own parcels decide where there are enough: those of the same carrier to the same country. Fields that are absent stay as they are; null restores a default. The parcels of the last 60 days are evaluated again in the background.',
  area: 'Exceptions',
  route: 'PATCH /v1/shops/{slug}/settings/exceptions',
  needs: 'admin',
  body: ExceptionSettingsUpdate,
  reply: ExceptionSettings,
  audit: { kind: 'settings', id: () => 'exceptions', read: (context) => readSettings(context, context.shop.id) },
  handle: (context, { body }) =>
    inTransaction(context, async (context) => {
      await mergeSettings(
        context,
        given(body, [
          'stuck_days_order_processed',
          'stuck_days_in_transit',
          'stuck_days_in_delivery',
          'stuck_days_return_transit',
          'pickup_days',
        ]),
      )
      return readSettings(context, context.shop.id)
    }),
})

/** People's decision about a parcel, for the audit log. */
function decisionIn({ order_number, state, assigned_to, snoozed_until }: ExceptionRow) {
  return { order_number, state, assigned_to, snoozed_until: snoozed_until?.toISOString() ?? null }
}

async function change(context: ShopContext, ids: string[], body: ExceptionChange): Promise<ExceptionBulkReply> {
  const decided = toDecisionChange(context, body)
  return inTransaction(context, async (context) => {
    const listed = await lockExceptions(context, context.shop.id, ids)
    const by = { name: principalName(context.principal), now: context.now }
    const rows = [...listed.values()].map((row) => ({
      ...row,
      decision: changeDecision(row.decision, decided, row, by),
    }))
    await upsertExceptions(context, context.shop.id, rows)
    // The evaluation brings it back in time; it knows when to evaluate the parcel next.
    await putChecks(
      context,
      context.shop.id,
      rows.map(({ shipmentId }) => ({ shipmentId, checkAt: context.now })),
    )
    const { note } = body
    if (note) {
      await addNotes(
        context,
        rows.map(({ orderId, shipmentId }) => ({ orderId, shipmentId, text: note })),
      )
    }
    const found = await findExceptions(
      context,
      ids.filter((id) => listed.has(id)),
    )
    return {
      changed: found.map((row) => toException(context, row)),
      not_listed: ids.filter((id) => !listed.has(id)),
    }
  })
}

function toDecisionChange(
  { now }: ShopContext,
  { assigned_to, snoozed_until, resolved }: ExceptionChange,
): DecisionChange {
  const snoozedUntil = typeof snoozed_until === 'string' ? instant(snoozed_until) : snoozed_until
  if (snoozedUntil) {
    if (resolved) throw invalid(['body', 'snoozed_until'], 'cannot be set together with resolved')
    if (snoozedUntil <= now) throw invalid(['body', 'snoozed_until'], 'must be in the future')
    if (snoozedUntil > after(now, longestSnoozeMs)) {
      throw invalid(['body', 'snoozed_until'], 'must be at most a year ahead')
    }
  }
  return {
    ...(assigned_to === undefined ? {} : { assignedTo: assigned_to }),
    ...(snoozedUntil === undefined ? {} : { snoozedUntil }),
    ...(typeof resolved === 'boolean' ? { isResolved: resolved } : {}),
  }
}
