import type { Context, ShopContext } from '../../foundation/context.ts'
import { changesBetween } from '../audit-log/changes.ts'
import { recordChange } from '../audit-log/record.ts'
import { findClaim } from './store.ts'

/** What the audit log records of a claim: of what the customer wrote and sent, only that it changed. */
export const auditedClaim = {
  kind: 'claim',
  named: 'order_number',
  personal: ['description', 'details'],
  async read(context: ShopContext, id: string): Promise<object | undefined> {
    const claim = await findClaim(context, id)
    if (claim === undefined) return undefined
    const { order_number, shipment_id, reason, resolution_preference, status, description, details } = claim
    return {
      order_number,
      shipment_id,
      reason,
      resolution_preference,
      status,
      description,
      details: JSON.stringify(details),
    }
  },
}

/** Records what an automation does to a claim. What callers do is recorded with their operation. */
export async function recordAutomatedChange(
  context: Context,
  claim: { shopId: string; id: string },
  action: 'createClaim' | 'updateClaim',
  before: object | undefined,
  after: object,
): Promise<void> {
  if (context.causedBy === undefined) return
  const changes = changesBetween(before, after, auditedClaim.personal)
  const { shopId, id } = claim
  await recordChange(context, { shopId, action, area: 'Claims', kind: auditedClaim.kind, id, changes })
}
