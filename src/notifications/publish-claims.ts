import type { Context } from '../foundation/context.ts'
import { claimEventData } from './event-data.ts'
import { filtersOf } from './filters.ts'
import { chooseTargets, type News, queueDeliveries, type ToldOrder } from './queue.ts'
import type { Candidate, Target } from './store.ts'

/** What has become of a claim in this transaction. */
export interface RecordedClaim {
  shopId: string
  claimId: string
  orderId: string
  shipmentId: string
  action: 'created' | 'updated'
  now: Date
}

/** Queues what is told of claims, in the transaction that writes them. */
export async function publishClaims(context: Context, claims: RecordedClaim[]): Promise<void> {
  const chosen = await chooseTargets(context, claims, candidateOf)
  await queueDeliveries(
    context,
    chosen.map(({ event, targets }) => newsOf(event, targets)),
  )
}

function candidateOf(claim: RecordedClaim): Candidate {
  return {
    shopId: claim.shopId,
    filters: filtersOf(refOf(claim)),
    eventGroup: groupOf(claim),
    deliveredGroup: null,
    shipmentId: claim.shipmentId,
    eventTime: claim.now,
    now: claim.now,
  }
}

function newsOf(claim: RecordedClaim, targets: Target[]): News {
  return {
    source: 'claims',
    ref: refOf(claim),
    eventName: claim.action === 'created' ? 'CLAIM_CREATED' : 'CLAIM_UPDATED',
    eventGroup: groupOf(claim),
    shopId: claim.shopId,
    orderId: claim.orderId,
    shipmentId: claim.shipmentId,
    now: claim.now,
    targets,
    // A parcel may have several claims, and each decision about one is news.
    isToldOnce: false,
    eventData: (told) => claimEventData(claim.action, groupOf(claim), claimIn(told, claim.claimId)),
  }
}

function refOf({ action }: RecordedClaim): string {
  return `claims/${action}`
}

function groupOf({ action }: RecordedClaim): string {
  return `claim_${action}`
}

function claimIn({ claims }: ToldOrder, id: string) {
  const claim = claims.find(({ uuid }) => uuid === id)
  if (claim === undefined) throw new Error(`the order of claim ${id} does not have it`)
  return claim
}
