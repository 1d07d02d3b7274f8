import { after, minuteMs, secondMs } from '../../platform/foundation/clock.ts'
import type { Context, ShopContext } from '../../platform/foundation/context.ts'
import { ApiError, type Problem } from '../../platform/foundation/errors.ts'
import { given } from '../../platform/foundation/given.ts'
import { type Principal, principalName } from '../../platform/foundation/roles.ts'
import { inTransaction } from '../../platform/foundation/transaction.ts'
import { wakeOnceCommitted } from '../../platform/workers/wake.ts'
import { auditedClaim, recordDecidedChange } from './audit.ts'
import { type ClaimKey, changeClaim } from './change.ts'
import {
  claimDecision,
  deleteDecisions,
  listDueDecisions,
  lockClaimStatuses,
  type PendingDecision,
  postponeDecision,
  putDecisions,
} from './decision-store.ts'
import { describeTransitions, isAllowedTransition } from './rules.ts'
import type { ClaimDecision, ClaimDecisions, ClaimStatus, UndoneDecisions } from './schema.ts'
import { lockClaim } from './store.ts'

/** How long a decision can be undone. */
const undoMs = 10 * secondMs
const retryMs = minuteMs
const decisionsAtOnce = 100

/** Stores a decision about all of these claims, or none. It takes effect later, unless it is undone or replaced. */
export async function decide(context: ShopContext, decision: ClaimDecision): Promise<ClaimDecisions> {
  const ids = [...new Set(decision.claims.map((id) => id.toLowerCase()))]
  const dueAt = after(context.now, undoMs)
  return inTransaction(context, async (context) => {
    const statuses = await lockClaimStatuses(context, ids)
    const problems = decision.claims.flatMap((id, index) =>
      problemOf(statuses.get(id.toLowerCase()), decision.status, index),
    )
    if (problems.length > 0) {
      throw new ApiError('invalid_payload', `claims: ${problems[0]?.msg}`, { problems })
    }
    const { principal } = context
    await putDecisions(
      context,
      ids,
      {
        status: decision.status,
        changes: given(decision, ['reply', 'resolution_preference']),
        decidedBy: principalName(principal),
        actorKind: principal.kind,
        actorId: principal.keyId,
      },
      dueAt,
    )
    wakeOnceCommitted(context, 'claimDecisions', dueAt)
    const { status } = decision
    return { decisions: ids.map((claim) => ({ claim, status, takes_effect_at: dueAt.toISOString() })) }
  })
}

function problemOf(current: ClaimStatus | undefined, status: ClaimStatus, index: number): Problem[] {
  const problem = (msg: string): Problem[] => [{ loc: ['body', 'claims', index], msg, type: 'value_error' }]
  if (current === undefined) return problem('must be a claim of this shop')
  if (isAllowedTransition(current, status)) return []
  return problem(`must be a claim that can become ${status}: ${describeTransitions(current)}`)
}

export async function undoDecisions(context: ShopContext, claimIds: string[]): Promise<UndoneDecisions> {
  const ids = [...new Set(claimIds.map((id) => id.toLowerCase()))]
  return inTransaction(context, async (context) => {
    await lockClaimStatuses(context, ids)
    const undone = await deleteDecisions(context, ids)
    return { undone: ids.filter((id) => undone.has(id)), too_late: ids.filter((id) => !undone.has(id)) }
  })
}

/** Applies due decisions, each in its own transaction. Returns whether more may be due. */
export async function applyDueDecisions(context: Context): Promise<boolean> {
  const due = await listDueDecisions(context, decisionsAtOnce)
  for (const key of due) {
    try {
      await applyDecision(context, key)
    } catch (err) {
      context.log.error({ err, claim: key.id }, 'a decision about a claim could not be applied and will be tried again')
      await postponeDecision(context, key, after(context.now, retryMs))
    }
  }
  return due.length === decisionsAtOnce
}

/**
 * Updates the claim as the operation would for the person who decided. Removing the decision is part of the transaction: if
 * the process dies, it is still due; once applied, nobody finds it again.
 */
function applyDecision(context: Context, key: ClaimKey): Promise<void> {
  return inTransaction(context, async (context) => {
    const decision = await claimDecision(context, key)
    if (decision === undefined) return
    const claim = await lockClaim(context, key.shopId, key.id)
    if (claim === undefined || !isAllowedTransition(claim.status, decision.status)) {
      const status = claim?.status ?? 'deleted'
      context.log.warn(
        { claim: key.id, status, decided: decision.status },
        'a decision was dropped: its claim has changed meanwhile',
      )
      return
    }
    const acting = { ...context, principal: principalOf(context, decision), shop: { id: key.shopId } }
    const before = await auditedClaim.read(acting, key.id)
    await changeClaim(acting, key, { status: decision.status, ...decision.changes })
    await recordDecidedChange(acting, key.id, before, await auditedClaim.read(acting, key.id))
  })
}

/** The principal that decided, as far as the audit log records it. Its rights were checked when it decided. */
function principalOf({ principal }: Context, { actorKind, actorId, decidedBy }: PendingDecision): Principal {
  const kind = actorKind as Principal['kind'] // stored from a principal
  return { ...principal, kind, keyId: actorId, name: decidedBy }
}
