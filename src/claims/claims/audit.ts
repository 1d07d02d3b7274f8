import type { Context } from '../../platform/foundation/context.ts'
import { changesBetween } from '../../shops/audit-log/changes.ts'
import { recordChange } from '../../shops/audit-log/record.ts'
import { findClaim, type InShop } from './store.ts'

/** A claim in the audit log: of the customer's texts and images, only that they changed. */
export const auditedClaim = {
  kind: 'claim',
  named: 'order_number',
  personal: ['description', 'reply', 'details'],
  async read(context: InShop, id: string): Promise<object | undefined> {
    const claim = await findClaim(context, id)
    if (claim === undefined) return undefined
    const { order_number, shipment_id, reason, resolution_preference, status, description, reply, details } = claim
    return {
      order_number,
      shipment_id,
      reason,
      resolution_preference,
      status,
      description,
      reply,
      details: JSON.stringify(details),
    }
  },
}

/** Records a decision when it takes effect, as the update that the context's actor would have made. */
export async function recordDecidedChange(
  context: InShop,
  id: string,
  before: object | undefined,
  after: object | undefined,
): Promise<void> {
  const changes = changesBetween(before, after, auditedClaim.personal)
  if (Object.keys(changes).length === 0) return
  const { order_number: name } = (after ?? {}) as { order_number?: string } // as `read` returns it
  const { kind } = auditedClaim
  await recordChange(context, {
    shopId: context.shop.id,
    action: 'updateClaim',
    area: 'Claims',
    kind,
    id,
    name,
    changes,
  })
}

/** Records what an automation does to a claim. What callers do is recorded with their operation. */
export async function recordAutomatedChange(
  context: Context,
  claim: { shopId: string; id: string },
  action: 'createClaim' | 'updateClaim',
  { before, after }: { before: object | undefined; after: object },
): Promise<void> {
  if (context.causedBy === undefined) return
  const changes = changesBetween(before, after, auditedClaim.personal)
  const { shopId, id } = claim
  await recordChange(context, { shopId, action, area: 'Claims', kind: auditedClaim.kind, id, changes })
}
