import { listFinishedDeliveries, type PastDelivery } from '../../delivery/log/replay-store.ts'
import { requeueDeliveries } from '../../delivery/log/store.ts'
import { ConditionSet, type Facts } from '../../delivery/receivers/condition-set.ts'
import type { Condition } from '../../delivery/receivers/conditions.ts'
import { filtersOf } from '../../delivery/receivers/filters.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import type { EndpointRow } from './store.ts'

/** The number of past deliveries that one call looks at; a second call continues. */
export const replayAtMost = 5_000
const batchSize = 500

export interface Replay {
  replayed: number
  /** When the first delivery was created that was not looked at; undefined if all were. */
  nextFrom: Date | undefined
}

/**
 * Makes the finished deliveries of a period due again, oldest first, if the endpoint would get them today. Those that are
 * still in the queue stay in it. Call it inside a transaction.
 */
export async function replayDeliveries(
  context: ShopContext,
  endpoint: EndpointRow,
  period: { from: Date; to: Date },
): Promise<Replay> {
  const wants = createFilter(endpoint)
  const range = { target: endpoint.id, ...period }
  let replayed = 0
  let last: PastDelivery | undefined
  for (let seen = 0; seen < replayAtMost; seen += batchSize) {
    const batch = await listFinishedDeliveries(context, range, last?.id, {
      limit: batchSize,
      withBodies: endpoint.conditions !== null,
    })
    const wanted = batch.filter(wants).map(({ id }) => id)
    if (wanted.length > 0) replayed += (await requeueDeliveries(context, wanted)).length
    if (batch.length < batchSize) return { replayed, nextFrom: undefined }
    last = batch.at(-1)
  }
  const [next] = await listFinishedDeliveries(context, range, last?.id, { limit: 1, withBodies: false })
  return { replayed, nextFrom: next?.createdAt }
}

/** Whether an endpoint would get a delivery by its events and conditions of today. */
function createFilter({ enabled_events, conditions }: EndpointRow): (delivery: PastDelivery) => boolean {
  const enabled = new Set(enabled_events)
  const set = new ConditionSet()
  const needed = set.add((conditions ?? []) as Condition[]) // stored by us, as their schema has them
  return ({ ref, body }) =>
    filtersOf(ref).some((filter) => enabled.has(filter)) &&
    (body === null || set.evaluate(JSON.parse(body) as Facts).meetsAll(needed)) // written by us
}
