import { isDeepStrictEqual } from 'node:util'
import { listDuePromises, parcelsOfOrders } from '../../orders/promises/outcome-store.ts'
import { type Watch, watchPromises } from '../../orders/promises/watch.ts'
import { after, dayMs, minuteMs, secondMs } from '../../platform/foundation/clock.ts'
import type { Context } from '../../platform/foundation/context.ts'
import { inTransaction } from '../../platform/foundation/transaction.ts'
import {
  deleteChecks,
  deleteExceptions,
  type EvaluationState,
  findParcels,
  type ListedException,
  listChanged,
  listDue,
  listShopsWithWork,
  listWalked,
  lockExceptions,
  lockProgress,
  openProgress,
  type ParcelRow,
  type Position,
  putChecks,
  storeLearnt,
  storePosition,
  storeWalk,
  upsertExceptions,
} from './evaluation-store.ts'
import { learnPauses } from './learn-store.ts'
import {
  causeOf,
  type Decision,
  type Evaluation,
  evaluateParcel,
  givenUpAfterMs,
  keepDecision,
  type Learnt,
  type Limits,
  severityOf,
  undecided,
} from './rules.ts'
import { readLimits } from './settings-store.ts'

/** As often as the schedule looks for work: a parcel that is delivered leaves the list within seconds. */
export const evaluateExceptionsEveryMs = 10 * secondMs

const shopsAtOnce = 200
const parcelsAtOnce = 500
const promisesAtOnce = 200
/** Steps of one shop per run, of each sort: 10,000 parcels, so that other shops do not wait long. */
const stepsPerRun = 20
const learnEveryMs = dayMs

/** A change may be committed shortly after an evaluation although its time is earlier. Each run looks this far back again. */
const overlapMs = minuteMs

const firstId = '00000000-0000-0000-0000-000000000000'
const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/**
 * The memory of a process from one run to the next. Without it the results are the same, but in a busy shop each parcel
 * is evaluated again in every run that looks back on its change.
 */
export class EvaluationMemory {
  /** The last shop of the last run, if that ended before all shops were evaluated. */
  lastShop: string | undefined
  /** Changes that are evaluated: of each shop, the time of change by parcel. */
  readonly #evaluated = new Map<string, Map<string, number>>()

  isEvaluated(shopId: string, { id, at }: Position): boolean {
    return this.#evaluated.get(shopId)?.get(id) === at.getTime()
  }

  remember(shopId: string, changes: Position[]): void {
    const evaluated = this.#evaluated.get(shopId) ?? new Map<string, number>()
    for (const { id, at } of changes) evaluated.set(id, at.getTime())
    this.#evaluated.set(shopId, evaluated)
  }

  /** No run looks back on changes before this time any more. */
  forgetBefore(time: Date): void {
    for (const [shopId, evaluated] of this.#evaluated) {
      for (const [id, at] of evaluated) if (at < time.getTime()) evaluated.delete(id)
      if (evaluated.size === 0) this.#evaluated.delete(shopId)
    }
  }
}

/**
 * Keeps the exceptions of every shop up to date. Candidates are the parcels that changed since the last run, those for
 * which a kind begins to apply at a time that has come, and, after a new start or new limits, those that changed within
 * the last 60 days. Each are found by an index, and a run ends after a number of steps of each shop, or when its time is
 * over; the next one begins where it ended.
 */
export async function evaluateExceptions(
  context: Context,
  memory = new EvaluationMemory(),
  maxRunMs = Number.POSITIVE_INFINITY,
): Promise<void> {
  const startedAt = performance.now()
  memory.forgetBefore(overlapping(context).at)
  for (;;) {
    const shops = await listShopsWithWork(context, memory.lastShop, shopsAtOnce)
    for (const { shopId, hasWork } of shops) {
      if (performance.now() - startedAt > maxRunMs) return
      if (hasWork) await evaluateShop(context, shopId, memory)
      memory.lastShop = shopId
    }
    if (shops.length < shopsAtOnce) break
  }
  memory.lastShop = undefined
}

async function evaluateShop(context: Context, shopId: string, memory: EvaluationMemory): Promise<void> {
  // The first evaluation begins with what changes from now on, and walks back from here.
  await openProgress(context, shopId, overlapping(context), { at: context.now, id: lastId })
  await inProgress(context, shopId, learn)
  await repeat(() => inProgress(context, shopId, evaluateDue))
  await repeat(() => inProgress(context, shopId, evaluatePromised))
  await evaluateAllChanged(context, shopId, memory)
  await repeat(() => inProgress(context, shopId, evaluateWalked))
}

/** Evaluates the parcels that changed. What a step has evaluated is remembered once it is committed. */
async function evaluateAllChanged(context: Context, shopId: string, memory: EvaluationMemory): Promise<void> {
  let next: Position | undefined
  await repeat(async () => {
    let evaluated: Position[] = []
    const hasMore = await inProgress(context, shopId, async (context, progress) => {
      const changed = await listChanged(context, shopId, next ?? progress.changed, parcelsAtOnce)
      evaluated = changed.filter((change) => !memory.isEvaluated(shopId, change))
      await evaluateBatch(
        context,
        progress,
        evaluated.map(({ id }) => id),
      )
      next = changed.length === parcelsAtOnce ? changed.at(-1) : undefined
      await advance(context, progress, next)
      return next !== undefined
    })
    memory.remember(shopId, evaluated)
    return hasMore
  })
}

/** Stores how far the evaluation has come: to the given change, or to the end, but never into the overlap. */
async function advance(context: Context, progress: EvaluationState, next: Position | undefined): Promise<void> {
  const overlap = overlapping(context)
  const reached = next && next.at < overlap.at ? next : overlap
  if (reached.at > progress.changed.at) await storePosition(context, progress.shopId, reached)
}

/** Repeats a step until there is nothing more to do, or enough is done for one run. */
async function repeat(takeStep: () => Promise<boolean>): Promise<void> {
  for (let step = 0; step < stepsPerRun; step += 1) if (!(await takeStep())) return
}

type Step = (context: Context, progress: EvaluationState) => Promise<boolean>

/** Runs one step in a transaction of its own. Stops if another node works on the shop and keeps its progress locked. */
function inProgress(context: Context, shopId: string, step: Step): Promise<boolean> {
  return inTransaction(context, async (context) => {
    const progress = await lockProgress(context, shopId)
    return progress !== undefined && step(context, progress)
  })
}

/** Learns the pauses of the shop's routes once per day. If they changed, all parcels are evaluated by them. */
async function learn(context: Context, progress: EvaluationState): Promise<boolean> {
  if (progress.learntAt !== null && progress.learntAt > after(context.now, -learnEveryMs)) return false
  const learnt = await learnPauses(context, progress.shopId)
  const isChanged = !isDeepStrictEqual(learnt, progress.learnt)
  await storeLearnt(context, progress.shopId, learnt)
  if (isChanged) await storeWalk(context, progress.shopId, { at: context.now, id: lastId })
  return true
}

async function evaluateDue(context: Context, progress: EvaluationState): Promise<boolean> {
  const ids = await listDue(context, progress.shopId, parcelsAtOnce)
  await evaluateBatch(context, progress, ids)
  return ids.length === parcelsAtOnce
}

/** Evaluates the parcels of orders whose promise is new, or whose promised day has passed. */
async function evaluatePromised(context: Context, progress: EvaluationState): Promise<boolean> {
  const orderIds = await listDuePromises(context, progress.shopId, promisesAtOnce)
  if (orderIds.length === 0) return false
  await evaluateBatch(context, progress, await parcelsOfOrders(context, progress.shopId, orderIds), orderIds)
  return orderIds.length === promisesAtOnce
}

function overlapping(context: Context): Position {
  return { at: after(context.now, -overlapMs), id: firstId }
}

/** Evaluates the parcels before the position of the walk, newest first, back to those that are given up. */
async function evaluateWalked(context: Context, progress: EvaluationState): Promise<boolean> {
  if (progress.walk === undefined) return false
  const since = after(context.now, -givenUpAfterMs)
  const walked = await listWalked(context, progress.shopId, { before: progress.walk, since }, parcelsAtOnce)
  await evaluateBatch(
    context,
    progress,
    walked.map(({ id }) => id),
  )
  const next = walked.length === parcelsAtOnce ? walked.at(-1) : undefined
  await storeWalk(context, progress.shopId, next)
  return next !== undefined
}

async function evaluateBatch(
  context: Context,
  progress: EvaluationState,
  ids: string[],
  orderIds: string[] = [],
): Promise<void> {
  if (ids.length + orderIds.length === 0) return
  const { shopId, learnt } = progress
  const limits = await readLimits(context, shopId)
  const parcels = await findParcels(context, shopId, ids)
  const listed = await lockExceptions(context, shopId, ids)
  const watch = await watchPromises(context, shopId, parcels, orderIds)
  const outcomes = parcels.map((parcel) =>
    decide(withWatch(parcel, watch), listed.get(parcel.id), { limits, learnt, now: context.now }),
  )
  const rows = outcomes.flatMap(({ row }) => row ?? [])
  const kept = new Set(rows.map(({ shipmentId }) => shipmentId))
  await deleteExceptions(
    context,
    shopId,
    [...listed.keys()].filter((id) => !kept.has(id)),
  )
  await upsertExceptions(
    context,
    shopId,
    rows.filter((row) => !isDeepStrictEqual(row, listed.get(row.shipmentId))),
  )
  await storeChecks(context, shopId, { ids, parcels, outcomes })
}

function withWatch(parcel: ParcelRow, { atRiskSince, promisedUntil, checkAt }: Watch): ParcelRow {
  // Not a spread: on Node 20, fields added to a copy are slow, and this runs for every parcel.
  return Object.assign({}, parcel, {
    atRiskSince: atRiskSince.get(parcel.id),
    promisedUntil: promisedUntil.get(parcel.id),
    chanceCheckAt: checkAt.get(parcel.id),
  })
}

interface EvaluatedBatch {
  ids: string[]
  /** Those that still exist. */
  parcels: ParcelRow[]
  outcomes: EvaluatedParcel[]
}

/** Writes only what differs: most of what is evaluated a second time is as it was. */
async function storeChecks(
  context: Context,
  shopId: string,
  { ids, parcels, outcomes }: EvaluatedBatch,
): Promise<void> {
  const stored = new Map(parcels.map(({ id, storedCheckAt }) => [id, storedCheckAt]))
  const wanted = new Map(outcomes.flatMap(({ id, checkAt }) => (checkAt ? [[id, checkAt]] : [])))
  await deleteChecks(
    context,
    shopId,
    // A shipment that was deleted may have left one.
    ids.filter((id) => !wanted.has(id) && stored.get(id) !== null),
  )
  await putChecks(
    context,
    shopId,
    [...wanted]
      .filter(([id, checkAt]) => stored.get(id)?.getTime() !== checkAt.getTime())
      .map(([shipmentId, checkAt]) => ({ shipmentId, checkAt })),
  )
}

interface EvaluatedParcel {
  id: string
  /** Undefined: the parcel is not listed. */
  row: ListedException | undefined
  checkAt: Date | undefined
}

function decide(
  parcel: ParcelRow,
  listed: ListedException | undefined,
  { limits, learnt, now }: { limits: Limits; learnt: Learnt; now: Date },
): EvaluatedParcel {
  const evaluation = evaluateParcel(parcel, limits, learnt, now)
  const row = toRow(parcel, evaluation, listed?.decision ?? undecided, now)
  const snoozedUntil = row?.decision.snoozedUntil
  const isSnoozeFirst = snoozedUntil && (evaluation.checkAt === undefined || snoozedUntil < evaluation.checkAt)
  return { id: parcel.id, row, checkAt: isSnoozeFirst ? snoozedUntil : evaluation.checkAt }
}

function toRow(
  parcel: ParcelRow,
  { reasons, stuckAfterDays, usualScanHours }: Evaluation,
  decision: Decision,
  now: Date,
): ListedException | undefined {
  const [first, ...others] = reasons
  if (first === undefined) return undefined
  const isStuck = reasons.some(({ kind }) => kind === 'stuck')
  const current = { severity: severityOf(first.kind), causedAt: causeOf(reasons) }
  return {
    shipmentId: parcel.id,
    orderId: parcel.orderId,
    kind: first.kind,
    ...current,
    otherKinds: others.map(({ kind }) => kind),
    since: first.since,
    stuckAfterDays: isStuck ? (stuckAfterDays ?? null) : null,
    usualScanHours: isStuck ? (usualScanHours ?? null) : null,
    carrierReference: parcel.carrierReference,
    destinationCountry: parcel.destinationCountry,
    decision: keepDecision(decision, current, now),
  }
}
